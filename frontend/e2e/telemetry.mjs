/**
 * A user's actions for deploy/tests/test_telemetry.py: registers, uploads a model, follows its check and releases it, mistypes
 * a password; a user with coins orders, tries the channels, and pays. Prints one JSON object: the traces of the calls, and
 * every secret that went over the wire.
 *
 * XUANLAN_SITE, XUANLAN_SANDBOX, and the buyer's XUANLAN_PHONE and XUANLAN_PASSWORD.
 */
import { randomBytes } from "node:crypto";
import { Client } from "./lib/client.mjs";
import { listen } from "./lib/socket.mjs";
import { putFile, storeKeys } from "./lib/store.mjs";

const PATIENCE_MS = 60_000;
const TRIANGLE = Buffer.from("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");

const site = { url: process.env.XUANLAN_SITE, sandbox: process.env.XUANLAN_SANDBOX };
const fresh = () => `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-01`;
const traces = {};

async function told(name, client, id, form) {
  const answer = await client.answer(id, form);
  traces[name] = { request: answer.request, trace: answer.trace, parent: client.traceparent.split("-")[2] };
  if (answer.resp_code !== 60000) throw new Error(`${id} answered ${answer.resp_code} ${answer.resp_msg}`);
  return answer.datas;
}

async function until(what, look) {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    const seen = await look();
    if (seen) return seen;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`waited in vain: ${what}`);
}

/** A new user, an upload, its check to the end. */
async function upload() {
  const person = new Client(site);
  person.traceparent = fresh();
  const password = `Gh${randomBytes(6).toString("hex")}`;
  await person.register("13700000001", password);
  traces.register = { trace: person.traceparent.split("-")[1] };
  const keys = await storeKeys(person);
  const form = await putFile(person, "triangle.obj", TRIANGLE);
  const messages = [];
  const close = await listen(person, (message, headers) => messages.push({ message, headers }));
  person.traceparent = fresh();
  const fileId = await told("check", person, "R02", form);
  const of = (status) => messages.find((m) => m.message.id === fileId && m.message.status === status);
  traces.check.pushed = (await until("the check", () => of("Success"))).headers.traceparent;
  close();
  await person.call("R04", { fileId, modelName: "三角", modelType: 1, fileSource: "web" });
  await until("the draft of its listing", async () => (await person.call("X100")).totalCount === 1);
  // Call the remaining services, so that they have spans.
  await person.call("W01");
  await person.call("X230", { kind: "help" });
  await person.call("X343");
  const wrong = await new Client(site).answer("A03", { username: person.phone, password: `${password}?` });
  if (wrong.resp_code === 60000) throw new Error("a wrong password signed in");
  return { password, token: person.token, sk: keys.sk, securityToken: keys.securityToken };
}

/** Orders: one by the channels, one paid by coins. */
async function buy() {
  const buyer = new Client(site);
  // Without a trace of its own: the gateway creates one.
  await buyer.signIn(process.env.XUANLAN_PHONE, process.env.XUANLAN_PASSWORD);
  await buyer.call("P14");
  const order = async () => (await buyer.call("P09", { memberGradeId: 1, isMonthly: 0 })).orderId;
  const form = { orderId: await order(), return_url: `${site.url}/` };
  await buyer.answer("Y01", form);
  await buyer.answer("Y02", form);
  const paid = { orderId: await order() };
  await told("pay", buyer, "Y03", paid);
  await until("the delivery", async () => (await buyer.call("O02", paid)).fulfilled);
  return { token: buyer.token, password: buyer.password };
}

const person = await upload();
const buyer = await buy();
const config = await (await fetch(`${site.url}/config.json`)).json();
const secrets = {
  ...person,
  buyerToken: buyer.token,
  buyerPassword: buyer.password,
  client: config.clientSecret,
};
process.stdout.write(`${JSON.stringify({ traces, secrets })}\n`);
