// The filters of the search: what can be ticked, with how many cases each would
// leave, and what is ticked, which can be taken off again.
import { dateText, el, fill, whole } from "./search-words.js";

const valuesAtOnce = 8; // of an axis, before its "more"
const openAtFirst = 3; // axes, and on a phone one: the results stand below them

export function makeFilters(root, { words, axes, foreign = {} }, labels, act) {
  const wide = matchMedia("(min-width: 52rem)");
  const orgs = {};
  let chosen = {};
  const titleOf = (axis) => words[axis] ?? labels[axis]?.[""] ?? axis;
  const langOf = (axis, value) => foreign[axis + "/" + value];
  const summary = el("summary", {}, words.filters);
  const groups = axes.map((axis, i) => makeGroup(axis, i < (wide.matches ? openAtFirst : 1)));
  const box = el("details", { class: "facets", open: wide.matches, ontoggle: () => box.open && !wide.matches && act.counts() }, summary, ...groups.map((g) => g.box));
  const chips = el("ul", { class: "picked", "aria-label": words.filters });
  wide.addEventListener("change", () => {
    box.open = wide.matches;
    if (wide.matches) act.counts();
  });

  function nameOf(axis, value) {
    if (axis === "org") return orgs[value] ?? value;
    return axis === "year" ? dateText(value) : words["duration-" + value] ?? labels[axis]?.[value] ?? value;
  }

  // A group is made once and then changed, so that the focus stays where it is.
  function makeGroup(axis, open) {
    const rows = el("ul"), rest = el("button", { type: "button", class: "rest", hidden: true });
    const g = { id: axis.id, rows, rest, all: false, byValue: new Map(), box: el("details", { class: "group", open, hidden: true }, el("summary", {}, titleOf(axis.id)), rows, rest) };
    rest.addEventListener("click", () => {
      g.all = true;
      const hidden = rows.querySelectorAll("li[hidden]");
      hidden.forEach((li) => { li.hidden = false; });
      hidden[0]?.querySelector("input").focus();
      rest.hidden = true;
    });
    return g;
  }

  function row(g, value) {
    let r = g.byValue.get(value);
    if (!r) {
      const tick = el("input", { type: "checkbox", name: g.id, value, onchange: () => act.pick(g.id, value, tick.checked) });
      const n = el("span", { class: "n" });
      r = { tick, n, item: el("li", {}, el("label", {}, tick, el("span", { class: "value", lang: langOf(g.id, value) }, nameOf(g.id, value)), n)) };
      g.byValue.set(value, r);
    }
    return r;
  }

  function drawGroup(g, values) {
    const first = [...values.filter((v) => v.selected), ...values.filter((v) => !v.selected)];
    const least = Math.max(valuesAtOnce, values.filter((v) => v.selected).length);
    const items = first.map((v, i) => {
      const r = row(g, v.slug);
      r.tick.checked = v.selected;
      r.n.textContent = whole.format(v.count);
      r.item.hidden = !g.all && i >= least;
      return r.item;
    });
    if (items.length !== g.rows.children.length || items.some((item, i) => g.rows.children[i] !== item)) {
      const focused = document.activeElement;
      g.rows.replaceChildren(...items);
      if (g.rows.contains(focused)) focused.focus({ preventScroll: true });
    }
    const hidden = items.filter((item) => item.hidden).length;
    g.rest.hidden = hidden === 0;
    g.rest.textContent = fill(words.moreValues, { n: whole.format(hidden) });
    if (values.some((v) => v.selected)) g.box.open = true;
    g.box.hidden = items.length === 0;
  }

  const name = (facets) => {
    for (const v of facets.find((f) => f.name === "org")?.values ?? []) orgs[v.slug] = v.label;
  };

  function drawChips() {
    const focused = [...chips.querySelectorAll("button")].indexOf(document.activeElement);
    const items = Object.entries(chosen).flatMap(([axis, values]) => values.map((value) => {
      const title = titleOf(axis), label = nameOf(axis, value);
      return el("button", { type: "button", class: "chip", "aria-label": fill(words.remove, { name: `${title} ${label}` }), onclick: () => act.pick(axis, value, false) },
        el("span", { class: "axis" }, title), " ", el("span", { lang: langOf(axis, value) }, label), " ", el("span", { class: "x", "aria-hidden": "true" }, "×"));
    }));
    summary.textContent = words.filters + (items.length > 0 ? ` (${items.length})` : "");
    if (items.length > 1) items.push(el("button", { type: "button", class: "clear", onclick: act.clear }, words.clear));
    chips.replaceChildren(...items.map((item) => el("li", {}, item)));
    chips.hidden = items.length === 0;
    // One that was taken off by keyboard leaves the focus to the next.
    if (focused >= 0) (chips.querySelectorAll("button")[Math.min(focused, items.length - 1)] ?? root.querySelector("#q") ?? (wide.matches ? box.querySelector("input") : summary))?.focus();
  }

  return {
    box, chips, name,

    // state shows what is ticked, before the counts are known.
    state(filters) {
      chosen = filters;
      drawChips();
      for (const g of groups) for (const [value, r] of g.byValue) r.tick.checked = chosen[g.id]?.includes(value) ?? false;
    },

    draw(facets) {
      name(facets);
      for (const g of groups) drawGroup(g, facets.find((f) => f.name === g.id)?.values ?? []);
      drawChips();
    },
  };
}
