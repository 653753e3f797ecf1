// The search of a page. What the reader types and ticks becomes the state, the
// state stands in the address, and an address gives the same view to everyone
// who opens it. search-view.js draws; the engine answers.
import { open } from "./search-engine.js";
import { makeView } from "./search-view.js";

const pause = 120; // after a key, in ms
const pauseComposing = 600; // after a key within a syllable that is not whole yet
const patience = 400; // before it says that it is still searching
const firstResults = { home: 6, search: 10, cases: 20 };

const fetchJSON = async (url) => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.json();
};

export function start(root) {
  const { kind, index, words: wordsAt } = root.dataset;
  const input = root.querySelector("#q");
  const title = document.title;
  const step = firstResults[kind];
  let engine, words, view, axes, loading, all;
  let state = { q: "", filters: {}, sort: "", show: step };
  let turn = 0, timer = 0, opened = false, ignored = false;

  // Loads what every search needs, once; after a failure the next search tries
  // again.
  const load = () => loading ??= Promise.all([open(index), fetchJSON(wordsAt)]).then(([e, w]) => {
    engine = e;
    words = w;
    axes = w.axes;
    view = makeView(root, words, axes, { pick, drop, clear, sort, more, ask });
  }).catch((err) => {
    loading = undefined;
    throw err;
  });

  // What can be filtered by, of the whole library: an address may name more.
  const everything = async () => all ??= await engine.search({ q: "", lang: document.documentElement.lang, filters: {}, limit: 0, facets: true });

  async function read(query) {
    const p = new URLSearchParams(query);
    const next = { q: kind === "cases" ? "" : (p.get("q") ?? "").trim(), filters: {}, sort: "", show: step };
    ignored = false;
    if (kind === "home") return next;
    for (const { id, terms } of axes) {
      const asked = p.getAll(id);
      if (asked.length === 0) continue;
      const known = terms ? terms.map((t) => t.slug) : view.values((await everything()).facets, id).map(([value]) => value);
      const found = asked.filter((value, i) => known.includes(value) && asked.indexOf(value) === i);
      if (found.length < asked.length) ignored = true;
      if (found.length > 0) next.filters[id] = found;
    }
    if (view.sorts(next).includes(p.get("sort"))) next.sort = p.get("sort");
    const show = Number(p.get("show"));
    if (Number.isInteger(show) && show > step && show <= 500) next.show = show;
    return next;
  }

  function write(s) {
    const p = new URLSearchParams();
    if (s.q) p.set("q", s.q);
    for (const { id } of axes ?? []) for (const value of s.filters[id] ?? []) p.append(id, value);
    if (s.sort) p.set("sort", s.sort);
    if (s.show > step) p.set("show", s.show);
    return p.toString();
  }

  const asks = (s) => Boolean(s.q || s.sort || Object.keys(s.filters).length);

  function remember(push) {
    const query = write(state);
    const to = location.pathname + (query && "?" + query);
    if (to !== location.pathname + location.search) history[push ? "pushState" : "replaceState"](null, "", to);
    document.title = state.q ? `${state.q} · ${title}` : title;
    // The other language shows the same.
    const twin = document.querySelector("a.switch");
    if (twin) twin.search = query;
  }

  // Shows the state. An answer that arrives after a later question is dropped.
  async function show() {
    const mine = ++turn;
    clearTimeout(timer);
    const late = setTimeout(() => mine === turn && view?.say(words.words.busy), patience);
    try {
      await load();
      if (mine !== turn) return;
      view.reading(state, ignored);
      if (!asks(state) && !opened) return view.rest();
      const { filters } = state;
      const found = await engine.search({ q: state.q, lang: document.documentElement.lang, filters, sort: state.sort || undefined,
        offset: 0, limit: asks(state) ? state.show : 0, facets: kind !== "home" });
      const instead = found.total === 0 ? await others() : {};
      if (mine === turn) view.show(state, found, { asked: asks(state), ...instead, everything: root.dataset.search + "?" + write(state) });
    } catch {
      if (mine === turn) failed();
    } finally {
      clearTimeout(late);
    }
  }

  // What would find something where the state finds nothing: no filters, or one
  // word less.
  async function others() {
    const total = async (q, filters) => (await engine.search({ q, lang: document.documentElement.lang, filters, limit: 0 })).total;
    const { q, filters } = state;
    const unfiltered = Object.keys(filters).length > 0 ? await total(q, {}) : 0;
    const parts = q.split(/\s+/);
    const without = [];
    if (parts.length > 1 && parts.length <= 5) {
      for (const word of parts) {
        const rest = parts.filter((other) => other !== word).join(" ");
        const n = rest ? await total(rest, filters) : 0;
        if (n > 0) without.push({ word, rest, n });
      }
    }
    return { unfiltered, without };
  }

  function failed() {
    if (view) return view.failed(navigator.onLine === false, show);
    root.querySelector(".status").textContent = root.dataset.failed;
  }

  // A change that the reader would want to take back is a step of the history;
  // a key is not.
  function change(next, push) {
    state = { ...state, show: step, ...next };
    ignored = false;
    remember(push);
    return show();
  }

  function pick(axis, value, on) {
    const values = (state.filters[axis] ?? []).filter((v) => v !== value);
    if (on) values.push(value);
    const filters = { ...state.filters, [axis]: values };
    if (values.length === 0) delete filters[axis];
    return change({ filters }, true);
  }
  function drop(axis, value) { return pick(axis, value, false); }
  function clear() { return change({ filters: {} }, true); }
  function sort(by) { return change({ sort: by }, true); }
  function ask(q) {
    input.value = q;
    return change({ q }, true);
  }
  function more() {
    state = { ...state, show: state.show + 2 * step };
    remember(false);
    return show();
  }

  // A syllable that is being put together is not searched for, until the reader
  // has waited for it: the last one of a word often stays open.
  let composing = false;
  const typed = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      await load().catch(() => {});
      const q = input.value.trim();
      if (q !== state.q) change({ q, sort: state.sort }, false);
    }, composing ? pauseComposing : pause);
  };
  input?.addEventListener("compositionstart", () => { composing = true; });
  input?.addEventListener("compositionend", () => { composing = false; typed(); });
  input?.addEventListener("input", typed);
  input?.form.addEventListener("submit", (e) => {
    if (kind !== "search") return;
    e.preventDefault();
    if (matchMedia("(pointer: coarse)").matches) input.blur(); // puts the keyboard away
    change({ q: input.value.trim() }, false);
  });

  root.addEventListener("keydown", (e) => {
    if (e.isComposing || e.altKey || e.ctrlKey || e.metaKey || e.shiftKey || !input) return;
    const links = [...root.querySelectorAll(".results .to")];
    const at = links.indexOf(e.target);
    let to;
    if (e.key === "Escape" && at >= 0) to = input;
    else if (e.key === "Escape" && e.target === input && input.value) {
      input.value = "";
      change({ q: "" }, false);
      e.preventDefault();
    } else if (e.key === "ArrowDown" && (at >= 0 || e.target === input)) to = links[at + 1];
    else if (e.key === "ArrowUp" && at >= 0) to = links[at - 1] ?? input;
    if (to) {
      to.focus();
      e.preventDefault();
    }
  });

  async function restore() {
    try {
      await load();
      const mine = ++turn;
      const next = await read(location.search);
      if (mine !== turn) return;
      state = next;
      if (input && document.activeElement !== input) input.value = state.q;
      remember(false);
    } catch (err) {
      return failed();
    }
    return show();
  }
  addEventListener("popstate", () => {
    if (input) input.value = new URLSearchParams(location.search).get("q") ?? "";
    restore();
  });

  const search = {
    // Offers the filters of a page that begins without them.
    open: () => {
      opened = true;
      return show();
    },
  };
  const begun = input?.value.trim();
  const first = new URLSearchParams(location.search).get("q");
  if (input && first !== null && !begun) input.value = first;
  if (begun && begun !== first) typed();
  return restore().then(() => search);
}
