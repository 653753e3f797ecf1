// On every page: the keys that lead to the search box, and the search itself on
// the pages that have it, loaded when a reader first turns to it.
const box = document.getElementById("q");
const finder = document.querySelector(".finder");
const inField = (e) => e.matches?.("input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]");

// The single key can be switched off (WCAG 2.1.4); a browser that keeps nothing
// keeps the key.
const kept = (value) => {
  try {
    if (value) localStorage.setItem("slash", value);
    return localStorage.getItem("slash");
  } catch {
    return null;
  }
};

const reach = () => {
  if (!box) return finder?.querySelector(".begin")?.focus();
  box.focus();
  box.select();
};

addEventListener("keydown", (e) => {
  if (e.isComposing || e.defaultPrevented || e.altKey || inField(e.target)) return;
  const chord = (e.ctrlKey || e.metaKey) && !e.shiftKey && (e.key === "k" || e.code === "KeyK");
  const slash = e.key === "/" && !e.ctrlKey && !e.metaKey && kept() !== "off";
  if (!chord && !slash) return;
  e.preventDefault();
  reach();
});

const slash = document.getElementById("slash");
if (slash) {
  slash.checked = kept() !== "off";
  slash.addEventListener("change", () => kept(slash.checked ? "on" : "off"));
}
if (kept() === "off") for (const hint of document.querySelectorAll(".field kbd")) hint.hidden = true;

if (finder) {
  let started, composing = false; // a syllable, which may begin before the search is here
  box?.addEventListener("compositionstart", () => { composing = true; });
  box?.addEventListener("compositionend", () => { composing = false; });
  const start = (open) => {
    // All parts at once: one that is found in another comes later.
    started ??= Promise.all([import("./search.js"), import("./search-engine.js"), import("./search-view.js"), import("./search-filters.js")]).then(([search]) => search.start(finder, () => composing), () => {
      started = undefined; // the next key tries again
      finder.querySelector(".status").textContent = finder.dataset.failed;
    });
    if (open) started.then((search) => search?.open());
  };
  if (location.search.length > 1) start();
  finder.querySelector(".begin")?.addEventListener("click", () => start(true));
  for (const type of ["focusin", "input"]) box?.form?.addEventListener(type, () => finder.contains(box) && start());
  // A reader who was quicker than this script has the box already.
  if (finder.contains(box) && (document.activeElement === box || box.value)) start();
}
