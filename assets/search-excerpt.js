// Finds the sentence of a case that says most of what was asked for, where its
// first lines do not say it.
import { marks } from "./search-engine.js";
import { lang } from "./search-words.js";

const longest = 180; // characters of an excerpt
const texts = ["summary", "symptoms_text", "trigger", "lessons"];
const lists = ["remediation", "action_items"];

// excerpt resolves to the best sentence of the case at an address, or to nothing
// when what is shown already has every word. says and labels name its parts.
export async function excerpt(url, shown, q, says, labels) {
  const words = q.split(/\s+/).filter((word) => word);
  if (words.every((word) => marks(shown, word).length > 0)) return null;
  const response = await fetch(url);
  if (!response.ok) return null;
  const doc = await response.json();
  let best = null, most = 0;
  const look = (field, text, l) => {
    for (const part of plain(text ?? "").split(/(?<=[.!?])\s+|\n+/)) {
      const score = words.filter((word) => marks(part, word).length > 0).length;
      if (score + (l === lang ? 0.5 : 0) <= most || score === 0) continue;
      most = score + (l === lang ? 0.5 : 0);
      best = { field, text: around(part, q), lang: l };
    }
  };
  for (const l of [lang, lang === "ko" ? "en" : "ko"]) {
    for (const field of texts) look(says.words[field], doc[field]?.[l], l);
    for (const field of lists) for (const entry of doc[field] ?? []) look(says.words[field], entry.text[l], l);
  }
  for (const { id } of says.axes) {
    for (const slug of [doc[id]].flat()) look(labels[id]?.[""], labels[id]?.[slug], says.foreign?.[id + "/" + slug] ?? lang);
  }
  return best;
}

// around is a stretch of a long sentence with what was found in it.
function around(text, q) {
  if (text.length <= longest) return text;
  const first = marks(text, q)[0]?.[0] ?? 0;
  const from = first < longest * 0.6 ? 0 : text.lastIndexOf(" ", first - longest * 0.3) + 1;
  const to = from + longest >= text.length ? text.length : Math.max(text.lastIndexOf(" ", from + longest), from + longest / 2);
  return (from > 0 ? "…" : "") + text.slice(from, to) + (to < text.length ? "…" : "");
}

// plain is a text without the marks of Markdown.
function plain(text) {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/\*\*|~~|`+|^#+ |^> |^[-*] /gm, "");
}
