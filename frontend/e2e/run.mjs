/**
 * Runs the journeys, two files at a time: each mostly waits, on a site and a browser of its own. A failed file is run once
 * more, alone, on a fresh site: if it passes then it is FLAKY, and listed at the end with its step and screenshot. Fails when
 * a file failed twice, or two files are flaky.
 *
 *     node e2e/run.mjs [NAME|FILE…]     all of them, or these: `gate` is e2e/gate.test.mjs
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

const AT_ONCE = 2;
/** Above a journey's limit, for a file that hangs outside one. */
const FILE_MS = 40 * 60_000;
/** The long ones start first, so that none of them runs alone at the end. */
const LONG = ["pages-workbench", "console", "pages", "mall", "publish", "upload", "gate", "services"];

const folder = import.meta.dirname;
const named = process.argv
  .slice(2)
  .map((one) => (one.endsWith(".mjs") ? path.resolve(one) : path.join(folder, `${one}.test.mjs`)));
const titleOf = (file) => path.basename(file, ".test.mjs");
const rank = (file) => (LONG.includes(titleOf(file)) ? LONG.indexOf(titleOf(file)) : LONG.length);
const all = readdirSync(folder)
  .filter((name) => name.endsWith(".test.mjs"))
  .map((name) => path.join(folder, name))
  .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));

/** Output so far of the files that are running. */
const running = new Map();
process.once("SIGTERM", () => {
  for (const [file, told] of running) say(`${told}\nNot ended: ${path.basename(file)}`);
  process.exit(143);
});

const say = (line) => process.stdout.write(`${line}\n`);
const names = (files) => files.map((file) => path.basename(file)).join(", ");

/** Runs one file and prints its output at the end, so that two do not mix. Returns the failed steps, with their screenshots. */
async function failuresOf(file) {
  const began = Date.now();
  const failures = [];
  const notes = [];
  running.set(file, "");
  const stream = run({ files: [file], concurrency: 1, timeout: FILE_MS });
  stream.on("test:fail", ({ name }) => failures.push(name));
  // The step of a journey reports its page and its screenshot.
  stream.on("test:diagnostic", ({ message, nesting }) => {
    if (nesting > 0) notes.push(message);
  });
  for await (const line of stream.compose(new spec())) running.set(file, running.get(file) + line);
  const told = running.get(file);
  running.delete(file);
  say(`${told.trimEnd()}\n${path.basename(file)}: ${Math.round((Date.now() - began) / 1000)} s\n`);
  return failures.length > 0 ? [...failures, ...notes] : [];
}

/** Runs `files`, at most `atOnce` at a time, and returns the failures by file. */
async function failedOf(files, atOnce) {
  const waiting = [...files];
  const failed = new Map();
  const work = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const failures = await failuresOf(file);
      if (failures.length > 0) failed.set(file, failures);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return failed;
}

const failed = await failedOf(named.length > 0 ? named : all, AT_ONCE);
if (failed.size === 0) say("All journeys passed");
else {
  const files = [...failed.keys()];
  say(`\nOnce more, by themselves: ${names(files)}`);
  const again = await failedOf(files, 1);
  const flaky = files.filter((file) => !again.has(file));
  for (const file of flaky) say(`FLAKY: ${path.basename(file)}: ${failed.get(file).join(" · ")}`);
  if (again.size > 0) say(`Failed: ${names([...again.keys()])}`);
  if (again.size > 0 || flaky.length > 1) process.exitCode = 1;
}
