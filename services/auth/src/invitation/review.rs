//! The review of invitations: the pairs, and the evidence of one.

use std::collections::{BTreeSet, HashMap};

use chassis::db::List;
use chassis::db::list::choice;
use chassis::{BusinessError, ServiceError};
use proto::auth::v1::{
    InvitationItem, InvitationListReply, InvitationListRequest, InvitationShowReply, InvitationSide,
};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::Condition;
use sea_orm::{QueryOrder, QuerySelect};

use super::{DAY_MS, Invitations, count, suspicion};
use crate::entity::invitation::{Column, Entity, Model, State};
use crate::entity::sign_in::Outcome;
use crate::entity::{account, session, sign_in};
use crate::rules;

/// Addresses shown, and links of a chain.
const SHARED: usize = 20;
const CHAIN: usize = 10;
/// Addresses of one account that are compared.
const ADDRESSES: u64 = 1_000;

type Accounts = HashMap<String, account::Model>;

fn side(accounts: &Accounts, login_id: &str, cents: i64, paid_at: Option<i64>) -> InvitationSide {
    let account = accounts.get(login_id);
    InvitationSide {
        login_id: login_id.to_owned(),
        nickname: account.and_then(|a| a.nickname.clone()).unwrap_or_default(),
        phone: account.map_or_else(String::new, |account| rules::masked(&account.phone)),
        cents,
        paid_at: paid_at.unwrap_or(0),
    }
}

fn item(row: Model, accounts: &Accounts) -> InvitationItem {
    InvitationItem {
        inviter: Some(side(
            accounts,
            &row.inviter,
            row.inviter_cents,
            row.inviter_paid_at,
        )),
        invitee: Some(side(
            accounts,
            &row.invitee,
            row.invitee_cents,
            row.invitee_paid_at,
        )),
        id: row.id,
        state: row.state.name().to_owned(),
        suspicion: suspicion::words(&row.suspicion),
        created_at: row.created_at,
        qualified_at: row.qualified_at.unwrap_or(0),
        decided_by: row.decided_by,
    }
}

/// Errors: a filter is invalid.
fn narrowed(form: &InvitationListRequest) -> Result<List<Entity>, BusinessError> {
    let state = choice(&form.state, State::of, "参数 state 不正确")?;
    let mut list = List::of(Entity::find()).when(Column::State, state).between(
        Column::CreatedAt,
        form.from,
        form.to,
    );
    list = match form.suspicion.as_str() {
        "" => list,
        "any" => list.filter(Column::Suspicion.ne("")),
        name => {
            let words = suspicion::named(name);
            let words = words.ok_or_else(|| BusinessError::invalid("参数 suspicion 不正确"))?;
            list.filter(Column::Suspicion.contains(words))
        }
    };
    let login_id = form.login_id.trim();
    if !login_id.is_empty() {
        let either = Condition::any()
            .add(Column::Inviter.eq(login_id))
            .add(Column::Invitee.eq(login_id));
        list = list.filter(either);
    }
    let (at, id) = (Column::CreatedAt, Column::Id);
    Ok(match state {
        Some(State::Held) => list.oldest_first(at, id),
        _ => list.newest_first(at, id),
    })
}

impl Invitations {
    pub async fn list(
        &self,
        form: &InvitationListRequest,
    ) -> Result<InvitationListReply, ServiceError> {
        let found = narrowed(form)?.following(form, &self.context.db).await?;
        let rows = found.rows;
        let people = rows.iter().flat_map(|row| [&row.inviter, &row.invitee]);
        let accounts = self.accounts(people).await?;
        let (waiting, oldest_at) = self.waiting().await?;
        Ok(InvitationListReply {
            items: rows.into_iter().map(|row| item(row, &accounts)).collect(),
            next: found.next,
            waiting,
            oldest_at,
        })
    }

    /// How many wait for an operator, and since when the oldest does.
    pub(super) async fn waiting(&self) -> Result<(i64, i64), DbErr> {
        let held = Entity::find().filter(Column::State.eq(State::Held));
        let oldest = held.clone().order_by_asc(Column::Id);
        let oldest = oldest.one(&self.context.db).await?;
        let waiting = count(held.count(&self.context.db).await?);
        Ok((waiting, oldest.map_or(0, |row| row.created_at)))
    }

