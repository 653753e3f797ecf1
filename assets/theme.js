// The reader's choice of colours, kept in the browser. It is fetched at once
// and holds nothing up: once it is in the browser's cache, which is wherever a
// choice was made, it runs before anything is drawn.
const root = document.documentElement;
const key = "incidentlib-look";

const read = () => {
  try {
    return JSON.parse(localStorage.getItem(key)) || {};
  } catch {
    return {}; // storage is off, or holds something else
  }
};

const write = (look) => {
  try {
    localStorage.setItem(key, JSON.stringify(look));
  } catch {
    // The choice lasts as long as the page.
  }
};

const themes = ["auto", "light", "dark"];

const apply = ({ theme, contrast }) => {
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  else delete root.dataset.theme;
  if (contrast === true) root.dataset.contrast = "more";
  else delete root.dataset.contrast;
};

let look = read();
apply(look);

const ready = () => {
  // What surrounds the page in some browsers takes its colour from here.
  const bars = [...document.querySelectorAll("meta[name='theme-color']")];
  const own = bars.map((m) => m.content);
  const colourBars = () => bars.forEach((m, i) => {
    m.content = root.dataset.theme || root.dataset.contrast ? getComputedStyle(document.body).backgroundColor : own[i];
  });
  const box = document.querySelector(".look");
  if (!box) return;
  const radios = [...box.querySelectorAll("input[name='theme']")];
  const contrast = box.querySelector("input[name='contrast']");
  const show = () => {
    apply(look);
    const theme = themes.includes(look.theme) ? look.theme : "auto";
    radios.forEach((r) => { r.checked = r.value === theme; });
    contrast.checked = look.contrast === true;
    colourBars();
  };
  box.addEventListener("change", () => {
    look = { theme: radios.find((r) => r.checked).value, contrast: contrast.checked };
    write(look);
    show();
  });
  // Another tab chose, or the page comes back from the browser's memory.
  const again = () => { look = read(); show(); };
  addEventListener("storage", (e) => { if (e.key === key || e.key === null) again(); });
  addEventListener("pageshow", (e) => { if (e.persisted) again(); });

  const close = () => { box.open = false; };
  box.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || !box.open) return;
    close();
    box.querySelector("summary").focus();
  });
  box.addEventListener("focusout", (e) => { if (e.relatedTarget && !box.contains(e.relatedTarget)) close(); });
  document.addEventListener("pointerdown", (e) => { if (!box.contains(e.target)) close(); });

  show();
  box.hidden = false;
};

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", ready);
else ready();
