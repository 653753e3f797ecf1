// What tests of pages share: conditions with deadlines, and a record of all
// that a page did that it should not.
import assert from "node:assert/strict";

export const deadline = 20_000;

// Asks until the answer is truthy, and returns it. A page that is being
// reloaded cannot answer: it is asked again.
export async function until(what, ask, ms = deadline) {
  const end = Date.now() + ms;
  let last;
  for (;;) {
    try {
      const answer = await ask();
      if (answer) return answer;
      last = answer;
    } catch (err) {
      if (!/context was destroyed|navigat|Cannot find context|Target page/i.test(err.message)) throw err;
      last = err.message;
    }
    if (Date.now() > end) assert.fail(`${what}: not within ${ms} ms; last: ${JSON.stringify(last)}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

// Records errors, messages, violations of the policy and requests to others in
// every page of a context.
export async function witness(context, home) {
  const { origin } = new URL(home);
  const seen = [];
  await context.exposeBinding("__violation", (_, text) => seen.push("policy: " + text));
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (e) => window.__violation(`${e.violatedDirective} ${e.blockedURI} ${e.sample}`));
  });
  context.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) seen.push("request off the origin: " + request.url());
  });
  context.on("console", (message) => {
    // A page that is not there is no error of the page that says so.
    if (message.type() === "error" && /status of 404/.test(message.text()) && message.location().url === message.page()?.url()) return;
    if (["error", "warning"].includes(message.type())) seen.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (err) => seen.push("error: " + err.error()));
  return { nothing: (where = "") => assert.deepEqual(seen.splice(0), [], where), forgive: (pattern) => seen.splice(0, seen.length, ...seen.filter((s) => !pattern.test(s))) };
}
