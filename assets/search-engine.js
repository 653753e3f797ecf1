// Search, without a page: reads the index that generator/search publishes and
// answers as its Go reader does, number for number. The Go package says why
// things are as they are; tests compare the two on the same questions. Nothing
// here touches a document, so it runs in Node as well.

const fullWeight = 60, looseWeight = 36;
const maxQuestion = 200, maxWords = 16, maxTerms = 64, maxShards = 3, fewHits = 5, maxWord = 64;
const runBits = 4, notFound = 65535, hard = 1;

const axes = ["domain", "symptoms", "components", "root_cause", "contributing", "detection", "severity"];
const facetNames = [...axes, "org", "year", "duration"];
const several = ["domain", "symptoms", "components", "contributing"];
const durations = ["10m", "1h", "4h", "1d", "7d", "longer", "unknown"];

// --- Tokens ---

const words = (s) => new Set(s.split(" "));
const particles = words("이 가 은 는 을 를 의 에 로 도 만 와 과 나 들 씩 으로 에서 에게 에는 에도 까지 부터 마다 보다 처럼 만큼 밖에 조차 이나 이다 이고 이며 이라 라는 라고 로는 로도 로서 로써 와의 과의 와는 과는 들이 들은 들을 들의 들에 들도 에서는 에서도 에서의 으로는 으로도 으로의 으로써 으로서 이라는 이라고 이었다 까지는 까지의 부터는 들에서 들에게 들에는 들에서는");
const endings = words("했다 했고 했지만 했으며 하다 하는 하고 하며 하여 하지 하면 하자 하게 하기 한다 해서 해야 한 할 해 함 하도록 하려고 하면서 하던 했던 했는데 됐다 됐고 됐던 되다 되는 되고 되며 되어 되지 되면 되자 된다 돼 된 될 됨 되도록 되면서 되었다 됐지만 됐으며 시켰다 시키는 시켜 시킨 시킬 하지만");
const objects = words("을 를 은 는");
const stopWords = words("a an and are as at be by for from in is it its of on or that the this to was were with");

const isHangul = (c) => c >= "\uac00" && c <= "\ud7a3";
const isJamo = (c) => /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7ff\u3130-\u318f]/.test(c);
const normal = (s) => s.normalize("NFKC");

function lower(c) {
  if (c === "ς" || c === "Σ") return "σ";
  const small = c.toLowerCase();
  return c.length === 1 && small.length > 1 ? small[0] : small;
}

const folded = (word) => (/^[a-z0-9]*$/.test(word) ? word : normal([...word].map(lower).join("")));

// scriptOf is 3 for a letter, 2 for Hangul, 1 for a space, 0 for a separator.
function scriptOf(c) {
  if (/[a-zA-Z0-9]/.test(c)) return 3;
  if (/[ \t-\r]/.test(c)) return 1;
  if (c < "\x80" || isJamo(c)) return 0;
  if (isHangul(c)) return 2;
  return /[\p{L}\p{N}\p{M}]/u.test(c) ? 3 : 0;
}

// runs cuts a normal text into pieces of one script, each with what stands
// before it: "" (nothing), " ", "-" (or an underscore), "'", or "x" (other).
function runs(s) {
  const out = [];
  let inside = 0, start = 0, end = 0, gap = "x";
  for (let at = 0; at <= s.length; at++) {
    const c = s[at];
    const is = at < s.length ? scriptOf(c) : 0;
    if (inside === is && is >= 2) continue;
    if (inside >= 2) {
      out.push({ text: s.slice(start, at), hangul: inside === 2, gap, at: start, end: at });
      gap = "";
      end = at;
    }
    if (is >= 2) start = at;
    else if (at < s.length) {
      const first = at === end && end > 0;
      if (is === 1 && (first || gap === " ")) gap = " ";
      else if (!first) gap = "x";
      else gap = c === "-" || c === "_" ? "-" : c === "'" || c === "’" ? "'" : "x";
    }
    inside = is;
  }
  return out;
}

function stem(w) {
  if (w.length < 4 || !/^[a-z]*$/.test(w)) return w;
  if (w.length > 4 && /ie[sd]$/.test(w)) return w.slice(0, -3) + "y";
  if (/(sse|xe|che|she|ze)s$/.test(w)) w = w.slice(0, -2);
  else if (/[^sui]s$/.test(w)) w = w.slice(0, -1);
  for (const ending of ["ing", "ed"]) {
    const rest = w.slice(0, -ending.length);
    if (w.endsWith(ending) && rest.length >= 3 && /[aeiouy]/.test(rest)) {
      w = rest.length > 3 && /([^aeioulsz])\1$/.test(rest) ? rest.slice(0, -1) : rest;
      break;
    }
  }
  return w.length > 3 && w.endsWith("e") ? w.slice(0, -1) : w;
}

