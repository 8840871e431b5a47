//! What must hold over all rows, asked of the database itself.

use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr, Statement};

/// Each question answers the rows that break a rule.
const QUESTIONS: &[(&str, &str)] = &[
    (
        "a transaction does not sum to zero",
        "SELECT transaction_id AS id FROM entry GROUP BY transaction_id HAVING SUM(amount) <> 0",
    ),
    (
        "a transaction has two units",
        "SELECT e.transaction_id AS id FROM entry e JOIN account a ON a.id = e.account_id \
         GROUP BY e.transaction_id HAVING MIN(a.unit) <> MAX(a.unit)",
    ),
    (
        "an attempt took another number of free counts than was booked",
        "SELECT t.id AS id FROM attempt t LEFT JOIN ledger_transaction l ON l.book = 'count' AND l.key = t.id \
         LEFT JOIN entry e ON e.transaction_id = l.id AND e.amount < 0 \
         GROUP BY t.id, t.counts HAVING t.counts <> -COALESCE(SUM(e.amount), 0)",
    ),
    (
        "a transaction has no entries",
        "SELECT t.id AS id FROM ledger_transaction t LEFT JOIN entry e ON e.transaction_id = t.id \
         WHERE e.transaction_id IS NULL",
    ),
    (
        "a balance differs from the sum of its entries",
        "SELECT a.id AS id FROM account a LEFT JOIN entry e ON e.account_id = a.id \
         GROUP BY a.id, a.posted HAVING a.posted <> COALESCE(SUM(e.amount), 0)",
    ),
    (
        "a guarded account is below zero",
        "SELECT id FROM account WHERE guarded AND posted - held < 0",
    ),
    (
        "what is held differs from the sum of the open holds",
        "SELECT a.id AS id FROM account a LEFT JOIN hold h ON h.account_id = a.id AND h.state = 'held' \
         GROUP BY a.id, a.held HAVING a.held <> COALESCE(SUM(h.amount), 0)",
    ),
    (
        "what is pending differs from the incomes that have not matured",
        "SELECT a.id AS id FROM account a LEFT JOIN earning e ON e.owner = a.owner AND e.state = 'pending' \
         WHERE a.kind = 'pending' GROUP BY a.id, a.posted HAVING a.posted <> COALESCE(SUM(e.amount), 0)",
    ),
    (
        "a pending income has no account",
        "SELECT e.id AS id FROM earning e LEFT JOIN account a ON a.kind = 'pending' AND a.owner = e.owner \
         WHERE e.state = 'pending' AND a.id IS NULL",
    ),
    (
        "a withdrawal is open and its amount is not held",
        "SELECT w.id AS id FROM withdrawal w LEFT JOIN hold h ON h.id = w.id AND h.state = 'held' AND h.amount = w.amount \
         WHERE w.state IN ('requested', 'checked', 'approved', 'paying') AND h.id IS NULL",
    ),
    (
        "a hold is open and its withdrawal is not",
        "SELECT h.id AS id FROM hold h JOIN withdrawal w ON w.id = h.id \
         WHERE h.state = 'held' AND w.state NOT IN ('requested', 'checked', 'approved', 'paying')",
    ),
    (
        "somebody is owed by those who owe",
        "SELECT id FROM account WHERE kind = 'debt' AND posted > 0",
    ),
    (
        "escrow differs from what was captured and neither released nor given back",
        "SELECT 'escrow' AS id WHERE \
         COALESCE((SELECT SUM(posted) FROM account WHERE kind = 'escrow'), 0) <> \
         COALESCE((SELECT SUM(captured) FROM attempt WHERE disposition = ''), 0) + \
         COALESCE((SELECT SUM(amount) FROM refund WHERE state <> 'succeeded'), 0)",
    ),
    (
        "what was taken beyond an attempt is not given back, or given back and not booked",
        "SELECT COALESCE(b.key, r.id) AS id FROM (SELECT t.key, e.amount FROM ledger_transaction t \
         JOIN entry e ON e.transaction_id = t.id AND e.account_id = 'escrow:' WHERE t.book = 'misfit') b \
         FULL JOIN (SELECT id, amount FROM refund WHERE id IN (SELECT id FROM misfit)) r \
         ON r.id = b.key AND r.amount = b.amount WHERE b.key IS NULL OR r.id IS NULL",
    ),
    (
        "more is given back than was captured",
        "SELECT a.id AS id FROM attempt a JOIN refund r ON r.attempt_id = a.id AND r.state <> 'failed' \
         WHERE r.id NOT IN (SELECT id FROM misfit) GROUP BY a.id, a.captured HAVING SUM(r.amount) > a.captured",
    ),
    (
        "an order is settled by an attempt that did not succeed",
        "SELECT s.order_id AS id FROM settlement s LEFT JOIN attempt a ON a.id = s.attempt_id \
         WHERE a.id IS NULL OR a.state <> 'succeeded'",
    ),
    (
        "two attempts of one order were released",
        "SELECT order_id AS id FROM attempt WHERE disposition = 'released' \
         GROUP BY order_id HAVING COUNT(*) > 1",
    ),
];

/// The rules that do not hold, with an example each; empty when the ledger is sound.
pub async fn findings(db: &DatabaseConnection) -> Result<Vec<String>, DbErr> {
    let mut findings = Vec::new();
    for (rule, question) in QUESTIONS {
        let statement = Statement::from_string(db.get_database_backend(), *question);
        if let Some(row) = db.query_one_raw(statement).await? {
            let id: String = row.try_get("", "id")?;
            findings.push(format!("{rule}: {id}"));
        }
    }
    Ok(findings)
}
