//! Invitations: a user's code, whom it brought, and when both are rewarded. Payment books the coins: it gets one event for
//! each side and reports back.

mod console;
pub(crate) mod figures;
pub mod operate;
pub(crate) mod qualify;
mod review;
mod suspicion;

use std::sync::Arc;

use chassis::db::{self, List, begin_write};
use chassis::ids::new_id;
use chassis::messaging::Outbox;
use chassis::{BusinessError, Context, ServiceError, SignedIn};
use proto::auth::v1::{Extension, ExtensionRequest, InvitationCalls, Invited, InvitedCodeRequest};
use proto::code;
use rand::RngExt;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::ExprTrait;
use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryOrder, QuerySelect};

use crate::config::{AuthConfig, InvitationConfig};
use crate::entity::invitation::State;
use crate::entity::{account, invitation, invite_code};
use crate::{rules, store};

const DAY_MS: i64 = 24 * 3_600_000;
/// Without letters and digits that look alike.
const ALPHABET: &[u8] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const LENGTH: usize = 8;

/// Cents of one reward; payment refuses more.
const MOST_CENTS: i64 = 100_000;

/// Handle of the invitations; clones share it.
#[derive(Clone)]
pub struct Invitations {
    context: Context,
    outbox: Outbox,
    config: Arc<InvitationConfig>,
}

/// A user who enters an invitation code.
pub(crate) struct Newcomer<'a> {
    pub login_id: &'a str,
    pub remote_addr: &'a str,
    /// Key of the device; empty without one.
    pub device: &'a str,
}

fn refused<T>(code: i32, message: impl Into<String>) -> Result<T, ServiceError> {
    Err(BusinessError::new(code, message).into())
}

impl Invitations {
    pub fn new(context: &Context, outbox: &Outbox) -> anyhow::Result<Self> {
        let config: AuthConfig = context.settings.section("auth")?;
        let config = config.invitation;
        anyhow::ensure!(
            (0..=MOST_CENTS).contains(&config.reward_cents),
            "auth.invitation.reward_cents is not within 0 to {MOST_CENTS}, the most that payment books"
        );
        Ok(Self {
            context: context.clone(),
            outbox: outbox.clone(),
            config: Arc::new(config),
        })
    }

    fn now(&self) -> i64 {
        self.context.clock.now_ms()
    }

    /// Until when the account may enter a code.
    fn enter_until(&self, account: &account::Model) -> i64 {
        account.created_at + self.config.days * DAY_MS
    }

    /// Locks both accounts until the transaction ends: two who enter each other's code at once do so one after the other.
    async fn hold(
        transaction: &DatabaseTransaction,
        invitee: &str,
        inviter: &str,
    ) -> Result<(), DbErr> {
        account::Entity::find()
            .filter(account::Column::Id.is_in([invitee, inviter]))
            .order_by_asc(account::Column::Id)
            .lock_exclusive()
            .all(transaction)
            .await?;
        Ok(())
    }

    /// The code of a user; made at the first call.
    async fn code_of(&self, login_id: &str) -> Result<String, ServiceError> {
        for _ in 0..10 {
            let known = invite_code::Entity::find_by_id(login_id)
                .one(&self.context.db)
                .await?;
            if let Some(known) = known {
                return Ok(known.code);
            }
            let row = invite_code::Model {
                login_id: login_id.to_owned(),
                code: random_code(),
                version: 0,
                created_at: self.now(),
            };
            // A concurrent call or a code that is taken is not an error: the loop tries again.
            db::insert_new(row, &self.context.db).await?;
        }
        Err(anyhow::anyhow!("no free invitation code after ten tries").into())
    }
}

