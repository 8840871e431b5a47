/**
 * The load during faults: users register, sign in, upload, have models checked and lightened, receive
 * pushes, order, cancel, and pay by WeChat, Alipay and coins. A refused call is retried until it succeeds; every refusal is logged.
 *
 *   node work.mjs '{"gateways": […], "sandbox": …, "model": …, "people": 3, "first": 13900000000}'
 *
 * Prints one JSON object per line. A line on the standard input makes it start nothing new and exit when all is done.
 */
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Client } from "../../frontend/e2e/lib/client.mjs";
import { request, storeKeys } from "../../frontend/e2e/lib/store.mjs";
import { rolling } from "./calls.mjs";
import { Gateways, pause, Refused, refusal } from "./gateways.mjs";

const options = JSON.parse(process.argv[2]);
const SUCCESS = 60000;
const STALE = 60303;
/** Longest duration of one task with all the faults; beyond that it counts as stuck. */
const STUCK_MS = options.stuckMs ?? 240_000;
/** Timeout of one call: a little longer than the gateway waits for a service. */
const CALL_MS = 30_000;
const PARAMS = JSON.stringify({ target: { kind: "ratio", value: 0.5 } });

const started = Date.now();
const say = (kind, of) =>
  process.stdout.write(`${JSON.stringify({ at: Date.now() - started, kind, ...of })}\n`);
const model = readFileSync(options.model);
const gateways = new Gateways(options.gateways);
let ending = false;
let phone = options.first;

/** A client that uses another gateway if one does not respond. */
class Person extends Client {
  #gateways = gateways;
  pushes = new Set();

  constructor() {
    super({ sandbox: options.sandbox });
    Object.defineProperty(this.site, "url", {
      get: () => this.#gateways.next(),
    });
  }

  /** `datas`; throws Refused for any response that is not a success. */
  async call(id, form = {}, again = false) {
    const { status, resp_code, resp_msg, datas } = await limited(this.answer(id, form), CALL_MS, id);
    if (status === 200 && resp_code === SUCCESS) return datas;
    // The gateways' replay memory was lost: sign again.
    if (resp_code === STALE && !again) return this.call(id, form, true);
    throw new Refused(id, status, resp_code, resp_msg);
  }

  /** Receives pushes, from any available gateway, until the program ends. */
  async listen() {
    while (!ending) {
      await new Promise((resolve) => {
        const socket = new WebSocket(`${gateways.next().replace("http", "ws")}/ws`, ["v12.stomp"]);
        socket.addEventListener("open", () =>
          socket.send(
            `CONNECT\naccept-version:1.2\nhost:x\nAuthorization:Bearer ${this.token}\nheart-beat:10000,10000\n\n\0`,
          ),
        );
        const beat = setInterval(() => socket.readyState === 1 && socket.send("\n"), 8000);
        socket.addEventListener("message", ({ data }) => {
          const text = String(data);
          if (text.startsWith("CONNECTED"))
            socket.send(`SUBSCRIBE\nid:0\ndestination:/queue/${this.loginId}\n\n\0`);
          const body = /\n\n({.*})\0/s.exec(text)?.[1];
          if (!body) return;
          const { type, id, status } = JSON.parse(body);
          this.pushes.add(`${type} ${id} ${status}`);
          say("push", { type, status });
        });
        const over = () => {
          clearInterval(beat);
          resolve();
        };
        socket.addEventListener("close", over);
        socket.addEventListener("error", over);
      });
      await pause(500);
    }
  }
}

async function limited(promise, ms, what, store = false) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Refused(what, 0, 0, "no answer in time", store)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Retries until it succeeds. Reports unclear refusals as broken. */
async function until(what, act) {
  const began = Date.now();
  let refused = 0;
  for (;;) {
    try {
      const value = await act();
      if (refused) say("recovered", { what, refused, ms: Date.now() - began });
      return value;
    } catch (error) {
      refused += 1;
      const told = refusal(error);
      say(told.broken ? "broken" : "refused", { what, ...told });
      if (Date.now() - began > STUCK_MS) {
        say("stuck", { what, ...told });
        throw error;
      }
      await pause(Math.min(250 * refused, 1500));
    }
  }
}

async function register() {
  const person = new Person();
  const number = String(phone++);
  const password = "xuanlan-chaos";
  say("begun", { what: "register" });
  const began = Date.now();
  let known = false;
  await until("register", async () => {
    // After a lost response: check whether it succeeded.
    if (known && (await signedIn(person, number, password))) return;
    known = true;
    await person.register(number, password);
  });
  say("finished", {
    what: "register",
    owner: person.loginId,
    ms: Date.now() - began,
  });
  Object.assign(person, { phone: number, password });
  person.listen();
  return person;
}

