// Has other people's clients use the server: node run.mjs PROGRAM SEEDS. They are
// the inspector's command line, strict, over HTTP and over stdin and stdout; the
// conformance suites of two revisions; and two generations of the TypeScript SDK.
//
// It starts itself again with Node 22 where it was started with an older one: the
// packages of this folder need it.
import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const [program, seeds] = process.argv.slice(2).map((p) => path.resolve(p));
if (!program || !seeds) {
  console.error("usage: node run.mjs PROGRAM SEEDS");
  process.exit(2);
}
if (Number(process.versions.node.split(".")[0]) < 22) {
  const node = ["x64", "arm64"].map((cpu) => path.join(here, `node_modules/node-linux-${cpu}/bin/node`)).find(existsSync);
  if (!node) throw new Error("Node 22 or newer is needed");
  process.exit(spawnSync(node, [fileURLToPath(import.meta.url), program, seeds], { stdio: "inherit" }).status ?? 1);
}

const module = (name) => path.join(here, "node_modules", name);
const stdio = { command: program, args: ["mcp", "--seeds", seeds] };

// Every tool with a call that finds something, and what it finds.
const calls = [
  ["search_incidents", { query: "readiness probe crash loop" }, (r) => r.total > 0 && r.results[0].id],
  ["search_incidents", { query: "데이터베이스 연결", limit: 3 }, (r) => r.lang === "ko" && r.results.length === 3],
  ["list_incidents", { root_cause: "software-bug", facets: true, limit: 5 }, (r) => r.total >= 5 && r.facets.year.length > 0],
  ["get_incident", { id: "IL-0119", lang: "both" }, (r) => r.case.title.ko && r.case.title.en && r.similar.length === 5],
  ["get_topic", { topic: "contributing/retry-storm", lang: "ko" }, (r) => r.count > 0 && r.by_year.length > 0],
  ["vocab", { axis: "components" }, (r) => r.axes[0].terms.length > 10],
];

let failures = 0;
async function check(name, run) {
  const start = performance.now();
  try {
    await run();
    console.log(`ok    ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  } catch (err) {
    failures++;
    console.log(`FAIL  ${name}\n${String(err.stack ?? err).replace(/^/gm, "      ")}`);
  }
}

function run(args, options = {}) {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { maxBuffer: 1 << 26, ...options }, (err, stdout, stderr) => resolve({ code: err ? err.code : 0, stdout, stderr }));
  });
}

async function serve() {
  const child = spawn(program, [...stdio.args, "--http", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => child.kill());
  for await (const line of createInterface({ input: child.stdout })) {
    return { url: line, stop: () => new Promise((resolve) => child.once("close", resolve) && child.kill()) };
  }
  throw new Error("the server does not listen");
}

const inspect = (target, ...args) => run([module("@modelcontextprotocol/inspector/clients/launcher/build/index.js"), "--cli", ...target, ...args]);

async function inspector(name, target) {
  await check(`inspector, ${name}: the tools, strict`, async () => {
    const r = await inspect(target, "--method", "tools/list", "--strict");
    assert.equal(r.code, 0, r.stderr);
    assert.equal(r.stderr.trim(), "", "strict has something to say");
    assert.deepEqual(JSON.parse(r.stdout).tools.map((t) => t.name), ["get_incident", "get_topic", "list_incidents", "search_incidents", "vocab"]);
  });
  for (const [tool, args, found] of calls) {
    await check(`inspector, ${name}: ${tool}`, async () => {
      const r = await inspect(target, "--method", "tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(args));
      assert.equal(r.code, 0, r.stderr);
      assert.ok(found(JSON.parse(r.stdout).structuredContent), r.stdout);
    });
  }
  await check(`inspector, ${name}: a mistake`, async () => {
    const r = await inspect(target, "--method", "tools/call", "--tool-name", "get_incident", "--tool-args-json", '{"id":5}');
    assert.notEqual(r.code, 0);
    assert.match(r.stdout, /id is to be a string/);
  });
}

async function conformance(name, pkg, args, url) {
  await check(`conformance ${name}`, async () => {
    const dir = mkdtempSync(path.join(tmpdir(), "conformance-"));
    try {
      const r = await run([path.join(module(pkg), "dist/index.js"), "server", "--url", url, "--expected-failures", path.join(here, `conformance-${name}.yml`), ...args], { cwd: dir });
      assert.equal(r.code, 0, r.stdout.slice(-3000) + r.stderr.slice(-1000));
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
}

// A client of the TypeScript SDK holds answers to the schemas that the server gives.
async function typescript(name, client, transport) {
  await check(`TypeScript ${name}`, async () => {
    await client.connect(transport);
    try {
      const { tools } = await client.listTools();
      assert.equal(tools.length, 5);
      for (const [tool, args, found] of calls) {
        const r = await client.callTool({ name: tool, arguments: args });
        assert.ok(!r.isError && found(r.structuredContent), `${tool}: ${JSON.stringify(r).slice(0, 500)}`);
        assert.deepEqual(JSON.parse(r.content[0].text), r.structuredContent, tool);
      }
      const { resources } = await client.listResources();
      const { contents } = await client.readResource({ uri: resources.at(-1).uri });
      assert.ok(JSON.parse(contents[0].text).id);
      const prompt = await client.getPrompt({ name: "find_similar", arguments: { symptom: "pods restart" } });
      assert.match(prompt.messages[0].content.text, /pods restart/);
      const { completion } = await client.complete({ ref: { type: "ref/resource", uri: "incidentlib://cases/{id}" }, argument: { name: "id", value: "IL-01" } });
      assert.ok(completion.values.includes("IL-0119"));
      await assert.rejects(client.callTool({ name: "nope", arguments: {} }), /-32602|nope/);
    } finally {
      await client.close();
    }
  });
}

const server = await serve();
const url = server.url;

const old = await import("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport: OldHTTP } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
const { StdioClientTransport: OldStdio } = await import("@modelcontextprotocol/sdk/client/stdio.js");
const now = await import("@modelcontextprotocol/client");
const { StdioClientTransport: NewStdio } = await import("@modelcontextprotocol/client/stdio");
const me = { name: "mcptest", version: "1" };

await typescript("sdk 1.32, HTTP", new old.Client(me), new OldHTTP(new URL(url)));
await typescript("sdk 1.32, stdio", new old.Client(me), new OldStdio({ ...stdio, stderr: "ignore" }));
for (const mode of ["legacy", "auto", { pin: "2026-07-28" }]) {
  const era = typeof mode === "string" ? mode : mode.pin;
  await typescript(`client 2.4, ${era}, HTTP`, new now.Client(me, { versionNegotiation: { mode } }), new now.StreamableHTTPClientTransport(new URL(url)));
  await typescript(`client 2.4, ${era}, stdio`, new now.Client(me, { versionNegotiation: { mode } }), new NewStdio({ ...stdio, stderr: "ignore" }));
}
await Promise.all([
  inspector("HTTP, era of today", [url, "--protocol-era", "modern"]),
  inspector("stdio, era of sessions", [stdio.command, ...stdio.args, "--protocol-era", "legacy"]),
]);
await conformance("2025-11-25", "@modelcontextprotocol/conformance", [], url);
await conformance("2026-07-28", "conformance-next", ["--requirements", "2026-07-28"], url);

await server.stop();
if (failures > 0) {
  console.log(`${failures} failed`);
  process.exit(1);
}