impl InvitationCalls<ServiceError> for Invitations {
    async fn save_invited_code(
        &self,
        caller: &SignedIn,
        request: InvitedCodeRequest,
    ) -> Result<(), ServiceError> {
        let code = request.invitedcode.to_uppercase();
        let transaction = begin_write(&self.context.db).await?;
        let db = &transaction;
        let invitee = caller.login_id();
        let owner = invite_code::Entity::find()
            .filter(invite_code::Column::Code.eq(&code))
            .one(db)
            .await?;
        let inviter = owner.as_ref().map_or("", |owner| &owner.login_id);
        Self::hold(db, invitee, inviter).await?;
        let account = store::by_id(db, invitee).await?;
        let account = account.ok_or(ServiceError::Unauthenticated)?;
        if invited(db, invitee, None).await? {
            return refused(code::CONFLICT, "您已填写过推广码");
        }
        let Some(owner) = owner else {
            return refused(code::NOT_FOUND, "推广码不存在");
        };
        if owner.login_id == invitee {
            return refused(code::INVALID, "不能填写自己的推广码");
        }
        let now = self.now();
        if self.enter_until(&account) < now {
            let message = format!("注册超过 {} 天，不能再填写推广码", self.config.days);
            return refused(code::INVALID, message);
        }
        if invited(db, &owner.login_id, Some(invitee)).await? {
            return refused(code::INVALID, "不能填写由您邀请的用户的推广码");
        }
        let newcomer = Newcomer {
            login_id: invitee,
            remote_addr: caller.remote_addr(),
            device: &request.device,
        };
        let suspicion = suspicion::of(db, &newcomer, &owner.login_id, now).await?;
        let row = invitation::Model {
            id: new_id(),
            inviter: owner.login_id,
            invitee: invitee.to_owned(),
            state: State::Pending,
            suspicion,
            inviter_cents: 0,
            invitee_cents: 0,
            inviter_paid_at: None,
            invitee_paid_at: None,
            created_at: now,
            qualified_at: None,
            decided_by: String::new(),
        };
        db::insert(row.clone(), db).await?;
        if account.first_upload_at > 0 {
            self.earned(db, &row).await?;
        }
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }

    async fn my_extension(
        &self,
        caller: &SignedIn,
        request: ExtensionRequest,
    ) -> Result<Extension, ServiceError> {
        let db = &self.context.db;
        let login_id = caller.login_id();
        let code = self.code_of(login_id).await?;
        let mine = invitation::Entity::find().filter(invitation::Column::Inviter.eq(login_id));
        let qualified = mine
            .clone()
            .filter(invitation::Column::State.eq(State::Qualified));
        let page = List::of_few(mine.order_by_desc(invitation::Column::Id))
            .page(&request, db)
            .await?;
        let mut records = Vec::with_capacity(page.rows.len());
        for row in &page.rows {
            let phone = store::by_id(db, &row.invitee).await?;
            let phone = phone.map_or_else(String::new, |account| rules::masked(&account.phone));
            records.push(shown(row, phone));
        }
        let account = store::by_id(db, login_id).await?;
        let enter_until = account.map(|account| self.enter_until(&account));
        let mut enter_until = enter_until.filter(|until| *until >= self.now());
        if enter_until.is_some() && invited(db, login_id, None).await? {
            enter_until = None;
        }
        // A sum of bigints is a decimal on PostgreSQL.
        let paid = invitation::Column::InviterCents.sum().cast_as("BIGINT");
        let reward_total: Option<Option<i64>> = qualified
            .clone()
            .filter(invitation::Column::InviterPaidAt.is_not_null())
            .select_only()
            .expr_as(paid, "paid")
            .into_tuple()
            .one(db)
            .await?;
        Ok(Extension {
            invite_url: format!("/extension?code={code}"),
            invite_code: code,
            invited_count: page.total_count,
            qualified_count: count(qualified.count(db).await?),
            reward_total: reward_total.flatten().unwrap_or(0),
            month_count: count(self.rewarded_this_month(db, login_id).await?),
            month_limit: count(self.config.month_limit),
            reward_each: self.config.reward_cents,
            total_count: page.total_count,
            records,
            enter_until,
        })
    }
}

/// Whether the user was brought by anybody, or by this inviter.
async fn invited(
    connection: &impl ConnectionTrait,
    invitee: &str,
    by: Option<&str>,
) -> Result<bool, DbErr> {
    let mut found = invitation::Entity::find().filter(invitation::Column::Invitee.eq(invitee));
    if let Some(inviter) = by {
        found = found.filter(invitation::Column::Inviter.eq(inviter));
    }
    Ok(found.count(connection).await? > 0)
}

fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn shown(row: &invitation::Model, phone: String) -> Invited {
    let limited = row.inviter_cents == 0;
    let state = match row.state {
        State::Held => "review",
        State::Refused => "refused",
        State::Qualified if limited => "limited",
        State::Qualified if row.inviter_paid_at.is_some() => "rewarded",
        // The coins are on their way.
        State::Qualified | State::Pending => "pending",
    };
    let paid = row.inviter_paid_at.map_or(0, |_| row.inviter_cents);
    Invited {
        phone,
        state: state.to_owned(),
        reward: paid,
        create_time: row.created_at,
        qualified_time: row.qualified_at.unwrap_or(0),
    }
}

fn random_code() -> String {
    let mut random = rand::rng();
    let letter = |_| char::from(ALPHABET[random.random_range(0..ALPHABET.len())]);
    (0..LENGTH).map(letter).collect()
}
