// The preview's own script: it listens for the next build, shows what is wrong,
// and reloads when the bytes of this page changed. It is served by `incidentlib
// serve` only and never published.
(() => {
  'use strict';
  const me = document.currentScript;
  const where = location.pathname;
  const keep = 'incidentlib:' + where;

  // What an editor had scrolled to and opened is there again after a reload.
  const disclosures = () => [...document.querySelectorAll('details')];
  const remember = () => {
    const open = disclosures().flatMap((d, i) => (d.open ? [i] : []));
    sessionStorage.setItem(keep, JSON.stringify({ y: scrollY, open }));
  };
  const kept = sessionStorage.getItem(keep);
  if (kept) {
    sessionStorage.removeItem(keep);
    const { y, open } = JSON.parse(kept);
    const all = disclosures();
    open.forEach((i) => { if (all[i]) all[i].open = true; });
    scrollTo({ top: y, behavior: 'instant' });
  }

  const el = (tag, className, text) => {
    const e = document.createElement(tag);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    return e;
  };

  const bar = el('aside', 'ilp-bar');
  bar.setAttribute('aria-label', 'Preview');
  const words = el('span', 'ilp-words', 'Preview');
  words.setAttribute('role', 'status');
  const edit = el('a', 'ilp-edit', '');
  bar.append(words, edit);
  document.body.append(bar);

  const overlay = el('section', 'ilp-overlay');
  overlay.setAttribute('role', 'alertdialog');
  overlay.setAttribute('aria-label', 'Problems');
  overlay.tabIndex = -1;
  overlay.hidden = true;
  document.body.append(overlay);
  addEventListener('keydown', (e) => { if (e.key === 'Escape') overlay.hidden = true; });

  const count = (n, noun) => n + ' ' + noun + (n === 1 ? '' : 's');

  const source = (p) => {
    const pre = el('pre', 'ilp-source');
    for (const line of p.excerpt || []) {
      const row = el('span', line.caret ? 'ilp-line ilp-here' : 'ilp-line', String(line.number).padStart(5) + ' | ' + line.text + '\n');
      pre.append(row);
      if (line.caret) {
        // What stands before the fault, unseen: the caret comes to stand below the
        // fault in whatever font each character is shown.
        const before = el('span', 'ilp-unseen', [...line.text].slice(0, line.caret - 1).join(''));
        before.setAttribute('aria-hidden', 'true');
        pre.append('      | ', before, el('span', 'ilp-caret', '^\n'));
      }
    }
    return pre;
  };

  const showProblems = (problems) => {
    overlay.replaceChildren();
    if (problems.length === 0) { overlay.hidden = true; return; }
    overlay.append(el('h2', '', count(problems.length, 'problem') + '; the last good page is below (Esc)'));
    for (const p of problems) {
      const item = el('article', 'ilp-problem');
      const place = p.file + (p.line ? ':' + p.line + ':' + p.column : '');
      item.append(el('h3', '', place), el('p', 'ilp-pointer', p.pointer || ''), el('p', 'ilp-what', p.what), el('p', 'ilp-remedy', p.remedy));
      if (p.excerpt) item.append(source(p));
      overlay.append(item);
    }
    overlay.hidden = false;
    overlay.focus({ preventScroll: true });
  };

  const showState = (s) => {
    words.textContent = 'built in ' + s.ms.toFixed(1) + ' ms \u00b7 ' + count(s.changed, 'file') + ' changed \u00b7 ' + count(s.problems.length, 'problem');
    edit.textContent = s.edit ? 'edit ' + s.edit : '';
    edit.href = s.edit_href || '#';
    showProblems(s.problems);
  };

  const address = '/_preview/events?page=' + encodeURIComponent(where) + '&seen=' + encodeURIComponent(me.dataset.seen);
  let stream = null;
  const listen = () => {
    stream = new EventSource(address);
    stream.addEventListener('state', (e) => showState(JSON.parse(e.data)));
    stream.addEventListener('reload', () => { remember(); location.reload(); });
    stream.addEventListener('error', () => { words.textContent = 'the preview server does not answer'; });
  };
  // A browser has six connections to a server, for all its tabs together. One
  // that nobody sees gives its own back, and hears of what it missed when it is
  // looked at again.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) stream.close(); else listen();
  });
  listen();
})();
