// The preview in a real browser: an edit is on the page without a click, and a
// mistake is explained on it.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { startPreview } from "./preview.mjs";
import { launch } from "./stage.mjs";
import { until, witness } from "./witness.mjs";

const file = "cases/IL-0123.json";
const casePath = "cases/IL-0123/";
const hostile = `<img src=x onerror="window.__ran=1">`;

export function testPreview(program, seeds) {
  describe("the preview", { concurrency: 1 }, () => {
    let browser, preview, context, record, original;
    const open = async (at, from = context) => {
      const page = await from.newPage();
      await page.goto(preview.home + at);
      await listening(page);
      return page;
    };
    const heading = (page) => page.locator("h1").first().innerText();

    before(async () => {
      [browser, preview] = await Promise.all([launch(), startPreview(program, seeds)]);
      original = preview.read(file);
    });
    after(() => Promise.all([browser?.close(), preview?.stop()]));
    // A context for each test, that nothing is left of the one before.
    const inContext = (name, use, options = {}) => test(name, options, async (t) => {
      context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
      record = await witness(context, preview.home);
      try {
        await use(t);
        record.nothing();
      } finally {
        await context.close();
      }
    });
    afterEach(() => preview.save(file, original));

    inContext("shows an edit on the open pages without a click", async (t) => {
      const [en, ko, list] = await Promise.all([open(casePath), open("ko/" + casePath), open("orgs/openai/")]);
      const start = performance.now();
      preview.edit(file, (c) => { c.title.en = "A title of this minute"; c.title.ko = "방금 고친 제목"; });
      await until("the new title", async () => (await heading(en)) === "A title of this minute");
      t.diagnostic(`from the save to the page: ${Math.round(performance.now() - start)} ms`);
      await until("the new title in Korean", async () => (await heading(ko)) === "방금 고친 제목");
      await until("the new title in a list", async () => (await list.locator("main").innerText()).includes("A title of this minute"));
      // Written in place, as a shell does it.
      preview.write(file, preview.read(file).replace("of this minute", "of the next minute"));
      await until("the title after that", async () => (await heading(en)) === "A title of the next minute");
      await listening(en);
      assert.match(await en.locator(".ilp-words").innerText(), /built in [\d.]+ ms · \d+ files? changed · 0 problems/);
      assert.match(await en.locator(".ilp-edit").innerText(), /cases\/IL-0123\.json$/);
    });

    inContext("keeps the scroll position and what was opened", async () => {
      for (const fragment of ["", "#sources"]) {
        const step = `A step that is new to “${fragment}”`;
        const page = await open(casePath + fragment);
        if (fragment) await until("the scroll to the fragment", () => page.evaluate(() => scrollY > 1500));
        const opened = [1, 3];
        await page.evaluate((opened) => {
          document.querySelectorAll("details").forEach((d, i) => { d.open = opened.includes(i); });
          scrollTo({ top: 1500, behavior: "instant" });
        }, opened);
        await until("the scroll", () => page.evaluate(() => scrollY === 1500));
        preview.edit(file, (c) => { c.action_items[0].text.en = step; });
        await until("the edit", async () => (await page.locator("#action-items").innerText()).includes(step));
        await listening(page);
        const state = await page.evaluate(() => ({ y: scrollY, open: [...document.querySelectorAll("details")].flatMap((d, i) => (d.open ? [i] : [])) }));
        assert.deepEqual(state.open, opened);
        assert.ok(Math.abs(state.y - 1500) < 40, `scrolled to ${state.y} with “${fragment}”`);
        await page.close();
      }
    });

    inContext("does not reload a page that did not change", async () => {
      const [changed, same] = await Promise.all([open(casePath), open("about/")]);
      await same.evaluate(() => {
        window.told = 0;
        new MutationObserver(() => window.told++).observe(document.querySelector(".ilp-words"), { childList: true });
      });
      for (const n of [1, 2]) {
        preview.edit(file, (c) => { c.title.en = "Edit " + n; });
        await until("the edit", async () => (await heading(changed)) === "Edit " + n);
        await until("word of it on the other page, which was not loaded again", () => same.evaluate((n) => window.told >= n, n));
      }
    });

    inContext("explains a broken edit over the page, and is silent when it is mended", async () => {
      const page = await open(casePath);
      const title = await heading(page);
      preview.edit(file, (c) => { c.severity = hostile; c.title.en = "Not to be seen"; });
      const overlay = page.locator(".ilp-overlay");
      await until("the overlay", () => overlay.isVisible());
      const lines = preview.read(file).split("\n");
      const line = lines.findIndex((l) => l.includes(`"severity"`)) + 1;
      const column = lines[line - 1].indexOf(`"<img`) + 1;
      const { problems } = await (await fetch(new URL("/_preview/problems.json", preview.home))).json();
      const said = await overlay.innerText();
      for (const part of [`cases/IL-0123.json:${line}:${column}`, "/severity", hostile.slice(0, 10), problems[0].what, problems[0].remedy,
        `${line - 2} | ${lines[line - 3]}`, `${line} | ${lines[line - 1]}`, `${line + 2} | ${lines[line + 1]}`]) {
        assert.ok(part && said.includes(part), `${part} in: ${said}`);
      }
      assert.ok(Math.abs(await caretOffset(page, column)) < 2, "the caret stands below the fault");
      assert.equal(await overlay.locator("img").count(), 0, "markup is shown, not made");
      assert.equal(await page.evaluate(() => window.__ran), undefined);
      assert.equal(await heading(page), title, "the last good page stays");
      assert.match(preview.said(), new RegExp(`IL-0123\\.json:${line}:${column}: /severity`));

      // A page that is opened meanwhile says it too; Escape shows the page below.
      const other = await open("ko/");
      await until("the overlay on another page", () => other.locator(".ilp-overlay").isVisible());
      await other.keyboard.press("Escape");
      assert.ok(!(await other.locator(".ilp-overlay").isVisible()));
      assert.match(await other.locator(".ilp-words").innerText(), /1 problem$/);

      preview.edit(file, (c) => { c.severity = "unknown"; c.title.en = "Mended"; });
      await until("the mended page", async () => (await heading(page)) === "Mended" && !(await overlay.isVisible()));
      await until("the mended other", async () => /0 problems$/.test(await other.locator(".ilp-words").innerText()));
    });

    inContext("mends without a new page when the page is what it was", async () => {
      const page = await open(casePath);
      preview.write(file, original.slice(0, 300)); // as an editor that was cut off
      await until("the overlay", () => page.locator(".ilp-overlay").isVisible());
      await page.evaluate(() => { window.same = true; });
      preview.write(file, original);
      await until("no overlay", async () => !(await page.locator(".ilp-overlay").isVisible()));
      assert.ok(await page.evaluate(() => window.same), "it was not loaded again");
    });

    for (const [what, text] of [["Korean", "그날 아침 요청이 많았다."], ["dashes, quotes and wide signs", "It’s – “so” … 그날 ① 😀 ﾊﾝ"], ["a line too long to show", "그날 아침 “요청” ".repeat(40)]]) {
      inContext(`puts the caret below a fault that stands after ${what}`, async () => {
        const page = await open(casePath);
        const lines = original.split("\n");
        const at = lines.findIndex((l) => l.startsWith(`  "trigger"`)) + 2;
        lines[at] = `    "ko": ${JSON.stringify(text)}, "fr": "x"`;
        preview.save(file, lines.join("\n"));
        await until("the overlay", () => page.locator(".ilp-overlay").isVisible());
        const offset = await caretOffset(page);
        assert.ok(Math.abs(offset) < 2, `the caret is ${offset} px off`);
      });
    }

    inContext("tells two browsers at once", async () => {
      const second = await launch();
      try {
        const elsewhere = await second.newContext();
        const other = await witness(elsewhere, preview.home);
        const pages = await Promise.all([open(casePath), open(casePath, elsewhere)]);
        preview.edit(file, (c) => { c.title.en = "Seen in both"; });
        for (const page of pages) await until("the edit", async () => (await heading(page)) === "Seen in both");
        other.nothing();
      } finally {
        await second.close();
      }
    });

    // A browser has six connections to a server of HTTP/1.1, for all tabs
    // together; those in the background have to leave them to the one in front.
    inContext("serves a tenth tab of one browser, and the others when they are looked at", async () => {
      const pages = [];
      for (let n = 0; n < 10; n++) {
        const page = await context.newPage();
        await page.goto(preview.home + casePath, { waitUntil: "commit", timeout: 5000 });
        await listening(page, 5000);
        pages.push(page);
        if (n < 9) await show(page, false);
      }
      preview.edit(file, (c) => { c.title.en = "Seen in ten"; });
      for (const page of pages.reverse()) {
        await show(page, true);
        await until("the edit", async () => (await heading(page)) === "Seen in ten");
        await show(page, false);
      }
    });

    inContext("shows a new case where it was missing, and says so when it is deleted", async () => {
      const pages = [await context.newPage(), await context.newPage()];
      const missing = ["This page does not exist", "없는 페이지다"];
      for (const [i, at] of ["cases/IL-9999/", "ko/cases/IL-9999/"].entries()) {
        const response = await pages[i].goto(preview.home + at);
        assert.equal(response.status(), 404);
        assert.equal(await heading(pages[i]), missing[i]);
        await listening(pages[i]);
      }
      preview.save("cases/IL-9999.json", original.replaceAll("IL-0123", "IL-9999").replace(/("title": \{\s+"en": ")[^"]*(",\s+"ko": ")[^"]*/, "$1Short life$2짧은 생"));
      const titles = ["Short life", "짧은 생"];
      for (const [i, page] of pages.entries()) await until("the new case", async () => (await heading(page)) === titles[i]);
      preview.remove("cases/IL-9999.json");
      for (const [i, page] of pages.entries()) {
        await until("that the case is gone", async () => (await heading(page)) === missing[i]);
        assert.ok(!(await page.locator(".ilp-overlay").isVisible()));
      }
    });

    inContext("finds a server that was started again", async () => {
      const page = await open(casePath);
      await preview.restart(async () => {
        await until("that it says so", async () => /does not answer/.test(await page.locator(".ilp-words").innerText()));
        preview.edit(file, (c) => { c.title.en = "Edited meanwhile"; });
      });
      await until("the edit", async () => (await heading(page)) === "Edited meanwhile");
      record.forgive(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/);
    });

    inContext("starts on broken seeds, says what is wrong, and shows the site when they are mended", async () => {
      const page = await context.newPage();
      let loads = 0;
      page.on("framenavigated", () => loads++);
      await preview.restart(() => preview.write(file, original.replace(`"severity": "unknown"`, `"severity": ${JSON.stringify(hostile)}`)));
      await page.goto(new URL("/", preview.home).href);
      await until("the overlay", () => page.locator(".ilp-overlay").isVisible());
      assert.ok((await page.locator(".ilp-overlay").innerText()).includes(hostile.slice(0, 10)));
      preview.write(file, original);
      await until("the site", () => page.locator("a.brand").isVisible());
      await until("no overlay", async () => !(await page.locator(".ilp-overlay").isVisible()));
      assert.ok(loads <= 3, `${loads} loads`);
      record.forgive(/status of 503/);
    });
  });
}

// Resolves when a page has heard from the server.
const listening = (page, ms) => until("word from the server", () => page.evaluate(() => /problem/.test(document.querySelector(".ilp-words")?.textContent)), ms);

// Brings a page to the front or sends it to the back. A headless browser has no
// back: the page is told so.
const show = async (page, visible) => {
  for (let tries = 1; ; tries++) {
    try {
      return await page.evaluate((visible) => {
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (visible ? "visible" : "hidden") });
        Object.defineProperty(document, "hidden", { configurable: true, get: () => !visible });
        document.dispatchEvent(new Event("visibilitychange"));
      }, visible);
    } catch (err) { // the page was just being loaded anew
      if (tries === 5 || !/context was destroyed/.test(err.message)) throw err;
      await page.waitForLoadState();
    }
  }
};

// How far to the right of the fault's character the caret stands, in pixels.
// Without a column the fault is at the last `"fr"` of the line.
const caretOffset = (page, column) => page.evaluate((column) => {
  const line = document.querySelector(".ilp-here");
  const caret = document.querySelector(".ilp-caret");
  const left = (element, find) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = find(node.data);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect().left;
    }
    throw new Error("not found in " + element.textContent);
  };
  const fault = left(line, (text) => (column ? text.indexOf("| ") + 2 + column - 1 : text.lastIndexOf('"fr"')));
  return left(caret, (text) => text.indexOf("^")) - fault;
}, column);
