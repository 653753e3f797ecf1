// Checks of the published JSON as others meet it. Usage:
//
//	node --test-reporter=spec api.test.mjs PROGRAM SITE PORT
//
// PROGRAM is incidentlib; SITE is a site that was built for http://127.0.0.1:PORT/lib, with the MCP
// server https://mcp.example/mcp. It is served at that address, so that the
// examples of the page /api/ run as they stand there.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";

import { DuckDBInstance } from "@duckdb/node-api";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import createClient from "openapi-fetch";
import { parse as parseTOML } from "smol-toml";

import { serve } from "./serve.mjs";

const run = promisify(execFile);
const [program, site, port] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const base = `http://127.0.0.1:${port}/lib`;
const root = `${base}/api/v1`;
const read = async (file) => JSON.parse(await readFile(join(site, file), "utf8"));

let host, scratch;
before(async () => {
  host = await serve(site, "/lib/", Number(port));
  scratch = await mkdtemp(join(tmpdir(), "apitest-"));
});
after(async () => {
  await host.close();
  await rm(scratch, { recursive: true });
});

// closed forbids other fields: readers may meet new ones, but one that no schema
// names is a fault of ours.
function closed(schema) {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== "object") return schema;
  const out = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  if (out.type === "object" && out.properties) out.additionalProperties = false;
  return out;
}

test("every document is what its published schema says", async () => {
  const ajv = new Ajv({ strict: true, allErrors: true, strictRequired: false });
  addFormats(ajv);
  for (const file of await readdir(join(site, "api/v1/schema"))) ajv.addSchema(closed(await read(`api/v1/schema/${file}`)));
  const api = await read("api/v1/openapi.json");
  const kinds = Object.entries(api.paths).map(([path, { get }]) => {
    const schema = get.responses[200].content["application/json"]?.schema ?? {};
    const addresses = [schema, ...(schema.oneOf ?? [])].filter((s) => s.$ref).map((s) => api.components.schemas[basename(s.$ref)].externalDocs.url);
    const pattern = path.replace(/[.]/g, "\\.").replace(/\{[a-z]+\}/g, "[^/]+");
    return { pattern: new RegExp(`^api/v1${pattern}$`), addresses, fixed: path.replace(/\{[a-z]+\}/g, "").length };
  }).sort((a, b) => b.fixed - a.fixed);
  const valid = (address, document, where) => {
    const validate = ajv.getSchema(address);
    assert.ok(validate, `there is no schema ${address}`);
    return validate(document) ? "" : `${where}: ${ajv.errorsText(validate.errors)}`;
  };
  let documents = 0;
  for (const entry of await readdir(join(site, "api/v1"), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = relative(site, join(entry.parentPath ?? entry.path, entry.name));
    if (/^api\/v1\/(openapi\.|schema\/)/.test(file)) continue;
    const kind = kinds.find((k) => k.pattern.test(file));
    assert.ok(kind, `${file} is not in the description of the API`);
    if (!file.endsWith(".json")) continue;
    const document = await read(file);
    const faults = kind.addresses.map((address) => valid(address, document, file));
    assert.ok(faults.includes(""), faults.join("\n"));
    documents++;
  }
  assert.ok(documents > 300, `only ${documents} documents`);
  const lines = async (file, address) => {
    let text = await readFile(join(site, file));
    if (file.endsWith(".gz")) text = gunzipSync(text);
    for (const line of text.toString().trimEnd().split("\n")) assert.equal(valid(address, JSON.parse(line), file), "");
  };
  await lines("api/v1/manifest.ndjson", `${root}/schema/manifest-entry.json`);
  for (const { name, kind, format } of (await read("api/v1/dumps/index.json")).files) {
    if (format === "ndjson.gz") await lines(`api/v1/dumps/${name}`, `${root}/schema/${kind === "cases" ? "case" : "case-summary"}.json`);
  }
});

const tool = (name, ...args) => run(join(here, "node_modules/.bin", name), args, { cwd: here, env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } });

test("redocly and spectral pass the description of the API", async () => {
  const files = ["openapi.json", "openapi.yaml"].map((file) => join(site, "api/v1", file));
  await Promise.all([
    tool("redocly", "lint", ...files, "--config", "redocly.yaml", "--max-problems", "20"),
    tool("spectral", "lint", ...files, "--ruleset", "spectral.yaml", "--fail-severity", "hint"),
  ].map((p) => p.catch((e) => assert.fail(`${e.stdout}\n${e.stderr}`))));
});

test("a generated client reads a case, and its types hold", async () => {
  const types = join(scratch, "api.d.ts");
  await tool("openapi-typescript", join(site, "api/v1/openapi.yaml"), "--output", types);
  const program = join(scratch, "client.ts");
  await writeFile(program, `
import type createClient from "openapi-fetch";
import type { paths, components } from "./api.d.ts";
export async function first(client: ReturnType<typeof createClient<paths>>): Promise<string | null> {
  const { data } = await client.GET("/cases.json");
  const summary: components["schemas"]["CaseSummary"] | undefined = data?.items[0];
  if (!summary) return null;
  const found = await client.GET("/cases/{id}.json", { params: { path: { id: summary.id } } });
  if (!found.data || "withdrawn" in found.data) return null;
  const score: number | undefined = (await client.GET("/cases/{id}/similar.json", { params: { path: { id: summary.id } } })).data?.items[0]?.score;
  return found.data.org + String(score);
}
`);
  await writeFile(join(scratch, "tsconfig.json"), JSON.stringify({ compilerOptions: { strict: true, noEmit: true, module: "preserve", moduleResolution: "bundler",
    target: "es2022", lib: ["es2022", "dom"], types: [], skipLibCheck: true, allowImportingTsExtensions: true, baseUrl: ".", paths: { "openapi-fetch": [join(here, "node_modules/openapi-fetch")] } }, files: ["client.ts"] }));
  await tool("tsc", "--project", scratch).catch((e) => assert.fail(e.stdout));

  const client = createClient({ baseUrl: root });
  const { data: list } = await client.GET("/cases.json");
  const { data: one } = await client.GET("/cases/{id}.json", { params: { path: { id: list.items[0].id } } });
  assert.equal(one.org, list.items[0].org);
  const { data, error, response } = await client.GET("/cases/{id}.json", { params: { path: { id: "IL-999999999" } }, parseAs: "text" });
  assert.equal(response.status, 404);
  assert.ok(!data && error);
});

