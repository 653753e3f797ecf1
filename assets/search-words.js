// What the parts of the search share: elements, numbers and dates in the
// language of the page.
export const lang = document.documentElement.lang;
export const whole = new Intl.NumberFormat(lang);

// fill puts values into the places of a sentence: "{n} results".
export const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, key) => values[key]);

// el makes an element: its attributes, then what it holds.
export function el(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (value === true) e.setAttribute(key, "");
    else if (value !== false && value !== undefined) e.setAttribute(key, value);
  }
  e.append(...children);
  return e;
}

// dateText writes a date as the pages do; what is not known is left out.
export function dateText(date) {
  const [year, month, day] = date.split("-").map(Number);
  const parts = { year: "numeric", timeZone: "UTC" };
  if (month) parts.month = "long";
  if (day) parts.day = "numeric";
  return new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, parts).format(Date.UTC(year, (month ?? 1) - 1, day ?? 1));
}
