// What Pagefind finds in the pages that TestBench wrote, for the same questions:
// node bench-search.mjs PAGES PAGEFIND, where PAGEFIND is the folder of the npm
// package. Its client is for browsers; what it asks of one is little.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";

const [pages, pagefind] = process.argv.slice(2);
if (!pagefind) {
  console.error("usage: node bench-search.mjs PAGES PAGEFIND");
  process.exit(2);
}
const root = path.join(pages, "ko");
const start = performance.now();
execFileSync(process.execPath, [path.join(pagefind, "lib", "runner", "bin.cjs"), "--site", root, "--output-path", path.join(root, "pagefind")], { stdio: "ignore" });
console.log(`Pagefind: index made in ${((performance.now() - start) / 1000).toFixed(1)} s`);

globalThis.window = globalThis;
globalThis.document = { querySelector: () => ({ getAttribute: () => "ko" }), currentScript: null };
globalThis.location = new URL("http://site.example/");
globalThis.fetch = async (url) => new Response(await readFile(path.join(root, new URL(url, location).pathname)));
const client = readFileSync(path.join(root, "pagefind", "pagefind.js"), "utf8").replaceAll("import.meta.url", '"http://site.example/pagefind/pagefind.js"');
const { options, search } = await import("data:text/javascript," + encodeURIComponent(client));
await options({ basePath: "/pagefind/" });
for (const { text, want } of JSON.parse(readFileSync(path.join(pages, "probes.json"), "utf8"))) {
  const { results } = await search(text);
  const ids = new Set(await Promise.all(results.map(async (r) => (await r.data()).url.split("/").filter(Boolean).at(-1))));
  const found = (want ?? []).filter((id) => ids.has(id)).length;
  console.log(`| ${text} | ${want?.length ?? 0} | recall ${(want?.length ? found / want.length : 1).toFixed(2)} | precision ${(found / Math.max(1, ids.size)).toFixed(2)} |`);
}
