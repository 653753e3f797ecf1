// The search and the filtered list in a real browser, under the headers that a
// host is to send: what a reader types, ticks and presses, and what they get.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { previewHeaders } from "./browser-site.mjs";
import { kinds, launch, overflow, serveFolder } from "./stage.mjs";
import { until, witness } from "./witness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// The budgets of a page, in bytes as a host sends them.
const scriptBudget = 15 * 1024, firstResultBudget = 60 * 1024;

export function testSearch(folder, program, seeds) {
  const docs = readdirSync(path.join(folder, "api/v1/cases"), { withFileTypes: true }).filter((e) => e.isFile() && e.name.endsWith(".json"))
    .map((e) => JSON.parse(readFileSync(path.join(folder, "api/v1/cases", e.name), "utf8"))).filter((c) => !c.withdrawn);

  describe("the search", { concurrency: 2 }, () => {
    let browser, site;
    before(async () => {
      [site, browser] = await Promise.all([previewHeaders(program, seeds).then((headers) => serveFolder(folder, headers)), launch()]);
    });
    after(() => Promise.all([browser?.close(), site?.close()]));

    const withPage = async (options, use) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      const record = await witness(context, site.home);
      try {
        const page = await context.newPage();
        await use(page, record);
        record.nothing();
      } finally {
        await context.close();
      }
    };
    // The number that the page says it found, once it has said one.
    const counted = (page, what = "a count is said") => until(what, async () => /^(?:\D*)([\d,]+)(?:\D*)$/.exec(await page.locator(".status").innerText())?.[1].replace(",", "")).then(Number);
    const says = (page, text) => until(`it says ${text}`, async () => (await page.locator(".finder").innerText()).includes(text));
    const titles = (page) => page.locator(".results .to .id").allInnerTexts();
    const query = (page) => new URL(page.url()).searchParams;

    test("loads nothing until it is wanted, then finds what is typed, in English", () => withPage({}, async (page) => {
      const asked = [];
      page.on("request", (r) => asked.push(new URL(r.url()).pathname));
      await page.goto(site.home + "search/", { waitUntil: "networkidle" });
      assert.deepEqual(asked.filter((a) => /\/search\/.*json|search-/.test(a)), []);
      await page.locator("#q").pressSequentially("connection pool", { delay: 5 });
      await until("all of it is asked for", async () => query(page).get("q") === "connection pool");
      const n = await until("it is found", async () => await page.locator(".results mark").count() > 0 && await counted(page));
      assert.ok(n < docs.length, `${n} results`);
      assert.equal(await page.locator(".status").getAttribute("role"), "status");
      assert.match(await page.locator(".status").innerText(), n === 1 ? /^1 result$/ : /^\d+ results$/);
      const first = page.locator(".results > li").first();
      assert.match(await first.innerText(), /IL-\d{4}[^]*·[^]*\d{4}/);
      assert.ok(await page.locator(".results mark").count() > 0, "the words are marked");
      for (const word of await page.locator(".results mark").allInnerTexts()) assert.match(word, /connect|pool/i);
      assert.ok(await page.locator("#q").evaluate((e) => e === document.activeElement), "the focus has not moved");
      assert.ok(!(await page.locator("#unsearched").isVisible()));
    }));

    test("finds a part of a Korean word, with and without spaces", () => withPage({ locale: "ko-KR" }, async (page) => {
      const found = async (q) => {
        await page.goto(site.home + "ko/search/?q=" + encodeURIComponent(q));
        const n = await counted(page, q);
        assert.match(await page.locator(".status").innerText(), /^결과 \d+건$/);
        return n;
      };
      const having = (part) => docs.filter((c) => JSON.stringify(c).includes(part)).length;
      for (const part of ["데이터베", "데이터베이스", "연결"]) assert.ok(await found(part) >= having(part), part);
      assert.equal(await found("헬스체크"), await found("헬스 체크"));
      assert.ok(await found("데이터베이스에서") > 0);
      assert.match(await page.locator(".results").innerText(), /\d{4}년 \d+월 \d+일/);
      assert.ok(await page.locator(".results mark").count() > 0);
    }));

    test("waits while a syllable is being composed", () => withPage({ locale: "ko-KR" }, async (page) => {
      await page.clock.install({ time: "2026-01-01T00:00:00Z" });
      await page.goto(site.home + "ko/search/");
      await page.locator("#q").focus();
      await page.clock.pauseAt("2026-01-01T01:00:00Z"); // from here the page's time is this test's
      const ime = await page.context().newCDPSession(page);
      const compose = (text) => ime.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
      for (const text of ["ㄷ", "데", "뎁"]) {
        await compose(text);
        await page.clock.runFor(150);
        assert.equal(await page.locator(".status").innerText(), "", `nothing is searched for at ${text}`);
      }
      await ime.send("Input.insertText", { text: "데" });
      await compose("이");
      await ime.send("Input.insertText", { text: "이" });
      await compose("터");
      await page.clock.resume();
      await until("after a pause the open syllable counts too", async () => query(page).get("q") === "데이터");
      assert.ok(await counted(page) > 0);
      assert.equal(await page.locator("#q").inputValue(), "데이터", "what is being composed is left alone");
    }));

    test("narrows by filters with true counts, in the address, and goes back", () => withPage({}, async (page) => {
      await page.goto(site.home + "search/?q=database");
      const all = await counted(page);
      const choice = page.locator('.group input[name="root_cause"]').first();
      const value = await choice.getAttribute("value");
      const beside = Number(await choice.locator("xpath=..").locator(".n").innerText());
      await choice.check();
      await until("the count follows", async () => await counted(page) === beside);
      assert.equal(query(page).get("root_cause"), value);
      assert.ok(await choice.evaluate((e) => e === document.activeElement), "the focus stays");
      const narrowed = await titles(page);
      for (const id of narrowed) assert.equal(docs.find((c) => c.id === id).root_cause, value);
      await page.goBack();
      await until("back", async () => await counted(page) === all);
      assert.ok(!(await choice.isChecked()));
      assert.equal(query(page).get("root_cause"), null);
      await page.goForward();
      await until("forward", async () => await counted(page) === beside);
      assert.ok(await choice.isChecked());

      const again = await page.context().newPage();
      await again.goto(page.url());
      await until("the address gives the same view", async () => String(await titles(again)) === String(narrowed));
      await again.close();
      await page.locator(".results .to").first().click();
      await page.goBack();
      await until("back from a case", async () => String(await titles(page)) === String(narrowed));

      await page.locator(".picked .chip").first().click();
      await until("without the filter", async () => await counted(page) === all);
      assert.equal(query(page).get("q"), "database");
    }));

    test("filters the list of cases by any combination, each an address", () => withPage({}, async (page) => {
      const c = docs.find((d) => d.root_cause && d.components.length > 1);
      const [a, b] = c.components;
      const want = docs.filter((d) => d.root_cause === c.root_cause && d.components.includes(a) && d.components.includes(b));
      await page.goto(`${site.home}cases/?root_cause=${c.root_cause}&components=${a}&components=${b}`);
      assert.equal(await counted(page), want.length);
      assert.ok((await titles(page)).includes(c.id));
      assert.ok(!(await page.locator("#unsearched").isVisible()));

      const year = c.date.slice(0, 4);
      await page.goto(`${site.home}cases/?year=${year}&org=${c.org_slug}`);
      assert.equal(await counted(page), docs.filter((d) => d.date.startsWith(year) && d.org_slug === c.org_slug).length);
      assert.match(await page.locator(".picked").innerText(), new RegExp(c.org.slice(0, 4)));

      await page.goto(`${site.home}cases/?sort=oldest&duration=1d`);
      const minutes = (d) => [...d.timeline.resolved_after.matchAll(/(\d+)([dhms])/g)].reduce((n, [, v, u]) => n + v * { d: 1440, h: 60, m: 1, s: 1 / 60 }[u], 0);
      await counted(page);
      await until("all are there", async () => (await titles(page)).length === Math.min(await counted(page), 20));
      const listed = (await titles(page)).map((id) => docs.find((d) => d.id === id));
      const dates = listed.map((d) => d.date).filter((d) => d.length === 10);
      assert.ok(dates.length > 1);
      assert.deepEqual(dates, dates.toSorted());
      assert.ok(listed.every((d) => minutes(d) > 240 && minutes(d) <= 1440));
    }));

    test("shows the plain list until a filter is chosen", () => withPage({}, async (page) => {
      await page.goto(site.home + "cases/");
      await page.getByRole("button", { name: "Filter by" }).click();
      assert.equal(await counted(page), docs.length);
      assert.ok(await page.locator("#unsearched").isVisible());
      assert.ok(await page.locator(".pager").isVisible());
      await page.locator('.group input[name="root_cause"]').first().check();
      await until("the list gives way", async () => !(await page.locator("#unsearched").isVisible()) && await page.locator(".results").isVisible());
      await page.goBack();
      await until("and comes back", () => page.locator("#unsearched").isVisible());
    }));

    test("leaves out what an address asks for in vain, and says so", () => withPage({}, async (page) => {
      for (const asked of ["root_cause=no-such-cause", "year=1066", "org=nobody", "duration=ages", "components=%00%3Cscript%3E"]) {
        await page.goto(`${site.home}cases/?${asked}`);
        await says(page, "does not exist here");
        assert.ok(await page.locator("#unsearched").isVisible(), asked);
      }
      await page.goto(`${site.home}search/?q=database&sort=sideways&root_cause=nope&page=x`);
      assert.ok(await counted(page) > 0);
      assert.equal(page.url(), `${site.home}search/?q=database`);
    }));

    test("says what to try when nothing is found", () => withPage({}, async (page) => {
      await page.goto(site.home + "search/?q=database+zzyzx");
      await until("an answer", async () => await page.locator(".tips li").count() > 0 || await page.locator(".results > li").count() > 0);
      await page.goto(site.home + "search/?q=zzyzxq");
      await says(page, "No case matches");
      await says(page, "in Korean");
      assert.ok(await page.locator("#unsearched").isVisible(), "the ways in stand below");
      await page.goto(site.home + "search/?q=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E");
      await until("an answer", async () => await page.locator(".status").innerText() !== "");
      assert.equal(await page.locator(".finder img").count(), 0);
    }));

    test("shows results on the home page as they are typed, and leads to all", () => withPage({}, async (page) => {
      await page.goto(site.home + "ko/");
      await page.locator("#q").fill("database");
      const n = await counted(page);
      assert.ok(await page.locator(".results > li").count() <= 6);
      await page.getByRole("link", { name: `결과 ${n}건` }).click();
      await page.waitForURL(/\/ko\/search\/\?q=database$/);
      assert.equal(await counted(page), n);
      await page.goBack();
      await until("back at the results", async () => await page.locator(".results > li").count() > 0);
      await page.locator("#q").press("Enter");
      await page.waitForURL(/\/ko\/search\/\?q=database$/);
    }));

    test("keeps the search when the language is switched", () => withPage({}, async (page) => {
      await page.goto(site.home + "search/?q=database&root_cause=bad-deployment");
      const n = await counted(page);
      await page.locator("a.switch").click();
      await page.waitForURL(/\/ko\/search\/\?q=database&root_cause=bad-deployment$/);
      assert.equal(await counted(page), n);
    }));

    test("is worked by keyboard alone", () => withPage({}, async (page) => {
      const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.className);
      await page.goto(site.home + "cases/IL-0123/");
      await page.keyboard.press("/");
      assert.equal(await focused(), "q");
      await page.keyboard.type("a/b");
      assert.equal(await page.locator("#q").inputValue(), "a/b", "in a field the key is a letter");
      await page.locator("#q").fill("database");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/search\/\?q=database$/);
      await counted(page);
      await page.keyboard.press("Control+k");
      assert.equal(await focused(), "q");
      await page.keyboard.press("ArrowDown");
      const at = () => page.evaluate(() => [...document.querySelectorAll(".results .to")].indexOf(document.activeElement));
      assert.equal(await at(), 0);
      await page.keyboard.press("ArrowDown");
      assert.equal(await at(), 1);
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowUp");
      assert.equal(await focused(), "q");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Escape");
      assert.equal(await focused(), "q");
      await page.keyboard.press("Escape");
      assert.equal(await page.locator("#q").inputValue(), "");
      await until("cleared", async () => query(page).get("q") === null && await page.locator(".results > li").count() === 0);
      await page.keyboard.type("cache");
      await until("the whole word is asked for", () => query(page).get("q") === "cache");
      await counted(page);
      await page.keyboard.press("ArrowDown");
      const to = await page.locator(".results .to").first().getAttribute("href");
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname === to);
    }));

    test("gives up its key where the reader says so", () => withPage({}, async (page) => {
      await page.goto(site.home + "search/");
      await page.locator(".keys summary").click();
      await page.locator("#slash").uncheck();
      await page.goto(site.home + "cases/IL-0123/");
      await page.keyboard.press("/");
      assert.notEqual(await page.evaluate(() => document.activeElement.id), "q");
      await page.keyboard.press("Control+k");
      assert.equal(await page.evaluate(() => document.activeElement.id), "q");
    }));

    test("leads on without JavaScript", () => withPage({ javaScriptEnabled: false }, async (page) => {
      for (const lang of ["", "ko/"]) {
        await page.goto(site.home + lang + "about/");
        await page.locator("#q").fill("연결 pool");
        await page.locator("#q").press("Enter");
        await page.waitForURL((url) => url.pathname.endsWith(lang + "search/") && url.searchParams.get("q") === "연결 pool");
        assert.match(await page.locator("main noscript").innerText(), /JavaScript/);
        for (const part of ["topics/root-cause/", "topics/components/", "orgs/", "years/"]) {
          assert.ok(await page.locator(`#unsearched a[href*="/${lang}${part}"]`).count() > 1, part);
        }
        await page.goto(site.home + lang + "cases/?root_cause=bad-deployment");
        assert.ok(!(await page.locator(".finder .begin").isVisible()));
        assert.ok(await page.locator("#unsearched .cases > li").count() > 10);
        assert.match(await page.locator("main noscript").innerText(), /JavaScript/);
      }
    }));

    test("says plainly that it could not load, and tries again", () => withPage({}, async (page, record) => {
      await page.route("**/search/**/*.json", (route) => route.abort());
      await page.route("**/search/*.json", (route) => route.abort());
      await page.goto(site.home + "search/");
      await page.locator("#q").fill("database");
      await says(page, "could not be loaded");
      await page.unroute("**/search/**/*.json");
      await page.unroute("**/search/*.json");
      const again = page.getByRole("button", { name: "Try again" });
      if (await again.count() > 0) await again.click();
      else await page.locator("#q").fill("databases");
      assert.ok(await counted(page) > 0);
      record.forgive(/ERR_FAILED/);
    }));

    test("drops an answer that comes too late", () => withPage({}, async (page) => {
      await page.goto(site.home + "search/?q=certificate");
      const certificates = await counted(page);
      await page.goto(site.home + "search/");
      await page.locator("#q").focus();
      let held = [];
      await page.route("**/search/**/*.json", async (route) => {
        if (held) await new Promise((resolve) => held.push(resolve));
        await route.continue();
      });
      await page.locator("#q").fill("database");
      await page.waitForTimeout(400);
      await page.locator("#q").fill("certificate");
      await page.waitForTimeout(300);
      for (const release of held.splice(0).reverse()) release();
      held = null;
      await until("the later question is answered", async () => await counted(page) === certificates && query(page).get("q") === "certificate");
      await page.waitForTimeout(500);
      assert.equal(await counted(page), certificates);
    }));

    const shown = ["search/?q=database&root_cause=bad-deployment", "search/?q=zzyzxq", "cases/?components=database", "?q=database"];
    for (const colorScheme of ["light", "dark"]) {
      test(`has no fault that axe finds with results shown, ${colorScheme}`, () => withPage({ colorScheme }, async (page) => {
        for (const at of shown.flatMap((s) => [s, "ko/" + s])) {
          await page.goto(site.home + at);
          await until("an answer", async () => await page.locator(".status").innerText() !== "");
          await page.locator("details").evaluateAll((all) => all.forEach((d) => { d.open = true; }));
          await page.evaluate(axe);
          const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
          assert.deepEqual(violations.map((v) => `${at}: ${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html + " " + n.failureSummary).join("; ")}`), []);
        }
      }));
    }

    test("fits a phone with results and filters open", () => withPage({ viewport: { width: 390, height: 844 } }, async (page) => {
      for (const at of shown.flatMap((s) => [s, "ko/" + s])) {
        await page.goto(site.home + at);
        await until("an answer", async () => await page.locator(".status").innerText() !== "");
        for (const width of [390, 320]) {
          await page.setViewportSize({ width, height: 844 });
          await page.locator(".facets, .group").evaluateAll((all) => all.forEach((d) => { d.open = true; }));
          assert.equal(await overflow(page), null, `${at} at ${width} px`);
        }
      }
    }));

    test("keeps to its budgets", () => withPage({}, async (page) => {
      const bodies = new Map();
      page.on("response", (r) => bodies.set(r.url(), { type: r.request().resourceType(), bytes: r.body().then((b) => gzipSync(b).length, () => 0) }));
      const sum = async (list) => (await Promise.all(list.map((b) => b.bytes))).reduce((a, b) => a + b, 0);
      for (const kind of kinds) {
        bodies.clear();
        await page.goto(site.home + kind.path, { waitUntil: "networkidle" });
        const bytes = await sum([...bodies.values()].filter((b) => b.type === "script"));
        assert.ok(bytes > 0 && bytes <= scriptBudget, `${kind.name}: ${bytes} bytes of script`);
      }
      for (const [at, q] of [["search/", "database"], ["ko/search/", "데이터베이스"], ["ko/search/", "헬스체크 실패"]]) {
        await page.goto(site.home + at, { waitUntil: "networkidle" });
        bodies.clear();
        await page.evaluate(() => {
          performance.clearResourceTimings();
          new MutationObserver(() => { window.first ??= document.querySelector(".results > li") && performance.now(); }).observe(document.body, { childList: true, subtree: true });
        });
        await page.locator("#q").fill(q);
        await until("a first result", () => page.evaluate(() => window.first));
        const asked = await page.evaluate(() => performance.getEntriesByType("resource").filter((e) => e.startTime < window.first).map((e) => e.name));
        const bytes = await sum(asked.map((url) => bodies.get(url)));
        assert.ok(asked.length > 5 && bytes <= firstResultBudget, `${q}: ${bytes} bytes to the first result`);
      }
    }));
  });
}
