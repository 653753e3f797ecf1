// Stands in for the engine until it is here.
export async function open(indexURL, fetchJSON = async (url) => (await fetch(url)).json()) {
  const root = indexURL.replace("search/index.json", "api/v1/");
  const list = await fetchJSON(root + "cases.json");
  const docs = await Promise.all(list.items.map((c) => fetchJSON(root + "cases/" + c.id + ".json")));
  const minutes = (d) => { if (!d) return null; let n = 0; for (const [, v, u] of d.matchAll(/(\d+)([dhms])/g)) n += v * { d: 1440, h: 60, m: 1, s: 1 / 60 }[u]; return n; };
  const bucket = (m) => m === null ? "unknown" : m <= 10 ? "10m" : m <= 60 ? "1h" : m <= 240 ? "4h" : m <= 1440 ? "1d" : m <= 10080 ? "7d" : "longer";
  const fold = (s) => s.toLowerCase().replace(/\s+/g, "");
  const of = (c, axis) => axis === "org" ? [c.org_slug] : axis === "year" ? [c.date.slice(0, 4)] : axis === "duration" ? [bucket(minutes(c.timeline.resolved_after))] : [c[axis]].flat();
  const axes = ["domain", "symptoms", "components", "root_cause", "contributing", "detection", "severity", "org", "year", "duration"];
  return {
    search: async ({ q = "", lang, filters = {}, sort, offset = 0, limit = 10 }) => {
      const wordsOf = q.split(/\s+/).filter(Boolean).map(fold);
      const found = docs.filter((c) => wordsOf.every((w) => fold(JSON.stringify(c)).includes(w)) &&
        Object.entries(filters).every(([a, vs]) => [vs].flat().some((v) => of(c, a).includes(v))));
      const key = { oldest: (a, b) => a.date < b.date ? -1 : 1, longest: (a, b) => (minutes(b.timeline.resolved_after) ?? -1) - (minutes(a.timeline.resolved_after) ?? -1), shortest: (a, b) => (minutes(a.timeline.resolved_after) ?? 1e9) - (minutes(b.timeline.resolved_after) ?? 1e9) }[sort] ?? ((a, b) => a.date < b.date ? 1 : -1);
      found.sort(key);
      const facets = {};
      for (const a of axes) { facets[a] = {}; for (const c of found) for (const v of of(c, a)) if (v) facets[a][v] = (facets[a][v] ?? 0) + 1; }
      return { total: found.length, relaxed: false, facets, hits: found.slice(offset, offset + limit).map((c) => ({ id: c.id, title: c.title[lang] ?? c.title.en, lang, org: c.org, orgSlug: c.org_slug, date: c.date, rootCause: c.root_cause, lead: (c.summary[lang] ?? "").slice(0, 150), score: 1 })) };
    },
  };
}
export function marks(text, q) {
  const out = [];
  for (const w of q.split(/\s+/).filter(Boolean)) { let at = -1; const t = text.toLowerCase(); while ((at = t.indexOf(w.toLowerCase(), at + 1)) >= 0) out.push([at, at + w.length]); }
  out.sort((a, b) => a[0] - b[0]);
  return out.filter((m, i) => i === 0 || m[0] >= out[i - 1][1]);
}
