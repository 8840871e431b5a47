import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { amzDate, encodeKey, signedHeaders } from "./sigv4";

// Examples of "Signature Calculations for the Authorization Header" in the Amazon S3 API reference.
const signer = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  region: "us-east-1",
};
const now = new Date("2013-05-24T00:00:00Z");
const emptyHash = bytesToHex(sha256(new Uint8Array()));

describe("signature version 4", () => {
  it("signs the published GET object example", () => {
    const headers = signedHeaders(
      {
        method: "GET",
        url: new URL("https://examplebucket.s3.amazonaws.com/test.txt"),
        headers: { range: "bytes=0-9" },
      },
      signer,
      now,
      emptyHash,
    );
    expect(headers.authorization).toContain(
      "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    );
  });

  it("signs the published query example, whose parameter has no value", () => {
    const url = new URL("https://examplebucket.s3.amazonaws.com/?lifecycle");
    const headers = signedHeaders({ method: "GET", url }, signer, now, emptyHash);
    expect(headers.authorization).toContain(
      "Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
    );
  });

  it("signs the published PUT example, whose key has a reserved character", () => {
    const text = new TextEncoder().encode("Welcome to Amazon S3.");
    const headers = signedHeaders(
      {
        method: "PUT",
        url: new URL(`https://examplebucket.s3.amazonaws.com/${encodeKey("test$file.text")}`),
        headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
      },
      signer,
      now,
      bytesToHex(sha256(text)),
    );
    expect(headers.authorization).toContain(
      "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    );
  });

  it("signs the session token and never sends host, which the browser sets itself", () => {
    const headers = signedHeaders(
      { method: "GET", url: new URL("http://store.test/b/k") },
      { ...signer, sessionToken: "TOKEN" },
      now,
    );
    expect(headers["x-amz-security-token"]).toBe("TOKEN");
    expect(headers.authorization).toContain("x-amz-security-token");
    expect(headers).not.toHaveProperty("host");
  });

  it("encodes Chinese names and spaces, and keeps slashes", () => {
    expect(encodeKey("u/1/齿轮 (1).obj")).toBe("u/1/%E9%BD%BF%E8%BD%AE%20%281%29.obj");
    expect(amzDate(now)).toBe("20130524T000000Z");
  });
});
