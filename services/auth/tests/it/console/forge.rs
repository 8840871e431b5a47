//! What somebody changes who can write to the database but has no key.

use chassis::db::begin_write;
use chassis::testing::eventually;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend};
use sha2::{Digest, Sha256};
use xl_auth::console::chain::{self, Verdict};

use xl_auth::operator::Operators;

use crate::world::World;

async fn run(db: &DatabaseConnection, sql: &str) {
    let done = db.execute_unprepared(sql).await;
    done.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// The texts of one row.
async fn texts<const N: usize>(db: &DatabaseConnection, sql: &str) -> [String; N] {
    let row = db.query_one_raw(sea_orm::Statement::from_string(
        db.get_database_backend(),
        sql,
    ));
    let row = row.await.unwrap().expect(sql);
    std::array::from_fn(|at| row.try_get_by_index(at).expect(sql))
}

/// Takes away what keeps the tables from being changed.
async fn without_triggers(db: &DatabaseConnection) {
    let triggers: &[&str] = match db.get_database_backend() {
        DbBackend::Postgres => &[
            "audit_chain_fixed ON audit_chain",
            "audit_head_sealed ON audit_head",
        ],
        _ => &[
            "audit_chain_fixed_UPDATE",
            "audit_chain_fixed_DELETE",
            "audit_chain_fixed_REPLACE",
            "audit_head_sealed",
        ],
    };
    for trigger in triggers {
        run(db, &format!("DROP TRIGGER {trigger}")).await;
    }
}

const COLUMNS: &str = "number, id, at, service, call, permission, operator_id, operator_name, target, before, after, reason, \
                       request_id, remote_addr, hash";

/// A copy of the first entry with another number and hash.
fn copied(number: i64, hash: &str) -> String {
    let rest = "at, service, call, permission, operator_id, operator_name, target, before, after, reason, request_id, \
                remote_addr";
    format!(
        "INSERT INTO audit_chain ({COLUMNS}) SELECT {number}, 'forged', {rest}, '{hash}' FROM audit_chain WHERE number = 1"
    )
}

pub async fn each_forgery_is_found(world: &World, written: i64) {
    let db = &world.context.db;
    let now = world.context.clock.now_ms();
    let vault = &Operators::open(&world.context).unwrap().vault;
    let verify = async |known| chain::verify(vault, db, known, now).await.unwrap();
    let broken_at = async || verify(None).await.broken.map(|(number, _)| number);

    let whole = verify(None).await;
    let Verdict { hash, .. } = &whole;
    let expected = Verdict {
        entries: written,
        hash: hash.clone(),
        ..Verdict::default()
    };
    assert_eq!(whole, expected);
    assert_eq!(verify(Some((written, hash))).await.broken, None);
    let elsewhere = verify(Some((written, "ab"))).await.broken;
    assert_eq!(elsewhere.map(|(number, _)| number), Some(written));

    // The database refuses changes.
    let mut refused = vec![
        "UPDATE audit_head SET number = number - 1".to_owned(),
        "UPDATE audit_head SET number = 0, hash = ''".to_owned(),
    ];
    for table in ["audit", "audit_chain"] {
        refused.push(format!("UPDATE {table} SET reason = 'x'"));
        refused.push(format!("DELETE FROM {table}"));
        if db.get_database_backend() == DbBackend::Sqlite {
            refused.push(format!(
                "INSERT OR REPLACE INTO {table} SELECT * FROM {table}"
            ));
        }
    }
    for sql in refused {
        assert!(db.execute_unprepared(&sql).await.is_err(), "{sql}");
    }
    assert_eq!(verify(None).await, whole);

    // Each of these is found where the database no longer refuses it; the way back makes the chain whole again.
    without_triggers(db).await;
    let last = format!(
        "SELECT reason, hash FROM audit_chain WHERE number = {}",
        written - 1
    );
    let [reason, before] = texts(db, &last).await;
    let [head, seal] = texts(db, "SELECT hash, seal FROM audit_head").await;
    let gone = format!("number = {written}");
    let keep = "CREATE TABLE kept AS SELECT * FROM audit_chain";
    run(db, keep).await;
    let restore = format!("INSERT INTO audit_chain SELECT * FROM kept WHERE {gone}");
    let forged: [(String, String, i64); 7] = [
        // Another reason.
        (
            format!(
                "UPDATE audit_chain SET reason = 'x' WHERE number = {}",
                written - 1
            ),
            format!(
                "UPDATE audit_chain SET reason = '{reason}' WHERE number = {}",
                written - 1
            ),
            written - 1,
        ),
        // The last entry gone, and the end of the chain set back.
        (
            format!(
                "DELETE FROM audit_chain WHERE {gone}; UPDATE audit_head SET number = number - 1, hash = '{before}'"
            ),
            format!("{restore}; UPDATE audit_head SET number = number + 1, hash = '{head}'"),
            written - 1,
        ),
        (
            format!("DELETE FROM audit_chain WHERE {gone}"),
            restore.clone(),
            written,
        ),
        // As if the last entry were of before there was a key.
        (
            "UPDATE audit_head SET keyed_from = keyed_from + 1".to_owned(),
            "UPDATE audit_head SET keyed_from = keyed_from - 1".to_owned(),
            1,
        ),
        // Entries put before the first and behind the last.
        (
            copied(0, "ab"),
            "DELETE FROM audit_chain WHERE number = 0".to_owned(),
            0,
        ),
        (
            copied(written + 1, "ab"),
            format!("DELETE FROM audit_chain WHERE number = {}", written + 1),
            written + 1,
        ),
        // No seal, as if there never had been one.
        (
            "UPDATE audit_head SET seal = ''".to_owned(),
            format!("UPDATE audit_head SET seal = '{seal}'"),
            0,
        ),
    ];
    for (forgery, back, number) in forged {
        for sql in forgery.split("; ") {
            run(db, sql).await;
        }
        assert_eq!(broken_at().await, Some(number), "{forgery}");
        for sql in back.split("; ") {
            run(db, sql).await;
        }
        assert_eq!(verify(None).await, whole, "after {back}");
    }

    // The whole log written anew, as if it were of before there was a key.
    forget_the_key(db, written).await;
    assert_eq!(broken_at().await, Some(0));
    chain::begin(vault, db).await.unwrap();
    assert_eq!(broken_at().await, Some(0), "a start seals no such chain");
    more(world, "unsealed", written + 1).await;
    assert_eq!(broken_at().await, Some(0), "nor does another act");
    // Where it is true, somebody accepts so many of them; the others are held against the key.
    for (unkeyed, sealed) in [(written - 1, false), (written, true), (written, false)] {
        let transaction = begin_write(db).await.unwrap();
        let done = chain::seal(vault, &transaction, unkeyed).await;
        assert_eq!(done.is_ok(), sealed, "{unkeyed}: {done:?}");
        match done {
            Ok(()) => transaction.commit().await.unwrap(),
            Err(_) => transaction.rollback().await.unwrap(),
        }
    }
    let accepted = verify(None).await;
    assert_eq!(
        (accepted.broken, accepted.entries, accepted.unkeyed),
        (None, written + 1, written)
    );

    // An end that was forged stays so, whatever is added.
    run(db, "UPDATE audit_head SET seal = 'forged'").await;
    more(world, "again", written + 2).await;
    assert_eq!(broken_at().await, Some(written + 2));
    // All gone, as if nothing had been done.
    run(db, "DELETE FROM audit_chain").await;
    run(
        db,
        "UPDATE audit_head SET number = 0, hash = '', keyed_from = 0, seal = ''",
    )
    .await;
    chain::begin(vault, db).await.unwrap();
    assert_eq!(broken_at().await, Some(0));
}

/// One more entry.
async fn more(world: &World, id: &str, expected: i64) {
    world.elsewhere(id).await;
    eventually("one more entry is in the chain", || async {
        (world.rows("audit_chain").await == expected).then_some(())
    })
    .await;
}

/// Gives all entries the hashes that anybody can compute, and takes the seal off.
async fn forget_the_key(db: &DatabaseConnection, written: i64) {
    let mut previous = String::new();
    for number in 1..=written {
        let columns = COLUMNS
            .trim_end_matches(", hash")
            .replace("number, id, at", "id");
        let sql = format!(
            "SELECT CAST(at AS VARCHAR(20)), {columns} FROM audit_chain WHERE number = {number}"
        );
        let [at, texts @ ..]: [String; 13] = texts(db, &sql).await;
        let mut fields = vec![previous.into(), number.into()];
        fields.push(texts[0].clone().into());
        fields.push(at.parse::<i64>().unwrap().into());
        fields.extend(texts[1..].iter().map(|text| text.clone().into()));
        let text = serde_json::Value::Array(fields).to_string();
        previous = hex::encode(Sha256::digest(text));
        run(
            db,
            &format!("UPDATE audit_chain SET hash = '{previous}' WHERE number = {number}"),
        )
        .await;
    }
    run(
        db,
        &format!("UPDATE audit_head SET hash = '{previous}', keyed_from = 0, seal = ''"),
    )
    .await;
}
