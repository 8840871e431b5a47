//! The auditor finds faults and nothing else: they are put into sound books one by one, and each is reported by its rule.

use chassis::testing::{eventually, shapes};
use proto::events::Published;
use proto::order::v1::OrderPaid;
use proto::payment::v1::OrderFulfilled;
use sea_orm::{ConnectionTrait, DatabaseConnection};
use serde_json::{Value, json};
use xl_payment::entity::refund;

use crate::support::Test;

/// A fault in a database: how to inject it, how to undo it, and the rule that must report it.
pub struct Fault {
    service: &'static str,
    rule: &'static str,
    make: String,
    undo: String,
}

pub fn fault(service: &'static str, rule: &'static str, make: &str, undo: &str) -> Fault {
    Fault {
        service,
        rule,
        make: make.to_owned(),
        undo: undo.to_owned(),
    }
}

/// Changes a column where `condition` holds, and restores it.
pub fn change(
    service: &'static str,
    rule: &'static str,
    table: &str,
    [column, wrong, right]: [&str; 3],
    condition: &str,
) -> Fault {
    let set = |value: &str| format!("UPDATE {table} SET {column} = {value} WHERE {condition}");
    fault(service, rule, &set(wrong), &set(right))
}

/// Removes rows, and restores them.
pub fn loss(service: &'static str, rule: &'static str, table: &str, condition: &str) -> Fault {
    let kept = format!("kept_{}", rule.replace(' ', "_"));
    let keep = format!("CREATE TABLE {kept} AS SELECT * FROM {table} WHERE {condition}");
    fault(
        service,
        rule,
        &format!("{keep}; DELETE FROM {table} WHERE {condition}"),
        &format!("INSERT INTO {table} SELECT * FROM {kept}"),
    )
}

/// Events in the test's world.
struct History {
    /// A membership with a coupon, by coins.
    with_coupon: String,
    coupon: String,
    /// A membership by coins.
    plain: String,
    /// An outside attempt whose money arrived after another one had paid.
    late: String,
}

async fn live(test: &Test) -> History {
    test.grant("u1", 500_000).await;
    let coupon = test.gift("u1").await.unwrap()[0].coupon_id.clone();
    let with_coupon = test.membership("u1", "1").await.unwrap().order_id;
    test.pay_coins("u1", &with_coupon, &coupon).await.unwrap();
    test.becomes("u1", &with_coupon, 1).await;
    let plain = test.membership("u1", "2").await.unwrap().order_id;
    test.pay_coins("u1", &plain, "").await.unwrap();
    let recharge = test.recharge("u1", 5_000).await.unwrap().order_id;
    let number = test.pay_outside("u1", &recharge).await.unwrap();
    assert!(test.bank.pay(&number));
    let message = test.bank.message(&number);
    test.payments.notified("wechat", &message).await.unwrap();
    // Two codes of one order, both paid: the one that is captured second is refunded. The sweeper polls too, so either may be.
    let twice = test.recharge("u1", 700).await.unwrap().order_id;
    let first = test.pay_outside("u1", &twice).await.unwrap();
    let second = test.pay_outside("u1", &twice).await.unwrap();
    for number in [&first, &second] {
        assert!(test.bank.pay(number));
    }
    for number in [&first, &second] {
        let message = test.bank.message(number);
        test.payments.notified("wechat", &message).await.unwrap();
    }
    let refunds = || refund::Entity::find_any().one(&test.contexts.payment.db);
    let late = eventually("one of them goes back", || async {
        refunds().await.unwrap()
    })
    .await;
    test.becomes("u1", &twice, 1).await;
    for order in [&plain, &recharge] {
        test.becomes("u1", order, 1).await;
    }
    History {
        with_coupon,
        coupon,
        plain,
        late: late.attempt_id,
    }
}

