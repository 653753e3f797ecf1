// What the search draws: results, filters, and words for when there are none.
// Text becomes text nodes, never markup.
import { marks } from "./search-engine.js";

const valuesAtOnce = 8; // of a filter, before its "more"
const openAtFirst = 3; // groups of filters
const upgrades = 10; // results whose case is read for a better excerpt
const excerptLength = 180;

const lang = document.documentElement.lang;
const whole = new Intl.NumberFormat(lang);
const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, key) => values[key]);

// el makes an element: its attributes, then what it holds.
function el(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (value === true) e.setAttribute(key, "");
    else if (value !== false && value !== undefined && value !== "") e.setAttribute(key, value);
  }
  e.append(...children.filter((c) => c !== undefined && c !== ""));
  return e;
}

// A date as the pages write it; what is not known is left out.
function dateText(date) {
  const [year, month, day] = date.split("-").map(Number);
  const as = { year: "numeric", timeZone: "UTC" };
  if (month) as.month = "long";
  if (day) as.day = "numeric";
  return new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, as).format(new Date(Date.UTC(year, (month ?? 1) - 1, day ?? 1)));
}

// The text with what the query found in it marked.
function marked(text, q) {
  const out = document.createDocumentFragment();
  let at = 0;
  for (const [start, end] of q ? marks(text, q) : []) {
    out.append(text.slice(at, start), el("mark", {}, text.slice(start, end)));
    at = end;
  }
  out.append(text.slice(at));
  return out;
}

