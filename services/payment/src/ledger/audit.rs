//! What must hold over all rows, asked of the database itself.

use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr, Statement};

/// Each question answers the rows that break a rule.
const QUESTIONS: &[(&str, &str)] = &[
    (
        "a transaction does not sum to zero",
        "SELECT transaction_id AS id FROM entry GROUP BY transaction_id HAVING SUM(amount) <> 0",
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
        "escrow differs from what was captured and neither released nor given back",
        "SELECT 'escrow' AS id WHERE \
         COALESCE((SELECT SUM(posted) FROM account WHERE kind = 'escrow'), 0) <> \
         COALESCE((SELECT SUM(captured) FROM attempt WHERE disposition = ''), 0) + \
         COALESCE((SELECT SUM(amount) FROM refund WHERE state <> 'succeeded'), 0)",
    ),
    (
        "more is given back than was captured",
        "SELECT a.id AS id FROM attempt a JOIN refund r ON r.attempt_id = a.id AND r.state <> 'failed' \
         GROUP BY a.id, a.captured HAVING SUM(r.amount) > a.captured",
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