fn faults(history: &History) -> Vec<Fault> {
    let History {
        with_coupon,
        coupon,
        plain,
        late,
    } = history;
    let this = |id: &str| format!("id = '{id}'");
    vec![
        change(
            "payment",
            "balance differs from its entries",
            "account",
            ["posted", "posted + 1", "posted - 1"],
            "id = 'coin:u1'",
        ),
        fault(
            "payment",
            "transaction does not sum to zero",
            "INSERT INTO entry SELECT transaction_id, 9, 'revenue:', 100 FROM entry WHERE account_id = 'promotion:'",
            "DELETE FROM entry WHERE line = 9",
        ),
        change(
            "payment",
            "transaction was changed after it was booked",
            "entry",
            ["account_id", "'coin:u2'", "'coin:u1'"],
            &format!(
                "account_id IN ('coin:u1', 'coin:u2') AND amount < 0 AND transaction_id = (SELECT t.id FROM ledger_transaction t JOIN attempt a ON a.id = t.key WHERE t.book = 'attempt' AND a.order_id = '{plain}')"
            ),
        ),
        loss(
            "payment",
            "account details differ from the balance",
            "statement",
            "amount = 500000",
        ),
        loss(
            "payment",
            "taken and not booked",
            "ledger_transaction",
            &format!(
                "book = 'attempt' AND key = (SELECT id FROM attempt WHERE order_id = '{plain}')"
            ),
        ),
        loss(
            "payment",
            "released and not booked so",
            "ledger_transaction",
            &format!(
                "book = 'release' AND key = (SELECT id FROM attempt WHERE order_id = '{plain}')"
            ),
        ),
        loss(
            "payment",
            "order delivered without its payment",
            "attempt",
            &format!("order_id = '{plain}'"),
        ),
        loss(
            "personal",
            "membership paid and never given",
            "term",
            &format!("order_id = '{plain}'"),
        ),
        change(
            "personal",
            "membership given and not paid",
            "term",
            ["order_id", "'nobody'", &format!("'{plain}'")],
            &format!("order_id IN ('nobody', '{plain}')"),
        ),
        change(
            "order",
            "price differs from amount and coupon",
            "purchase",
            ["payable", "payable - 1", "payable + 1"],
            &this(plain),
        ),
        change(
            "order",
            "coupon used twice",
            "purchase",
            ["coupon_id", &format!("'{coupon}'"), "NULL"],
            &this(plain),
        ),
        change(
            "order",
            "order paid with a coupon that is still free",
            "coupon",
            ["state", "'reserved'", "'consumed'"],
            &this(coupon),
        ),
        change(
            "order",
            "coupon used and its order not paid",
            "coupon",
            ["order_id", "'nothing'", &format!("'{with_coupon}'")],
            &this(coupon),
        ),
        change(
            "order",
            "released and not delivered",
            "purchase",
            ["state", "'expired'", "'fulfilled'"],
            &this(plain),
        ),
        change(
            "order",
            "paid order not delivered",
            "purchase",
            ["state", "'paid'", "'fulfilled'"],
            &this(plain),
        ),
        loss(
            "payment",
            "returned and not refunded once",
            "refund",
            &format!("attempt_id = '{late}'"),
        ),
        fault(
            "payment",
            "notice that fits nothing",
            "INSERT INTO misfit (id, channel, number, why, body, created_at, ended_by, note) \
             VALUES ('m1', 'wechat', 'x', 'no such payment', '', 1, '', '')",
            "DELETE FROM misfit",
        ),
        loss(
            "payment",
            "booked as refunded and not refunded",
            "refund",
            &format!("attempt_id = '{late}'"),
        ),
        loss(
            "personal",
            "event carried and not handled",
            "inbox",
            "consumer = 'personal' AND message_id IN (SELECT MIN(message_id) FROM inbox WHERE consumer = 'personal')",
        ),
        change(
            "order",
            "event not carried",
            "outbox",
            ["sent_at", "NULL", "1"],
            &format!("event_key = '{}' AND aggregate = '{plain}'", OrderPaid::KEY),
        ),
        change(
            "payment",
            "two events have one version",
            "outbox",
            ["version", "version - 1", "version + 1"],
            &format!("event_key = '{}'", OrderFulfilled::KEY),
        ),
    ]
}

async fn run(db: &DatabaseConnection, sql: &str) {
    db.execute_unprepared(sql)
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// Changes to the provider's books, each with the rule that must report it.
fn lies(books: &Value) -> Vec<(&'static str, Value)> {
    let mut lies = Vec::new();
    let mut lie = |rule, change: &dyn Fn(&mut Value)| {
        let mut changed = books.clone();
        change(&mut changed);
        lies.push((rule, changed));
    };
    lie("provider has taken what is not booked", &|books| {
        let trades = books["trades"].as_array_mut().unwrap();
        trades.push(json!({"channel": "wechat", "outTradeNo": "x", "amount": 5, "state": "paid"}));
    });
    lie("provider has taken what is not booked", &|books| {
        books["trades"][0]["amount"] = json!(1);
    });
    lie("booked what the provider has not taken", &|books| {
        books["trades"][0]["state"] = json!("closed");
    });
    lie("clearing differs from the provider's books", &|books| {
        books["trades"][0]["amount"] = json!(1);
    });
    lie("refund booked that the provider has not made", &|books| {
        books["refunds"] = json!([]);
    });
    lie("provider has refunded what is not booked", &|books| {
        books["refunds"][0]["amount"] = json!(701);
    });
    lies
}

async fn names(test: &Test, options: &[&str], rule: &str) -> bool {
    let found = test.audit(options).await.unwrap();
    found
        .iter()
        .any(|line| line.starts_with(&format!("{rule}: ")))
}

/// Stops the world's own work, injects each fault into its books, and undoes it.
pub async fn each_is_named(test: &Test, faults: &[Fault], shape: &str) {
    // From here on nothing repairs the injected faults.
    test.world
        .parts
        .shutdown
        .finish(std::time::Duration::from_secs(10))
        .await;
    for fault in faults {
        let db = match fault.service {
            "order" => &test.contexts.order.db,
            "payment" => &test.contexts.payment.db,
            _ => &test.contexts.personal.db,
        };
        run(db, &fault.make).await;
        assert!(
            names(test, &[], fault.rule).await,
            "{shape}: {} after {}",
            fault.rule,
            fault.make
        );
        run(db, &fault.undo).await;
    }
}

#[tokio::test]
async fn every_fault_is_found_and_named_and_sound_books_are_sound() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        let history = live(&test).await;
        assert_eq!(test.settle().await.unwrap(), [""; 0], "{shape:?}");
        each_is_named(&test, &faults(&history), &format!("{shape:?}")).await;
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("books.json").display().to_string();
        let write = |books: &Value| std::fs::write(&file, books.to_string()).unwrap();
        let books = test.bank.as_json();
        write(&books);
        assert_eq!(
            test.audit(&["--books", &file]).await.unwrap(),
            [""; 0],
            "{shape:?}"
        );
        for (rule, books) in lies(&books) {
            write(&books);
            assert!(
                names(&test, &["--books", &file], rule).await,
                "{shape:?}: {rule}"
            );
        }
    }
}

#[test]
fn what_cannot_be_looked_at_is_no_clean_bill() {
    assert!(money::audit::ask("sqlite:/nowhere/{service}.db", &[]).is_err());
}
