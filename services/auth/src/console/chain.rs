//! The audit log of all services as a chain: each entry holds a keyed hash over itself and the entry before, and the head one
//! over the end of the chain. The database refuses changes; whoever bypasses it has no key to compute new hashes with, and
//! [`verify`] names the first entry that does not fit. A new installation seals its empty chain ([`begin`]): a chain without a seal
//! is a broken one. Entries of before there was a key have hashes without one: their number is a part of the result, and somebody
//! has to accept them ([`seal`]).

mod tables;

use anyhow::Context as _;
use chassis::db::{self, begin_write};
use proto::common::v1::AuditEntry;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Alias, Query};
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, ExprTrait, PaginatorTrait, QueryOrder, QuerySelect, Set,
};

use crate::certification::vault::Vault;
use crate::operator::entity::operator;
use crate::secret;

pub use tables::{Chain, Sealed};

/// Entries read at a time.
const PAGE: u64 = 1000;
/// The one row of the head.
const HEAD: i64 = 1;
/// Start of the seal of a chain that was never sealed.
const UNSEALED: &str = "unsealed";
/// Until then the entry of a deed may be on its way from auth's table `audit` to the chain.
const ON_ITS_WAY_MS: i64 = 10 * 60_000;

pub mod link {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "audit_chain")]
    pub struct Model {
        /// From 1, without gaps.
        #[sea_orm(primary_key, auto_increment = false)]
        pub number: i64,
        #[sea_orm(unique)]
        pub id: String,
        pub at: i64,
        pub service: String,
        pub call: String,
        pub permission: String,
        pub operator_id: String,
        pub operator_name: String,
        pub target: String,
        pub before: String,
        pub after: String,
        pub reason: String,
        pub request_id: String,
        pub remote_addr: String,
        /// Lower-case hex HMAC-SHA256 over the hash before and all of the above; of old entries SHA-256.
        pub hash: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// End of the chain: reveals entries cut off it.
mod head {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "audit_head")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub number: i64,
        pub hash: String,
        /// Number of the first entry whose hash has a key; 0: none has.
        pub keyed_from: i64,
        /// Keyed hash over the other columns. Once wrong it stays so; empty or [`UNSEALED`](super::UNSEALED): nobody has sealed it
        /// since there is a key.
        pub seal: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

impl head::Model {
    fn sealed(&self, vault: &Vault) -> anyhow::Result<String> {
        let fields = serde_json::json!([self.number, self.hash, self.keyed_from]);
        vault.index_of("audit head", &fields.to_string())
    }

    fn is_sound(&self, vault: &Vault) -> anyhow::Result<bool> {
        Ok(self.seal == self.sealed(vault)?)
    }

    fn is_unsealed(&self) -> bool {
        self.seal.is_empty() || self.seal.starts_with(UNSEALED)
    }

    fn is_keyed(&self, number: i64) -> bool {
        self.keyed_from != 0 && number >= self.keyed_from
    }
}

/// The text over which the hash of an entry is computed.
fn hashed(previous: &str, row: &link::Model) -> String {
    let fields = serde_json::json!([
        previous,
        row.number,
        row.id,
        row.at,
        row.service,
        row.call,
        row.permission,
        row.operator_id,
        row.operator_name,
        row.target,
        row.before,
        row.after,
        row.reason,
        row.request_id,
        row.remote_addr,
    ]);
    fields.to_string()
}

fn hash(vault: &Vault, keyed: bool, previous: &str, row: &link::Model) -> anyhow::Result<String> {
    let text = hashed(previous, row);
    match keyed {
        true => vault.index_of("audit", &text),
        false => Ok(secret::sha256(&text)),
    }
}

/// Adds an entry to the chain, once. A concurrent one waits at the head.
pub async fn add(
    vault: &Vault,
    transaction: &impl ConnectionTrait,
    entry: AuditEntry,
) -> anyhow::Result<()> {
    let mut head = locked(transaction).await?;
    // A seal that somebody else's change made wrong, or took away, is not made right again.
    let (sound, unsealed) = (head.is_sound(vault)?, head.is_unsealed());
    head.number += 1;
    if head.keyed_from == 0 {
        head.keyed_from = head.number;
    }
    let mut row = link::Model {
        number: head.number,
        id: entry.id,
        at: entry.at_ms,
        service: entry.service,
        call: entry.call,
        permission: entry.permission,
        operator_id: entry.operator_id,
        operator_name: entry.operator_name,
        target: entry.target,
        before: entry.before,
        after: entry.after,
        reason: entry.reason,
        request_id: entry.request_id,
        remote_addr: entry.remote_addr,
        hash: String::new(),
    };
    row.hash = hash(vault, true, &head.hash, &row)?;
    head.hash = row.hash.clone();
    head.seal = match sound {
        true => head.sealed(vault)?,
        false if unsealed => format!("{UNSEALED} before {}", head.number),
        false => format!("wrong since before {}", head.number),
    };
    // Logs are kept elsewhere: who rewrites the database does not reach them.
    tracing::info!(
        number = row.number,
        hash = row.hash,
        "an operator's act is in the log"
    );
    db::insert(row, transaction).await?;
    moved(transaction, head).await
}

/// The head, locked until the transaction ends.
async fn locked(transaction: &impl ConnectionTrait) -> anyhow::Result<head::Model> {
    head::Entity::update_many()
        .col_expr(head::Column::Number, Expr::col(head::Column::Number))
        .filter(head::Column::Id.eq(HEAD))
        .exec(transaction)
        .await?;
    let head = end(transaction).await?;
    head.context("the chain has no head")
}

async fn moved(transaction: &impl ConnectionTrait, to: head::Model) -> anyhow::Result<()> {
    head::Entity::update_many()
        .set(head::ActiveModel {
            number: Set(to.number),
            hash: Set(to.hash),
            keyed_from: Set(to.keyed_from),
            seal: Set(to.seal),
            ..Default::default()
        })
        .filter(head::Column::Id.eq(HEAD))
        .exec(transaction)
        .await?;
    Ok(())
}

/// Seals the empty chain of an installation that nobody operates yet. Any other chain without a seal stays so.
pub async fn begin(vault: &Vault, db: &DatabaseConnection) -> anyhow::Result<()> {
    if end(db).await?.is_some_and(|head| !head.seal.is_empty()) {
        return Ok(());
    }
    let transaction = begin_write(db).await?;
    let mut head = locked(&transaction).await?;
    let is_new = head.seal.is_empty()
        && head.number == 0
        && link::Entity::find().count(&transaction).await? == 0
        && operator::Entity::find().count(&transaction).await? == 0
        && !has_deeds(&transaction).await?;
    if is_new {
        head.keyed_from = 1;
        head.seal = head.sealed(vault)?;
        moved(&transaction, head).await?;
        transaction.commit().await?;
    } else if head.is_unsealed() {
        tracing::warn!("the log of operators has no seal: see `xuanlan auth audit seal`");
    }
    Ok(())
}

/// Seals a chain of before there was a seal, with its first `unkeyed` entries as they are.
///
/// Errors: it is sealed, or its seal is wrong; an entry does not fit; another number of entries has no key.
pub async fn seal(
    vault: &Vault,
    transaction: &DatabaseTransaction,
    unkeyed: i64,
) -> anyhow::Result<()> {
    let mut head = locked(transaction).await?;
    anyhow::ensure!(
        head.is_unsealed(),
        "only a chain that was never sealed can be"
    );
    let walk = walk(vault, transaction, &head, None).await?;
    if let Some((number, problem)) = walk.verdict.broken {
        anyhow::bail!("the chain is broken at entry {number}: {problem}");
    }
    let found = walk.verdict.unkeyed;
    anyhow::ensure!(
        walk.fits_head && walk.verdict.entries == head.number,
        "the chain does not end where its head says"
    );
    anyhow::ensure!(
        found == unkeyed,
        "{found} entries have no key: check them, and accept them by this number"
    );
    head.keyed_from = found + 1;
    head.seal = head.sealed(vault)?;
    moved(transaction, head).await
}

/// Result of verifying the whole chain.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    pub entries: i64,
    /// How many of them, the first ones, are of before there was a key: who can write to the database can forge those.
    pub unkeyed: i64,
    /// Hash of the last one.
    pub hash: String,
    /// Number of the first entry that does not fit, or 0 where it is none in particular, and why.
    pub broken: Option<(i64, &'static str)>,
}

impl Verdict {
    fn broken_at(mut self, number: i64, problem: &'static str) -> anyhow::Result<Self> {
        self.broken = Some((number, problem));
        Ok(self)
    }
}

/// What the entries themselves say.
struct Walk {
    verdict: Verdict,
    fits_head: bool,
    fits_known: bool,
}

/// Recomputes the hashes of all entries.
async fn walk(
    vault: &Vault,
    db: &impl ConnectionTrait,
    head: &head::Model,
    known: Option<(i64, &str)>,
) -> anyhow::Result<Walk> {
    let mut walk = Walk {
        verdict: Verdict::default(),
        fits_head: head.number == 0,
        fits_known: known.is_none(),
    };
    let verdict = &mut walk.verdict;
    let mut last = i64::MIN;
    loop {
        let rows = link::Entity::find()
            .filter(link::Column::Number.gt(last))
            .order_by_asc(link::Column::Number)
            .limit(PAGE)
            .all(db)
            .await?;
        let Some(end) = rows.last() else { break };
        last = end.number;
        for row in rows {
            let expected = verdict.entries + 1;
            // Entries that are added while this runs have a key.
            let keyed = head.is_keyed(row.number) || row.number > head.number;
            let problem = match &row {
                row if row.number < 1 => Some("序号不正确，是后来插入的"),
                row if row.number != expected => Some("缺少此条记录"),
                row if row.hash != hash(vault, keyed, &verdict.hash, row)? => {
                    Some("内容与校验值不符")
                }
                _ => None,
            };
            if let Some(problem) = problem {
                let number = if row.number < 1 { row.number } else { expected };
                verdict.broken = Some((number, problem));
                return Ok(walk);
            }
            walk.fits_head |= (row.number, &row.hash) == (head.number, &head.hash);
            walk.fits_known |= known == Some((row.number, &row.hash));
            verdict.entries = row.number;
            verdict.unkeyed += i64::from(!keyed);
            verdict.hash = row.hash;
        }
    }
    Ok(walk)
}

/// Recomputes all hashes. `known`, if any, is number and hash of an entry that was written down elsewhere.
pub async fn verify(
    vault: &Vault,
    db: &DatabaseConnection,
    known: Option<(i64, &str)>,
    now_ms: i64,
) -> anyhow::Result<Verdict> {
    // Before the entries, so that none added meanwhile counts as missing.
    let Some(head) = end(db).await? else {
        return Verdict::default().broken_at(0, "缺少链尾");
    };
    let Walk {
        verdict,
        fits_head,
        fits_known,
    } = walk(vault, db, &head, known).await?;
    if verdict.broken.is_some() {
        return Ok(verdict);
    }
    if head.number > verdict.entries {
        let after = verdict.entries + 1;
        return verdict.broken_at(after, "末尾的记录被删除");
    }
    if head.is_unsealed() {
        return verdict.broken_at(0, "链尾没有封存，其中的记录可能被改写过");
    }
    if !fits_head || !head.is_sound(vault)? {
        return verdict.broken_at(head.number, "与链尾不符");
    }
    // What was added meanwhile moved the head.
    let head = end(db).await?.unwrap_or(head);
    if verdict.entries > head.number {
        return verdict.broken_at(head.number + 1, "在链尾之后，是后来插入的");
    }
    if !fits_known {
        let number = known.map_or(0, |(number, _)| number);
        return verdict.broken_at(number, "与另行记下的校验值不符");
    }
    match own_deed_is_missing(db, now_ms).await? {
        true => verdict.broken_at(0, "有已执行的操作不在链中"),
        false => Ok(verdict),
    }
}

async fn end(db: &impl ConnectionTrait) -> Result<Option<head::Model>, DbErr> {
    head::Entity::find_by_id(HEAD).one(db).await
}

/// Whether an operator has done anything in auth.
async fn has_deeds(connection: &impl ConnectionTrait) -> Result<bool, DbErr> {
    let any = Query::select()
        .expr(Expr::col(Alias::new("id")))
        .from(Alias::new("audit"))
        .limit(1)
        .to_owned();
    Ok(connection.query_one(&any).await?.is_some())
}

/// Whether an act of auth's own, which its table `audit` has, is not in the chain.
async fn own_deed_is_missing(db: &DatabaseConnection, now_ms: i64) -> Result<bool, DbErr> {
    let audit = Alias::new("audit");
    let id = |table: &Alias| Expr::col((table.clone(), Alias::new("id")));
    let chain = Alias::new("audit_chain");
    let chained = Query::select()
        .expr(Expr::val(1))
        .from(chain.clone())
        .and_where(id(&chain).equals((audit.clone(), Alias::new("id"))))
        .to_owned();
    let missing = Query::select()
        .expr(id(&audit))
        .from(audit.clone())
        .and_where(Expr::col((audit, Alias::new("at"))).lt(now_ms - ON_ITS_WAY_MS))
        .and_where(Expr::exists(chained).not())
        .limit(1)
        .to_owned();
    Ok(db.query_one(&missing).await?.is_some())
}
