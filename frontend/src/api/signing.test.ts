import { hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import vectors from "../../../crates/signature/vectors.json";
import { canonical, decryptCredential, digest, enc, signForm, signJson } from "./signing";

const key = { clientId: vectors.client_id, clientSecret: vectors.client_secret, kid: vectors.kid };
const salt = hexToBytes(vectors.s_hex);
const pairs = (text: string) => [...new URLSearchParams(text)] as [string, string][];

interface Vector {
  kind: string;
  method?: string;
  path?: string;
  token: string;
  body?: string;
  query?: string;
  canonical?: string;
  digest_hex?: string;
  D?: string;
  md5?: string;
  field?: string;
  userId?: string;
  plain?: string;
  value?: string;
}

const all = vectors.vectors as Vector[];
const inputOf = (vector: Vector) => ({
  method: vector.method ?? "",
  path: vector.path ?? "",
  token: vector.token,
  timestamp: vectors.timestamp_ms,
  salt,
});

describe("d3sig/1", () => {
  it("has vectors of every kind", () => {
    expect(new Set(all.map((vector) => vector.kind))).toEqual(new Set(["form", "get", "json", "credential"]));
  });

  it.each(all.filter((vector) => vector.kind === "form"))("signs the form $path $body", (vector) => {
    const form = pairs(vector.body ?? "");
    expect(canonical(form)).toBe(vector.canonical);
    expect(digest([], form)).toBe(vector.digest_hex);
    expect(signForm(key, inputOf(vector), form)).toBe(vector.D);
  });

  it.each(all.filter((vector) => vector.kind === "get"))("signs the query $path $query", (vector) => {
    const query = pairs(vector.query ?? "");
    expect(canonical(query)).toBe(vector.canonical);
    expect(digest(query, [])).toBe(vector.digest_hex);
    expect(signForm(key, { ...inputOf(vector), query }, [])).toBe(vector.D);
  });

  it.each(all.filter((vector) => vector.kind === "json"))("signs the JSON $body", (vector) => {
    expect(signJson(key, inputOf(vector), vector.body ?? "")).toBe(vector.md5);
  });

  it("ignores a pair named D and encodes everything but unreserved characters", () => {
    expect(
      canonical([
        ["D", "x"],
        ["b", "!'()*"],
        ["a", ""],
      ]),
    ).toBe("a=&b=%21%27%28%29%2A");
    expect(enc("a-b._~ +/中")).toBe("a-b._~%20%2B%2F%E4%B8%AD");
  });

  it("uses a fresh salt for each request", () => {
    const input = { method: "POST", path: "/x", token: "", timestamp: 1 };
    expect(signForm(key, input, [])).not.toBe(signForm(key, input, []));
  });
});

describe("d3cred/1", () => {
  const credentials = all.filter((vector) => vector.kind === "credential");

  it.each(credentials)("opens $field", (vector) => {
    const { field = "", value = "", userId = "", plain } = vector;
    expect(decryptCredential(field, value, vector.token, userId, key.clientId)).toBe(plain);
  });

  it("refuses another field, another user, another token, and damage", () => {
    const { field = "", value = "", userId = "", token } = credentials[0] as Vector;
    const open = (f: string, v: string, t: string, u: string) => () =>
      decryptCredential(f, v, t, u, key.clientId);
    expect(open("sk", value, token, userId)).toThrow();
    expect(open(field, value, token, "u2")).toThrow();
    expect(open(field, value, "other", userId)).toThrow();
    expect(open(field, `${value.slice(0, -2)}AA`, token, userId)).toThrow();
    expect(open(field, "1.k1", token, userId)).toThrow();
    expect(open(field, "2.k1.AAAA", token, userId)).toThrow();
  });
});
