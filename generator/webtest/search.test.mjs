// The search engine of the browser gives the answers of the Go reader: the same
// cases in the same order with the same scores, and the same counts of every
// facet, for every question of the set. INCIDENTLIB_SEARCH_EXPECTED is the folder
// that the Go test TestExpected wrote an index and its answers to:
//
//   node --test search.test.mjs
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const { marks, open, tokens } = await import("data:text/javascript," + encodeURIComponent(read("assets/search-engine.js")));
const vectors = JSON.parse(read("generator/search/testdata/tokens.json"));

for (const { text, terms, joined } of vectors.tokens) {
  test("tokens of " + JSON.stringify(text), () => assert.deepEqual(tokens(text), { terms, joined }));
}

for (const { text, q, marks: want, apart } of vectors.marks) {
  test(`${JSON.stringify(q)} in ${JSON.stringify(text)}`, () => {
    const found = marks(text, q);
    assert.deepEqual(found.map(([from, to]) => text.slice(from, to)), want);
    let rest = "", at = 0;
    for (const [from, to] of found) {
      rest += text.slice(at, from) + "|";
      at = to;
    }
    assert.equal(rest + text.slice(at), apart);
  });
}

const folder = process.env.INCIDENTLIB_SEARCH_EXPECTED;

const fromDisk = async (url) => JSON.parse(await readFile(new URL(url), "utf8"));

// same writes an answer of either engine with the names of the Go one.
function named(r) {
  return {
    Total: r.total, Exact: r.exact, Relaxed: r.relaxed,
    Hits: r.hits.map((h) => ({
      ID: h.id, Title: h.title, Lang: h.lang, Org: h.org, OrgSlug: h.orgSlug, Date: h.date, RootCause: h.rootCause, Lead: h.lead,
      LeadLang: h.leadLang, Score: h.score, Close: h.close, Matched: h.matched,
    })),
    Facets: r.facets.map((f) => ({ Name: f.name, Label: f.label, Values: f.values.map((v) => ({ Slug: v.slug, Label: v.label, Count: v.count, Selected: v.selected })) })),
  };
}

const filled = (r) => ({
  ...r, Hits: (r.Hits ?? []).map((h) => ({ ...h, Matched: h.Matched ?? [] })), Facets: r.Facets.map((f) => ({ ...f, Values: f.Values ?? [] })),
});

test("the answers are those of the Go reader", { skip: folder ? false : "INCIDENTLIB_SEARCH_EXPECTED is not set" }, async () => {
  const base = pathToFileURL(folder + "/");
  const answers = JSON.parse(readFileSync(new URL("answers.json", base), "utf8"));
  const questions = JSON.parse(read("generator/search/testdata/queries.json"));
  assert.equal(answers.length, questions.length);
  const engine = await open(new URL("search/index.json", base).href, fromDisk);
  for (const [i, question] of questions.entries()) {
    assert.deepEqual(named(await engine.search({ ...question, facets: true })), filled(answers[i]), JSON.stringify(question));
  }
});

test("a shard that is gone has the index opened anew, once", { skip: !folder }, async () => {
  const base = pathToFileURL(folder + "/");
  const old = { ...await fromDisk(new URL("search/index.json", base).href), terms: "s/p/terms-gone.json" };
  let roots = 0;
  const engine = await open(new URL("search/index.json", base).href, (url) => (url.endsWith("index.json") && roots++ === 0 ? old : fromDisk(url)));
  assert.ok((await engine.search({ q: "database" })).total > 0);
  assert.equal(roots, 2);
  const broken = await open(new URL("search/index.json", base).href, async (url) => (url.endsWith("index.json") ? old : fromDisk(url)));
  await assert.rejects(broken.search({ q: "database" }));
});
