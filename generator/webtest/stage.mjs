// What the browser tests and the screenshots share: a built folder on a server
// below its base path, a Chromium, and the list of pages that stand for all.
import { readFile, stat } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

// Nothing of the browser's own is to reach the network or to need a display.
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });

// One page of every kind. The addresses are those of the default language.
export const kinds = [
  { name: "home", path: "" },
  { name: "search", path: "search/" },
  { name: "list", path: "cases/" },
  { name: "case-IL-0123", path: "cases/IL-0123/" },
  { name: "case-IL-0371", path: "cases/IL-0371/" },
  { name: "topic", path: "topics/contributing/retry-storm/" },
  { name: "org", path: "orgs/openai/" },
  { name: "article", path: "articles/retry-storms/" },
  { name: "about", path: "about/" },
  { name: "api", path: "api/" },
  { name: "404", path: "no/such/page/", status: 404 },
];

export const languages = { en: "", ko: "ko/" };

const media = { html: "text/html; charset=utf-8", css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8", xml: "application/xml; charset=utf-8", svg: "image/svg+xml", txt: "text/plain; charset=utf-8" };

// The path that a site is built for, by the canonical address of its home page.
export function basePath(folder) {
  const home = readFileSync(path.join(folder, "index.html"), "utf8");
  const canonical = /<link rel="canonical" href="([^"]+)"/.exec(home);
  if (!canonical) throw new Error(`${folder}/index.html has no canonical address`);
  return new URL(canonical[1]).pathname;
}

// Serves a folder as a static host does: folders by their index.html, what is
// missing by the nearest 404.html; compressed where that is asked for. Resolves
// to the address of the home page.
export async function serveFolder(folder, headers = {}, { compressed = false, port = 0 } = {}) {
  const base = basePath(folder);
  const small = new Map();
  const body = async (rel) => {
    const bytes = await readFile(path.join(folder, rel));
    if (!compressed) return bytes;
    if (!small.has(rel)) small.set(rel, gzipSync(bytes, { level: 9 }));
    return small.get(rel);
  };
  const file = async (rel) => {
    try {
      return (await stat(path.join(folder, rel))).isFile() ? rel : null;
    } catch {
      return null;
    }
  };
  const find = async (urlPath) => {
    if (!urlPath.startsWith(base)) return null;
    const rel = path.posix.normalize("/" + urlPath.slice(base.length)).slice(1);
    return file(rel === "" || rel.endsWith("/") ? rel + "index.html" : rel);
  };
  const missing = async (urlPath) => {
    const rel = urlPath.startsWith(base) ? urlPath.slice(base.length) : "";
    for (let dir = path.posix.normalize("/" + rel); dir !== "/"; dir = path.posix.dirname(dir)) {
      const page = await file(path.posix.join(dir.slice(1), "404.html"));
      if (page) return page;
    }
    return file("404.html");
  };
  const server = createServer(async (request, response) => {
    try {
      const urlPath = decodeURIComponent(new URL(request.url, "http://host").pathname);
      const found = await find(urlPath);
      const rel = found ?? (await missing(urlPath));
      response.writeHead(found ? 200 : 404, { ...headers, "Content-Type": media[rel.split(".").pop()] ?? "application/octet-stream",
        ...(compressed && { "Content-Encoding": "gzip", "Cache-Control": rel.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache" }) });
      response.end(await body(rel));
    } catch (err) {
      response.writeHead(500);
      response.end(String(err));
    }
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return {
    home: `http://127.0.0.1:${server.address().port}${base}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

// How far a page can be scrolled sideways, and the elements that stick out.
export const overflow = (page) => page.evaluate(() => {
  const root = document.documentElement;
  const excess = root.scrollWidth - root.clientWidth;
  if (excess <= 0) return null;
  const scrolls = (e) => e && (/auto|scroll|hidden|clip/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
  const wide = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > root.clientWidth + 0.5 && !scrolls(e.parentElement));
  return { excess, elements: wide.slice(0, 3).map((e) => e.tagName.toLowerCase() + (e.className ? "." + e.className : "") + " “" + (e.textContent ?? "").slice(0, 40) + "”") };
});
