// The codes of an authenticator app at some times (seconds), as a JSON list. The secret is base32 or an otpauth:// address.
import * as OTPAuth from "otpauth";

const [secret, ...moments] = process.argv.slice(2);
const totp = secret.startsWith("otpauth://")
  ? OTPAuth.URI.parse(secret)
  : new OTPAuth.TOTP({ secret: OTPAuth.Secret.fromBase32(secret) });
console.log(JSON.stringify(moments.map((at) => totp.generate({ timestamp: Number(at) * 1000 }))));
