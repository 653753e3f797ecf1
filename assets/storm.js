// The lab of the figure on retry storms: the model of cmd/llm-gateway/storm,
// number for number, and a picture that follows the reader's choice. The Go
// package says what the model means; the order in which random numbers are
// drawn must be the same here. A test compares the two on shared vectors.
(() => {
  "use strict";

  const tickMillis = 10, ticksPerMinute = 6000, minutes = 60;
  const degradedFrom = 3, degradedMinutes = 39;
  const messageTicks = 500, baseMillis = 150, capMillis = 2000;
  const budgetTokens = 200, breakerFailures = 8, breakerTicks = 1500, breakerProbes = 3;
  const resends = 1, resendIn = 4, resendTicks = 400, wheelTicks = 1024, windowTicks = 10, lateIn = 8;
  const spanTicks = 1000, spans = 360;

  // A request on its way is a small number: what is left of it in bits.
  const kept = 1, probe = 2, attemptAt = 2, attemptMask = 15, resendAt = 6;

  function run(p) {
    const of = () => new Array(minutes).fill(0);
    const r = { messages: of(), requests: of(), calls: of(), failures: of(), peak: 0, recovery: 0 };
    const wheel = Array.from({ length: wheelTicks }, () => []);
    const window = new Array(windowTicks).fill(0);
    const failed = new Array(spans).fill(0), asked = new Array(spans).fill(0);
    const full = p.capacity * windowTicks * tickMillis / 1000 | 0;
    const full3 = full * full * full;
    let random = p.seed >>> 0, tick = 0, minute = 0, load = 0, due = 0;
    let tokens = 2 * budgetTokens, row = 0, open = 0, probes = 0, probing = 0;

    const below = (n) => {
      random ^= random << 13;
      random ^= random >>> 17;
      random ^= random << 5;
      random >>>= 0;
      return random % n;
    };
    const after = (ticks, q) => wheel[(tick + ticks) % wheelTicks].push(q);

    function fail(q) {
      r.failures[minute]++;
      failed[tick / spanTicks | 0]++;
      const sent = q >> resendAt;
      if (sent < resends && below(resendIn) === 0) {
        after(resendTicks + below(resendTicks), (sent + 1) << resendAt | q & kept);
      }
    }

    function judge(q, answered) {
      if (!p.breaker || probes > 0 && !(q & probe)) return;
      if (answered) {
        row = 0;
        if (q & probe) probes--;
        return;
      }
      row++;
      if (q & probe || row === breakerFailures) {
        open = tick + breakerTicks;
        probes = breakerProbes;
        probing = row = 0;
      }
    }

    // Whether a call was answered (1), failed (0), or was served too late (2).
    function call() {
      r.calls[minute]++;
      window[tick % windowTicks]++;
      load++;
      if (load > r.peak) r.peak = load;
      if (minute >= degradedFrom && minute < degradedFrom + degradedMinutes && below(1000) < p.failRate) return 0;
      if (load > full && below(load * load * load) >= full3) return below(lateIn) === 0 ? 2 : 0;
      return 1;
    }

    function mayRetry() {
      if (!p.budget) return true;
      if (tokens < 2) return false;
      tokens -= 2;
      return true;
    }

    function handle(q) {
      const attempt = q >> attemptAt & attemptMask;
      if (attempt === 0) {
        r.requests[minute]++;
        asked[tick / spanTicks | 0]++;
        if (q & kept && p.idempotency) return;
        if (p.breaker && probes > 0) {
          if (tick < open || probing === breakerProbes) return fail(q);
          probing++;
          q |= probe;
        }
      }
      const outcome = call();
      if (outcome === 1) return judge(q, true);
      if (outcome === 2) q |= kept;
      if (outcome === 2 || q & probe || attempt + 1 >= p.attempts || !mayRetry()) {
        judge(q, false);
        return fail(q);
      }
      let wait = Math.min(baseMillis << attempt, capMillis) / tickMillis | 0;
      if (p.jitter) wait = below(wait);
      after(Math.max(wait, 1), q + (1 << attemptAt));
    }

    for (; tick < minutes * ticksPerMinute; tick++) {
      minute = tick / ticksPerMinute | 0;
      load -= window[tick % windowTicks];
      window[tick % windowTicks] = 0;
      tokens = Math.min(tokens + 1, 2 * budgetTokens);
      const slot = wheel[tick % wheelTicks];
      for (let i = 0; i < slot.length; i++) handle(slot[i]);
      slot.length = 0;
      for (due += p.clients; due >= messageTicks; due -= messageTicks) {
        r.messages[minute]++;
        handle(0);
      }
    }

    const sum = (list) => list.reduce((a, b) => a + b, 0);
    r.total = { messages: sum(r.messages), requests: sum(r.requests), calls: sum(r.calls), failures: sum(r.failures) };
    const end = (degradedFrom + degradedMinutes) * ticksPerMinute / spanTicks;
    let last = end;
    for (let i = end; i < spans; i++) if (failed[i] * 100 > asked[i]) last = i + 1;
    r.recovery = last === spans ? -1 : (last - end) * spanTicks * tickMillis / 1000;
    return r;
  }

  if (typeof document === "undefined") {
    globalThis.runStorm = run; // for the test
    return;
  }

  // The frame that generator/figure draws into.
  const left = 34, right = 312, top = 12, bottom = 150;

  const lab = document.querySelector(".lab");
  if (!lab) return;
  const capacity = Number(lab.dataset.capacity), seed = Number(lab.dataset.seed);
  const at = (id) => document.getElementById("storm-" + id);
  const lang = document.documentElement.lang;
  const whole = new Intl.NumberFormat(lang);
  const fixed = (digits) => new Intl.NumberFormat(lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const two = fixed(2), one = fixed(1);
  const seconds = new Intl.NumberFormat(lang, { style: "unit", unit: "second", unitDisplay: "short" });
  const sliders = { fail: (n) => n + "%", clients: (n) => whole.format(n), attempts: (n) => whole.format(n) };
  const switches = ["jitter", "budget", "breaker", "idempotency"];

  function choice() {
    const p = { seed, capacity, failRate: at("fail").valueAsNumber * 10, clients: at("clients").valueAsNumber, attempts: at("attempts").valueAsNumber };
    for (const name of switches) p[name] = at("with-" + name).checked;
    return p;
  }

  function draw(r) {
    const svg = lab.querySelector("svg");
    const most = Math.max(capacity, ...r.calls.map((n) => Math.ceil(n / 60)));
    const scale = Math.ceil(most / 300) * 300;
    const y = (rate) => (bottom - (bottom - top) * rate / scale).toFixed(1);
    const x = (minute) => (left + (right - left) * minute / minutes).toFixed(1);
    const steps = (counts) => "M" + left + " " + bottom + counts.map((n, i) => "V" + y(n / 60) + "H" + x(i + 1)).join("") + "V" + bottom + "Z";
    svg.querySelector(".calls").setAttribute("d", steps(r.calls));
    svg.querySelector(".fails").setAttribute("d", steps(r.failures));
    svg.querySelector(".cap").setAttribute("d", "M" + left + " " + y(capacity) + "H" + right);
    svg.querySelectorAll(".ys text").forEach((text, i) => { text.textContent = scale * i / 3; });
  }

  function tell(r) {
    const t = r.total;
    const recovered = at("recovered");
    at("times").textContent = two.format(t.calls / t.messages) + "×";
    at("failed").textContent = whole.format(t.failures);
    at("burnt").textContent = one.format(t.failures * 100 / (t.messages * 0.72)) + "%";
    recovered.textContent = r.recovery < 0 ? recovered.dataset.never : r.recovery === 0 ? recovered.dataset.atOnce : seconds.format(r.recovery);
  }

  function label() {
    for (const [id, shown] of Object.entries(sliders)) {
      const text = shown(at(id).valueAsNumber);
      lab.querySelector(`output[for="storm-${id}"]`).textContent = text;
      at(id).setAttribute("aria-valuetext", text);
    }
  }

  let waiting = 0;
  function changed() {
    label();
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const r = run(choice());
      draw(r);
      tell(r);
    }, 60);
  }

  lab.hidden = false;
  lab.addEventListener("input", changed);
  lab.addEventListener("submit", (e) => e.preventDefault());
  label(); // the picture and the numbers are there already: the page came with them
})();
