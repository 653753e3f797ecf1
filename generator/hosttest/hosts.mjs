// Serves built sites by each server that there are files for, and holds every
// one of them to what is promised of a published library (incidentlib conform).
//
//   node hosts.mjs PROGRAM SEEDS [nginx caddy serve wrangler]
//
// Each site is looked at twice: below a path, as in the seeds, and at the root of
// its host. The API's own host is looked at, too.
import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const [program, seeds, ...only] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const work = mkdtempSync(join(tmpdir(), "incidentlib-hosts-"));
const run = promisify(execFile);
const children = new Set();
let short = 0;

function freePort() {
  return new Promise((resolve, reject) => {
    const s = createServer();
    s.on("error", reject);
    s.listen(0, "127.0.0.1", () => {
      const { port } = s.address();
      s.close(() => resolve(port));
    });
  });
}

// A server, until it answers.
async function start(name, address, command, args, options = {}) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], detached: true, ...options });
  children.add(child);
  let said = "";
  for (const s of [child.stdout, child.stderr]) s.on("data", (b) => (said += b));
  let ended = false;
  child.on("exit", () => (ended = true));
  child.on("error", (e) => ((ended = true), (said += e)));
  for (const end = Date.now() + 60_000; ; ) {
    try {
      await fetch(address, { redirect: "manual", signal: AbortSignal.timeout(2000) });
      return child;
    } catch {
      if (ended || Date.now() > end) throw new Error(`${name} does not answer at ${address}:\n${said}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function stop(child) {
  children.delete(child);
  try {
    process.kill(-child.pid, "SIGTERM");
  } catch {} // it has ended
}

// What a host that offers them has to say of moved cases and of what is hidden.
async function extras(name, address, prefix) {
  const expect = async (path, status, location) => {
    const r = await fetch(address + path, { redirect: "manual" });
    const to = r.headers.get("location");
    const at = to && new URL(to, address).pathname;
    if (!status.includes(r.status) || (location && at !== prefix + location)) {
      short++;
      console.log(`${name}: ${path} answers ${r.status} ${at ?? ""}; it should be ${status} ${location ?? ""}`);
    }
    return r;
  };
  const moved = [301, 302, 307, 308];
  await expect("/cases/IL-0003/", moved, "/cases/IL-0001/");
  await expect("/ko/cases/IL-0003", moved, "/ko/cases/IL-0001/");
  const doc = await expect("/api/v1/cases/IL-0003.json", moved, "/api/v1/cases/IL-0001.json");
  // A script of another site is led on only where each answer lets it.
  if (!doc.headers.get("access-control-allow-origin")) console.log(`    note: ${name} redirects without CORS`);
  await expect("/api/cases/IL-0003/similar", moved, "/api/cases/IL-0001/similar");
  // Others show what is in the folder, which is no secret.
  if (/^(nginx|caddy)/.test(name)) {
    for (const path of ["/_headers", "/_redirects", "/.incidentlib-manifest", "/.hosts/nginx.conf"]) await expect(path, [404]);
  }
}

async function conform(name, address, prefix, all = true) {
  const began = Date.now();
  try {
    const { stdout } = await run(program, ["conform", "--all", address], { maxBuffer: 1 << 26 });
    const last = stdout.trim().split("\n").at(-1);
    console.log(`${name}: ${last.replace(/^.*?: /, "")}, ${Date.now() - began} ms`);
    for (const note of stdout.matchAll(/^note, .*/gm)) console.log(`    ${note[0]}`);
  } catch (e) {
    short++;
    console.log(`${name}:\n${e.stdout}\n${e.stderr}`);
  }
  if (all) await extras(name, address, prefix);
}

// The seeds with two withdrawn cases, and the sites of them: below a path, at the
// root, and the API alone.
const ours = join(work, "seeds");
cpSync(seeds, ours, { recursive: true });
writeFileSync(join(ours, "withdrawn.json"), JSON.stringify({ withdrawn: [
  { id: "IL-0003", since: "2025-01-02", reason: { en: "Told twice.", ko: "두 번 실렸다." }, replaced_by: "IL-0001" },
  { id: "IL-0004", since: "2025-01-02", reason: { en: "Not public.", ko: "공개되지 않았다." }, replaced_by: null },
] }, null, 2));
const below = join(work, "below"), root = join(work, "root"), api = join(work, "api");
for (const [out, base, more] of [[join(below, "lib"), "http://h.example/lib", ["--api-url", "http://api.example", "--api-root", api]], [root, "http://h.example", []]]) {
  await run(program, ["build", "--quiet", "--seeds", ours, "--out", out, "--base-url", base, "--host", "nginx,caddy,cloudflare", ...more]);
}
// Cloudflare reads its files at the root of what it is given.
for (const file of ["_headers", "_redirects", "404.html"]) cpSync(join(below, "lib", file), join(below, file));
const sites = [["below a path", below, "/lib"], ["at the root", root, ""], ["the API alone", api, null]];

const servers = {
  async nginx(label, dir, prefix) {
    const port = await freePort(), p = mkdtempSync(join(work, "nginx-"));
    writeFileSync(join(p, "nginx.conf"), `daemon off; pid ${p}/pid; error_log stderr; events {}
http { access_log off; client_body_temp_path ${p}/b; proxy_temp_path ${p}/p; fastcgi_temp_path ${p}/f; uwsgi_temp_path ${p}/u; scgi_temp_path ${p}/s;
server { listen 127.0.0.1:${port}; root ${dir}; include ${dir}${prefix ?? ""}/.hosts/nginx.conf; } }\n`);
    return [`http://127.0.0.1:${port}`, "nginx", ["-p", p, "-c", join(p, "nginx.conf"), "-g", process.getuid?.() === 0 ? "user root;" : ""]];
  },
  async caddy(label, dir, prefix) {
    const port = await freePort(), p = mkdtempSync(join(work, "caddy-"));
    writeFileSync(join(p, "Caddyfile"), `{\n\tadmin off\n\tauto_https off\n}\nhttp://127.0.0.1:${port} {\n\troot * ${dir}\n\timport ${dir}${prefix ?? ""}/.hosts/Caddyfile\n}\n`);
    return [`http://127.0.0.1:${port}`, "caddy", ["run", "--config", join(p, "Caddyfile"), "--adapter", "caddyfile"], { env: { ...process.env, HOME: p, XDG_DATA_HOME: p, XDG_CONFIG_HOME: p } }];
  },
  async serve(label, dir, prefix) {
    if (prefix !== "/lib") return null;
    const port = await freePort();
    return [`http://127.0.0.1:${port}`, program, ["serve", "--seeds", ours, "--addr", `127.0.0.1:${port}`]];
  },
  async wrangler(label, dir) {
    const port = await freePort(), p = mkdtempSync(join(work, "wrangler-"));
    const node = Number(process.versions.node.split(".")[0]) >= 22 ? process.execPath
      : ["x64"].map((a) => join(here, `node_modules/node-linux-${a}/bin/node`)).find(existsSync);
    if (!node) throw new Error("wrangler needs Node 22; npm ci in generator/hosttest brings it");
    mkdirSync(join(p, "site"));
    cpSync(dir, join(p, "site"), { recursive: true });
    return [`http://127.0.0.1:${port}`, node, [join(here, "node_modules/wrangler/bin/wrangler.js"), "pages", "dev", "site", "--ip", "127.0.0.1", "--port", String(port), "--compatibility-date", "2026-01-01"],
      { cwd: p, env: { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "1", HOME: p } }];
  },
};

try {
  for (const name of only.length ? only : Object.keys(servers)) {
    for (const [label, dir, prefix] of sites) {
      const server = await servers[name](label, dir, prefix);
      if (!server) continue;
      const [address, command, args, options] = server;
      const child = await start(name, address + "/", command, args, options);
      try {
        await conform(`${name}, ${label}`, address + (prefix ?? ""), prefix, prefix !== null);
      } finally {
        stop(child);
      }
    }
  }
} finally {
  for (const child of children) stop(child);
  if (!process.env.KEEP) rmSync(work, { recursive: true, force: true });
  else console.log(work);
}
if (short) {
  console.log(`${short} fall short`);
  process.exit(1);
}