// blocks are the blocks of code of a page, by their ids.
async function blocks(page) {
  const html = await readFile(join(site, page), "utf8");
  const entities = { "&lt;": "<", "&gt;": ">", "&#34;": '"', "&quot;": '"', "&#39;": "'", "&amp;": "&" };
  return Object.fromEntries([...html.matchAll(/<pre id="?([a-z-]+)"?[^>]*>\s*<code>([^]*?)<\/code>/g)]
    .map(([, id, code]) => [id, code.replace(/&[#a-z0-9]+;/g, (e) => entities[e])]));
}

// piped runs a program with its text on stdin and returns what it prints.
function piped(command, args, text) {
  return new Promise((done, failed) => {
    const child = spawn(command, args, { cwd: scratch, stdio: ["pipe", "pipe", "pipe"] });
    let out = "", err = "";
    child.stdout.on("data", (b) => (out += b));
    child.stderr.on("data", (b) => (err += b));
    child.on("error", failed);
    child.on("close", (code) => (code === 0 ? done(out) : failed(new Error(`${command}: ${code}\n${out}${err}`))));
    child.stdin.end(text);
  });
}

test("the examples of the page run, and are the same in both languages", async () => {
  const code = await blocks("api/index.html");
  assert.deepEqual(await blocks("ko/api/index.html"), code);
  const { counts } = await read("api/v1/index.json");
  const examples = {
    "example-curl": async (text) => assert.match(await piped("bash", ["-euo", "pipefail", "-s"], text), /^\{.*\}\n304\n$/s),
    "example-jq": async (text) => {
      const out = await piped("bash", ["-euo", "pipefail", "-s"], text);
      assert.match(out, /^\{\n {2}"id": "IL-[0-9]+",\n[^]*\n\}\n(IL-[0-9]+\t[0-9]+\t[^\n]+\n){10}$/);
    },
    "example-python": async (text) => assert.equal((await piped("python3", ["-"], text)).trimEnd().split("\n").length, counts.cases),
    "example-javascript": async (text) => {
      const out = (await piped(process.execPath, ["--input-type=module"], text)).trimEnd().split("\n");
      assert.equal(out.length, (await read("api/v1/topics/root_cause.json")).terms.length);
      assert.match(out[0], /^[0-9]+ [a-z0-9-]+ .+ .+$/);
    },
    "example-duckdb": async (text) => {
      // DuckDB loads what reads http from a host of its own; files do for what is shown.
      const db = await (await DuckDBInstance.create(":memory:")).connect();
      const statements = text.replaceAll(base, site).split(";").filter((s) => s.trim());
      assert.equal(statements.length, 2);
      for (const s of statements) {
        const rows = (await db.runAndReadAll(s)).getRows();
        assert.ok(rows.length === 10 && rows[0][1] > 0n, s);
      }
      db.closeSync();
    },
    "example-sync": async (text) => {
      const own = ["-euo", "pipefail", "-c", `incidentlib() { ${JSON.stringify(program)} "$@"; }; ${text}`];
      for (let i = 0; i < 2; i++) await piped("bash", own, "");
      assert.equal((await readdir(join(scratch, "incidents/api/v1/cases"))).filter((f) => f.endsWith(".json")).length, counts.cases);
    },
  };
  assert.deepEqual(Object.keys(code).filter((id) => id.startsWith("example-")), Object.keys(examples));
  for (const [id, check] of Object.entries(examples)) await check(code[id]);
});

test("the configuration of each MCP client names the server", async () => {
  const code = await blocks("api/index.html");
  const http = { url: "https://mcp.example/mcp" };
  const stdio = { command: "incidentlib", args: ["mcp", "--data", `${base}/`] };
  const json = (key) => (text) => JSON.parse(text)[key].incidentlib;
  const words = (text) => {
    const [program, verb, add, ...rest] = text.replaceAll("\\\n", " ").trim().split(/ +/);
    assert.deepEqual([program, verb, add], ["claude", "mcp", "add"]);
    if (rest[0] === "--transport") return { type: rest[1], url: rest[3] };
    assert.deepEqual(rest.slice(0, 2), ["incidentlib", "--"]);
    return { command: rest[2], args: rest.slice(3) };
  };
  const toml = (text) => parseTOML(text).mcp_servers.incidentlib;
  const clients = {
    "client-claude-code-http": [words, { type: "http", ...http }], "client-claude-code-stdio": [words, stdio],
    "client-claude-desktop-stdio": [json("mcpServers"), stdio],
    "client-vscode-http": [json("servers"), { type: "http", ...http }], "client-vscode-stdio": [json("servers"), { type: "stdio", ...stdio }],
    "client-cursor-http": [json("mcpServers"), http], "client-cursor-stdio": [json("mcpServers"), stdio],
    "client-codex-http": [toml, http], "client-codex-stdio": [toml, stdio],
  };
  assert.deepEqual(Object.keys(code).filter((id) => id.startsWith("client-")), Object.keys(clients));
  for (const [id, [parse, want]] of Object.entries(clients)) assert.deepEqual({ ...parse(code[id]) }, want, id);
});