const NOT_REGISTERED = 60200;

async function signedIn(person, username, password) {
  // A sign-in must not carry the old token.
  Object.assign(person, { token: "", loginId: "" });
  try {
    const { access_token, loginId } = JSON.parse(await person.call("A03", { username, password }));
    person.token = access_token;
    person.loginId = String(loginId);
    return true;
  } catch (error) {
    if (error.code === NOT_REGISTERED) return false;
    throw error;
  }
}

async function signIn(person) {
  say("begun", { what: "signIn" });
  await until("signIn", () => signedIn(person, person.phone, person.password));
  say("finished", { what: "signIn" });
}

/** The model with a unique mark, so that no cached result is returned. */
function marked() {
  const length = model.readUInt32LE(12);
  const document = JSON.parse(model.subarray(20, 20 + length).toString());
  document.asset.extras = { mark: randomBytes(12).toString("hex") };
  let text = JSON.stringify(document);
  while (Buffer.byteLength(text) % 4) text += " ";
  const json = Buffer.from(text);
  const rest = model.subarray(20 + length);
  const head = Buffer.from(model.subarray(0, 20));
  head.writeUInt32LE(20 + json.length + rest.length, 8);
  head.writeUInt32LE(json.length, 12);
  return Buffer.concat([head, json, rest]);
}

async function upload(person) {
  const body = marked();
  const name = `model-${randomBytes(4).toString("hex")}.glb`;
  const key = `u/${person.loginId}/chaos/${name}`;
  const sha256 = createHash("sha256").update(body).digest("hex");
  say("begun", { what: "upload" });
  const began = Date.now();
  const bucket = await until("store", async () => {
    const keys = await storeKeys(person);
    const reply = await limited(request(keys, "PUT", key, body), CALL_MS, "PUT", true);
    const text = await reply.text();
    if (!reply.ok)
      throw new Refused("PUT", reply.status, 0, /<Code>(.*?)<\/Code>/.exec(text)?.[1] ?? text, true);
    return keys.bucket;
  });
  const form = {
    fileName: name,
    fileSize: body.length,
    fileUrl: `${bucket}/${key}`,
    format: "glb",
    bucketName: bucket,
    fileSource: "web",
    modelType: 1,
    origin: 0,
    sha256,
  };
  const fileId = await until("upload", () => person.call("R02", form));
  say("accepted", {
    what: "upload",
    owner: person.loginId,
    fileId,
    key,
    size: body.length,
    sha256,
  });
  say("finished", { what: "upload", ms: Date.now() - began });
  return fileId;
}

/** Polls `ask`; `done` returns a text if it failed for good. */
async function poll(what, ask, isDone) {
  say("begun", { what });
  const began = Date.now();
  for (;;) {
    if (await isDone(await until(what, ask))) break;
    if (Date.now() - began > STUCK_MS) {
      say("stuck", { what });
      throw new Error(`${what} does not end`);
    }
    await pause(400);
  }
  say("finished", { what, ms: Date.now() - began });
}

async function check(person, fileId) {
  await poll(
    "check",
    () => person.call("R07", { id: fileId, type: "CHECK" }),
    ({ status, tips }) => {
      if (status === "Error") throw broken("check", `a sound model failed: ${tips}`);
      return status === "Success";
    },
  );
  await pause(200);
  const pushed = person.pushes.has(`CHECK ${fileId} Success`);
  say(pushed ? "told" : "untold", { what: "check" });
}

function broken(what, message) {
  say("broken", { what, message });
  return new Error(message);
}

async function lighten(person, fileId) {
  const form = { fileId, serviceType: "lightweight", params: PARAMS };
  const resultId = await until("submit", () => person.call("X04", form));
  say("accepted", { what: "result", owner: person.loginId, fileId, resultId });
  await poll(
    "lighten",
    () => person.call("X05", { resultId }),
    ({ status, tips }) => {
      if (status === "failed") throw broken("lighten", `a sound model failed: ${tips}`);
      return status === "done";
    },
  );
  const bytes = await until("download", async () => {
    const reply = await limited(fetch(await person.call("R13", { resultId })), CALL_MS, "GET", true);
    if (!reply.ok) throw new Refused("GET", reply.status, 0, await reply.text(), true);
    return Buffer.from(await reply.arrayBuffer());
  });
  if (bytes.toString("latin1", 0, 4) !== "glTF") throw broken("download", "the result is no GLB");
}

