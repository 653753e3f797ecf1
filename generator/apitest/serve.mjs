// A static host in a few lines: files by their paths, with types and ETags, and
// nothing else. What works here works anywhere.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const types = {
  ".html": "text/html; charset=utf-8", ".json": "application/json; charset=utf-8", ".ndjson": "application/x-ndjson", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml",
  ".gz": "application/gzip", ".csv": "text/csv; charset=utf-8", ".yaml": "application/yaml",
};

// serve serves a folder below a path, and returns its address and how to stop.
export async function serve(folder, prefix, port) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    let file = normalize(path.slice(prefix.length));
    if (file.endsWith("/")) file += "index.html";
    try {
      const body = await readFile(join(folder, file));
      const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 20)}"`;
      const headers = { "Content-Type": types[extname(file)] ?? "application/octet-stream", ETag: etag, "Access-Control-Allow-Origin": "*" };
      if (request.headers["if-none-match"] === etag) response.writeHead(304, headers).end();
      else response.writeHead(200, headers).end(body);
    } catch {
      response.writeHead(404, { "Content-Type": types[".html"] }).end("<!doctype html><title>Not found</title>");
    }
  });
  await new Promise((ready, failed) => server.once("error", failed).listen(port, "127.0.0.1", ready));
  return { close: () => new Promise((done) => { server.close(done); server.closeAllConnections(); }) };
}