const isUpper = (c) => c >= "A" && c <= "Z";

function camel(word) {
  if (word.length > 1 && !/^[a-zA-Z]*$/.test(word)) return [word];
  const parts = [];
  let start = 0;
  for (let i = 1; i < word.length; i++) {
    const plural = word[word.length - 1] === "s" && i > word.length - 3;
    if (i === word.length - 1 && plural && i > 1 && isUpper(word[i - 1])) { /* APIs is API and s */ }
    else if (i === word.length - 2 && plural && isUpper(word[i - 1])) continue;
    else if (!(isUpper(word[i]) && (!isUpper(word[i - 1]) || i + 1 < word.length && !isUpper(word[i + 1])))) continue;
    parts.push(folded(word.slice(start, i)));
    start = i;
  }
  return [...parts, folded(word.slice(start))];
}

// form is what a run adds to a text: its terms, the word, and whether it may be
// one word with its neighbour.
function form(run) {
  const f = { ...run, terms: [], word: "", joins: false };
  if (run.hangul) {
    if (run.text.length === 1 && particles.has(run.text)) return f;
    f.word = run.text;
    for (let i = 1; i < f.word.length; i++) f.terms.push(f.word.slice(i - 1, i + 1));
    if (f.word.length === 1 || particles.has(f.word.slice(1))) f.terms.push(f.word[0]);
    return f;
  }
  const word = folded(run.text);
  if (word.length > maxWord) return f;
  f.word = word;
  const add = (w) => f.terms.push(...new Set([w, stem(w)]));
  add(word);
  const parts = camel(run.text);
  if (parts.length > 1) {
    parts.forEach((p, i) => {
      if (p.length > 1) add(p);
      if (i > 0 && parts.length > 2) add(parts[i - 1] + p);
    });
  }
  f.joins = word.length > 1 && !/\p{Nd}/u.test(word);
  return f;
}

const counts = (f) => f.word !== "" && (f.hangul || f.gap !== "'" || f.word.length > 1);
const across = (a, b) => (b.gap === " " && a.hangul && b.hangul ? a.word.at(-1) + b.word[0] : "");
const pairs = (a, b) => (b.gap === " " || b.gap === "-") && a.joins && b.joins && a.word.length + b.word.length >= 5;

function forms(text) {
  const out = [];
  let apart = true;
  for (const run of runs(text)) {
    const f = form(run);
    if (!counts(f)) {
      apart = true;
      continue;
    }
    f.before = apart ? null : out.at(-1);
    apart = false;
    out.push(f);
  }
  return out;
}

// tokens are the terms that a text is found by, and the joined forms that count
// where they are a word of the library.
export function tokens(text) {
  const terms = [], joined = [];
  for (const f of forms(normal(text))) {
    terms.push(...f.terms);
    if (!f.before) continue;
    const pair = across(f.before, f);
    if (pair) terms.push(pair);
    if (pairs(f.before, f)) joined.push(stem(f.before.word + f.word));
  }
  return { terms, joined };
}

// --- Questions ---

function core(w) {
  for (let n = 4; n > 0; n--) {
    const rest = w.slice(0, -n), ending = w.slice(-n);
    if (w.length - n >= 2 && (particles.has(ending) || endings.has(ending))) return rest;
  }
  return w;
}

const isBlank = (s) => /^[ \t-\r]*$/.test(s ?? "");
const between = (first, from, to) => ({ term: first + String.fromCharCode(from), to: first + String.fromCharCode(to), weight: looseWeight });
const only = (term) => ({ term, to: "", weight: fullWeight });

export function parse(text) {
  text = [...text].slice(0, maxQuestion).join("");
  const rest = text.replace(/[\u3131-\u3163]+$/, "");
  const initial = rest === text ? -1 : "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".indexOf(text[rest.length]);
  text = normal(rest);
  const id = /^[ \t\r\n]*il-? ?([0-9]{1,9})[ \t\r\n]*$/i.exec(text);
  const q = { id: id ? Number(id[1]) : -1, words: [], loose: null };
  const all = runs(text).map(form).filter(counts).slice(0, maxWords);
  let meant = all.filter((f) => !stopWords.has(f.word));
  if (meant.length === 0) meant = all;
  meant.forEach((f, i) => {
    const before = meant[i - 1];
    const last = i === meant.length - 1 && f.end === text.length;
    const w = f.hangul ? hangulWord(f) : latinWord(f, last);
    if (f.hangul) {
      const pair = before ? across(before, f) : "";
      if (pair) w.extra.push(pair);
      if (last) q.loose = typed(w, f.word, initial);
    } else if (before && pairs(before, f)) {
      w.pair = stem(before.word + f.word);
    }
    q.words.push(w);
  });
  return q;
}