export function makeView(root, words, axes, act) {
  const { kind, cases, docs, search } = root.dataset;
  const status = root.querySelector(".status");
  const unsearched = kind === "home" ? null : document.getElementById("unsearched");
  const byAxis = Object.fromEntries(axes.map((a) => [a.id, { ...a, by: Object.fromEntries((a.terms ?? []).map((t) => [t.slug, t])) }]));
  const wide = matchMedia("(min-width: 52rem)");

  const sorter = el("select", { id: "sort", onchange: () => act.sort(sorter.value === sorter.options[0].value ? "" : sorter.value) });
  const sortBox = el("p", { class: "sort" }, el("label", { for: "sort" }, words.words.sort), sorter);
  const picked = el("ul", { class: "picked" });
  const facetsTitle = el("summary", {}, words.words.filters);
  const groups = el("div", { class: "groups" });
  const facets = el("details", { class: "facets", open: wide.matches }, facetsTitle, groups);
  const notes = el("div", { class: "notes" });
  const list = el("ol", { class: "cases results" });
  const after = el("div", { class: "after" });
  const found = el("div", { class: "found" }, notes, list, after);
  const columns = el("div", { class: "columns" }, ...(kind === "home" ? [] : [facets]), found);
  const answerBox = el("div", { class: "answer", hidden: true }, ...(kind === "home" ? [] : [sortBox, picked]), columns);
  root.append(answerBox);
  wide.addEventListener("change", () => { facets.open = wide.matches; });

  const say = (text) => { if (status.textContent !== text) status.textContent = text; };
  const count = (n) => {
    const of = kind === "cases" ? ["case", "cases"] : ["result", "results"];
    return n === 1 ? words.words[of[0]] : fill(words.words[of[1]], { n: whole.format(n) });
  };

  // The values of a filter with their counts, as the engine gives them.
  const values = (all, id) => Object.entries(all?.[id] ?? {});

  const nameOf = (axis, value) => {
    const term = byAxis[axis]?.by[value];
    if (term) return term.label;
    if (axis === "year") return dateText(value);
    return orgNames[value] ?? value;
  };
  const orgNames = {};

  function sorts(state) {
    return [...(state.q ? ["relevance"] : []), "newest", "oldest", "longest", "shortest"];
  }

  function drawSorts(state) {
    const options = sorts(state).map((by) => el("option", { value: by }, words.words[by]));
    sorter.replaceChildren(...options);
    sorter.value = state.sort || options[0].value;
  }

  function drawPicked(state) {
    const focused = [...picked.querySelectorAll("button")].indexOf(document.activeElement);
    const chips = Object.entries(state.filters).flatMap(([axis, chosen]) => chosen.map((value) => {
      const name = `${byAxis[axis].label}: ${nameOf(axis, value)}`;
      return el("li", {}, el("button", { type: "button", class: "chip", "aria-label": fill(words.words.remove, { name }), onclick: () => act.drop(axis, value) },
        el("span", { class: "axis" }, byAxis[axis].label), " ", nameOf(axis, value), " ", el("span", { class: "x", "aria-hidden": "true" }, "×")));
    }));
    if (chips.length > 1) chips.push(el("li", {}, el("button", { type: "button", class: "clear", onclick: act.clear }, words.words.clear)));
    picked.replaceChildren(...chips);
    facetsTitle.textContent = words.words.filters + (chips.length ? ` (${chips.length > 1 ? chips.length - 1 : 1})` : "");
    // A chip that was removed by keyboard leaves the focus to the next.
    if (focused >= 0) (picked.querySelectorAll("button")[Math.min(focused, chips.length - 1)] ?? root.querySelector("#q") ?? facetsTitle).focus();
  }

  // A group is made once and then changed, so that the focus stays where it is.
  const made = new Map();
  function group(axis, index) {
    let g = made.get(axis.id);
    if (!g) {
      const title = el("span", {}, axis.label), rows = el("ul"), all = el("button", { type: "button", class: "rest", hidden: true });
      g = { box: el("details", { class: "group", open: index < openAtFirst }, el("summary", {}, title), rows, all), rows, all, full: false, byValue: new Map() };
      all.addEventListener("click", () => {
        g.full = true;
        g.box.querySelectorAll("li[hidden]").forEach((li) => { li.hidden = false; });
        const next = g.rows.children[valuesAtOnce]?.querySelector("input");
        all.hidden = true;
        next?.focus();
      });
      made.set(axis.id, g);
      groups.append(g.box);
    }
    return g;
  }

  function row(g, axis, value) {
    let r = g.byValue.get(value);
    if (!r) {
      const term = byAxis[axis.id].by[value];
      const tick = el("input", { type: "checkbox", name: axis.id, value, onchange: () => act.pick(axis.id, value, tick.checked) });
      const n = el("span", { class: "n" });
      r = { tick, n, item: el("li", {}, el("label", {}, tick, el("span", { class: "value", lang: term?.lang }, nameOf(axis.id, value)), n)) };
      g.byValue.set(value, r);
    }
    return r;
  }

  function drawFacets(state, counts) {
    axes.forEach((axis, index) => {
      const g = group(axis, index), chosen = state.filters[axis.id] ?? [];
      const of = new Map(values(counts, axis.id));
      for (const value of chosen) if (!of.has(value)) of.set(value, 0);
      let entries = [...of].filter(([value, n]) => n > 0 || chosen.includes(value));
      if (axis.id === "year") entries.sort((a, b) => b[0] - a[0]);
      else if (axis.id !== "duration") entries.sort((a, b) => b[1] - a[1]);
      entries = [...entries.filter(([v]) => chosen.includes(v)), ...entries.filter(([v]) => !chosen.includes(v))];
      const items = entries.map(([value, n], i) => {
        const r = row(g, axis, value);
        r.tick.checked = chosen.includes(value);
        r.n.textContent = whole.format(n);
        r.item.hidden = !g.full && i >= Math.max(valuesAtOnce, chosen.length);
        return r.item;
      });
      if (items.length !== g.rows.children.length || items.some((item, i) => g.rows.children[i] !== item)) {
        const focused = document.activeElement;
        g.rows.replaceChildren(...items);
        if (g.rows.contains(focused)) focused.focus({ preventScroll: true });
      }
      const hidden = items.filter((item) => item.hidden).length;
      g.all.hidden = hidden === 0;
      g.all.textContent = fill(words.words.moreValues, { n: whole.format(hidden) });
      if (chosen.length > 0) g.box.open = true;
      g.box.hidden = items.length === 0;
    });
  }

  function result(hit, q) {
    const foreign = hit.lang === lang ? undefined : hit.lang;
    const cause = byAxis.root_cause?.by[hit.rootCause];
    const why = hit.lead ? el("p", { class: "lead-in", lang: foreign }, marked(hit.lead, q)) : "";
    const item = el("li", {},
      el("a", { class: "to", href: `${cases}${hit.id}/` },
        el("span", { class: "id" }, hit.id), " ", el("span", { class: "title", lang: foreign }, marked(hit.title, q))), " ",
      el("span", { class: "by" }, marked(hit.org, q), " · ", el("time", { datetime: hit.date }, dateText(hit.date)),
        ...(cause ? [" · ", el("span", { class: "cause", lang: cause.lang }, marked(cause.label, q))] : [])),
      why);
    return { item, hit, why };
  }

  // What the query found is often said deeper in a case than its first lines:
  // then its document is read, and the sentence that says most of it shows.
  let upgrading = 0;
  function upgrade(drawn, q) {
    const mine = ++upgrading;
    if (!q || navigator.connection?.saveData) return;
    const asked = q.split(/\s+/).filter((word) => word);
    const lacks = ({ item }) => asked.some((word) => !marks(item.textContent, word).length);
    const wanting = drawn.slice(0, upgrades).filter((d) => d.why && lacks(d));
    setTimeout(async () => {
      for (const d of wanting) {
        if (mine !== upgrading) return;
        try {
          const response = await fetch(`${docs}${d.hit.id}.json`);
          const best = response.ok && sentence(await response.json(), q, asked);
          if (best && mine === upgrading) d.why.replaceChildren(el("span", { class: "field-name" }, best.field), " ", marked(best.text, q));
          if (best) d.why.lang = best.lang === lang ? "" : best.lang;
          if (best && best.lang === lang) d.why.removeAttribute("lang");
        } catch {
          return; // the first lines stay
        }
      }
    }, 300);
  }

  // The sentence of a case that has the most of the words asked for.
  function sentence(doc, q, asked) {
    let best, most = 0;
    const look = (field, text) => {
      for (const l of [lang, lang === "ko" ? "en" : "ko"]) {
        for (const part of plain(text?.[l] ?? "").split(/(?<=[.!?。])\s+|\n+/)) {
          const score = asked.filter((word) => marks(part, word).length > 0).length + (l === lang ? 0.5 : 0);
          if (score < 1 || score <= most) continue;
          most = score;
          best = { field, text: around(part, q), lang: l };
        }
      }
    };
    for (const field of ["summary", "symptoms_text", "trigger", "lessons"]) look(words.words[field], doc[field]);
    for (const field of ["remediation", "action_items"]) for (const entry of doc[field] ?? []) look(words.words[field], entry.text);
    for (const axis of axes.filter((a) => a.terms)) {
      for (const slug of [doc[axis.id]].flat()) {
        const term = byAxis[axis.id].by[slug];
        if (term) look(axis.label, { [term.lang ?? lang]: term.label });
      }
    }
    return best;
  }

  // A stretch of a long sentence around what was found.
  function around(text, q) {
    if (text.length <= excerptLength) return text;
    const first = marks(text, q)[0]?.[0] ?? 0;
    const from = first < excerptLength * 0.6 ? 0 : text.lastIndexOf(" ", first - excerptLength * 0.3) + 1;
    const to = text.lastIndexOf(" ", from + excerptLength);
    return (from > 0 ? "…" : "") + text.slice(from, to > from ? to : from + excerptLength) + "…";
  }

  function drawNone(state, extra) {
    const link = (text, onclick) => el("button", { type: "button", class: "link", onclick }, text);
    const tips = extra.without.map(({ word, rest, n }) => link(fill(words.words.tryWithout, { word, n: whole.format(n) }), () => act.ask(rest)));
    if (extra.unfiltered > 0) tips.push(link(fill(words.words.tryFilters, { n: whole.format(extra.unfiltered) }), act.clear));
    if (tips.length === 0 && state.q) tips.push(words.words.tryFewer, words.words.tryOther);
    if (kind === "search") tips.push(el("a", { href: "#unsearched" }, words.words.tryBrowse));
    notes.append(el("p", { class: "nothing" }, words.words.none), el("ul", { class: "tips" }, ...tips.map((tip) => el("li", {}, tip))));
  }

  let shown = "";
  function show(state, answer, extra) {
    for (const hit of answer.hits) orgNames[hit.orgSlug] = hit.org;
    answerBox.hidden = false;
    root.classList.add("active");
    notes.replaceChildren();
    after.replaceChildren();
    if (kind !== "home") {
      drawSorts(state);
      drawPicked(state);
      drawFacets(state, answer.facets);
    }
    if (ignoredFilter) notes.append(el("p", { class: "note" }, words.words.ignored));
    if (answer.relaxed && answer.total > 0) notes.append(el("p", { class: "note" }, words.words.relaxed));
    const none = answer.total === 0;
    if (none) drawNone(state, extra);
    // The list that needs no script stands in until something is asked for.
    if (unsearched) unsearched.hidden = extra.asked && !(none && kind === "search");
    if (kind === "cases" && unsearched) found.append(unsearched);
    const drawn = extra.asked ? answer.hits.map((hit) => result(hit, state.q)) : [];
    list.hidden = drawn.length === 0;
    list.replaceChildren(...drawn.map((d) => d.item));
    const left = answer.total - drawn.length;
    if (extra.asked && left > 0) {
      if (kind === "home") after.append(el("a", { class: "all", href: extra.everything }, fill(words.words.everything, { n: whole.format(answer.total) })));
      else after.append(el("button", { type: "button", class: "more-results", onclick: () => act.more().then(() => list.children[drawn.length]?.querySelector("a").focus()) },
        fill(words.words.more, { n: whole.format(Math.min(left, 20)) })));
    }
    if (kind === "cases" && extra.asked) after.append(" ", el("a", { href: search + location.search }, words.words.within));
    say(count(answer.total));
    shown = state.q;
    upgrade(drawn, state.q);
  }

  let ignoredFilter = false;
  return {
    say, values, sorts, show,
    reading: (state, ignored) => { ignoredFilter = ignored; },
    rest: () => {
      upgrading++;
      answerBox.hidden = true;
      root.classList.remove("active");
      list.replaceChildren();
      notes.replaceChildren();
      after.replaceChildren();
      if (unsearched) unsearched.hidden = false;
      say("");
      if (ignoredFilter) say(words.words.ignored);
    },
    failed: (offline, retry) => {
      answerBox.hidden = false;
      list.hidden = true;
      after.replaceChildren();
      if (unsearched) unsearched.hidden = false;
      notes.replaceChildren(el("p", {}, el("button", { type: "button", onclick: retry }, words.words.retry)));
      say(offline ? words.words.offline : words.words.failed);
    },
  };
}

// A text without the marks of Markdown.
function plain(text) {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/(\*\*|__|`+|^#+ |^> )/gm, "");
}
