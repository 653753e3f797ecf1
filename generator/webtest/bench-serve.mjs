// How long the preview takes from a save to the new bytes of the page, beside
// Hugo's server on the same cases: node bench-serve.mjs PROGRAM. Settings:
//
//   CORPUS_MAKER='cmd'  called with -n N -out FOLDER, writes N cases; without it nothing is run
//   SIZES='567 5000'    numbers of cases
//   EDITS=50            edits of one case's title at each size
//   HUGO=path           Hugo's program, with
//   HUGO_SITE=folder    layouts, content and hugo.toml that make the same site of the cases
//   HUGO_EDITS=50       at most so many edits for Hugo: a twentieth at 20,000 cases
//
// A page is asked for again every 2 ms; nothing else listens.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { endWithUs, serve } from "./preview.mjs";

const program = process.argv[2];
const { CORPUS_MAKER: maker, HUGO: hugo, HUGO_SITE: hugoSite } = process.env;
const sizes = (process.env.SIZES ?? "567 5000 20000").split(/\s+/).map(Number);
const edits = Number(process.env.EDITS ?? 50);
const hugoEdits = (size) => Math.max(3, Math.min(edits, Math.round(Number(process.env.HUGO_EDITS ?? 50) / Math.max(1, size / 1000))));
if (!program || process.argv.length !== 3) {
  console.error("usage: node bench-serve.mjs PROGRAM");
  process.exit(2);
}
if (!maker) {
  console.log("skipped: set CORPUS_MAKER to a command that writes cases (-n N -out FOLDER)");
  process.exit(0);
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const fetchText = (url) => new Promise((resolve, reject) => {
  get(url, { agent }, (response) => {
    const parts = [];
    response.on("data", (part) => parts.push(part));
    response.on("end", () => resolve(Buffer.concat(parts).toString()));
    response.on("error", reject);
  }).on("error", reject);
});

async function pageWith(url, text, limit) {
  for (const end = performance.now() + limit; ; ) {
    const page = await fetchText(url).catch(() => "");
    if (page.includes(text)) return;
    if (performance.now() > end) throw new Error(`${url} does not show “${text}” within ${limit} ms`);
    await sleep(2);
  }
}

// Edits one title again and again, as an editor saves: a new file in the old
// one's place.
async function measure(file, page, count, settled) {
  const original = readFileSync(file, "utf8");
  const saving = path.join(work, "saving");
  const times = [];
  for (let k = 1; k <= count; k++) {
    const text = original.replace(/("title":\s*\{\s*"en":\s*")/, `$1Edit${k} `);
    if (text === original) throw new Error(`${file} has no English title`);
    writeFileSync(saving, text);
    const start = performance.now();
    renameSync(saving, file);
    await pageWith(page, `Edit${k} `, 300_000);
    times.push(performance.now() - start);
    await settled(k);
  }
  writeFileSync(saving, original);
  renameSync(saving, file);
  return times;
}

// The most memory that a process ever held, in MB; null where the system does not say.
function peak(pid) {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024);
  } catch {
    return null;
  }
}

async function ours(corpus, id) {
  const start = performance.now();
  const server = await serve(program, corpus);
  try {
    const page = `${server.home}cases/${id}/`;
    await pageWith(page, id, 600_000);
    const ready = performance.now() - start;
    const times = await measure(path.join(corpus, "cases", id + ".json"), page, edits, () => sleep(100));
    return { name: "incidentlib serve", ready, times, mb: peak(server.pid) };
  } finally {
    await server.stop();
  }
}

async function theirs(corpus, id, size) {
  const site = path.join(work, "hugo");
  cpSync(hugoSite, site, { recursive: true });
  const mounts = [["layouts", "layouts"], ["static", "static"], ["content", "content"], [path.join(corpus, "cases"), "assets/cases"], [path.join(corpus, "peers-vocab.json"), "data/vocab.json"]];
  const config = path.join(work, "mounts.toml");
  writeFileSync(config, mounts.map(([source, target]) => `[[module.mounts]]\nsource = ${JSON.stringify(source)}\ntarget = ${JSON.stringify(target)}\n`).join(""));
  const log = path.join(work, "hugo.log");
  const port = 20_000 + (process.pid % 20_000);
  const start = performance.now();
  const child = spawn(hugo, ["server", "--source", site, "--config", `hugo.toml,${config}`, "--renderToMemory", "--minify", "--noBuildLock", "--disableLiveReload", "--bind", "127.0.0.1", "--port", String(port)],
    { stdio: ["ignore", openSync(log, "w"), "inherit"] });
  endWithUs(child);
  const ended = new Promise((resolve) => child.once("close", resolve));
  try {
    const page = `http://127.0.0.1:${port}/en/cases/${id}/`;
    await pageWith(page, id, 1_200_000);
    const ready = performance.now() - start;
    // It goes on after the page is there: the next edit waits until it has no more to say.
    const settled = async () => {
      for (let before = -1, now = statSync(log).size; before !== now; now = statSync(log).size) {
        before = now;
        await sleep(1000 + size / 5);
      }
    };
    await settled();
    const times = await measure(path.join(corpus, "cases", id + ".json"), page, hugoEdits(size), settled);
    return { name: "hugo server", ready, times, mb: peak(child.pid) };
  } finally {
    child.kill();
    await ended;
  }
}

const quantile = (times, q) => [...times].sort((a, b) => a - b)[Math.max(0, Math.ceil(q * times.length) - 1)];
const ms = (n) => (n < 100 ? n.toFixed(1) : String(Math.round(n)));
const row = (cells) => console.log("| " + cells.join(" | ") + " |");

const work = mkdtempSync(path.join(tmpdir(), "bench-serve-"));
process.once("exit", () => rmSync(work, { recursive: true, force: true }));
row(["cases", "server", "ready, s", "edits", "save to page, p50 ms", "p95 ms", "peak MB", "p50: times slower", "p95: times slower"]);
row(Array(9).fill("--:"));
for (const size of sizes) {
  const corpus = path.join(work, "corpus-" + size);
  execFileSync("sh", ["-c", `${maker} -n ${size} -out "$0"`, corpus], { stdio: ["ignore", "ignore", "inherit"] });
  const id = "IL-" + String(Math.floor(size / 2)).padStart(4, "0");
  const first = await ours(corpus, id);
  const results = hugo && hugoSite ? [first, await theirs(corpus, id, size)] : [first];
  for (const r of results) {
    const times = (q) => (r === first ? "1" : ms(quantile(r.times, q) / quantile(first.times, q)));
    row([size, r.name, (r.ready / 1000).toFixed(1), r.times.length, ms(quantile(r.times, 0.5)), ms(quantile(r.times, 0.95)), r.mb ?? "–", times(0.5), times(0.95)]);
  }
}
process.exit(0);
