// What the search draws: results, filters, and what to say when there are none.
// Text becomes text nodes, never markup.
import { marks } from "./search-engine.js";
import { makeFilters } from "./search-filters.js";
import { dateText, el, fill, lang, whole } from "./search-words.js";

const topicsAtOnce = 3;

export function makeView(root, says, labels, act) {
  const { words } = says;
  const { kind, cases, docs, search, topics } = root.dataset;
  const status = root.querySelector(".status");
  const unsearched = kind === "home" ? null : document.getElementById("unsearched");
  const filters = makeFilters(root, says, labels, act);

  const sorter = el("select", { id: "sort", onchange: () => act.sort(sorter.value === sorter.options[0].value ? "" : sorter.value) });
  const sortBox = el("p", { class: "sort" }, el("label", { for: "sort" }, words.sort), sorter);
  const notes = el("div", { class: "notes" });
  const list = el("ol", { class: "cases results" });
  const after = el("div", { class: "after" });
  const body = el("div", { class: "found" }, notes, list, after);
  const answer = el("div", { class: "answer", hidden: true });
  if (kind === "home") answer.append(body);
  else answer.append(sortBox, filters.chips, el("div", { class: "columns" }, filters.box, body));
  root.append(answer);

  const say = (text) => { if (status.textContent !== text) status.textContent = text; };

  function count(n) {
    const [one, many] = kind === "cases" ? [words.case, words.cases] : [words.result, words.results];
    return n === 1 ? one : fill(many, { n: whole.format(n) });
  }

  // The text with what the query found in it marked.
  function marked(text, q) {
    const out = document.createDocumentFragment();
    let at = 0;
    for (const [from, to] of q ? marks(text, q) : []) {
      out.append(text.slice(at, from), el("mark", {}, text.slice(from, to)));
      at = to;
    }
    out.append(text.slice(at));
    return out;
  }

  // A result that stays is not drawn again, so that the focus can rest on it.
  let drawn = [], drawnFor = "";
  function drawResults(hits, q) {
    const held = drawn.findIndex(({ item }) => item.contains(document.activeElement));
    const kept = new Map(drawnFor === q ? drawn.map((d) => [d.hit.id, d]) : []);
    drawn = hits.map((hit) => kept.get(hit.id) ?? { hit, item: result(hit, q) });
    drawnFor = q;
    drawn.forEach(({ item }, i) => { if (list.children[i] !== item) list.insertBefore(item, list.children[i] ?? null); });
    while (list.children.length > drawn.length) list.lastChild.remove();
    list.hidden = drawn.length === 0;
    // Who stands on a result that is drawn anew keeps the place.
    if (held >= 0 && !list.contains(document.activeElement)) (drawn[held]?.item.querySelector("a") ?? root.querySelector("#q"))?.focus();
  }

  function result(hit, q) {
    const foreign = (l) => (l === lang ? undefined : l);
    const cause = labels.root_cause?.[hit.rootCause];
    const by = el("span", { class: "by" }, marked(hit.org, q), " · ", el("time", { datetime: hit.date }, dateText(hit.date)));
    if (cause) by.append(" · ", el("span", { lang: says.foreign?.["root_cause/" + hit.rootCause] }, marked(cause, q)));
    return el("li", {},
      el("a", { class: "to", href: `${cases}${hit.id}/` },
        el("span", { class: "id" }, marked(hit.id, q)), " ", el("span", { class: "title", lang: foreign(hit.lang) }, marked(hit.title, q))), " ",
      by, hit.lead ? el("p", { class: "lead-in", lang: foreign(hit.leadLang) }, marked(hit.lead, q)) : "");
  }

  function drawSorts(state) {
    const by = [...(state.q ? ["relevance"] : []), "newest", "oldest", "changed"];
    sorter.replaceChildren(...by.map((value) => el("option", { value }, words[value])));
    sorter.value = by.includes(state.sort) ? state.sort : by[0];
  }

  // The topics that are called what was asked for: their pages say more than
  // their cases.
  function topicsOf(q) {
    const folded = (text) => text.normalize("NFKC").toLowerCase().replace(/[\s-]/g, "");
    const asked = folded(q), out = [];
    if (asked.length < 2) return out;
    for (const { id, terms = [] } of says.axes) {
      for (const slug of terms) {
        const label = labels[id]?.[slug];
        if (label && folded(label).includes(asked)) out.push({ id, slug, label });
      }
    }
    return out.sort((a, b) => a.label.length - b.label.length).slice(0, topicsAtOnce);
  }

  function drawTopics(q) {
    const chips = topicsOf(q).map(({ id, slug, label }) => el("a", { class: "chip", href: `${topics}${id.replaceAll("_", "-")}/${slug}/`, lang: says.foreign?.[`${id}/${slug}`] },
      el("span", { class: "axis", lang }, labels[id][""]), " ", label));
    if (chips.length > 0) notes.append(el("p", { class: "see" }, el("span", {}, words.topics), ...chips));
  }

  // What to do where nothing was found.
  function drawNone(state, extra) {
    const link = (text, onclick) => el("button", { type: "button", class: "link", onclick }, text);
    const tips = extra.without.map(({ word, rest, n }) => link(fill(words.tryWithout, { word, n: whole.format(n) }), () => act.ask(rest)));
    if (extra.unfiltered > 0) tips.push(link(fill(words.tryFilters, { n: whole.format(extra.unfiltered) }), act.clear));
    if (tips.length === 0 && state.q) tips.push(words.tryFewer, words.tryOther);
    if (kind === "search") tips.push(el("a", { href: "#unsearched" }, words.tryBrowse));
    notes.append(el("p", { class: "nothing" }, words.none), el("ul", { class: "tips" }, ...tips.map((tip) => el("li", {}, tip))));
  }

  function drawNotes(state, found, extra) {
    const note = (text) => notes.append(el("p", { class: "note" }, text));
    notes.replaceChildren();
    drawTopics(state.q);
    if (extra.ignored) note(words.ignored);
    if (found.total === 0) drawNone(state, extra);
    else if (found.exact === 0) note(words.close);
    else if (found.exact < found.total) note(fill(words.closeToo, { n: whole.format(found.exact) }));
  }

  function drawAfter(state, found, extra) {
    const left = found.total - Math.max(drawn.length, Math.min(state.show, found.total));
    after.replaceChildren();
    if (!extra.asked) return;
    if (kind === "home" && left > 0) after.append(el("a", { href: `${search}?${extra.query}` }, fill(words.everything, { n: whole.format(found.total) })));
    else if (left > 0) {
      const from = drawn.length;
      const onclick = () => act.more().then(() => list.children[from]?.querySelector("a").focus());
      after.append(el("button", { type: "button", onclick }, fill(words.more, { n: whole.format(Math.min(left, 20)) })));
    }
    if (kind === "cases" && found.total > 0) after.append(el("a", { href: `${search}?${extra.query}` }, words.within));
  }

  let excerpts = 0; // which drawing they are looked up for
  return {
    busy: () => say(words.busy),
    name: filters.name,
    countable: () => kind !== "home" && filters.box.open,
    counts: filters.draw,

    show(state, found, extra) {
      excerpts++;
      answer.hidden = false;
      root.classList.add("active");
      sortBox.hidden = found.total < 2;
      if (kind !== "home") {
        drawSorts(state);
        filters.state(state.filters);
      }
      drawResults(extra.asked ? found.hits : [], state.q);
      drawNotes(state, found, extra);
      drawAfter(state, found, extra);
      // The list that needs no script stands in until something is asked for.
      if (unsearched) unsearched.hidden = extra.asked && !(found.total === 0 && kind === "search");
      if (unsearched && kind === "cases") body.append(unsearched);
      say(count(found.total));
    },

    // Looks deeper for what the first lines of a case do not say.
    async settle(q) {
      const mine = ++excerpts;
      if (!q || navigator.connection?.saveData) return;
      const { excerpt } = await import("./search-excerpt.js");
      for (const d of drawn.filter((d) => !d.deeper && d.item.querySelector(".lead-in")).slice(0, 20)) {
        if (mine !== excerpts) return;
        d.deeper = true;
        const best = await excerpt(`${docs}${d.hit.id}.json`, d.item.textContent, q, says, labels).catch(() => null);
        if (!best || mine !== excerpts) continue;
        const line = d.item.querySelector(".lead-in");
        line.replaceChildren(el("span", { class: "from", lang }, best.field), " ", marked(best.text, q));
        line.lang = best.lang;
      }
    },

    rest(ignored) {
      excerpts++;
      answer.hidden = true;
      root.classList.remove("active");
      drawResults([], "");
      if (unsearched) unsearched.hidden = false;
      say(ignored ? words.ignored : "");
    },

    failed(offline, retry) {
      answer.hidden = false;
      if (unsearched) unsearched.hidden = false;
      sortBox.hidden = true;
      after.replaceChildren();
      notes.replaceChildren(el("p", {}, el("button", { type: "button", onclick: retry }, words.retry)));
      say(offline ? words.offline : words.failed);
    },
  };
}
