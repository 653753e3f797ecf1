// Checks every page, style sheet and icon below a folder with the Nu Html
// Checker: node validate.mjs FOLDER. Exit 0: all are valid; 1: they are not,
// and each message stands on a line of its own; 2: the check could not be made.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";

const folder = process.argv[2];
if (!folder || process.argv.length !== 3) {
  console.error("usage: node validate.mjs FOLDER");
  process.exit(2);
}

let names;
try {
  names = readdirSync(folder, { recursive: true });
} catch (err) {
  console.error(`validate: ${err.message}`);
  process.exit(2);
}
const pages = names.filter((name) => name.endsWith(".html")).length;
if (pages === 0) {
  console.error(`validate: there is no page in ${folder}`);
  process.exit(2);
}

// The jar itself: the package's own starter looks for a Java of its own.
const jar = createRequire(import.meta.url).resolve("vnu-jar/build/dist/vnu.jar");
const checker = spawnSync(
  "java",
  ["-Xss4m", "-jar", jar, "--skip-non-html", "--also-check-css", "--also-check-svg", "--errors-only", "--format", "gnu", "--stdout", folder],
  { encoding: "utf8", maxBuffer: 64 << 20 },
);
if (checker.error || checker.signal) {
  console.error(`validate: java cannot be run: ${checker.error?.message ?? checker.signal}`);
  process.exit(2);
}
process.stdout.write(checker.stdout);
process.stderr.write(checker.stderr);
if (checker.status !== 0) {
  const faults = checker.stdout.split("\n").filter((line) => line !== "").length;
  console.error(`validate: ${faults} faults in ${pages} pages`);
  process.exit(1);
}
console.log(`${pages} pages are valid`);
