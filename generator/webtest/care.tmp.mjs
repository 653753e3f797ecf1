import { launch, serveFolder } from "./stage.mjs";
const site = await serveFolder("/tmp/care/site");
const browser = await launch();
const log = (...a) => console.log(...a);
for (const [w,h] of [[390,844],[1280,900]]) {
  const ctx = await browser.newContext({ viewport: {width:w,height:h} });
  const page = await ctx.newPage();
  page.on("console", m => log("console", m.text())); page.on("pageerror", e => log("error", e.message));
  for (const lang of ["", "ko/"]) {
    const n = (lang||"en/").slice(0,2)+w;
    await page.goto(site.home+lang+"cases/IL-0123/");
    await page.click(".cite summary");
    await page.locator(".cite").scrollIntoViewIfNeeded();
    const el = await page.locator(".cite").boundingBox(), nb = await page.locator(".neighbours").boundingBox();
    await page.screenshot({path:`/tmp/care/cite.${n}.png`, fullPage:true, clip:{x:0,y:el.y+await page.evaluate(()=>scrollY)-20,width:w,height:nb.y+nb.height-el.y+160}});
    for (const p of ["contribute/","nope/","orgs/openai/"]) { await page.goto(site.home+lang+p).catch(()=>{}); await page.screenshot({path:`/tmp/care/${p.split("/")[0]}.${n}.png`, fullPage: p!="orgs/openai/"}); }
  }
  await page.goto(site.home+"cases/IL-0123/"); const before = page.url();
  await page.click("a.random"); await page.waitForURL(u=>u.toString()!==before); log("random", page.url());
  await page.goto(site.home+"ko/cases/il-123/"); await page.waitForTimeout(500); log("meant", await page.locator(".meant").innerText().catch(e=>"none"), await page.locator(".meant a").getAttribute("href").catch(()=>"-"));
  await ctx.close();
}
const ctx = await browser.newContext({ javaScriptEnabled:false }); const page = await ctx.newPage();
await page.goto(site.home); await page.click("a.random"); log("nojs", page.url());
await browser.close(); await site.close();
