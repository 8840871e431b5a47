/** A withdrawal that waits for operators, for journeys that do not test earning: income is locked for a week. */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Inserts a request of `person` for 120 yuan into payment's tables, without the hold of a real one. */
export function requestedWithdrawal(site, person) {
  const now = Date.now();
  const texts = { bank_name: "招商银行", last4: "0018", holder: "*三丰", state: "requested" };
  const row = {
    id: randomBytes(16).toString("hex"),
    owner: person.loginId,
    request_no: randomBytes(16).toString("hex"),
    card_id: randomBytes(16).toString("hex"),
    ...texts,
    amount: 12_000,
    fee: 0,
    needs_two: 0,
    requested_at: now,
    updated_at: now,
    version: 1,
  };
  for (const empty of "checked_id checked_by approved_id approved_by paid_id paid_by reason reference".split(
    " ",
  ))
    row[empty] = "";
  const names = Object.keys(row);
  const database = new DatabaseSync(path.join(site.data, "payment.db"));
  try {
    const places = names.map(() => "?").join(", ");
    database.exec("PRAGMA busy_timeout = 10000");
    database
      .prepare(`INSERT INTO withdrawal (${names.join(", ")}) VALUES (${places})`)
      .run(...Object.values(row));
  } finally {
    database.close();
  }
}
