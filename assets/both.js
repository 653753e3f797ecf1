// A case in both languages, section by section: the page of the other language
// is fetched once, and what it says is set beside what this one says. What is
// the same in both, such as the sources, stays as it is.
const parts = ["h1", "#summary", "#symptoms", "#cause", "#detection", "#remediation", "#action-items", "#lessons"];
let added = [];

export async function set(wanted, address, lang) {
  const page = document.querySelector("article.case");
  if (!wanted) {
    page.classList.remove("both");
    added.forEach((undo) => undo());
    added = [];
    return;
  }
  if (added.length > 0) return;
  const response = await fetch(address);
  if (!response.ok) throw new Error(response.status);
  const twin = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const what of parts) {
    const here = page.querySelector(what), there = twin.querySelector(`article.case ${what}`);
    if (here && there) added.push(beside(here, document.importNode(there, true), lang));
  }
  page.classList.add("both");
}

// Sets one part of the twin beside its own; returns what takes it away.
function beside(here, there, lang) {
  for (const e of [there, ...there.querySelectorAll("[id]")]) e.removeAttribute("id");
  const pair = document.createElement("div");
  pair.className = "pair";
  const twin = document.createElement("div");
  twin.className = "twin";
  twin.lang = there.lang || lang;
  if (there.tagName === "H1") {
    // The page has one title; its twin is not another.
    const title = document.createElement("p");
    title.className = "title";
    title.append(...there.childNodes);
    twin.append(title);
  } else {
    twin.append(...there.childNodes);
  }
  here.replaceWith(pair);
  pair.append(here, twin);
  return () => pair.replaceWith(here);
}
