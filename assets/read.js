// Help for who reads a longer text: where in the contents one is, a button that
// copies a command or a citation, both languages of a case side by side. The
// page is whole without it.
const main = document.getElementById("main");

const make = (tag, props) => Object.assign(document.createElement(tag), props);

// What happened, for those who hear the page.
const live = make("p", { className: "unseen" });
live.setAttribute("role", "status");
document.body.append(live);
const say = (text) => {
  live.textContent = "";
  requestAnimationFrame(() => { live.textContent = text; });
};

// The contents mark the part that is being read: the last that began at the top
// of the window or above it, where a link of theirs leads.
const follow = (nav) => {
  const parts = [...nav.querySelectorAll("a[href^='#']")].flatMap((link) => {
    const part = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    return part ? [{ link, part }] : [];
  });
  let now = null, asked = false;
  const look = () => {
    asked = false;
    let found = null;
    for (const p of parts) {
      if (p.part.getBoundingClientRect().top <= 56) found = p;
    }
    if (innerHeight + scrollY >= document.documentElement.scrollHeight - 2 && scrollY > 0) found = parts.at(-1);
    if (found === now) return;
    now?.link.removeAttribute("aria-current");
    now = found;
    if (!now) return;
    now.link.setAttribute("aria-current", "true");
    const { top, bottom } = now.link.getBoundingClientRect(), box = nav.getBoundingClientRect();
    if (nav.scrollHeight > nav.clientHeight) {
      if (top < box.top) nav.scrollTop -= box.top - top;
      if (bottom > box.bottom) nav.scrollTop += bottom - box.bottom;
    }
  };
  const ask = () => {
    if (!asked) requestAnimationFrame(look);
    asked = true;
  };
  addEventListener("scroll", ask, { passive: true });
  addEventListener("resize", ask);
  ask();
};

// The older way asks nothing of the page's address; the newer needs https.
const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = make("textarea", { value: text, className: "unseen", readOnly: true });
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
};

const copyable = (what) => {
  const box = make("div", { className: "code" });
  const button = make("button", { type: "button", className: "copy", textContent: main.dataset.copy });
  let timer = 0;
  button.addEventListener("click", async () => {
    if (!await copy(what.textContent.replace(/\n$/, ""))) return;
    button.focus();
    button.textContent = main.dataset.copied;
    say(main.dataset.copied);
    clearTimeout(timer);
    timer = setTimeout(() => { button.textContent = main.dataset.copy; }, 2000);
  });
  what.replaceWith(box);
  box.append(what, button);
};

const sideBySide = (button) => {
  const other = document.querySelector("a.switch");
  const on = button.textContent, off = button.dataset.off;
  const show = async (wanted) => {
    button.disabled = true;
    try {
      const both = await import("./both.js");
      await both.set(wanted, other.href, other.hreflang);
      button.textContent = wanted ? off : on;
      button.setAttribute("aria-pressed", wanted);
      const address = new URL(location);
      if (wanted) address.searchParams.set("both", "");
      else address.searchParams.delete("both");
      history.replaceState(history.state, "", address.href.replace("both=", "both"));
    } catch {
      say(button.dataset.failed);
    }
    button.disabled = false;
  };
  button.addEventListener("click", () => show(button.getAttribute("aria-pressed") !== "true"));
  button.setAttribute("aria-pressed", "false");
  button.hidden = false;
  if (new URL(location).searchParams.has("both")) show(true);
};

// What is folded is printed too.
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...main.querySelectorAll("details:not([open])")];
  folded.forEach((d) => { d.open = true; });
});
addEventListener("afterprint", () => folded.forEach((d) => { d.open = false; }));

for (const nav of document.querySelectorAll(".contents")) follow(nav);
for (const what of main.querySelectorAll("pre, .copyable")) copyable(what);
const button = document.getElementById("both");
if (button) sideBySide(button);
