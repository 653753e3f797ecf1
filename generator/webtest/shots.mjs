// Pictures of the main pages of a built folder, in both languages, two widths
// and two themes: node shots.mjs FOLDER PICTURES. Exit 1 when a page of the site
// can be scrolled sideways on a phone; every page is looked at for that.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { kinds, languages, launch, overflow, serveFolder } from "./stage.mjs";

const [folder, pictures] = process.argv.slice(2);
if (!folder || !pictures || process.argv.length !== 4 || !existsSync(path.join(folder, "index.html"))) {
  console.error("usage: node shots.mjs FOLDER PICTURES; the folder is a built site");
  process.exit(2);
}
mkdirSync(pictures, { recursive: true });

const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 900 };
const site = await serveFolder(folder);
const browser = await launch();
let shots = 0;
const faults = [];

async function shoot(viewport, colorScheme) {
  const context = await browser.newContext({ viewport, colorScheme });
  const page = await context.newPage();
  for (const kind of kinds) {
    for (const [lang, prefix] of Object.entries(languages)) {
      await page.goto(site.home + prefix + kind.path);
      await page.screenshot({ path: path.join(pictures, `${kind.name}.${lang}.${viewport.width}.${colorScheme}.png`), fullPage: true });
      shots++;
    }
  }
  await context.close();
}

async function sweep(addresses) {
  const page = await browser.newPage({ viewport: phone });
  for (const address of addresses) {
    await page.goto(site.home + address);
    const wide = await overflow(page);
    if (wide) faults.push(`${address || "/"}: ${wide.excess} px too wide at ${phone.width} px: ${wide.elements.join(", ")}`);
  }
  await page.close();
}

const pages = readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith(".html"))
  .map((name) => name.replaceAll(path.sep, "/").replace(/index\.html$/, ""))
  .sort();
try {
  await Promise.all([desk, phone].flatMap((viewport) => ["light", "dark"].map((theme) => shoot(viewport, theme))));
  await Promise.all([0, 1].map((half) => sweep(pages.filter((_, i) => i % 2 === half))));
} finally {
  await browser.close();
  await site.close();
}
faults.sort().forEach((fault) => console.error(fault));
console.log(`${shots} pictures in ${pictures}; ${pages.length} pages looked at, ${faults.length} too wide for a phone`);
process.exit(faults.length > 0 ? 1 : 0);
