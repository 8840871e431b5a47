/**
 * For scripts/bench-cluster: latency until a check is reported, and checks per second.
 *
 * bench-check.mjs first COUNT       uploads one file after the other; milliseconds from the end of each upload until the first
 *                                   message and until the engine's first line are in the socket
 * bench-check.mjs many COUNT SIDE   uploads COUNT grids of SIDE × SIDE × 2 triangles, has all of them checked at once, and
 *                                   reports how many ended per second
 *
 * XUANLAN_SITE, XUANLAN_PHONE, XUANLAN_PASSWORD. Prints one JSON object.
 */
import { randomInt } from "node:crypto";
import { Client } from "./lib/client.mjs";
import { listen } from "./lib/socket.mjs";
import { putFile } from "./lib/store.mjs";

const PATIENCE_MS = 120_000;
/** Between two files, so that each starts on an idle system. */
const REST_MS = 400;

const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const [mode, count, side = "1"] = process.argv.slice(2);
const person = new Client({ url: process.env.XUANLAN_SITE, sandbox: "" });
await person.signIn(process.env.XUANLAN_PHONE, process.env.XUANLAN_PASSWORD);

/** A bent grid as OBJ; all differ, so that none is a known duplicate. */
function grid(edge) {
  const lines = [];
  const at = (x, y) => y * (edge + 1) + x + 1;
  for (let y = 0; y <= edge; y += 1) {
    for (let x = 0; x <= edge; x += 1) lines.push(`v ${x} ${y} ${randomInt(1_000_000) / 1e6}`);
  }
  for (let y = 0; y < edge; y += 1) {
    for (let x = 0; x < edge; x += 1) {
      lines.push(`f ${at(x, y)} ${at(x + 1, y)} ${at(x + 1, y + 1)}`);
      lines.push(`f ${at(x, y)} ${at(x + 1, y + 1)} ${at(x, y + 1)}`);
    }
  }
  return Buffer.from(`${lines.join("\n")}\n`);
}

/** Messages in order of arrival: file, status, time. */
const heard = [];
let wake = () => {};
const close = await listen(person, (message) => {
  heard.push({ id: message.id, status: message.status, at: performance.now() });
  wake();
});

async function until(look) {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = look();
    if (found) return found;
    if (performance.now() > end) throw new Error("no word of a check in time");
    await Promise.race([rest(1000), new Promise((resolve) => (wake = resolve))]);
  }
}

const ended = ({ status }) => status === "Success" || status === "Error";

async function first() {
  const [message, line] = [[], []];
  for (let i = 0; i < Number(count); i += 1) {
    const form = await putFile(person, `bench-${i}.obj`, grid(Number(side)));
    const began = performance.now();
    const id = await person.call("R02", form);
    const ms = (of) => of.at - began;
    message.push(ms(await until(() => heard.find((m) => m.id === id))));
    line.push(ms(await until(() => heard.find((m) => m.id === id && m.status !== "Begin"))));
    await until(() => heard.find((m) => m.id === id && ended(m)));
    await rest(REST_MS);
  }
  const at = (times, share) => times.sort((a, b) => a - b)[Math.ceil(times.length * share) - 1];
  const told = (times) => ({ p50Ms: at(times, 0.5), p99Ms: at(times, 0.99), count: times.length });
  return { message: told(message), line: told(line) };
}

/** Starts a check; retries while one of two processes is down on purpose. */
async function taken(form) {
  for (;;) {
    const answer = await person.answer("R02", form);
    if (answer.resp_code === 60000) return answer.datas;
    if (answer.status !== 503) throw new Error(`R02 answered ${answer.resp_code} ${answer.resp_msg}`);
    await rest(50);
  }
}

async function many() {
  const forms = [];
  for (let i = 0; i < Number(count); i += 1)
    forms.push(await putFile(person, `bench-${i}.obj`, grid(Number(side))));
  const began = performance.now();
  const ids = new Set(await Promise.all(forms.map(taken)));
  // Success is pushed again when the thumbnail is there: the first counts.
  const done = () => [...ids].map((id) => heard.find((m) => m.id === id && ended(m))).filter(Boolean);
  const ends = await until(() => done().length === ids.size && done());
  const seconds = (Math.max(...ends.map((m) => m.at)) - began) / 1000;
  return { perSecond: ids.size / seconds, failed: ends.filter((m) => m.status === "Error").length };
}

process.stdout.write(`${JSON.stringify(await (mode === "first" ? first() : many()))}\n`);
close();
