// The control of an error budget on a case's page: what the incident costs of
// it for a share of failing requests, a target and a window that the reader
// chooses. It reckons as generator/page/budget.go does, to the last digit; a
// test compares the two on shared vectors.

// Whole numbers, all far below what a double holds exactly: a hundred years of
// seconds, times 100 %, times 625.
const rounded = (n, d) => Math.floor((2 * n + d) / (2 * d));

// used is the percentage of the budget that is used up, in tenths:
// seconds/(days·86400) · share/100 · 100000/allowed · 1000, in lowest terms.
export const used = (seconds, share, allowed, days) => rounded(seconds * share * 625, 54 * days * allowed);

export function percent(seconds, share, allowed, days) {
  const tenths = used(seconds, share, allowed, days);
  if (tenths === 0) return "<0.1%";
  if (tenths < 10000) return tenths / 10 + "%";
  return rounded(seconds * share * 125, 108 * days * allowed).toString().replace(/\B(?=(\d{3})+$)/g, ",") + "%";
}

// amount is the budget of a window, days·allowed·108/125 seconds, as one number
// of the unit in which it is neither very small nor very large.
export function amount(allowed, days, units) {
  const n = days * allowed * 108;
  const [unit, size] = n < 60 * 125 ? [0, 1] : n < 7200 * 125 ? [1, 60] : n < 172800 * 125 ? [2, 3600] : [3, 86400];
  return rounded(n * 100, 125 * size) / 100 + units[unit];
}

const form = typeof document === "undefined" ? null : document.querySelector(".spend");
if (form) {
  const at = (id) => document.getElementById("spend-" + id);
  const [share, target, days] = ["share", "target", "days"].map(at);
  const units = form.dataset.units.split("|");
  const name = (select) => select.selectedOptions[0].text;
  let saying = 0;
  const show = () => {
    const part = share.value + "%";
    const choice = [+form.dataset.seconds, +share.value, +target.value, +days.value];
    const texts = { part, failing: part, used: percent(...choice), amount: amount(choice[2], choice[3], units), goal: name(target), window: name(days) };
    for (const id in texts) at(id).textContent = texts[id];
    const share100 = used(...choice) / 10, within = share100 > 100 ? 1e4 / share100 : share100;
    const width = (part, n) => form.querySelector(part).setAttribute("width", n.toFixed(1) + "%");
    width(".within", within);
    width(".beyond", share100 > 100 ? 100 - within : 0);
    form.querySelector(".beyond").setAttribute("x", within.toFixed(1) + "%");
    share.setAttribute("aria-valuetext", part);
  };
  form.hidden = false;
  show();
  form.addEventListener("submit", (e) => e.preventDefault());
  form.addEventListener("input", () => {
    show();
    // Told once the reader has stopped, not at every step of a slider.
    clearTimeout(saying);
    saying = setTimeout(() => { at("told").textContent = at("said").textContent; }, 800);
  });
}
