// Search, without a page: reads the index that generator/search publishes and
// answers as its Go reader does, number for number. The Go package says why
// things are as they are; tests compare the two on the same questions. Nothing
// here touches a document, so it runs in Node as well.
//
// open(indexURL, fetchJSON) opens an index; fetchJSON(url, fresh) reads a file,
// a fresh one from no cache. What it returns has search(query), where query is
// {q, lang, filters: {axis: [slug]}, org, year, duration, since, until, sort,
// offset, limit, facets}: facets is true for all or a list of names, and the
// others are as in Go. marks(text, q) are the places of the words of a question
// in a text, as [from, to) in UTF-16 units, in order and apart from one another.
//
// All is in one function, so that what is published has short names.
export const { open, marks, tokens } = (() => {
  const fullWeight = 60, looseWeight = 36;
  const maxTerms = 64, maxShards = 3, fewHits = 5, notFound = 65535;

  const facetNames = ["domain", "symptoms", "components", "root_cause", "contributing", "detection", "severity", "org", "year", "duration"];
  const several = (name) => /^(do|sy|com|con)/.test(name); // of which a case can have several values
  const bitOf = (name) => (several(name) ? 1 : 1 << facetNames.indexOf(name));
  const durations = ["10m", "1h", "4h", "1d", "7d", "longer", "unknown"];

  // --- Tokens ---

  const particle = /^들?([가은는을를만씩나도의]|이([나고며다]|라[는고]?|었다)?|라[는고]|[와과][의는]?|으?로[는도서써의]?|에([게는도]|서[는도의]?)?|까지[는의]?|부터는?|마다|보다|처럼|만큼|밖에|조차)?$/;
  const ending = /^([했됐]([다고던]|지만|으며|는데)|[하되]([다는고며여어지면자게기던]|지만|도록|려고|면서|었다)|[한된]다?|해[서야]?|[할함돼될됨]|시(켰다|키는|[켜킨킬]))$/;
  const object = /[을를은는]/;
  const stopWord = /^(an?|and|are|as|at|be|by|for|from|i[nst]|its|o[fnr]|that|the|this|to|was|were|with)$/;
  const pattern = /[가-힣]+|(?:(?![가-힣\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7ff\u3130-\u318f\u{10000}-\u{10ffff}])[\p{L}\p{N}\p{M}])+/gu;

  const normal = (s) => s.normalize("NFKC");
  const lower = (c) => (c === "ς" ? "σ" : c.toLowerCase()[0] ?? c); // İ has two
  const folded = (word) => normal([...word].map(lower).join(""));

  // runs cuts a normal text into pieces of one script, each with what stands
  // before it: "" (nothing), " ", "-" (or an underscore), "'", or "x" (other).
  function runs(s) {
    let end = 0;
    return [...s.matchAll(pattern)].map(({ 0: text, index: at }) => {
      const gap = s.slice(end, at);
      const is = end === 0 ? "x" : /^[ \t-\r]+$/.test(gap) ? " " : /^[-_]$/.test(gap) ? "-" : /^['’]$/.test(gap) ? "'" : gap && "x";
      end = at + text.length;
      return form({ text, at, end, gap: is, hangul: /^[가-힣]/.test(text), terms: [], word: "" });
    });
  }

  function stem(w) {
    if (!/^[a-z]{4,}$/.test(w)) return w;
    if (/..ie[sd]$/.test(w)) return w.slice(0, -3) + "y";
    w = w.replace(/(sse|xe|che|she|ze)s$/, (s) => s.slice(0, -2)).replace(/([^sui])s$/, "$1");
    const cut = /^(.*[aeiouy].*)(ing|ed)$/.exec(w);
    if (cut && cut[1].length > 2) w = cut[1].replace(/(..)([^aeioulsz])\2$/, "$1$2");
    return w.replace(/(...)e$/, "$1");
  }

  const camel = (word) => (/^[a-zA-Z]+$/.test(word) ? word.replace(/[a-z](?=[A-Z])|[A-Z](?=[A-Z](?!s$)[a-z])|\B[A-Z](?=s$)/g, "$& ").split(" ") : [word]);

  // form adds to a run its terms, its word, and whether it may be one word with
  // its neighbour.
  function form(f) {
    const { text, terms } = f;
    if (f.hangul) {
      if (text.length < 2 && particle.test(text)) return f;
      f.word = text;
      for (let i = 1; i < text.length; i++) terms.push(text.slice(i - 1, i + 1));
      if (text.length < 2 || particle.test(text.slice(1))) terms.push(text[0]);
      return f;
    }
    const word = folded(text);
    if (word.length > 64 || f.gap === "'" && word.length < 2) return f;
    f.word = word;
    f.joins = word.length > 1 && !/\p{Nd}/u.test(word);
    const add = (w) => terms.push(...new Set([w, stem(w)]));
    add(word);
    const parts = camel(text).map(folded);
    if (parts.length > 1) {
      parts.forEach((p, i) => {
        if (p.length > 1) add(p);
        if (i && parts.length > 2) add(parts[i - 1] + p);
      });
    }
    return f;
  }

  const across = (a, b) => (a && b.gap === " " && a.hangul && b.hangul ? a.word.at(-1) + b.word[0] : "");
  const pair = (a, b) => (a && /[ -]/.test(b.gap) && a.joins && b.joins && (a.word + b.word).length > 4 ? stem(a.word + b.word) : "");

  // forms are the runs that count, each with the one before it, if they are
  // neighbours.
  function forms(text) {
    let before;
    return runs(text).filter((f) => {
      f.before = before;
      before = f.word && f;
      return f.word;
    });
  }

  function tokens(text) {
    const all = forms(normal(text));
    return { terms: all.flatMap((f) => [...f.terms, across(f.before, f)]).filter(Boolean), joined: all.map((f) => pair(f.before, f)).filter(Boolean) };
  }

  // --- Questions ---

  function core(w) {
    for (let n = 4; n > 0; n--) {
      const end = w.slice(-n);
      if (w.length > n + 1 && (particle.test(end) || ending.test(end))) return w.slice(0, -n);
    }
    return w;
  }

  const letter = String.fromCharCode;
  const isBlank = (s) => /^[ \t-\r]*$/.test(s);
  const choice = (term, to = "", weight = looseWeight) => ({ term, to, weight });
  const only = (term) => choice(term, "", fullWeight);
  const between = (first, from, to) => choice(first + letter(from), first + letter(to));

  function parse(text) {
    text = [...text].slice(0, 200).join("");
    const rest = text.replace(/[\u3131-\u3163]+$/, "");
    const initial = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".indexOf(text[rest.length] ?? "x");
    text = normal(rest);
    const q = { id: /^[ \t\r\n]*il-? ?([0-9]{1,9})[ \t\r\n]*$/i.exec(text)?.[1], words: [] };
    const all = runs(text).filter((f) => f.word).slice(0, 16);
    let meant = all.filter((f) => !stopWord.test(f.word));
    if (!meant[0]) meant = all;
    meant.forEach((f, i) => {
      const before = meant[i - 1], last = f.end === text.length;
      const w = f.hangul ? hangulWord(f.word) : latinWord(f, last);
      w.pair = pair(before, f);
      w.strict = f.gap === "-";
      const over = across(before, f);
      if (over) w.extra.push(over);
      if (f.hangul && last && w.core === w.word) q.loose = typed(w, initial);
      q.words.push(w);
    });
    return q;
  }

  function latinWord({ text, word }, last) {
    const key = stem(word), open = last && word.length > 2;
    const parts = [[only(key)]];
    if (open) parts[0].push(choice(word, word + "\uffff"));
    return { shown: text, bigrams: 1, parts, extra: key === word ? [] : [word], key, word, open };
  }

  function hangulWord(word) {
    const kept = core(word), parts = word[1] ? [] : [[only(word)]];
    for (let i = 1; i < kept.length; i++) parts.push([only(kept.slice(i - 1, i + 1))]);
    const w = { shown: word, bigrams: parts.length, parts, extra: [], core: kept, word };
    if (word.length === 2 && object.test(word[1])) w.parts[0].push(only(word[0]));
    return w;
  }

  function typed(w, initial) {
    const { word } = w, parts = [...w.parts], code = word.charCodeAt(word.length - 1), open = code - (code - 0xac00) % 28;
    if (initial >= 0) {
      const from = 0xac00 + initial * 588;
      parts.push([between(word.at(-1), from, from + 587)]);
      if (!word[1]) parts.shift();
    } else {
      const first = word.at(-2);
      const loose = !first ? between(word, 0xac00, 0xd7a3) : between(first, open, open === code ? open + 27 : open);
      parts.push([...parts.pop(), loose]);
    }
    return { ...w, parts };
  }

  // --- Reading ---

  async function fetched(url, fresh) {
    const response = await fetch(url, fresh ? { cache: "no-cache" } : {});
    if (!response.ok) throw Error(response.status + " " + url);
    return response.json();
  }

  function sums(distances) {
    let n = 0;
    return distances.map((d) => n += d);
  }

  async function open(indexURL, fetchJSON = fetched) {
    const files = new Map();
    let root = await fetchJSON(indexURL, true);

    // load is what make makes of a file, which is read once.
    function load(name, make = (v) => v) {
      if (!files.has(name)) {
        const made = fetchJSON(new URL(name, indexURL).href).then(make);
        made.catch(() => files.delete(name));
        files.set(name, made);
      }
      return files.get(name);
    }

    const language = (lang) => load(root.languages[lang], (l) => ({ ...l, numbers: sums(l.runs) }));
    const facet = (name) => load(root.facets[name], (f) => Object.entries(f).map(([slug, list]) => {
      const label = list[0]?.at ? list[0] : "";
      return { slug, label, docs: sums(label ? list.slice(1) : list) };
    }));
    const days = () => load(root.dates, (list) => {
      const out = [];
      for (let i = 0; i < list.length; i += 2 + list[i + 1]) out.push({ order: list[i], docs: sums(list.slice(i + 2, i + 2 + list[i + 1])) });
      return out;
    });

    async function row(doc, lang) {
      const l = await language(lang), run = Math.floor(doc / 16), key = l.keys[l.numbers.indexOf(run)];
      return key && (await load(`s/m/${lang}/${run}-${key}.json`)).find((r) => Number(r[0].slice(3)) === doc);
    }

    // lists are those of the terms that a choice asks for.
    async function lists({ term, to }) {
      const { first, keys } = await load(root.terms);
      const from = Math.max(first.filter((t) => t <= term).length - 1, 0), out = [];
      const shards = keys.slice(from, from + maxShards).filter((_, i) => !i || first[from + i] <= to);
      for (const shard of await Promise.all(shards.map((key) => load(`s/t/${key}.json`)))) {
        if (!to) return Object.hasOwn(shard, term) ? [shard[term]] : [];
        for (const t of Object.keys(shard).sort()) if (t >= term && t <= to) out.push(shard[t]);
      }
      return out.slice(0, maxTerms);
    }

    async function answer(query) {
      let slotOf = (doc) => doc, docs, size = root.max + 1;
      if (root.max >= 8 * root.count + 10000) {
        docs = (await days()).flatMap((d) => d.docs).sort((a, b) => a - b);
        const slots = new Map(docs.map((doc, slot) => [doc, slot]));
        slotOf = (doc) => slots.get(doc);
        size = docs.length;
      }
      const near = new Set(), found = [], zeros = () => new Uint32Array(size), fails = zeros().fill(notFound);
      let score, mask, parts, touched;
      const accept = (slot, n) => {
        score[slot] = n;
        fails[slot] = 0;
        found.push(slot);
      };

      // scoreWords scores the cases that have words of a question, and returns
      // how many have all of them.
      async function scoreWords(words) {
        const best = zeros(), have = zeros();
        [score, mask, parts, touched] = [zeros(), zeros(), zeros(), []];
        const each = (found, weight, bigrams, add) => {
          for (const list of found) {
            for (let i = 0; i < list.length;) {
              const n = Math.max(1, Math.floor(list[i] * weight * 2 / (bigrams + 1))), end = i + 2 + list[i + 1];
              let doc = 0;
              for (i += 2; i < end; i++) add(slotOf(doc += list[i]), n);
            }
          }
        };
        const plus = (slot, n) => {
          if (!score[slot]) touched.push(slot);
          score[slot] += n;
        };
        // All that the words need is asked for at once.
        const all = (list, of) => Promise.all(list.map(of));
        const needed = await all(words, (w) => Promise.all([
          all(w.parts, (choices) => all(choices, async (c) => [c, await lists(c)])),
          all(w.extra, (term) => lists(only(term))),
          w.pair ? lists(only(w.pair)) : [],
        ]));
        needed.forEach(([choices, extra, joined], bit) => {
          const { bigrams } = words[bit], some = [];
          for (const part of choices) {
            const met = [];
            for (const [c, found] of part) {
              each(found, c.weight, bigrams, (slot, n) => {
                if (!best[slot]) met.push(slot);
                if (n > best[slot]) best[slot] = n;
              });
            }
            for (const slot of met) {
              plus(slot, best[slot]);
              best[slot] = 0;
              if (!have[slot]++) some.push(slot);
            }
          }
          for (const slot of some) {
            if (have[slot] === choices.length) mask[slot] |= 1 << bit;
            parts[slot] += have[slot];
            have[slot] = 0;
          }
          for (const found of extra) each(found, fullWeight, bigrams, plus);
          each(joined, fullWeight, 1, (slot, n) => {
            plus(slot, n);
            parts[slot] += 2 - (mask[slot] >> bit & 1) - (mask[slot] >> bit - 1 & 1);
            mask[slot] |= 3 << bit - 1;
            have[slot] = 1;
          });
          for (const slot of touched) {
            if (joined[0] && words[bit].strict && !have[slot]) mask[slot] &= ~(3 << bit - 1);
            have[slot] = 0;
          }
        });
        return touched.filter((slot) => mask[slot] === 2 ** words.length - 1).length;
      }

      const q = parse(query.q), id = Number(q.id), byId = q.id && await row(id, query.lang);
      let few = await scoreWords(byId ? [] : q.words);
      if (isBlank(query.q)) {
        for (const d of await days()) for (const doc of d.docs) accept(slotOf(doc), 0);
      } else if (byId) {
        q.words = [{ shown: byId[0] }];
        accept(slotOf(id), mask[slotOf(id)] = 1);
      } else if (q.words[0]) {
        if (few < fewHits && q.loose) {
          q.words.splice(-1, 1, q.loose);
          few = await scoreWords(q.words);
        }
        const all = q.words.flatMap((w) => w.parts).length;
        for (const slot of touched) {
          if (mask[slot] === 2 ** q.words.length - 1) accept(slot, score[slot]);
          else if (few < fewHits && parts[slot] * 5 >= all * 3) {
            near.add(slot);
            accept(slot, score[slot] >> 1);
          }
        }
      }

      // Filters: fails has a bit for each that keeps a case out.
      const keep = (lists, need, bit) => {
        const times = zeros();
        for (const list of lists) for (const doc of list) times[slotOf(doc)]++;
        for (const slot of found) if (times[slot] < need) fails[slot] |= bit;
      };
      const { org, year, duration } = query, filters = { org, year, duration, ...query.filters };
      const chosen = (name) => [...new Set([filters[name] ?? []].flat().map(String))];
      for (const name of facetNames) {
        const slugs = chosen(name);
        if (slugs[0]) keep((await facet(name)).filter((v) => slugs.includes(v.slug)).map((v) => v.docs), several(name) ? slugs.length : 1, bitOf(name));
      }
      const { since, until } = query;
      if (since || until) {
        const digits = (date, fill) => (date.replaceAll("-", "") + fill).slice(0, 8);
        keep((await days()).filter((d) => d.order >= digits(since || "0", "0000000") && d.order <= digits(until || "9", "9999999")).map((d) => d.docs), 1, 1);
      }

      const shown = found.filter((slot) => !fails[slot]);
      const by = query.sort || (isBlank(query.q) ? "date_desc" : "relevance");
      let rank = (slot) => -score[slot];
      if (by === "id") rank = () => 0;
      else if (by !== "relevance") {
        const all = by === "updated_desc" ? await load(root.updated) : (by === "date_asc" ? [...await days()].reverse() : await days()).flatMap((d) => d.docs);
        const ranks = zeros();
        all.forEach((doc, i) => { ranks[slotOf(doc)] = i; });
        rank = (slot) => ranks[slot];
      }
      shown.sort((a, b) => near.has(a) - near.has(b) || rank(a) - rank(b) || a - b);
      const { offset = 0, limit = 10, lang } = query;
      return {
        total: shown.length, exact: shown.filter((slot) => !near.has(slot)).length, relaxed: near.size > 0,
        hits: await Promise.all(shown.slice(offset, offset + limit).map(async (slot) => {
          const r = await row(docs ? docs[slot] : slot, lang);
          return {
            id: r[0], org: r[1], orgSlug: r[2], date: r[3], rootCause: r[4], title: r[5], lead: r[6], lang: r[7] ?? lang, leadLang: r[8] ?? lang,
            score: score[slot], close: near.has(slot), matched: q.words.filter((w, i) => mask[slot] >> i & 1).map((w) => w.shown),
          };
        })),
        facets: query.facets && await Promise.all((query.facets.at ? query.facets : facetNames).map(async (name) => {
          const labels = (await language(lang)).labels[name] ?? {}, slugs = chosen(name), own = bitOf(name) & ~1;
          const values = (await facet(name)).map(({ slug, label, docs }) => ({
            slug, label: label || (labels[slug] ?? ""), selected: slugs.includes(slug),
            count: docs.filter((doc) => fails[slotOf(doc)] < notFound && !(fails[slotOf(doc)] & ~own)).length,
          })).filter((v) => v.count || v.selected);
          const order = name === "year" ? (v) => -v.slug : name === "duration" ? (v) => durations.indexOf(v.slug) : (v) => -v.count;
          return { name, label: labels[""] ?? "", values: values.sort((a, b) => order(a) - order(b) || (a.slug < b.slug ? -1 : 1)) };
        })),
      };
    }

    return {
      index: () => root, // count, data_version
      labels: async (lang) => (await language(lang)).labels, // what the axes (by "") and their terms are called
      // Where a file of the index is gone, the index is another one by now: it is
      // opened anew, once.
      async search(query) {
        const at = JSON.stringify(root);
        query = { ...query, q: query.q ?? "", lang: query.lang === "ko" ? "ko" : "en" };
        try {
          return await answer(query);
        } catch (e) {
          root = await fetchJSON(indexURL, true);
          if (JSON.stringify(root) === at) throw e;
          return answer(query);
        }
      },
    };
  }

  // --- Marks ---

  function marks(text, q) {
    const question = parse(q), from = [], to = [];
    let plain = "";
    for (const { 0: piece, index } of text.matchAll(/.[\p{M}\u1160-\u11ff]*/gsu)) {
      for (const c of normal(piece).split("")) {
        plain += c;
        from.push(index);
        to.push(index + piece.length);
      }
    }
    const all = forms(plain), out = [];
    const found = question.words.flatMap((w, i) => (w.core ? hangulMarks(all, w, question.loose && !question.words[i + 1]) : latinMarks(all, w)));
    for (const [a, b] of found.map(([a, b]) => [from[a], to[b - 1]]).sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
      const before = out.at(-1);
      if (before && a <= before[1]) before[1] = Math.max(before[1], b);
      else out.push([a, b]);
    }
    return out;
  }

  const latinMarks = (all, w) => all.flatMap((f) => {
    if (f.hangul) return [];
    const out = pair(f.before, f) === w.key ? [[f.before.at, f.end]] : [];
    if (f.terms.some((t) => t === w.key || t === w.pair || w.open && t.startsWith(w.word))) out.push([f.at, f.end]);
    return out;
  });

  function hangulMarks(all, { core }, typing) {
    const single = (c) => all.filter((f) => f.text[0] === c && (!f.text[1] || particle.test(f.text.slice(1)))).map((f) => [f.at, f.at + 1]);
    const code = core.charCodeAt(core.length - 1), cut = core.slice(0, -1);
    const ways = core[1] ? [sequences(all, core)] : [single(core)];
    if (core.length === 2 && object.test(core[1])) ways.push(single(core[0]));
    if (typing) ways.push(sequences(all, core[1] ? cut + letter(code - (code - 0xac00) % 28) : core), cut[1] ? sequences(all, cut) : []);
    return ways.find((found) => found[0]) ?? [];
  }

  // sequences are the places of syllables in runs with nothing but spaces between
  // them.
  function sequences(all, target) {
    const out = [];
    let text = "", at = [];
    const flush = () => {
      for (let i = text.indexOf(target); i >= 0; i = text.indexOf(target, i + target.length)) out.push([at[i], at[i + target.length - 1] + 1]);
      text = "";
      at = [];
    };
    for (const f of all) {
      if (!across(f.before, f)) flush();
      if (f.hangul) {
        text += f.text;
        for (let i = f.at; i < f.end; i++) at.push(i);
      }
    }
    flush();
    return out;
  }

  return { open, marks, tokens };
})();
