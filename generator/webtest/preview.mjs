// Runs `incidentlib serve` on a copy of the seeds.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

// A run that is ended from outside takes what it started with it.
for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]]) process.once(signal, () => process.exit(code));
export const endWithUs = (child) => {
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("close", () => process.removeListener("exit", kill));
};

// Starts the program and resolves when it says where it listens.
export function serve(program, seeds, addr = "127.0.0.1:0") {
  const child = spawn(program, ["serve", "--seeds", seeds, "--addr", addr], { stdio: ["ignore", "pipe", "pipe"] });
  endWithUs(child);
  let stderr = "";
  child.stderr.on("data", (data) => { stderr = (stderr + data).slice(-20_000); });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const stop = async () => {
    child.kill("SIGINT");
    const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
    await ended;
    clearTimeout(timer);
  };
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", (home) => resolve({ home, pid: child.pid, stop, said: () => stderr }));
    ended.then((code) => reject(new Error(`serve ended with ${code}: ${stderr}`)));
  });
}

export async function startPreview(program, original) {
  const dir = mkdtempSync(path.join(tmpdir(), "preview-"));
  const seeds = path.join(dir, "seeds");
  cpSync(original, seeds, { recursive: true });
  let server;
  const remove = () => rmSync(dir, { recursive: true, force: true });
  try {
    server = await serve(program, seeds);
  } catch (err) {
    remove();
    throw err;
  }
  const file = (name) => path.join(seeds, name);
  const seedsOf = {
    read: (name) => readFileSync(file(name), "utf8"),
    remove: (name) => rmSync(file(name)),
    write: (name, text) => writeFileSync(file(name), text),
    // As most editors save: a new file takes the old one's place.
    save(name, text) {
      writeFileSync(path.join(dir, "saving"), text);
      renameSync(path.join(dir, "saving"), file(name));
    },
    edit(name, change) {
      const json = JSON.parse(this.read(name));
      change(json);
      this.save(name, JSON.stringify(json, null, 2) + "\n");
    },
  };
  return {
    ...seedsOf,
    home: server.home,
    pid: server.pid,
    seeds,
    said: () => server.said(),
    async restart(between) {
      const { host } = new URL(server.home);
      await server.stop();
      await between?.();
      server = await serve(program, seeds, host);
    },
    async stop() {
      await server.stop();
      remove();
    },
  };
}
