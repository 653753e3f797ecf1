// The control in assets/budget.js says what the Go package says, to the last
// digit, on the vectors that the package wrote: node --test budget.test.mjs
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const { amount, percent } = await import("data:text/javascript," + encodeURIComponent(read("assets/budget.js")));

test("every vector", () => {
  const vectors = JSON.parse(read("generator/page/testdata/budget.json"));
  assert.ok(vectors.length > 500);
  for (const v of vectors) {
    const got = { ...v, used: percent(v.seconds, v.share, v.allowed, v.days),
      amountEn: amount(v.allowed, v.days, [" s", " min", " h", " d"]), amountKo: amount(v.allowed, v.days, ["초", "분", "시간", "일"]) };
    assert.deepEqual(got, v);
  }
});
