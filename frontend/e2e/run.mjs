/**
 * Runs the journeys, two files at a time: each mostly waits, on a site and a browser of its own. A file that failed is run
 * once more, by itself, after the others: what passes then depends on how busy the machine is, and is named at the end.
 * Fails when a file failed twice.
 *
 *     node e2e/run.mjs [FILE…]
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

const AT_ONCE = 2;
/** The long ones begin first, so that none of them runs alone at the end. */
const LONG = ["pages-workbench", "console", "pages", "mall", "publish", "upload", "services"];

const folder = import.meta.dirname;
const named = process.argv.slice(2).map((file) => path.resolve(file));
const titleOf = (file) => path.basename(file, ".test.mjs");
const rank = (file) => (LONG.includes(titleOf(file)) ? LONG.indexOf(titleOf(file)) : LONG.length);
const all = readdirSync(folder)
  .filter((name) => name.endsWith(".test.mjs"))
  .map((name) => path.join(folder, name))
  .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));

const say = (line) => process.stdout.write(`${line}\n`);
const names = (files) => files.map((file) => path.basename(file)).join(", ");

/** Runs one file and prints what it told, at its end: two of them do not mix. What fails is told with the place of its code. */
async function passes(file) {
  const began = Date.now();
  let sound = true;
  let told = "";
  const stream = run({ files: [file], concurrency: 1 });
  stream.on("test:fail", () => {
    sound = false;
  });
  for await (const line of stream.compose(new spec())) told += line;
  say(`${told.trimEnd()}\n${path.basename(file)}: ${Math.round((Date.now() - began) / 1000)} s\n`);
  return sound;
}

/** Runs `files`, so many at a time, and answers those that failed. */
async function failedOf(files, atOnce) {
  const waiting = [...files];
  const failed = [];
  const work = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift())
      if (!(await passes(file))) failed.push(file);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return failed;
}

const failed = await failedOf(named.length > 0 ? named : all, AT_ONCE);
if (failed.length === 0) say("All journeys passed");
else {
  say(`\nOnce more, by themselves: ${names(failed)}`);
  const again = await failedOf(failed, 1);
  const unsteady = failed.filter((file) => !again.includes(file));
  if (unsteady.length > 0) say(`Passed only when run again: ${names(unsteady)}`);
  if (again.length > 0) {
    say(`Failed: ${names(again)}`);
    process.exitCode = 1;
  }
}
