/**
 * Uploads a model to the store as a program would: parameters from getHuaweiParam, decrypted by docs/signature.md, one
 * PUT signed with AWS signature 4, then the check. For journeys that do not test uploading.
 */
import { createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";

const CHECK_MS = 300_000;
const REGION = "us-east-1";

/** Uploads a file and waits for its check. Returns the file's id. */
export async function putModel(person, file) {
  const fileId = await person.call("R02", await putFile(person, path.basename(file), await readFile(file)));

  const until = Date.now() + CHECK_MS;
  while (Date.now() < until) {
    const { status, tips } = await person.call("R07", { id: fileId, type: "CHECK" });
    if (status === "Success") return fileId;
    if (status === "Error") throw new Error(`the check failed: ${tips}`);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  throw new Error("the check did not end in time");
}

/** Uploads bytes to the store. Returns the form of the call that has them checked. */
export async function putFile(person, name, body) {
  const { bucket, key } = await put(person, name, body);
  return {
    fileName: name,
    fileSize: body.length,
    fileUrl: `${bucket}/${key}`,
    format: path.extname(name).slice(1),
    bucketName: bucket,
    fileSource: "web",
    modelType: 1,
    origin: 0,
    sha256: createHash("sha256").update(body).digest("hex"),
  };
}

/** Decrypts the store parameters of a signed-in user. */
export async function storeKeys(person) {
  const answer = await person.call("P39");
  const { clientId } = await (await fetch(`${person.site.url}/config.json`)).json();
  const open = (field) => decrypt(field, answer[field], person.token, person.loginId, clientId);
  return {
    ak: open("ak"),
    sk: open("sk"),
    securityToken: open("securityToken"),
    server: open("server").replace(/\/$/, ""),
    bucket: open("privateBucket"),
  };
}

async function put(person, name, body) {
  const keys = await storeKeys(person);
  const key = `u/${person.loginId}/e2e/${randomBytes(6).toString("hex")}/${name}`;
  const reply = await request(keys, "PUT", key, body);
  if (!reply.ok) throw new Error(`the store answered ${reply.status} ${await reply.text()}`);
  return { bucket: keys.bucket, key };
}

/** One request with temporary keys, path style. */
export async function request(keys, method, key, body = Buffer.alloc(0)) {
  const address = `${keys.server}/${keys.bucket}/${key.split("/").map(encode).join("/")}`;
  const url = new URL(address);
  const stamp = new Date().toISOString().replace(/[-:]|\.\d{3}/g, "");
  const headers = {
    host: url.host,
    "x-amz-content-sha256": createHash("sha256").update(body).digest("hex"),
    "x-amz-date": stamp,
    "x-amz-security-token": keys.securityToken,
  };
  const names = Object.keys(headers).sort();
  const canonical = [
    method,
    url.pathname,
    "",
    ...names.map((name) => `${name}:${headers[name]}`),
    "",
    names.join(";"),
    headers["x-amz-content-sha256"],
  ].join("\n");
  const scope = `${stamp.slice(0, 8)}/${REGION}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", stamp, scope, createHash("sha256").update(canonical).digest("hex")].join(
    "\n",
  );
  const mac = (secret, word) => createHmac("sha256", secret).update(word).digest();
  const secret = scope.split("/").reduce(mac, `AWS4${keys.sk}`);
  const signature = createHmac("sha256", secret).update(text).digest("hex");
  const { host: _host, ...sent } = headers;
  sent.authorization = `AWS4-HMAC-SHA256 Credential=${keys.ak}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return fetch(url, { method, headers: sent, body: method === "GET" ? undefined : body });
}

const encode = (text) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

function decrypt(field, value, token, userId, clientId) {
  const [, kid, data] = value.split(".");
  const bytes = Buffer.from(data, "base64url");
  const salt = bytes.subarray(0, 16);
  const okm = Buffer.from(hkdfSync("sha256", token, salt, `d3cred/1\n${clientId}\n${kid}`, 44));
  const open = createDecipheriv("aes-256-gcm", okm.subarray(0, 32), okm.subarray(32));
  open.setAAD(Buffer.from(`d3cred/1\n${field}\n${userId}`));
  open.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([open.update(bytes.subarray(16, -16)), open.final()]).toString();
}
