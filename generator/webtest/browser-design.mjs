// The design of the built site in a real browser: the reader's choice of
// colours, what scripts add, what no script may take away, small screens, large
// type, and paper.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import path from "node:path";
import { previewHeaders } from "./browser-site.mjs";
import { kinds, languages, launch, overflow, serveFolder } from "./stage.mjs";
import { witness } from "./witness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const indexes = ["topics/", "topics/components/", "orgs/", "years/", "years/2023/", "articles/"];
const addresses = [...kinds.map((k) => k.path), ...indexes].flatMap((p) => Object.values(languages).map((prefix) => prefix + p));

export function testDesign(folder, program, seeds) {
  describe("the design", { concurrency: 2 }, () => {
    let browser, site;
    before(async () => {
      const headers = await previewHeaders(path.resolve(program), seeds);
      [site, browser] = await Promise.all([serveFolder(folder, headers), launch()]);
    });
    after(() => Promise.all([browser?.close(), site?.close()]));

    // Gives a page of a context of its own, and holds it to doing nothing wrong:
    // no report of the policy, no request to others, no error.
    const withPage = async (options, use) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      const record = await witness(context, site.home);
      try {
        const page = await context.newPage();
        await use(page, context);
        record.nothing();
      } finally {
        await context.close();
      }
    };
    const paper = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const bright = async (page) => {
      const [r, g, b] = (await paper(page)).match(/[\d.]+/g).map(Number);
      return r + g + b > 384;
    };

    test("keeps the reader's choice of colours", () => withPage({ colorScheme: "light" }, async (page, context) => {
      await page.goto(site.home);
      assert.ok(await bright(page), "light, as the device");
      await page.locator(".look summary").click();
      await page.getByLabel("Dark").check();
      assert.ok(!await bright(page), "dark at once");
      const dark = await paper(page);
      await page.getByLabel("High contrast").check();
      assert.notEqual(await paper(page), dark, "high contrast at once");
      for (const at of ["ko/cases/IL-0123/", "cases/"]) {
        await page.goto(site.home + at);
        assert.deepEqual(await page.evaluate(() => ({ ...document.documentElement.dataset })), { theme: "dark", contrast: "more" }, at);
        assert.ok(!await bright(page), at);
      }
      const other = await context.newPage();
      await other.goto(site.home);
      await other.locator(".look summary").click();
      await other.getByLabel("As the device").check();
      await other.getByLabel("High contrast").uncheck();
      await page.waitForFunction(() => !document.documentElement.dataset.theme && !document.documentElement.dataset.contrast);
      assert.ok(await bright(page), "another tab's choice is taken over");
      assert.equal(await page.locator("input[name='theme']:checked").inputValue(), "auto");
    }));

    test("chooses colours by keyboard, and closes what it opened", () => withPage({}, async (page) => {
      await page.goto(site.home + "ko/");
      const box = page.locator(".look");
      await box.locator("summary").focus();
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      await page.keyboard.press("ArrowDown");
      assert.equal(await page.locator("html").getAttribute("data-theme"), "light");
      await page.keyboard.press("Escape");
      assert.equal(await box.evaluate((e) => e.open), false);
      assert.ok(await box.locator("summary").evaluate((e) => e === document.activeElement), "the focus is where it was");
    }));

    test("chooses colours where nothing can be kept", () => withPage({}, async (page) => {
      await page.addInitScript(() => Object.defineProperty(window, "localStorage", { get: () => { throw new Error("off"); } }));
      await page.goto(site.home);
      await page.locator(".look summary").click();
      await page.getByLabel("Dark").check();
      assert.ok(!await bright(page));
    }));

    test("takes any rubbish for no choice", () => withPage({}, async (page) => {
      for (const kept of ["{", "null", "[]", "7", '{"theme":"\\"><x","contrast":"yes"}']) {
        await page.goto(site.home);
        await page.evaluate((value) => localStorage.setItem("incidentlib-look", value), kept);
        await page.reload();
        assert.deepEqual(await page.evaluate(() => ({ ...document.documentElement.dataset })), {}, kept);
      }
    }));

    test("has its colours before anything is drawn, once the script is in the cache", () => withPage({ colorScheme: "light" }, async (page) => {
      await page.goto(site.home);
      await page.evaluate(() => localStorage.setItem("incidentlib-look", '{"theme":"dark"}'));
      await page.goto(site.home + "cases/IL-0371/");
      const shift = await page.evaluate(() => new Promise((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, e) => sum + e.value, 0))).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve(0), 300);
      }));
      assert.ok(shift < 0.01, `the page moved by ${shift}`);
      assert.ok(!await bright(page));
    }));

    test("offers nothing that needs a script where there is none", () => withPage({ javaScriptEnabled: false }, async (page) => {
      for (const at of ["", "cases/IL-0123/", "topics/contributing/retry-storm/"]) {
        await page.goto(site.home + at);
        for (const what of [".look", "#both", ".copy", ".lab"]) assert.equal(await page.locator(what).filter({ visible: true }).count(), 0, `${at} ${what}`);
        await page.locator("a.switch").click();
        assert.equal(await page.locator("html").getAttribute("lang"), "ko", "the language switch is always there");
      }
    }));

    test("marks in the contents what is being read", () => withPage({ reducedMotion: "reduce" }, async (page) => {
      for (const [at, id] of [["cases/IL-0123/", "remediation"], ["ko/cases/IL-0371/", "sources"]]) {
        await page.goto(site.home + at);
        await page.evaluate((to) => document.getElementById(to).scrollIntoView(), id);
        await page.locator(`.contents a[href='#${id}'][aria-current='true']`).waitFor();
        assert.equal(await page.locator(".contents [aria-current]").count(), 1);
        assert.ok((await page.locator(".contents").boundingBox()).y >= 0, "the contents stay in view");
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        await page.locator(".contents li:last-child [aria-current]").waitFor();
        await page.evaluate(() => scrollTo(0, 0));
        await page.waitForFunction(() => !document.querySelector(".contents [aria-current]"));
      }
    }));

    test("sets both languages of a case side by side, and keeps that in the address", () => withPage({}, async (page) => {
      for (const [prefix, other] of [["", "ko"], ["ko/", "en"]]) {
        await page.goto(site.home + prefix + "cases/IL-0123/");
        const button = page.locator("#both");
        await button.click();
        await page.locator(".case.both").waitFor();
        assert.match(page.url(), /\/\?both$/);
        const [own, twin] = await Promise.all([page.locator("#symptoms > p").first().boundingBox(), page.locator(`#symptoms + .twin[lang='${other}'] > p`).first().boundingBox()]);
        assert.ok(twin.x > own.x + own.width - 1 && Math.abs(twin.y - own.y) < 30, "the two stand beside each other");
        assert.equal(await page.locator("h1").count(), 1, "one title");
        const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map((e) => e.id));
        assert.equal(new Set(ids).size, ids.length, "no id twice");
        await page.reload();
        await page.locator(".case.both").waitFor();
        await page.setViewportSize({ width: 390, height: 844 });
        assert.equal(await overflow(page), null, "on a phone the two stand below each other");
        await page.setViewportSize({ width: 1280, height: 900 });
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
        assert.deepEqual(violations.map((v) => v.id + ": " + v.nodes[0].html), []);
        await button.click();
        assert.equal(await page.locator(".twin, .pair").count(), 0);
        assert.doesNotMatch(page.url(), /both/);
      }
    }));

    test("says so when the other language cannot be fetched", () => withPage({}, async (page) => {
      await page.goto(site.home + "cases/IL-0123/");
      await page.evaluate(() => { window.fetch = () => Promise.reject(new TypeError("offline")); });
      await page.locator("#both").click();
      await page.getByRole("status").filter({ hasText: "could not be fetched" }).waitFor({ state: "attached" });
      assert.equal(await page.locator("#both").isEnabled(), true);
    }));

    test("copies a command, and says so", () => withPage({ permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
      for (const [prefix, copied] of [["", "Copied"], ["ko/", "복사함"]]) {
        await page.goto(site.home + prefix + "topics/contributing/retry-storm/");
        const code = page.locator("main pre").first();
        const text = (await code.evaluate((e) => e.textContent)).replace(/\n$/, "");
        await page.locator(".copy").first().click();
        await page.getByRole("status").filter({ hasText: copied }).waitFor({ state: "attached" });
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
        assert.equal(await page.locator(".copy").count(), await page.locator("main :is(pre, .copyable)").count());
      }
    }));

    for (const [width, name] of [[320, "four times as large"], [640, "twice as large"]]) {
      test(`fits when all is set ${name}, on every kind of page`, () => withPage({ viewport: { width, height: 640 } }, async (page) => {
        for (const at of addresses) {
          await page.goto(site.home + at);
          assert.equal(await overflow(page), null, at);
        }
      }));
    }

    test("never breaks the id of a case, nor parts a particle from its word", () => withPage({ viewport: { width: 390, height: 844 } }, async (page) => {
      for (const at of addresses) {
        await page.goto(site.home + at);
        const broken = await page.evaluate(() => {
          const found = [], walk = document.createTreeWalker(document.getElementById("main"), NodeFilter.SHOW_TEXT);
          for (let n = walk.nextNode(); n; n = walk.nextNode()) {
            if (n.parentElement.closest("pre")) continue; // a command wraps wherever it has to
            for (const m of n.data.matchAll(/IL-\d{4}|[A-Za-z0-9)]\u00a0[가-힣]/g)) {
              const range = document.createRange();
              range.setStart(n, m.index);
              range.setEnd(n, m.index + m[0].length);
              if (new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size > 1) found.push(m[0] + " in " + n.parentElement.outerHTML.slice(0, 120));
            }
          }
          return found;
        });
        assert.deepEqual(broken, [], at);
      }
    }));

    test("is easy to hit with a finger", () => withPage({ viewport: { width: 390, height: 844 }, hasTouch: true }, async (page) => {
      for (const at of ["", "ko/cases/IL-0123/"]) {
        await page.goto(site.home + at);
        for (const e of await page.locator(".brand, .parts a, .switch, .look summary, .cases .to, .contents a, #both, main summary").filter({ visible: true }).all()) {
          const box = await e.boundingBox();
          assert.ok(box.height >= 36 && box.width >= 24, `${at}: ${(await e.textContent()).slice(0, 30)} is ${Math.round(box.width)} × ${Math.round(box.height)}`);
        }
      }
    }));

    for (const colorScheme of ["light", "dark"]) {
      test(`has the greater contrast that was asked for, ${colorScheme}`, () => withPage({ colorScheme, contrast: "more" }, async (page) => {
        for (const at of addresses.filter((a) => !/^ko|about|api|orgs|years/.test(a))) {
          await page.goto(site.home + at);
          await page.locator("main details").evaluateAll((all) => all.forEach((d) => { d.open = true; }));
          await page.evaluate(axe);
          const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"], runOnly: { type: "rule", values: ["color-contrast-enhanced"] }, rules: { "color-contrast-enhanced": { enabled: true } } }));
          assert.deepEqual(violations.flatMap((v) => v.nodes.map((n) => n.html.slice(0, 90) + " " + n.any[0]?.message)).slice(0, 3), [], at);
        }
      }));
    }

    test("is drawn in the reader's own colours where those are forced", () => withPage({ forcedColors: "active" }, async (page) => {
      await page.goto(site.home + "cases/");
      const seen = await page.evaluate(() => {
        const style = (s, pseudo) => getComputedStyle(document.querySelector(s), pseudo);
        const back = style("body").backgroundColor;
        return { logo: style(".level").stroke !== back, mark: style(".parts [aria-current]", "::after").borderBottomColor !== back, look: style(".look svg").fill !== back };
      });
      assert.deepEqual(seen, { logo: true, mark: true, look: true });
    }));

    test("moves nothing for who asked for that", () => withPage({ reducedMotion: "reduce" }, async (page) => {
      await page.goto(site.home + "cases/IL-0123/");
      assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior), "auto");
    }));

    test("prints a case on three sheets at most, with what is folded", () => withPage({}, async (page) => {
      for (const at of ["cases/IL-0123/", "ko/cases/IL-0123/", "cases/IL-0371/", "ko/cases/IL-0371/", "ko/cases/IL-0510/"]) {
        await page.goto(site.home + at);
        const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
        const sheets = [...pdf.matchAll(/\/Type\s*\/Page\b(?!s)/g)].length;
        assert.ok(sheets >= 1 && sheets <= 3, `${at}: ${sheets} sheets`);
        assert.match(pdf, /\/MediaBox\s*\[0 0 59[45][.\d]* 84[12][.\d]*\]/, "A4");
        await page.emulateMedia({ media: "print" });
        for (const what of [".parts", ".switch", ".look", ".contents", ".acts", ".copy", "#tools"]) {
          assert.equal(await page.locator(what).filter({ visible: true }).count(), 0, `${at} ${what}`);
        }
        const folded = await page.locator("details.check").evaluateAll((all) => all.map((d) => d.lastElementChild.checkVisibility({ contentVisibilityAuto: true }) || d.querySelector("p, pre").getBoundingClientRect().height > 0));
        assert.ok(folded.length > 0 && folded.every(Boolean), `${at}: what is folded is printed`);
        await page.emulateMedia({ media: null });
      }
    }));

    test("prints on white in the dark", () => withPage({ colorScheme: "dark" }, async (page) => {
      await page.goto(site.home + "cases/IL-0123/");
      await page.evaluate(() => { document.documentElement.dataset.theme = "dark"; document.documentElement.dataset.contrast = "more"; });
      await page.emulateMedia({ media: "print" });
      assert.equal(await paper(page), "rgb(255, 255, 255)");
    }));
  });
}
