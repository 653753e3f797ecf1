// The pictures of the built site, the control of an error budget and the lab of
// the retry storm in a real browser, under the policy that a host is to send.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { previewHeaders } from "./browser-site.mjs";
import { languages, launch, overflow, serveFolder } from "./stage.mjs";
import { until, witness } from "./witness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// The pages that draw, with how many pictures each has. IL-0324 says when it was
// detected and when it was over.
const drawn = { "": 2, "topics/components/database/": 1, "cases/IL-0324/": 2, "cases/IL-0123/": 1 };
const pages = [...Object.keys(drawn), "topics/", "years/"];
const looked = ["", "topics/", "years/", "cases/IL-0324/"]; // with all rules of axe; others' tests look at the rest
const ids = (page) => page.locator("#cases .cases .id").allInnerTexts();
const number = (text) => Number(text.replaceAll(",", ""));

export function testCharts(folder, program, seeds) {
  describe("the charts", { concurrency: 2 }, () => {
    let browser, site;
    before(async () => {
      [site, browser] = await Promise.all([serveFolder(folder, await previewHeaders(program, seeds)), launch()]);
    });
    after(() => Promise.all([browser?.close(), site?.close()]));

    // Gives a page of a context of its own, and holds it to doing nothing wrong.
    const withPage = async (options, use) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      const record = await witness(context, site.home);
      try {
        await use(await context.newPage());
        record.nothing();
      } finally {
        await context.close();
      }
    };

    test("every picture is an image with a name and a description, without JavaScript too", () => withPage({ javaScriptEnabled: false }, async (page) => {
      for (const prefix of Object.values(languages)) {
        for (const [at, count] of Object.entries(drawn)) {
          await page.goto(site.home + prefix + at);
          const images = page.locator("main").getByRole("img", { name: /\S/ }).and(page.locator(".chart"));
          assert.equal(await images.count(), count, prefix + at);
          assert.equal(await page.locator(".chart").count(), count, prefix + at);
          for (const image of await images.all()) {
            assert.match(await image.locator("> desc").innerHTML(), /\d/, prefix + at);
            const box = await image.boundingBox();
            assert.ok(box.width > 100 && box.height > 20, prefix + at);
          }
        }
      }
    }));

    test("the tables have the numbers that are drawn, and all cases", () => withPage({}, async (page) => {
      await page.goto(site.home);
      const all = number(await page.locator(".numbers dd").first().innerText());
      for (const [id, sum] of [["#by-year", all], ["#recovery", number(/^\d+/.exec(await page.locator("#recovery figcaption").innerText())[0])]]) {
        await page.locator(`${id} summary`).click();
        const rows = (await page.locator(`${id} tbody .n`).allInnerTexts()).map(number).filter((n) => n > 0);
        const columns = (await page.locator(`${id} .number`).allTextContents()).map(number);
        assert.deepEqual([...columns].sort(), [...rows].sort(), id);
        assert.equal(rows.reduce((a, b) => a + b, 0), sum, id);
      }
    }));

    test("a bar leads to the topic or the year that it counts, and is as long as its number", () => withPage({}, async (page) => {
      for (const at of ["", "years/"]) {
        await page.goto(site.home + at);
        const rows = await page.locator(".bars tbody tr").evaluateAll((all) => all.map((tr) => ({
          href: tr.querySelector("a")?.href, count: Number(tr.querySelector(".n").textContent), long: tr.querySelector(".length")?.getBoundingClientRect().width ?? 0 })));
        const most = rows.reduce((a, b) => (a.count >= b.count ? a : b));
        for (const row of rows) assert.ok(Math.abs(row.long / most.long - row.count / most.count) < 0.02, `${at}: ${JSON.stringify(row)}`);
        for (const row of [rows[0], rows.at(-1)]) {
          await page.goto(row.href);
          assert.match(await page.locator(".count").first().innerText(), new RegExp(`\\b${row.count}\\b`), row.href);
        }
      }
    }));

    test("a cell of the matrix counts the cases that its two topics share, and leads to them", () => withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(site.home + "topics/");
      const row = page.locator(".matrix tbody tr").nth(1), cell = row.locator("td a").first();
      const column = await cell.evaluate((a) => a.closest("td").cellIndex);
      const [href, count, component, cause] = await Promise.all([cell.getAttribute("href"), cell.innerText(),
        row.locator("th a").getAttribute("href"), page.locator(".matrix thead tr > *").nth(column).locator("a").getAttribute("href")]);
      const slug = (address) => address.split("/").at(-2);
      assert.equal(new URL(href, site.home).search, `?root_cause=${slug(cause)}&components=${slug(component)}`);
      assert.equal((await page.goto(new URL(href, site.home).href)).status(), 200);
      await page.goto(new URL(component, site.home).href);
      const those = await ids(page);
      await page.goto(new URL(cause, site.home).href);
      assert.equal((await ids(page)).filter((id) => those.includes(id)).length, Number(count), href);
    }));

    test("a case shows the times of all from a file of their own, with its own marked", () => withPage({}, async (page) => {
      for (const prefix of Object.values(languages)) {
        await page.goto(site.home + prefix + "cases/IL-0123/");
        const chart = page.locator("#time .recovery");
        await until("the file is shown", () => chart.locator("use").evaluateAll((all) => all.length === 2 && all.every((use) => use.getBBox().width > 100)));
        assert.match(await chart.locator(".marked").textContent(), /^1(h 34m|시간 34분)$/);
        assert.match(await page.locator("#time").innerText(), prefix === "" ? /(longer|sooner) than (half|\d in 10)/ : /사례(의 절반| 열에 ..)보다/);
        const [mark, ...ticks] = await chart.evaluate((svg) => [svg.querySelector(".mark"), svg].map((e) => e.getBoundingClientRect()).map((b) => b.left));
        assert.ok(mark > ticks[0]);
        await page.locator("#time figcaption a").click();
        assert.equal(page.url(), site.home + prefix + "#recovery");
      }
    }));

    test("the error budget follows the reader's numbers by keyboard, and says so once", () => withPage({}, async (page) => {
      await page.goto(site.home + "cases/IL-0123/"); // 1h 34m
      const said = page.locator("#spend-said"), told = page.locator("#spend-told");
      assert.match(await said.innerText(), /^1h 34m with 100% of requests failing use up 217\.6% .* 99\.9% allows 43\.2 min .* 30 days\.$/);
      await page.locator("#spend-share").focus();
      for (const [key, part, used] of [["Home", "1%", "2.2%"], ["ArrowRight", "2%", "4.4%"], ["End", "100%", "217.6%"], ["PageDown", "90%", "195.8%"]]) {
        await page.keyboard.press(key);
        assert.equal(await page.locator("#spend-failing").innerText(), part, key);
        assert.equal(await page.locator("#spend-part").innerText(), part, key);
        assert.equal(await page.locator("#spend-used").innerText(), used, key);
        assert.equal(await page.locator("#spend-share").getAttribute("aria-valuetext"), part, key);
      }
      await page.keyboard.press("Tab");
      await page.keyboard.press("ArrowUp"); // 99.5 %
      await page.keyboard.press("Tab");
      await page.keyboard.press("ArrowDown"); // 90 days
      assert.match(await said.innerText(), /use up 13\.1% .* 99\.5% allows 10\.8 h .* 90 days\.$/);
      assert.equal(await page.locator(".spent .within").getAttribute("width"), "13.1%");
      await until("it is told", async () => (await told.textContent()) === (await said.textContent()));
      // A slider that is dragged is told of once it rests, not at every step.
      const times = await page.evaluate(async () => {
        const told = document.getElementById("spend-told"), share = document.getElementById("spend-share");
        let times = 0;
        new MutationObserver(() => times++).observe(told, { childList: true, characterData: true });
        for (let value = 90; value > 50; value--) {
          share.value = value;
          share.dispatchEvent(new Event("input", { bubbles: true }));
        }
        await new Promise((resolve) => setTimeout(resolve, 1500));
        return times;
      });
      assert.equal(times, 1);
      assert.equal(page.url(), site.home + "cases/IL-0123/", "the choice stays out of the address");
    }));

    test("the error budget is a table alone without JavaScript", () => withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(site.home + "ko/cases/IL-0123/");
      assert.ok(!(await page.locator(".spend").isVisible()));
      assert.match(await page.locator("#error-budget table").innerText(), /99\.9%\s+43\.2분\s+217\.6%/);
    }));

    test("the lab of the retry storm redraws what a slider changes", () => withPage({}, async (page) => {
      for (const [prefix, times] of [["", /^\d+\.\d\d×$/], ["ko/", /^\d+\.\d\d×$/]]) {
        await page.goto(site.home + prefix + "articles/retry-storms/");
        const lab = page.locator(".lab");
        await until("the lab is there", () => lab.isVisible());
        const state = () => lab.evaluate((e) => ({ calls: e.querySelector(".calls").getAttribute("d"), failed: e.querySelector("#storm-failed").textContent, times: e.querySelector("#storm-times").textContent }));
        await until("it has run", async () => (await state()).calls?.length > 100);
        const before = await state();
        assert.match(before.times, times);
        await page.locator("#storm-fail").focus();
        for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
        const changed = await until("more fails", async () => {
          const now = await state();
          return now.failed !== before.failed && now.calls !== before.calls && now;
        });
        assert.ok(number(changed.failed) > number(before.failed));
        assert.equal(await lab.locator('output[for="storm-fail"]').innerText(), await page.locator("#storm-fail").getAttribute("aria-valuetext"));
        await page.locator("#storm-with-budget").press("Space");
        await until("a retry budget makes fewer calls of a message", async () => parseFloat((await state()).times) < parseFloat(changed.times));
      }
    }));

    for (const colorScheme of ["light", "dark"]) {
      test(`has no fault that axe finds, ${colorScheme}`, () => withPage({ colorScheme }, async (page) => {
        const faults = [];
        for (const at of colorScheme === "light" ? looked.flatMap((p) => [p, "ko/" + p]) : looked) {
          await page.goto(site.home + at);
          await page.locator("details").evaluateAll((all) => all.forEach((d) => { d.open = true; }));
          await page.evaluate(axe);
          const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }));
          for (const v of violations) faults.push(`${at}: ${v.id}: ${v.nodes.slice(0, 2).map((n) => n.html.slice(0, 120) + " " + n.failureSummary).join("; ")}`);
        }
        assert.deepEqual(faults, []);
      }));
    }

    test("fits a phone, where only the matrix scrolls, and its names stay", () => withPage({}, async (page) => {
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        for (const at of pages.flatMap((p) => [p, "ko/" + p])) {
          await page.goto(site.home + at);
          await page.locator("details").evaluateAll((all) => all.forEach((d) => { d.open = true; }));
          assert.equal(await overflow(page), null, `${at} at ${width} px`);
        }
      }
      await page.goto(site.home + "topics/");
      const name = page.locator(".matrix tbody th").first();
      const before = await name.boundingBox();
      await page.locator("#matrix .scroll").evaluate((e) => { e.scrollLeft = 200; });
      assert.ok(Math.abs((await name.boundingBox()).x - before.x) < 4, "the name of a row stays in view");
    }));

    test("sets type of a picture between 10 and 18 pixels at every width", () => withPage({}, async (page) => {
      for (const width of [320, 390, 700, 1280, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        for (const at of Object.keys(drawn)) {
          await page.goto(site.home + at);
          const sizes = await page.locator(".chart").evaluateAll((all) => all.map((svg) => parseFloat(getComputedStyle(svg).fontSize) * svg.getBoundingClientRect().width / 360));
          for (const size of sizes) assert.ok(size >= 10 && size <= 18, `${at} at ${width} px: ${size}`);
        }
      }
    }));
  });
}
