/**
 * A client of the gateway written from docs/signature.md alone, on Node's own ciphers: it shares no code with the pages.
 * Calls are named by their id in proto/catalogue.tsv.
 */
import { createCipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "./site.mjs";

const paths = new Map(
  readFileSync(path.join(projectRoot, "proto/catalogue.tsv"), "utf8")
    .split("\n")
    .map((line) => line.split("\t"))
    .filter(([id, address]) => id && address?.startsWith("/"))
    .map(([id, address]) => [id, address]),
);

const SUCCESS = 60000;
const SANDBOX_MS = 120_000;

export class Client {
  #config;
  token = "";
  loginId = "";
  phone = "";
  /** W3C trace context sent with every call; none while empty. */
  traceparent = "";
  password = "";

  constructor(site) {
    this.site = site;
  }

  async #settings() {
    this.#config ??= await (await fetch(`${this.site.url}/config.json`)).json();
    return this.#config;
  }

  /**
   * The whole response: `{status, request, trace, resp_code, resp_msg, datas}`. `userId` is added unless the form has
   * one; placeholders in the address, as `{operation}`, are taken from the form.
   */
  async answer(id, form = {}) {
    const template = paths.get(id);
    if (!template) throw new Error(`proto/catalogue.tsv knows no call ${id}`);
    const inPath = new Set();
    const address = template.replace(/\{(\w+)\}/g, (_, name) => {
      inPath.add(name);
      return encodeURIComponent(form[name]);
    });
    const config = await this.#settings();
    const pairs = Object.entries(form)
      .filter(([name]) => !inPath.has(name))
      .map(([name, value]) => [name, String(value)]);
    if (this.loginId && !("userId" in form)) pairs.push(["userId", this.loginId]);
    pairs.push(["D", signature(config, address, this.token, pairs)]);
    const headers = {
      "client-id": config.clientId,
      "client-secret": config.clientSecret,
      "content-type": "application/x-www-form-urlencoded",
    };
    if (this.token) headers.authorization = `Bearer ${this.token}`;
    if (this.traceparent) headers.traceparent = this.traceparent;
    const body = new URLSearchParams(pairs).toString();
    const reply = await fetch(`${this.site.url}${address}`, { method: "POST", headers, body });
    const [request, trace] = ["x-request-id", "x-trace-id"].map((name) => reply.headers.get(name));
    return { status: reply.status, request, trace, ...(await reply.json()) };
  }

  /** `datas` of a call that must succeed. */
  async call(id, form = {}) {
    const answer = await this.answer(id, form);
    if (answer.status !== 200 || answer.resp_code !== SUCCESS) {
      throw new Error(`${id} answered ${answer.status} ${answer.resp_code} ${answer.resp_msg}`);
    }
    return answer.datas;
  }

  /** Solves a puzzle with the sandbox's answer; returns the ticket, which works once. */
  async ticket() {
    const challenge = await this.call("X06", { kind: "slide" });
    const { x } = await sliderAnswer(this.site, challenge.id);
    const nvcdata = JSON.stringify({ id: challenge.id, x, track: handTrack(x) });
    const verdict = await this.call("A08", { nvcdata });
    if (Number(verdict) !== 100) throw new Error(`the slider answered ${verdict}`);
    return challenge.id;
  }

  /** Registers a person and signs in. */
  async register(phone, password) {
    const before = await smsCount(this.site, phone);
    const smsKey = await this.call("A02", { phone, type: "register", nvcTicket: await this.ticket() });
    const verifycode = await smsCode(this.site, phone, before);
    const form = { phoneno: phone, verifycode, password, smsKey, professionCode: "modeler" };
    this.#enter(await this.call("A06", form));
    this.phone = phone;
    this.password = password;
    return this;
  }

  /** Signs in with a password. */
  async signIn(phone, password) {
    this.#enter(await this.call("A03", { username: phone, password }));
    this.phone = phone;
    this.password = password;
    return this;
  }

  #enter(datas) {
    const reply = JSON.parse(datas);
    this.token = reply.access_token;
    this.loginId = String(reply.loginId);
  }

  /** Cookies of this person's browser. */
  cookies() {
    return [
      { name: "authorization", value: encodeURIComponent(this.token), url: this.site.url },
      { name: "loginId", value: encodeURIComponent(this.loginId), url: this.site.url },
    ];
  }
}

/**
 * The code that reached the phone after its first `before` messages. Delivery is asynchronous: it may arrive a
 * moment after the response of the call that sent it.
 */
export async function smsCode(site, phone, before) {
  const until = Date.now() + SANDBOX_MS;
  for (;;) {
    const messages = await smsOf(site, phone);
    if (messages.length > before) {
      const { code } = messages[0];
      if (!/^\d{6}$/.test(code)) throw new Error(`${code} is no code of six digits`);
      return code;
    }
    if (Date.now() > until) throw new Error(`no message reached ${phone}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Messages of a number, newest first. */
async function smsOf(site, phone) {
  return (await fetch(`${site.sandbox}/sms?phone=${phone}`)).json();
}

export async function smsCount(site, phone) {
  return (await smsOf(site, phone)).length;
}

/** The answer of a puzzle, which reaches the sandbox in the same way. */
export async function sliderAnswer(site, id) {
  const until = Date.now() + SANDBOX_MS;
  for (;;) {
    const reply = await fetch(`${site.sandbox}/slider?id=${encodeURIComponent(id)}`);
    if (reply.ok) return reply.json();
    await reply.body?.cancel();
    if (Date.now() > until) throw new Error(`the sandbox does not know the puzzle ${id}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Speeds up, slows down and wavers like a hand. */
function handTrack(x) {
  return Array.from({ length: 40 }, (_, i) => {
    const share = i / 39;
    const eased = share * share * (3 - 2 * share);
    return [Math.round(x * eased), i % 3, i * 22 + (i % 4)];
  });
}

const percent = (text) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

function canonical(pairs) {
  const encoded = pairs.filter(([name]) => name !== "D").map(([n, v]) => [percent(n), percent(v)]);
  encoded.sort(([an, av], [bn, bv]) => (an < bn ? -1 : an > bn ? 1 : av < bv ? -1 : av > bv ? 1 : 0));
  return encoded.map(([name, value]) => `${name}=${value}`).join("&");
}

const sha256 = (text) => createHash("sha256").update(text).digest("hex");

/** `D`, the signature of a form body. */
function signature({ clientId, clientSecret, kid }, address, token, form) {
  const salt = randomBytes(16);
  const okm = Buffer.from(hkdfSync("sha256", clientSecret, salt, `d3sig/1/enc\n${clientId}\n${kid}`, 44));
  const cipher = createCipheriv("aes-256-gcm", okm.subarray(0, 32), okm.subarray(32));
  cipher.setAAD(Buffer.from(`d3sig/1\nPOST\n${address}\n${clientId}\n${token ? sha256(token) : "-"}`));
  const plain = `${Date.now()}\n${sha256(`\n${canonical(form)}`)}`;
  const sealed = Buffer.concat([salt, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return `1.${kid}.${sealed.toString("base64url")}`;
}