function latinWord(f, last) {
  const key = stem(f.word);
  const w = { shown: f.text, bigrams: 1, parts: [[only(key)]], extra: key === f.word ? [] : [f.word], pair: "", key, word: f.word, open: false };
  if (last && f.word.length >= 3) {
    w.parts[0].push({ term: f.word, to: f.word + "\uffff", weight: looseWeight });
    w.open = true;
  }
  return w;
}

function hangulWord({ word }) {
  const w = { shown: word, bigrams: Math.max(1, word.length - 1), parts: [], extra: [], pair: "", core: core(word), word };
  if (word.length === 1) w.parts.push([only(word)]);
  for (let i = 1; i < word.length; i++) {
    const pair = word.slice(i - 1, i + 1);
    if (i < w.core.length) w.parts.push([only(pair)]);
    else w.extra.push(pair);
  }
  if (word.length === 2 && objects.has(word[1])) w.parts[0].push(only(word[0]));
  return w;
}

function typed(w, word, initial) {
  if (w.core !== word) return null;
  const parts = [...w.parts];
  const last = word.at(-1), code = last.charCodeAt(0);
  if (initial >= 0) {
    const from = 0xac00 + initial * 588;
    parts.push([between(last, from, from + 587)]);
    if (word.length === 1) parts.shift();
  } else if (word.length === 1) {
    parts[0] = [...parts[0], between(word, 0xac00, 0xd7a3)];
  } else {
    const before = word.at(-2), open = code - (code - 0xac00) % 28;
    const loose = open === code ? between(before, open, open + 27) : { term: before + String.fromCharCode(open), to: "", weight: looseWeight };
    parts[parts.length - 1] = [...parts.at(-1), loose];
  }
  return { ...w, parts };
}

// --- Reading ---

async function fetched(url, fresh) {
  const response = await fetch(url, { cache: fresh ? "no-cache" : "default" });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.json();
}

// The numbers of a list of distances, from a place in it.
function sums(list, from = 0, count = list.length - from) {
  const out = new Array(count);
  let n = 0;
  for (let i = 0; i < count; i++) out[i] = n += list[from + i];
  return out;
}

// after is the place of the first of a sorted list that is greater.
function after(list, value) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

