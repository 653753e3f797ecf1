// The search of a page. What a reader types and ticks is the state; the state
// stands in the address, and an address gives the same view to whoever opens it.
// The engine answers, search-view.js draws.
import { open } from "./search-engine.js";
import { makeView } from "./search-view.js";

const pause = 120; // after a key, in ms
const pauseWithin = 600; // after a key of a syllable or a word that is hardly begun
const patience = 400; // before it says that it is still searching
const atOnce = 4; // results that are shown before the others are read
const results = { home: 6, search: 10, cases: 20 }; // at first, by the kind of page
const mostResults = 500;
const orders = { newest: "date_desc", oldest: "date_asc", changed: "updated_desc" }; // by their names in an address
const lang = document.documentElement.lang;

export function start(root, composing) {
  const { kind } = root.dataset;
  const input = root.querySelector("#q");
  const title = document.title;
  let state = { q: "", filters: {}, sort: "", show: results[kind] };
  let engine, view, axes, loading;
  let turn = 0, timer = 0, opened = false, ignored = false;

  // Loads what every search needs, once; after a failure the next one tries again.
  const load = () => loading ??= ready().catch((err) => {
    loading = undefined;
    throw err;
  });

  async function ready() {
    const index = open(new URL(root.dataset.index, location.href).href);
    const [words, labels] = await Promise.all([fetchJSON(root.dataset.words), index.then((e) => e.labels(lang))]);
    engine = await index;
    axes = words.axes;
    view = makeView(root, words, labels, { pick, clear, sort, more, ask, counts });
  }

  const find = (s, more) => engine.search({ q: s.q, lang, filters: s.filters, sort: orders[s.sort], ...more });

  // What an axis can be filtered by: an address may ask for other things.
  async function known(axis) {
    if (axis.terms) return axis.terms;
    const { facets } = await find({ q: "", filters: {} }, { limit: 0, facets: [axis.id] });
    view.name(facets);
    return facets[0].values.map((v) => v.slug);
  }

  async function read(query) {
    const p = new URLSearchParams(query);
    const next = { q: kind === "cases" ? "" : (p.get("q") ?? "").trim(), filters: {}, sort: "", show: results[kind] };
    ignored = false;
    if (kind === "home") return next;
    for (const axis of axes) {
      const asked = [...new Set(p.getAll(axis.id))];
      if (asked.length === 0) continue;
      const values = await known(axis);
      const found = asked.filter((value) => values.includes(value));
      if (found.length < asked.length) ignored = true;
      if (found.length > 0) next.filters[axis.id] = found;
    }
    if (Object.hasOwn(orders, p.get("sort"))) next.sort = p.get("sort");
    const show = Number(p.get("show"));
    if (Number.isInteger(show) && show > next.show && show <= mostResults) next.show = show;
    return next;
  }

  function write(s) {
    const p = new URLSearchParams();
    if (s.q) p.set("q", s.q);
    for (const { id } of axes) for (const value of s.filters[id] ?? []) p.append(id, value);
    if (s.sort) p.set("sort", s.sort);
    if (s.show > results[kind]) p.set("show", s.show);
    return p.toString();
  }

  function remember(push) {
    const query = write(state);
    const to = location.pathname + (query && "?" + query);
    if (to !== location.pathname + location.search) history[push ? "pushState" : "replaceState"](null, "", to);
    document.title = state.q ? `${state.q} · ${title}` : title;
    const twin = document.querySelector("a.switch"); // the other language shows the same
    if (twin) twin.search = query;
  }

  // Shows the state: the count and the first results as soon as they are there,
  // then the others, then the counts of the filters. What comes after a later
  // question was asked is dropped.
  async function show() {
    const mine = ++turn;
    const late = () => mine !== turn;
    const slow = setTimeout(() => late() || view?.busy(), patience);
    try {
      await load();
      if (late()) return;
      const asked = Boolean(state.q || state.sort || Object.keys(state.filters).length);
      if (!asked && !opened) return view.rest(ignored);
      const draw = async (limit) => {
        const found = await find(state, { limit });
        const instead = found.total === 0 ? await others() : {};
        if (late()) return;
        clearTimeout(slow);
        view.show(state, found, { asked, ignored, ...instead, query: write(state) });
        return found;
      };
      const found = await draw(asked ? Math.min(atOnce, state.show) : 0);
      if (late()) return;
      if (asked && found.hits.length < Math.min(found.total, state.show)) await draw(state.show);
      if (late()) return;
      view.settle(state.q);
      await counts();
    } catch (err) {
      if (!late()) failed(err);
    } finally {
      clearTimeout(slow);
    }
  }

  // Counts what the filters would leave, where a reader can see it.
  async function counts() {
    const mine = turn;
    if (!view.countable()) return;
    try {
      const { facets } = await find(state, { limit: 0, facets: true });
      if (mine === turn) view.counts(facets);
    } catch (err) {
      if (mine === turn) failed(err);
    }
  }

  // What would find something where the state finds nothing: no filters, or one
  // word less.
  async function others() {
    const { q, filters } = state;
    const total = async (s) => (await find(s, { limit: 0 })).total;
    const unfiltered = Object.keys(filters).length > 0 ? await total({ q, filters: {} }) : 0;
    const words = q.split(/\s+/), without = [];
    if (words.length > 1 && words.length <= 5) {
      for (const word of words) {
        const rest = words.filter((other) => other !== word).join(" ");
        const n = rest ? await total({ q: rest, filters }) : 0;
        if (n > 0) without.push({ word, rest, n });
      }
    }
    return { unfiltered, without };
  }

  function failed(err) {
    console.debug(err);
    if (view) view.failed(navigator.onLine === false, show);
    else root.querySelector(".status").textContent = root.dataset.failed;
  }

  // A change that a reader may want to take back is a step of the history; a key
  // is not.
  function change(next, push) {
    state = { ...state, show: results[kind], ...next };
    ignored = false;
    remember(push);
    return show();
  }

  function pick(axis, value, on) {
    const { [axis]: old = [], ...filters } = state.filters;
    const values = old.filter((v) => v !== value);
    if (on) values.push(value);
    if (values.length > 0) filters[axis] = values;
    return change({ filters }, true);
  }
  const clear = () => change({ filters: {} }, true);
  const sort = (by) => change({ sort: by }, true);
  const more = () => change({ show: Math.min(state.show + 20, mostResults) }, false);
  function ask(q) {
    input.value = q;
    return change({ q }, true);
  }

  // A syllable that is being put together, or the first letters of a word, are
  // not searched for until the reader has waited for it: the last syllable of a
  // word often stays open, and DB is a word.
  function typed() {
    const within = composing() || /(^|\s)[a-z]{1,2}$/i.test(input.value);
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const q = input.value.trim().replace(/^[ㄱ-ㅎㅏ-ㅣ]+$/, ""); // letters that are no syllable yet
      if (!view) restore(q); // loading may have failed
      else if (q !== state.q) change({ q }, false);
    }, within ? pauseWithin : pause);
  }
  input?.addEventListener("compositionend", typed);
  input?.addEventListener("input", typed);
  input?.form.addEventListener("submit", (e) => {
    if (kind !== "search" || !view) return;
    e.preventDefault();
    if (matchMedia("(pointer: coarse)").matches) input.blur(); // puts the keyboard away
    change({ q: input.value.trim() }, false);
  });
  root.addEventListener("keydown", (e) => {
    if (e.isComposing || e.altKey || e.ctrlKey || e.metaKey || e.shiftKey) return;
    const links = [...root.querySelectorAll(".results .to")];
    const at = links.indexOf(e.target);
    let to;
    if (e.key === "ArrowDown" && (at >= 0 || input && e.target === input)) to = links[at + 1];
    if (e.key === "ArrowUp" && at >= 0) to = links[at - 1] ?? input;
    if (e.key === "Escape" && at >= 0) to = input;
    if (e.key === "Escape" && input && e.target === input && input.value) {
      input.value = "";
      change({ q: "" }, false);
      e.preventDefault();
    }
    if (!to) return;
    to.focus();
    e.preventDefault();
  });

  // restore takes the state from the address, but for what was typed while this
  // script was on its way.
  async function restore(begun) {
    try {
      await load();
      const mine = ++turn;
      const next = await read(location.search);
      if (mine !== turn) return;
      state = begun ? { ...next, q: begun } : next;
      remember(false);
    } catch (err) {
      return failed(err);
    }
    return show();
  }
  const fromAddress = () => { if (input) input.value = new URLSearchParams(location.search).get("q") ?? ""; };
  addEventListener("popstate", () => {
    fromAddress();
    restore();
  });

  // A page that is gone back to is where it was left, once its results are there.
  const left = history.state?.y;
  addEventListener("pagehide", () => history.replaceState({ y: scrollY }, ""));

  const begun = composing() ? "" : input?.value.trim();
  if (input?.value) typed();
  else fromAddress();
  return restore(begun).then(() => {
    if (left > 0 && scrollY === 0) scrollTo(0, left);
    return {
      open: () => {
        opened = true;
        return show();
      },
    };
  });
}

async function fetchJSON(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.json();
}
