// The built site in a real browser, under the headers that the preview sends,
// which are those that a host is to send.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { startPreview } from "./preview.mjs";
import { kinds, languages, launch, overflow, serveFolder } from "./stage.mjs";
import { witness } from "./witness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const addresses = kinds.flatMap((kind) => Object.values(languages).map((prefix) => ({ ...kind, path: prefix + kind.path })));

export function testSite(folder, program, seeds) {
  describe("the built site", { concurrency: 2 }, () => {
    let browser, site, headers;
    before(async () => {
      headers = await previewHeaders(program, seeds);
      [site, browser] = await Promise.all([serveFolder(folder, headers), launch()]);
    });
    after(() => Promise.all([browser?.close(), site?.close()]));

    // Gives a page of a context of its own, and holds it to doing nothing wrong.
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

    test("is served under a policy that allows nothing inline", () => {
      assert.match(headers["content-security-policy"], /default-src 'none'/);
      assert.doesNotMatch(headers["content-security-policy"], /unsafe|https?:|\*/);
      assert.equal(headers["x-content-type-options"], "nosniff");
    });

    test("shows every kind of page without an error, a request to others or a violation, and all its text without JavaScript", async () => {
      const [scripted, plain] = await Promise.all([true, false].map(async (javaScriptEnabled) => {
        const texts = {};
        await withPage({ javaScriptEnabled }, async (page) => {
          for (const a of addresses) {
            const response = await page.goto(site.home + a.path);
            assert.equal(response.status(), a.status ?? 200, a.path);
            // What stands there for those without a script says so, and stands alone.
            const instead = (await page.locator("noscript").allInnerTexts()).join("\n").split("\n");
            const lines = (await page.locator("body").innerText()).split("\n").filter((line) => line && (javaScriptEnabled || !instead.includes(line)));
            texts[a.path] = { lines, scripts: await page.locator("script[src]").count() };
            assert.ok(await page.locator("h1").innerText(), a.path);
          }
        });
        return texts;
      }));
      for (const { path } of addresses) {
        // A script may add what can be tried out; it takes nothing away.
        const shown = scripted[path].scripts === 0 ? scripted[path].lines : inOrder(plain[path].lines, scripted[path].lines);
        assert.deepEqual(plain[path].lines, shown, path);
      }
    });

    test("switches to the twin of a page and back", () => withPage({}, async (page) => {
      for (const kind of kinds) {
        await page.goto(site.home + kind.path);
        const there = page.url();
        await page.locator("a.switch").click();
        assert.equal(await page.locator("html").getAttribute("lang"), "ko", kind.path);
        if (!kind.status) assert.equal(page.url(), site.home + "ko/" + kind.path);
        await page.locator("a.switch").click();
        assert.equal(await page.locator("html").getAttribute("lang"), "en", kind.path);
        if (!kind.status) assert.equal(page.url(), there);
      }
    }));

    test("skips to the text by keyboard", () => withPage({}, async (page) => {
      for (const lang of ["", "ko/"]) {
        await page.goto(site.home + lang + "cases/IL-0123/");
        await page.keyboard.press("Tab");
        const skip = page.locator("a.skip");
        assert.ok(await skip.evaluate((e) => e === document.activeElement), "the first stop is the link that skips");
        const box = await skip.boundingBox();
        assert.ok(box.x >= 0 && box.y >= 0, "it is seen when it has the focus");
        await page.keyboard.press("Enter");
        assert.match(page.url(), /#main$/);
        await page.keyboard.press("Tab");
        const next = await page.evaluate(() => {
          const main = document.getElementById("main");
          return document.activeElement === main.querySelector("a[href], summary, [tabindex='0']");
        });
        assert.ok(next, "the next stop is the first of the text");
      }
    }));

    test("is walked by Tab in the order of the page, every stop seen", () => withPage({ reducedMotion: "reduce" }, async (page) => {
      for (const at of ["", "ko/cases/IL-0123/", "articles/retry-storms/"]) {
        await page.goto(site.home + at);
        const stops = await page.evaluate(() => {
          const closed = (e) => e.closest("details:not([open])") && e.tagName !== "SUMMARY";
          window.stops = [...document.querySelectorAll("a[href], summary, input, button, [tabindex]")].filter((e) => !closed(e) && e.checkVisibility());
          return window.stops.length;
        });
        assert.equal(await page.locator("[tabindex]:not([tabindex='0']):not([tabindex='-1'])").count(), 0, "no order of its own");
        let reached = 0;
        for (let presses = 0; reached < stops && presses < stops + 40; presses++) {
          await page.keyboard.press("Tab");
          const stop = await page.evaluate(() => {
            const e = document.activeElement, box = e.getBoundingClientRect(), style = getComputedStyle(e);
            return { index: window.stops.indexOf(e), name: e.outerHTML.slice(0, 80), inView: box.width > 0 && box.bottom > 0 && box.top < innerHeight,
              ring: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0 };
          });
          assert.ok(stop.inView && stop.ring, `${at}: the focus is seen at ${stop.name}`);
          if (stop.index < 0) continue; // a box that scrolls, which the browser adds
          assert.equal(stop.index, reached, `${at}: ${stop.name}`);
          reached++;
        }
        assert.equal(reached, stops, at);
      }
    }));

    test("opens and closes disclosures by keyboard", () => withPage({}, async (page) => {
      await page.goto(site.home + "cases/IL-0123/");
      const details = page.locator("details.check").first();
      await details.locator("summary").focus();
      for (const [key, open] of [["Enter", true], ["Space", false], ["Space", true]]) {
        await page.keyboard.press(key);
        assert.equal(await details.evaluate((e) => e.open), open, key);
      }
      assert.ok(await details.locator("pre").first().isVisible());
    }));

    for (const colorScheme of ["light", "dark"]) {
      test(`has no fault that axe finds, ${colorScheme}`, () => withPage({ colorScheme }, async (page) => {
        const faults = [];
        // Structure is the same in both themes; colours are not.
        const rules = colorScheme === "dark" ? { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } } : {};
        for (const a of addresses) {
          await page.goto(site.home + a.path);
          await page.locator("details").evaluateAll((all) => all.forEach((d) => { d.open = true; }));
          await page.evaluate(axe);
          const { violations } = await page.evaluate((options) => window.axe.run(document, options), { resultTypes: ["violations"], ...rules });
          for (const v of violations) faults.push(`${a.path}: ${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html + " " + n.failureSummary).join("; ")}`);
        }
        assert.deepEqual(faults, []);
      }));
    }

    test("fits a phone, and type that is set twice as large", () => withPage({ viewport: { width: 390, height: 844 } }, async (page) => {
      for (const a of addresses) {
        await page.goto(site.home + a.path);
        assert.equal(await overflow(page), null, a.path);
        await page.setViewportSize({ width: 320, height: 640 });
        assert.equal(await overflow(page), null, a.path + " at 320 px");
        await page.setViewportSize({ width: 390, height: 844 });
      }
    }));

    test("prints: the text and nothing to click, within the paper", () => withPage({}, async (page) => {
      for (const at of ["cases/IL-0371/", "ko/cases/IL-0371/", "articles/retry-storms/"]) {
        await page.goto(site.home + at);
        const pdf = await page.pdf({ format: "A4" });
        assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
        const sheets = Number(/\/Type\s*\/Pages[^>]*\/Count\s+(\d+)|\/Count\s+(\d+)[^>]*\/Type\s*\/Pages/.exec(pdf.toString("latin1"))?.slice(1).find(Boolean));
        assert.ok(sheets >= 1 && sheets <= 12, `${at}: ${sheets} sheets`);
        await page.emulateMedia({ media: "print" });
        await page.setViewportSize({ width: 794 - 2 * 38, height: 1123 }); // A4 within the margins, in CSS pixels
        assert.equal(await overflow(page), null, at);
        assert.ok(await page.locator("h1").isVisible());
        for (const tool of [".top nav", ".skip", ".crumbs"]) assert.ok(!(await page.locator(tool).first().isVisible()), tool);
        await page.emulateMedia({ media: "screen" });
        await page.setViewportSize({ width: 1280, height: 900 });
      }
    }));
  });
}

// The lines that stand among others, in their order.
function inOrder(lines, others) {
  let at = 0;
  return lines.filter((line) => {
    const found = others.indexOf(line, at);
    if (found >= 0) at = found + 1;
    return found >= 0;
  });
}

// The preview says what a host is to send with a page; only the type and length
// of a page are its own.
export async function previewHeaders(program, seeds) {
  const preview = await startPreview(program, seeds);
  try {
    const { headers } = await fetch(preview.home);
    const names = ["content-security-policy", "x-content-type-options", "referrer-policy", "permissions-policy"];
    return Object.fromEntries(names.map((name) => [name, headers.get(name)]));
  } finally {
    await preview.stop();
  }
}