// open opens an index. fetchJSON(url, fresh) reads one file; a fresh one may not
// come from a cache.
export async function open(indexURL, fetchJSON = fetched) {
  const base = new URL(".", indexURL).href;
  const files = new Map();
  let root = await fetchJSON(indexURL, true);

  // load is what make makes of a file, which is read once.
  function load(name, make = (v) => v) {
    if (!files.has(name)) {
      const promise = fetchJSON(base + name, false).then(make);
      promise.catch(() => files.delete(name));
      files.set(name, promise);
    }
    return files.get(name);
  }

  const directory = () => load(root.terms);
  const language = (lang) => load(root.languages[lang === "ko" ? "ko" : "en"], (l) => {
    const keys = new Map();
    sums(l.runs).forEach((n, i) => keys.set(n, l.keys[i]));
    return { keys, labels: l.labels };
  });
  const facet = (name) => load(root.facets[name], (f) => Object.keys(f).sort().map((slug) => {
    const named = typeof f[slug][0] === "string";
    return { slug, name: named ? f[slug][0] : "", docs: sums(f[slug], named ? 1 : 0) };
  }));
  const days = () => load(root.dates, (list) => {
    const out = [];
    for (let i = 0; i < list.length; i += 2 + list[i + 1]) out.push({ order: list[i], docs: sums(list, i + 2, list[i + 1]) });
    return out;
  });

  async function row(doc, lang) {
    lang = lang === "ko" ? "ko" : "en";
    const run = Math.floor(doc / (1 << runBits));
    const key = (await language(lang)).keys.get(run);
    if (key === undefined) return undefined;
    const rows = await load(`s/m/${lang}/${run}-${key}.json`);
    return rows.find((r) => Number(r[0].slice(3)) === doc);
  }

  // entries are the lists of the terms that a choice asks for.
  async function entries(d, choice) {
    const to = choice.to || choice.term, out = [];
    const first = Math.max(after(d.first, choice.term) - 1, 0);
    const wanted = [];
    for (let i = first; i < Math.min(first + maxShards, d.first.length) && (i === first || d.first[i] <= to); i++) wanted.push(load("s/t/" + d.keys[i] + ".json"));
    for (const shard of await Promise.all(wanted)) {
      if (!choice.to) {
        if (Object.hasOwn(shard, to)) out.push(shard[to]);
        break;
      }
      for (const term of ordered(shard)) if (term >= choice.term && term <= to && out.length < maxTerms) out.push(shard[term]);
    }
    return out;
  }

  async function numbering() {
    if (root.max < 8 * root.count + 10000) return { size: root.max + 1, slot: (doc) => (doc <= root.max ? doc : undefined), doc: (slot) => slot };
    const docs = (await days()).flatMap((d) => d.docs).sort((a, b) => a - b);
    const slots = new Map(docs.map((doc, slot) => [doc, slot]));
    return { size: docs.length, slot: (doc) => slots.get(doc), doc: (slot) => docs[slot] };
  }

  async function answer(query) {
    const numbers = await numbering();
    const s = { numbers, fails: new Uint16Array(numbers.size).fill(notFound), found: [], close: new Set(), ...scratch(numbers.size) };
    const q = parse(query.q ?? "");
    await find(s, q, query);
    await sift(s, query);
    const exact = [], near = [];
    for (const slot of s.found) if (s.fails[slot] === 0) (s.close.has(slot) ? near : exact).push(slot);
    const out = { total: exact.length + near.length, exact: exact.length, relaxed: s.close.size > 0, hits: [] };
    const order = await sorting(s, query);
    const from = query.offset ?? 0;
    const shown = [...exact.sort(order), ...near.sort(order)].slice(from, from + (query.limit ?? 10));
    out.hits = await Promise.all(shown.map((slot) => hit(s, q, query, slot)));
    if (query.facets) out.facets = await count(s, query);
    return out;
  }

  async function hit(s, q, query, slot) {
    const r = await row(s.numbers.doc(slot), query.lang);
    if (!r) throw new Error("the search index is damaged");
    const lang = query.lang === "ko" ? "ko" : "en";
    return {
      id: r[0], org: r[1], orgSlug: r[2], date: r[3], rootCause: r[4], title: r[5], lead: r[6], lang: r[7] ?? lang, leadLang: r[8] ?? lang,
      score: s.score[slot], close: s.close.has(slot), matched: q.words.filter((w, i) => s.mask[slot] >> i & 1).map((w) => w.shown),
    };
  }

  async function find(s, q, query) {
    if (isBlank(query.q)) {
      for (const d of await days()) for (const doc of d.docs) accept(s, s.numbers.slot(doc), 0);
      return;
    }
    if (q.id >= 0) {
      const r = await row(q.id, query.lang);
      const slot = s.numbers.slot(q.id);
      if (r && slot !== undefined) {
        q.words = [{ shown: r[0] }];
        s.mask[slot] = 1;
        accept(s, slot, 1);
        return;
      }
    }
    if (q.words.length === 0) return;
    let exact = await scoreWords(s, q.words);
    if (exact < fewHits && q.loose) {
      Object.assign(s, scratch(s.numbers.size));
      q.words = [...q.words.slice(0, -1), q.loose];
      exact = await scoreWords(s, q.words);
    }
    const all = 2 ** q.words.length - 1;
    const parts = q.words.reduce((n, w) => n + w.parts.length, 0);
    for (const slot of s.touched) {
      if (s.mask[slot] === all) accept(s, slot, s.score[slot]);
      else if (exact < fewHits && s.parts[slot] * 5 >= parts * 3) {
        s.close.add(slot);
        accept(s, slot, s.score[slot] >> 1);
      }
    }
  }

  // scoreWords scores the cases that have words of a question, and returns how
  // many have all of them.
  async function scoreWords(s, list) {
    const d = await directory();
    const each = (lists, weight, bigrams, add) => {
      for (const of of lists) {
        for (let i = 0; i < of.length;) {
          const score = Math.max(1, Math.floor(of[i] * weight * 2 / (bigrams + 1)));
          const end = i + 2 + of[i + 1];
          let doc = 0;
          for (i += 2; i < end; i++) {
            const slot = s.numbers.slot(doc += of[i]);
            if (slot !== undefined) add(slot, score);
          }
        }
      }
    };
    const plus = (slot, score) => {
      if (s.score[slot] === 0) s.touched.push(slot);
      s.score[slot] += score;
    };
    // All that the words need is asked for at once.
    const needed = await Promise.all(list.map(async (w) => ({
      parts: await Promise.all(w.parts.map((choices) => Promise.all(choices.map((c) => entries(d, c))))),
      extra: await Promise.all(w.extra.map((term) => entries(d, only(term)))),
      pair: w.pair ? await entries(d, only(w.pair)) : [],
    })));
    list.forEach((w, bit) => {
      const some = [];
      w.parts.forEach((choices, p) => {
        const met = [];
        choices.forEach((c, i) => each(needed[bit].parts[p][i], c.weight, w.bigrams, (slot, score) => {
          if (s.best[slot] === 0) met.push(slot);
          if (score > s.best[slot]) s.best[slot] = score;
        }));
        for (const slot of met) {
          plus(slot, s.best[slot]);
          s.best[slot] = 0;
          if (s.have[slot]++ === 0) some.push(slot);
        }
      });
      for (const slot of some) {
        if (s.have[slot] === w.parts.length) s.mask[slot] |= 1 << bit;
        s.parts[slot] += s.have[slot];
        s.have[slot] = 0;
      }
      for (const lists of needed[bit].extra) each(lists, fullWeight, w.bigrams, plus);
      each(needed[bit].pair, fullWeight, 1, (slot, score) => {
        plus(slot, score);
        for (const b of [bit - 1, bit]) {
          if (s.mask[slot] >> b & 1) continue;
          s.mask[slot] |= 1 << b;
          s.parts[slot]++;
        }
      });
    });
    const all = 2 ** list.length - 1;
    return s.touched.filter((slot) => s.mask[slot] === all).length;
  }

  function chosen(query, name) {
    const of = axes.includes(name) ? query.filters?.[name] : query[name] ?? query.filters?.[name];
    return [...new Set([of ?? []].flat().map(String))];
  }

  async function sift(s, query) {
    const keep = (lists, need, filter) => {
      const times = new Uint16Array(s.numbers.size);
      for (const list of lists) for (const doc of list) times[s.numbers.slot(doc)]++;
      for (const slot of s.found) if (times[slot] < need) s.fails[slot] |= filter;
    };
    for (const name of facetNames) {
      const slugs = chosen(query, name);
      if (slugs.length === 0) continue;
      const lists = (await facet(name)).filter((v) => slugs.includes(v.slug)).map((v) => v.docs);
      keep(lists, several.includes(name) ? slugs.length : 1, bitOf(name));
    }
    if (!query.since && !query.until) return;
    const digits = (date, fill) => Number((date.replaceAll("-", "") + fill).slice(0, 8));
    const from = query.since ? digits(query.since, "0000") : 0, to = query.until ? digits(query.until, "9999") : Infinity;
    keep((await days()).filter((d) => from <= d.order && d.order <= to).map((d) => d.docs), 1, hard);
  }

  async function sorting(s, query) {
    const by = query.sort || (isBlank(query.q) ? "date_desc" : "relevance");
    if (by === "relevance") return (a, b) => s.score[b] - s.score[a] || a - b;
    if (by === "id") return (a, b) => a - b;
    let docs;
    if (by === "updated_desc") docs = await load(root.updated);
    else {
      const all = [...await days()];
      docs = (by === "date_asc" ? all.reverse() : all).flatMap((d) => d.docs);
    }
    const ranks = new Uint32Array(s.numbers.size);
    docs.forEach((doc, i) => { ranks[s.numbers.slot(doc)] = i; });
    return (a, b) => ranks[a] - ranks[b] || a - b;
  }

  async function count(s, query) {
    const names = query.facets === true ? facetNames : query.facets;
    const { labels } = await language(query.lang);
    return Promise.all(names.map(async (name) => {
      const own = bitOf(name) & ~hard, slugs = chosen(query, name);
      const values = [];
      for (const v of await facet(name)) {
        let n = 0;
        for (const doc of v.docs) {
          const fails = s.fails[s.numbers.slot(doc)];
          if (fails !== notFound && (fails & ~own) === 0) n++;
        }
        const selected = slugs.includes(v.slug);
        if (n > 0 || selected) values.push({ slug: v.slug, label: v.name || (labels[name]?.[v.slug] ?? ""), count: n, selected });
      }
      const bySlug = (a, b) => (a.slug < b.slug ? -1 : 1);
      values.sort(name === "year" ? (a, b) => bySlug(b, a) : name === "duration" ? (a, b) => durations.indexOf(a.slug) - durations.indexOf(b.slug)
        : (a, b) => b.count - a.count || bySlug(a, b));
      return { name, label: labels[name]?.[""] ?? "", values };
    }));
  }

  return {
    get count() { return root.count; },
    get dataVersion() { return root.data_version; },

    // labels are what axes (by "") and their terms are called in a language.
    labels: async (lang) => (await language(lang)).labels,

    // search answers a query: {q, lang, filters: {axis: [slug]}, org, year,
    // duration, since, until, sort, offset, limit, facets}. Where a file of the
    // index is gone, the index is another one by now: it is opened anew, once.
    async search(query) {
      const at = root;
      try {
        return await answer(query);
      } catch (e) {
        const next = await fetchJSON(indexURL, true);
        if (JSON.stringify(next) === JSON.stringify(at)) throw e;
        root = next;
        return answer(query);
      }
    },
  };
}

