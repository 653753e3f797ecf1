// The model in assets/storm.js gives the numbers of the Go package, all of them,
// on the vectors that the package wrote: node --test storm.test.mjs
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const page = createContext({});
runInContext(read("assets/storm.js"), page);

for (const { params, result } of JSON.parse(read("cmd/llm-gateway/storm/testdata/vectors.json"))) {
  test(JSON.stringify(params), () => {
    const r = page.runStorm(params);
    const minutes = r.messages.map((messages, i) => ({ messages, requests: r.requests[i], calls: r.calls[i], failures: r.failures[i] }));
    const got = { minutes, total: r.total, peak: r.peak, recovery: r.recovery };
    assert.deepEqual(JSON.parse(JSON.stringify(got)), result);
  });
}