    async fn accounts(&self, ids: impl Iterator<Item = &String>) -> Result<Accounts, DbErr> {
        let ids: BTreeSet<&String> = ids.collect();
        let found = account::Entity::find()
            .filter(account::Column::Id.is_in(ids))
            .all(&self.context.db)
            .await?;
        let named = found.into_iter().map(|row| (row.id.clone(), row));
        Ok(named.collect())
    }

    pub(super) async fn show(&self, id: &str) -> Result<InvitationShowReply, ServiceError> {
        let db = &self.context.db;
        let found = Entity::find_by_id(id).one(db).await?;
        let row = found.ok_or_else(|| BusinessError::not_found("没有这条邀请"))?;
        let (inviter, now) = (row.inviter.as_str(), self.now());
        let chain = self.chain(inviter).await?;
        let people = [&row.inviter, &row.invitee].into_iter().chain(&chain);
        let accounts = self.accounts(people).await?;
        let since = |login_id: &str| accounts.get(login_id).map_or(0, |row| row.created_at);
        let pairs = Entity::find().filter(Column::Inviter.eq(inviter));
        let of_day = pairs
            .clone()
            .filter(Column::CreatedAt.gt(now - DAY_MS))
            .count(db);
        let of = |state: State| pairs.clone().filter(Column::State.eq(state)).count(db);
        Ok(InvitationShowReply {
            shared_addresses: self.shared_addresses(inviter, &row.invitee).await?,
            chain: chain
                .iter()
                .map(|one| side(&accounts, one, 0, None))
                .collect(),
            inviter_since: since(inviter),
            invitee_since: since(&row.invitee),
            inviter_pairs_day: count(of_day.await?),
            inviter_held: count(of(State::Held).await?),
            inviter_refused: count(of(State::Refused).await?),
            inviter_pairs: count(pairs.clone().count(db).await?),
            month_count: count(self.rewarded_this_month(db, inviter).await?),
            month_limit: count(self.config.month_limit),
            item: Some(item(row, &accounts)),
        })
    }

    /// The inviter of an account, that inviter's inviter, and so on. Ends at a cycle.
    async fn chain(&self, login_id: &str) -> Result<Vec<String>, DbErr> {
        let mut chain: Vec<String> = Vec::new();
        while chain.len() < CHAIN {
            let last = chain.last().map_or(login_id, String::as_str);
            let above = Entity::find()
                .filter(Column::Invitee.eq(last))
                .one(&self.context.db)
                .await?;
            match above {
                Some(row) if row.inviter != login_id && !chain.contains(&row.inviter) => {
                    chain.push(row.inviter);
                }
                _ => break,
            }
        }
        Ok(chain)
    }

    /// Addresses from which both have signed in.
    async fn shared_addresses(&self, one: &str, other: &str) -> Result<Vec<String>, DbErr> {
        let (ones, others) = (self.addresses(one).await?, self.addresses(other).await?);
        let shared = ones.intersection(&others);
        let telling = shared.filter(|address| suspicion::tells(address));
        Ok(telling.take(SHARED).cloned().collect())
    }

    async fn addresses(&self, login_id: &str) -> Result<BTreeSet<String>, DbErr> {
        let db = &self.context.db;
        let open = session::Entity::find_own(login_id)
            .select_only()
            .column(session::Column::RemoteAddr)
            .distinct()
            .limit(ADDRESSES)
            .into_tuple::<String>()
            .all(db);
        let past = sign_in::Entity::find_own(login_id)
            .filter(sign_in::Column::Outcome.eq(Outcome::Opened))
            .select_only()
            .column(sign_in::Column::RemoteAddr)
            .distinct()
            .limit(ADDRESSES)
            .into_tuple::<String>()
            .all(db);
        let mut addresses: BTreeSet<String> = open.await?.into_iter().collect();
        addresses.extend(past.await?);
        Ok(addresses)
    }
}
