import { createCipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Seals a secret field as the gateway does (`d3cred/1`), independently of the implementation under test. */
export function sealCredential(
  field: string,
  value: string,
  token: string,
  userId: string,
  clientId: string,
  kid: string,
): string {
  const salt = randomBytes(16);
  const okm = Buffer.from(hkdfSync("sha256", token, salt, `d3cred/1\n${clientId}\n${kid}`, 44));
  const cipher = createCipheriv("aes-256-gcm", okm.subarray(0, 32), okm.subarray(32));
  cipher.setAAD(Buffer.from(`d3cred/1\n${field}\n${userId}`));
  const sealed = Buffer.concat([cipher.update(value), cipher.final(), cipher.getAuthTag()]);
  return `1.${kid}.${Buffer.concat([salt, sealed]).toString("base64url")}`;
}