async function order(person) {
  say("begun", { what: "order" });
  const form = { amount: 1000, orderType: 0, rechargePackageType: "chaos" };
  const { orderId } = await until("order", () => person.call("P15", form));
  await until("cancel", () => person.call("P48", { orderId }));
  say("accepted", { what: "cancelled", owner: person.loginId, orderId });
  say("finished", { what: "order" });
}

/** Cents: a recharge that suffices for the basic grade, and a smaller one. */
const ENOUGH = 30_000;
const LITTLE = 1000;
const PAID = 1;

/** Submits a form to a page of the sandbox, like the payer's browser. */
async function clickAt(address, form) {
  const body = new URLSearchParams(form);
  const reply = await limited(
    fetch(new URL(address, options.sandbox), { method: "POST", body }),
    CALL_MS,
    "pay",
    true,
  );
  const page = await reply.text();
  if (!reply.ok) throw new Refused("pay", reply.status, 0, page.slice(0, 80), true);
  return page;
}

/** WeChat: the sandbox's phone scans the code. */
async function payByWechat(person, orderId) {
  const told = await until("payCode", () => person.call("Y02", { orderId }));
  const pr = String(told.code_url ?? told).split("pr=")[1];
  await until("pay", () => clickAt("/wechat/phone", { pr, act: "pay" }));
}

/** Alipay: the form leads to the sandbox's cashier. */
async function payByAlipay(person, orderId) {
  const told = await until("payForm", () => person.call("Y01", { orderId, return_url: "" }));
  const form = String(told.form ?? told);
  const plain = (text) =>
    text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
  const action = plain(/action="([^"]*)"/.exec(form)[1]);
  const fields = [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [
    plain(name),
    plain(value),
  ]);
  const no = await until("cashier", async () => {
    const page = await clickAt(action, fields);
    const found = /name="no" value="([^"]*)"/.exec(page);
    if (!found)
      throw broken("cashier", `the cashier did not open: ${page.replace(/<[^>]*>/g, " ").slice(-200)}`);
    return found[1];
  });
  await until("pay", () => clickAt("/alipay/cashier", { no, act: "pay" }));
}

async function paid(person, orderId, owner) {
  await poll(
    "pay",
    () => person.call("O02", { orderId }),
    ({ status }) => Number(status) === PAID,
  );
  say("accepted", { what: "paid", owner, orderId });
}

/** Buys coins through one of the two channels; a user who has enough for the first time buys the basic grade with them. */
async function buy(person) {
  const member = person.member ?? false;
  person.member = true;
  const form = {
    amount: member ? LITTLE : ENOUGH,
    orderType: 0,
    rechargePackageType: "chaos",
  };
  const { orderId } = await until("order", () => person.call("P15", form));
  await (Math.random() < 0.5 ? payByWechat : payByAlipay)(person, orderId);
  await paid(person, orderId, person.loginId);
  if (member) return;
  await poll(
    "coins",
    () => person.call("P14"),
    ({ cloudCoin }) => Number(cloudCoin) >= ENOUGH,
  );
  const { orderId: grade } = await until("order", () =>
    person.call("P09", { memberGradeId: "1", isMonthly: 0 }),
  );
  await payByCoins(person, grade);
  await paid(person, grade, person.loginId);
  await poll(
    "membership",
    () => person.call("P01"),
    ({ memberStatus }) => memberStatus === 1,
  );
}

/** After a lost response: checks whether it was paid before paying again. */
async function payByCoins(person, orderId) {
  let asked = false;
  await until("payCoins", async () => {
    if (asked && Number((await person.call("O02", { orderId })).status) === PAID) return;
    asked = true;
    await person.call("Y03", { orderId });
  });
}

async function live() {
  let person = await register();
  for (let round = 1; !ending; round += 1) {
    const fileId = await upload(person);
    await Promise.all([check(person, fileId), order(person), buy(person)]);
    await lighten(person, fileId);
    if (ending) return;
    if (round % 3 === 0) person = await register();
    else await signIn(person);
  }
}

createInterface({ input: process.stdin }).once("line", () => {
  ending = true;
});
const work = options.rolling
  ? () => rolling(new Person(), { say, gateways, isEnding: () => ending, register })
  : live;
const lives = Array.from({ length: options.people }, async () => {
  while (!ending) {
    try {
      await work();
    } catch (error) {
      say("gaveUp", { message: String(error?.message ?? error) });
      await pause(500);
    }
  }
});
await Promise.all(lives);
say("ended", {});
// Open sockets must not keep the process alive.
process.exit(0);
