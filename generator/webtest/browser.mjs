// What only a real browser can tell: node browser.mjs SITE PROGRAM SEEDS, for a
// built folder, the program that built it, and the seeds, which are copied.
// Exit 0 when everything holds.
import { existsSync } from "node:fs";
import { describe } from "node:test";
import path from "node:path";
import { testCharts } from "./browser-charts.mjs";
import { testDesign } from "./browser-design.mjs";
import { testPreview } from "./browser-preview.mjs";
import { testSearch } from "./browser-search.mjs";
import { testSite } from "./browser-site.mjs";

const [site, program, seeds] = process.argv.slice(2);
if (!seeds || process.argv.length !== 5 || !existsSync(path.join(site, "index.html")) || !existsSync(program)) {
  console.error("usage: node browser.mjs SITE PROGRAM SEEDS");
  process.exit(2);
}
// Both at once: a browser waits for its server as often as it works.
describe("in a browser", { concurrency: true }, () => {
  testSite(site, path.resolve(program), seeds);
  testSearch(site, path.resolve(program), seeds);
  testCharts(site, path.resolve(program), seeds);
  testDesign(site, path.resolve(program), seeds);
  testPreview(path.resolve(program), seeds);
});