const bitOf = (facet) => (several.includes(facet) ? hard : hard << 1 + facetNames.indexOf(facet));

const orders = new WeakMap();
function ordered(shard) {
  if (!orders.has(shard)) orders.set(shard, Object.keys(shard).sort());
  return orders.get(shard);
}

const scratch = (size) => ({
  score: new Uint32Array(size), best: new Uint32Array(size), mask: new Uint32Array(size), parts: new Uint16Array(size), have: new Uint16Array(size), touched: [],
});

function accept(s, slot, score) {
  if (slot === undefined) return;
  s.score[slot] = score;
  s.fails[slot] = 0;
  s.found.push(slot);
}

// --- Marks ---

// marks are the places of the words of a question in a text, as [from, to) in
// UTF-16 units, in order and apart from one another.
export function marks(text, q) {
  const question = parse(q), from = [], to = [];
  let plain = "";
  for (const { 0: piece, index } of text.matchAll(/.[\p{M}\u1160-\u11ff]*/gsu)) {
    const n = normal(piece);
    plain += n;
    for (let i = 0; i < n.length; i++) {
      from.push(index);
      to.push(index + piece.length);
    }
  }
  const placed = forms(plain);
  const found = question.words.flatMap((w, i) => (w.core ? hangulMarks(placed, w, question.loose && i === question.words.length - 1) : latinMarks(placed, w)))
    .map(([a, b]) => [from[a], to[b - 1]]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const out = [];
  for (const f of found) {
    const before = out.at(-1);
    if (before && f[0] <= before[1]) before[1] = Math.max(before[1], f[1]);
    else out.push(f);
  }
  return out;
}

function latinMarks(placed, w) {
  const out = [];
  for (const f of placed) {
    if (f.hangul) continue;
    const b = f.before;
    if (b && pairs(b, f) && stem(b.word + f.word) === w.key) out.push([b.at, f.end]);
    if (f.terms.some((t) => t === w.key || t === w.pair || w.open && t.startsWith(w.word))) out.push([f.at, f.end]);
  }
  return out;
}

function hangulMarks(placed, w, typing) {
  const target = w.core;
  let out = target.length === 1 ? singles(placed, target) : [];
  if (out.length > 0 || target.length === 1 && !typing) return out;
  out = sequences(placed, target);
  if (out.length === 0 && target.length === 2 && objects.has(target[1])) out = singles(placed, target[0]);
  if (out.length > 0 || !typing || target.length === 1) return out;
  const code = target.charCodeAt(target.length - 1), cut = target.slice(0, -1);
  out = sequences(placed, cut + String.fromCharCode(code - (code - 0xac00) % 28));
  return out.length === 0 && cut.length >= 2 ? sequences(placed, cut) : out;
}

const singles = (placed, target) => placed.filter((f) => f.text === target || f.text[0] === target && particles.has(f.text.slice(1))).map((f) => [f.at, f.at + 1]);

function sequences(placed, target) {
  const out = [];
  let text = "", at = [];
  const flush = () => {
    for (let i = text.indexOf(target); i >= 0; i = text.indexOf(target, i + target.length)) out.push([at[i], at[i + target.length - 1] + 1]);
    text = "";
    at = [];
  };
  for (const f of placed) {
    if (!f.hangul || f.gap !== " " || !f.before?.hangul) flush();
    if (f.hangul) for (let i = 0; i < f.text.length; i++) at.push(f.at + i);
    if (f.hangul) text += f.text;
  }
  flush();
  return out;
}
