// Checks what a built site says to programs by the programs' own readers: feeds
// and sitemaps by their grammars, JSON Feed by its schema, linked data by
// schema.org's vocabulary, citations by a reader of BibTeX and CSL-JSON:
// node feeds.mjs FOLDER. Exit 0: all is well; 1: it is not, and each fault
// stands on a line of its own; 2: the check could not be made.
import { Cite, plugins } from "@citation-js/core";
import "@citation-js/plugin-bibtex";
import "@citation-js/plugin-csl";
import Validator from "@adobe/structured-data-validator";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = process.argv[2];
if (!folder || process.argv.length !== 3) {
  console.error("usage: node feeds.mjs FOLDER");
  process.exit(2);
}
const here = dirname(fileURLToPath(import.meta.url));
const names = readdirSync(folder, { recursive: true });
const faults = [];
const read = (name) => readFileSync(join(folder, name), "utf8");

// byGrammar holds XML files to a grammar.
const byGrammar = (grammar, files) => {
  for (let from = 0; from < files.length; from += 500) {
    const part = files.slice(from, from + 500).map((name) => join(folder, name));
    const run = spawnSync("xmllint", ["--noout", "--relaxng", join(here, "schemas", grammar), ...part], { encoding: "utf8", maxBuffer: 64 << 20 });
    if (run.error) {
      console.error(`feeds: xmllint cannot be run: ${run.error.message}`);
      process.exit(2);
    }
    if (run.status !== 0) faults.push(...run.stderr.split("\n").filter((line) => line && !line.endsWith(" validates")));
  }
  return files.length;
};

// bySchema holds JSON feeds to their schema.
const bySchema = (files) => {
  const ajv = new Ajv({ strict: true, allErrors: true });
  addFormats(ajv);
  const valid = ajv.compile(JSON.parse(readFileSync(join(here, "schemas/feed.schema.json"), "utf8")));
  for (const name of files) {
    if (!valid(JSON.parse(read(name)))) faults.push(`${name}: ${ajv.errorsText(valid.errors)}`);
  }
  return files.length;
};

// vocabulary is schema.org's, as far as it can be told from its types.
const vocabulary = () => {
  const types = createRequire(import.meta.url).resolve("schema-dts").replace(/[^/]*$/, "schema.d.ts");
  const classes = [];
  const properties = new Map();
  const body = /interface (\w+)Base(?: extends ([^{]+))? \{\n([^]*?)\n\}/g;
  const source = readFileSync(types, "utf8");
  for (const [, name, parents, fields] of source.matchAll(body)) {
    const above = [...(parents ?? "").matchAll(/(\w+)Base/g)].map(([, parent]) => ({ "@id": `schema:${parent}` }));
    classes.push({ "@id": `schema:${name}`, "@type": "rdfs:Class", "rdfs:subClassOf": above });
    for (const [, property] of fields.matchAll(/^ {4}"([^"@]+)"\?:/gm)) {
      properties.set(property, [...(properties.get(property) ?? []), { "@id": `schema:${name}` }]);
    }
  }
  // A type without fields of its own is a leaf of another.
  for (const [, name, parent] of source.matchAll(/interface (\w+)Leaf extends (\w+)Base/g)) {
    if (name !== parent) classes.push({ "@id": `schema:${name}`, "@type": "rdfs:Class", "rdfs:subClassOf": { "@id": `schema:${parent}` } });
  }
  const graph = [...properties].map(([name, of]) => ({ "@id": `schema:${name}`, "@type": "rdf:Property", "schema:domainIncludes": of }));
  return { "@graph": [...classes, ...graph] };
};

const linked = /<script type="?application\/ld\+json"?>([^]*?)<\/script>/g;

// byVocabulary holds linked data to schema.org and to what search engines ask
// of the types that they show.
const byVocabulary = async (pages) => {
  const validator = new Validator(vocabulary());
  // The check itself: what is wrong is found, or all that follows says nothing.
  const wrong = await validator.validate({ jsonld: { TechArticle: [{ "@type": "TechArticle", headlin: "x" }], Nonsense: [{ "@type": "Nonsense" }] } });
  if (wrong.length < 2) throw new Error("the validator of linked data finds no faults");
  let count = 0;
  for (const name of pages) {
    const jsonld = {};
    for (const [, text] of read(name).matchAll(linked)) {
      const item = JSON.parse(text);
      (jsonld[item["@type"]] ??= []).push(item);
      count++;
    }
    for (const issue of await validator.validate({ jsonld })) faults.push(`${name}: ${issue.rootType}: ${issue.issueMessage}`);
  }
  return count;
};

const entities = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&#34;": '"', "&quot;": '"', "&#39;": "'" };
const unescape = (text) => text.replace(/&[a-z0-9#]+;/g, (entity) => entities[entity] ?? entity);

// byReaders holds the two citations of a case to each other, as others read them.
const byReaders = (pages) => {
  let count = 0;
  for (const name of pages) {
    const disclosure = /<details class="cite"[^]*?<\/details>/.exec(read(name))?.[0];
    if (!disclosure) {
      faults.push(`${name} does not say how to cite it`);
      continue;
    }
    const [words, bibtex, csl] = [...disclosure.matchAll(/<pre[^>]*><code>([^]*?)<\/code><\/pre>/g)].map(([, text]) => unescape(text));
    try {
      const [a] = new Cite(bibtex, { forceType: "@bibtex/text" }).data;
      const [b] = new Cite(csl).data;
      for (const field of ["title", "URL", "note"]) {
        if (a[field] !== b[field]) faults.push(`${name}: ${field} is ${JSON.stringify(a[field])} in BibTeX and ${JSON.stringify(b[field])} in CSL-JSON`);
      }
      const dates = [a, b].map((item) => item.issued["date-parts"][0].slice(0, 2).join("-"));
      if (dates[0] !== dates[1]) faults.push(`${name}: issued ${dates[0]} in BibTeX and ${dates[1]} in CSL-JSON`);
      const names = [a, b].map((item) => item.author[0].literal ?? item.author[0].family);
      if (names[0] !== names[1] || b.accessed) faults.push(`${name}: by ${names.join(" and ")}, accessed ${JSON.stringify(b.accessed)}`);
      if (!words.includes(b.URL) || !words.includes(b.id)) faults.push(`${name}: the citation in words is ${words}`);
      new Cite(csl).format("bibliography", { template: "apa", lang: "en-US" });
    } catch (error) {
      faults.push(`${name}: ${error.message}`);
    }
    count++;
  }
  return count;
};

plugins.config.get("@csl"); // there is a style to set citations in
const pages = names.filter((name) => name.endsWith(".html"));
const cases = pages.filter((name) => /(^|\/)cases\/IL-\d+\/index\.html$/.test(name) && /<details class="cite"|<article class="case/.test(read(name)));
const counts = [
  [byGrammar("atom.rng", names.filter((name) => basename(name) === "feed.xml")), "Atom feeds"],
  [bySchema(names.filter((name) => basename(name) === "feed.json")), "JSON feeds"],
  [byGrammar("sitemap.rng", names.filter((name) => /^sitemap.*\.xml$/.test(name))), "sitemaps"],
  [await byVocabulary(pages), "pieces of linked data"],
  [byReaders(cases), "citations"],
];
for (const [count, what] of counts) if (count === 0) faults.push(`there are no ${what}`);
if (faults.length > 0) {
  console.log(faults.join("\n"));
  console.error(`feeds: ${faults.length} faults`);
  process.exit(1);
}
console.log(`${counts.map(([count, what]) => `${count} ${what}`).join(", ")}: all are valid`);
