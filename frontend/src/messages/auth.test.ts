import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { authMessages } from "./auth";

/** Messages used both by a form before the call and by the service. */
const SHARED = {
  PHONE_REQUIRED: "phoneRequired",
  PHONE_WRONG: "phoneWrong",
  ACCOUNT_REQUIRED: "accountRequired",
  EMAIL_WRONG: "emailWrong",
  PASSWORD_REQUIRED: "passwordRequired",
  PASSWORD_LENGTH: "passwordLength",
  KEY_REQUIRED: "codeNotRequested",
  CODE_REQUIRED: "codeRequired",
  CODE_WRONG: "codeWrong",
  SLIDER_REQUIRED: "captchaRequired",
  USER_EXISTS: "userExists",
  USER_MISSING: "userMissing",
  PHONE_EXISTS: "phoneExists",
} as const;

/** Messages of the service alone. */
const ITS_OWN = ["CODE_EXPIRED", "EMAIL_EXISTS", "NOT_REGISTERED", "PASSWORD_COMMON", "WRONG_PASSWORD"];

function sentences(): Map<string, string> {
  const source = readFileSync("../services/auth/src/messages.rs", "utf8");
  const found = source.matchAll(/pub const ([A-Z_]+): &str =\s*"([^"]*)";/g);
  return new Map([...found].map(([, name = "", text = ""]) => [name, text]));
}

test("what a form says is what the service says", () => {
  const said = sentences();
  for (const [name, key] of Object.entries(SHARED)) expect(authMessages[key], name).toBe(said.get(name));
});

test("every sentence of the service is compared, or known to be its own", () => {
  expect([...sentences().keys()].sort()).toEqual([...Object.keys(SHARED), ...ITS_OWN].sort());
});
