//! What must hold across the three services once nothing is under way any more.

use std::collections::HashMap;

use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr, QueryResult, Statement};

use crate::World;

async fn rows(db: &DatabaseConnection, sql: &str) -> Result<Vec<QueryResult>, DbErr> {
    let statement = Statement::from_string(db.get_database_backend(), sql);
    db.query_all_raw(statement).await
}

async fn count(db: &DatabaseConnection, sql: &str) -> Result<usize, DbErr> {
    Ok(rows(db, sql).await?.len())
}

impl World {
    /// What is still under way; empty when all has come to rest.
    pub async fn unrest(&self) -> Result<Vec<String>, DbErr> {
        let contexts = &self.contexts;
        let mut unrest = Vec::new();
        for (name, db) in [
            ("order", &contexts.order.db),
            ("payment", &contexts.payment.db),
            ("personal", &contexts.personal.db),
        ] {
            let waiting = count(db, "SELECT id FROM outbox WHERE sent_at IS NULL").await?;
            if waiting > 0 {
                unrest.push(format!("{waiting} events of {name} wait"));
            }
        }
        for (what, db, sql) in [
            (
                "attempts without an outcome",
                &contexts.payment.db,
                "SELECT id FROM attempt WHERE state IN ('created', 'unknown')",
            ),
            (
                "captured money in escrow",
                &contexts.payment.db,
                "SELECT id FROM attempt WHERE captured > 0 AND disposition = ''",
            ),
            (
                "refunds under way",
                &contexts.payment.db,
                "SELECT id FROM refund WHERE state NOT IN ('succeeded', 'failed')",
            ),
            (
                "paid orders not delivered",
                &contexts.order.db,
                "SELECT id FROM purchase WHERE state = 'paid'",
            ),
            (
                "orders being closed",
                &contexts.order.db,
                "SELECT id FROM purchase WHERE state = 'pending' AND closing <> ''",
            ),
        ] {
            let found = count(db, sql).await?;
            if found > 0 {
                unrest.push(format!("{found} {what}"));
            }
        }
        Ok(unrest)
    }

    /// Waits until all has come to rest, then audits; the findings are empty when everything holds.
    pub async fn settle(&self) -> Result<Vec<String>, DbErr> {
        let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(40);
        loop {
            let unrest = self.unrest().await?;
            if unrest.is_empty() {
                break;
            }
            if tokio::time::Instant::now() > deadline {
                return Ok(unrest);
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        self.findings().await
    }

    async fn findings(&self) -> Result<Vec<String>, DbErr> {
        let mut findings = xl_payment::ledger::audit::findings(&self.contexts.payment.db).await?;
        let db = &self.contexts.order.db;
        let mut orders = HashMap::new();
        for row in rows(db, "SELECT id, state, attempt_id FROM purchase").await? {
            let id: String = row.try_get("", "id")?;
            let state: String = row.try_get("", "state")?;
            let attempt: Option<String> = row.try_get("", "attempt_id")?;
            orders.insert(id, (state, attempt));
        }
        let refunds = rows(
            &self.contexts.payment.db,
            "SELECT attempt_id FROM refund WHERE state = 'succeeded'",
        )
        .await?;
        let mut refunded: HashMap<String, usize> = HashMap::new();
        for row in refunds {
            *refunded.entry(row.try_get("", "attempt_id")?).or_default() += 1;
        }
        let attempts = "SELECT id, order_id, captured, state FROM attempt";
        for row in rows(&self.contexts.payment.db, attempts).await? {
            let id: String = row.try_get("", "id")?;
            let order: String = row.try_get("", "order_id")?;
            let captured: i64 = row.try_get("", "captured")?;
            let fulfilled = matches!(orders.get(&order),
                Some((state, by)) if state == "fulfilled" && by.as_deref() == Some(&id));
            let returned = refunded.get(&id).copied().unwrap_or_default();
            let outcomes = usize::from(fulfilled) + returned;
            if captured > 0 && outcomes != 1 {
                findings.push(format!("attempt {id} took money with {outcomes} outcomes"));
            }
            if fulfilled && row.try_get::<String>("", "state")? != "succeeded" {
                findings.push(format!("order {order} was delivered without a payment"));
            }
        }
        findings.extend(self.coupon_findings().await?);
        findings.extend(self.membership_findings(&orders).await?);
        Ok(findings)
    }

    async fn coupon_findings(&self) -> Result<Vec<String>, DbErr> {
        let question = "SELECT c.id AS id FROM coupon c LEFT JOIN purchase p ON p.id = c.order_id \
                        WHERE (c.state = 'consumed') <> \
                        (p.id IS NOT NULL AND p.state = 'fulfilled' AND p.coupon_id = c.id) \
                        OR (c.state = 'reserved' AND c.release_at IS NULL AND p.state <> 'pending')";
        let wrong = count(&self.contexts.order.db, question).await?;
        Ok((wrong > 0)
            .then(|| format!("{wrong} coupons are neither used nor free"))
            .into_iter()
            .collect())
    }

    /// Each delivered membership has one term, and no term is without its order.
    async fn membership_findings(
        &self,
        orders: &HashMap<String, (String, Option<String>)>,
    ) -> Result<Vec<String>, DbErr> {
        let bought = "SELECT id FROM purchase WHERE state = 'fulfilled' AND order_type = 12";
        let bought = count(&self.contexts.order.db, bought).await?;
        let mut findings = Vec::new();
        let terms = rows(&self.contexts.personal.db, "SELECT order_id FROM term").await?;
        if terms.len() != bought {
            findings.push(format!("{bought} memberships paid, {} given", terms.len()));
        }
        for row in terms {
            let order: String = row.try_get("", "order_id")?;
            let paid = matches!(orders.get(&order), Some((state, _)) if state == "fulfilled");
            if !paid {
                findings.push(format!("order {order} was delivered and not paid"));
            }
        }
        Ok(findings)
    }
}
