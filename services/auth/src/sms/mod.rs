//! SMS codes: six digits for one purpose, bound to the key returned when they are sent.
//!
//! The limits count the rows of the codes, so a restart forgets nothing and all replicas agree.

pub mod aliyun;
pub(crate) mod limits;
mod sender;

pub use limits::{Recent, gate_of_phone, recent};
pub use sender::{DeliveryError, NoSender, SandboxSender, Sms, SmsSender};

use std::sync::Arc;

use chassis::bus::Bus;
use chassis::environment::refuse_outside_development;
use chassis::{BusinessError, Clock, ServiceError, Settings, db};
use proto::code;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, ExprTrait, Set};
use subtle::ConstantTimeEq;

use self::aliyun::Aliyun;
use crate::config::{SenderKind, SmsConfig};
use crate::entity::sms_code::{ActiveModel, Column, Entity, Lane, Model, Purpose};
use crate::{messages, secret, store};

/// The sender that the configuration names.
///
/// Errors: the sandbox is refused outside development.
pub fn of_config(
    settings: &Settings,
    config: &SmsConfig,
    bus: &Bus,
    clock: Clock,
) -> anyhow::Result<Arc<dyn SmsSender>> {
    match config.sender {
        SenderKind::None => Ok(Arc::new(NoSender)),
        SenderKind::Aliyun => Ok(Arc::new(Aliyun::open(&config.aliyun, clock)?)),
        SenderKind::Sandbox => {
            refuse_outside_development(
                settings,
                "auth.sms.sender = \"sandbox\"",
                "auth.sms.i_know_this_shows_every_code",
                config.i_know_this_shows_every_code,
            )?;
            Ok(Arc::new(SandboxSender::new(bus.clone())))
        }
    }
}

impl Purpose {
    /// The purposes open to all callers; empty means login.
    pub fn parse(text: &str) -> Result<Self, BusinessError> {
        if text.is_empty() {
            return Ok(Self::Login);
        }
        let public = Self::of(text).filter(|purpose| *purpose != Self::Confirm);
        public.ok_or_else(|| BusinessError::invalid("短信用途不正确"))
    }

    /// Refuses a purpose that does not fit whether the number has an account. Recovery does not reveal it: it replies as if a
    /// code had been sent.
    pub fn check_existence(self, exists: bool) -> Result<(), BusinessError> {
        let refused = |code, message| Err(BusinessError::new(code, message));
        match (self, exists) {
            (Self::Login, false) => refused(code::NOT_REGISTERED, messages::NOT_REGISTERED),
            (Self::Register, true) => refused(code::ACCOUNT_EXISTS, messages::USER_EXISTS),
            (Self::BindPhone, true) => refused(code::ACCOUNT_EXISTS, messages::PHONE_EXISTS),
            _ => Ok(()),
        }
    }

    fn text(self, code: &str, minutes: i64) -> String {
        let action = match self {
            Self::Login => "登录",
            Self::Register => "注册",
            Self::Rebuild => "找回密码",
            Self::BindPhone => "绑定手机号",
            Self::Confirm => "确认身份",
        };
        format!("【玄览云】您的验证码是{code}，用于{action}，{minutes}分钟内有效。请勿告诉他人。")
    }
}

/// A code that is to be sent.
pub struct Request<'a> {
    pub phone: &'a str,
    pub purpose: Purpose,
    pub remote_addr: &'a str,
    /// What others request shuts the number for those in the same lane alone.
    pub lane: Lane,
}

/// A code that is stored and has to be delivered.
pub struct Written {
    pub key: String,
    pub sms: Sms,
    /// As requested, or [`Lane::Pretender`].
    pub lane: Lane,
    id: String,
}

/// Checks the limits without counting.
pub async fn check_limits(
    connection: &impl ConnectionTrait,
    config: &SmsConfig,
    request: &Request<'_>,
    now_ms: i64,
) -> Result<Recent, ServiceError> {
    let recent = limits::recent(connection, config, request, now_ms).await?;
    recent.check(config, now_ms)?;
    Ok(recent)
}

/// Writes a new code, unless a limit forbids it; voids older ones of the same caller for the same purpose, not those of others: a
/// stranger who knows the number could void each of its owner's. A knower of the password gets no more codes than the number's
/// limits allow: then it is a pretender's, with the same reply.
///
/// Errors: 60202 with the time to wait.
pub async fn write(
    database: &DatabaseConnection,
    config: &SmsConfig,
    request: &Request<'_>,
    now_ms: i64,
) -> Result<Written, ServiceError> {
    let transaction = db::begin_write(database).await?;
    limits::pass_gates(&transaction, request.phone, request.remote_addr, now_ms).await?;
    let recent = check_limits(&transaction, config, request, now_ms).await?;
    let lane = match request.lane {
        Lane::Knower if recent.is_known_too_often(config) => Lane::Pretender,
        lane => lane,
    };
    Entity::update_many()
        .set(ActiveModel {
            ended_at: Set(Some(now_ms)),
            ..Default::default()
        })
        .filter(Column::Phone.eq(request.phone))
        .filter(Column::Purpose.eq(request.purpose))
        .filter(same_caller(request))
        .filter(Column::EndedAt.is_null())
        .exec(&transaction)
        .await?;
    let key = secret::id();
    let code = secret::sms_code();
    let id = secret::sha256(&key);
    let row = Model {
        id: id.clone(),
        phone: request.phone.to_owned(),
        purpose: request.purpose,
        code_hash: match lane {
            // None that anybody could hit on.
            Lane::Pretender => secret::sha256(&secret::token()),
            _ => code_hash(&key, &code),
        },
        remote_addr: store::subscriber(request.remote_addr),
        lane,
        tries: 0,
        created_at: now_ms,
        expires_at: now_ms + config.code_life_seconds * 1000,
        ended_at: None,
    };
    db::insert(row, &transaction).await?;
    transaction.commit().await?;
    let minutes = Ord::max(config.code_life_seconds / 60, 1);
    let sms = Sms {
        phone: request.phone.to_owned(),
        purpose: request.purpose.name(),
        text: request.purpose.text(&code, minutes),
        code,
        time_ms: now_ms,
    };
    Ok(Written { key, sms, lane, id })
}

/// Codes that the same caller has requested, as far as can be told.
fn same_caller(request: &Request<'_>) -> Expr {
    let lane = Column::Lane.is_in(alike(request.lane).iter().copied());
    match request.lane {
        Lane::Owner => lane,
        _ => lane.and(Column::RemoteAddr.eq(store::subscriber(request.remote_addr))),
    }
}

/// Whether the caller shows the account's password, right or wrong.
fn shows_password(lane: Lane) -> bool {
    alike(lane).contains(&Lane::Knower)
}

/// The lanes that a caller cannot tell apart.
fn alike(lane: Lane) -> &'static [Lane] {
    match lane {
        Lane::Stranger => &[Lane::Stranger],
        Lane::Near => &[Lane::Near],
        Lane::Owner => &[Lane::Owner],
        Lane::Knower | Lane::Pretender => &[Lane::Knower, Lane::Pretender],
    }
}

/// Voids a code that could not be delivered. It still counts towards the limits, to spare a broken provider.
pub async fn void(
    connection: &impl ConnectionTrait,
    written: &Written,
    now_ms: i64,
) -> Result<(), DbErr> {
    end(connection, &written.id, now_ms).await.map(|_| ())
}

/// A code that a user entered.
pub struct Answer<'a> {
    pub phone: &'a str,
    pub purpose: Purpose,
    pub key: &'a str,
    pub code: &'a str,
}

/// A verified code; [`consume`] uses it up.
#[derive(Debug, Clone)]
pub struct RightCode {
    id: String,
}

/// Checks a code. Every check counts as a try.
///
/// Errors: 60204, 请输入正确的验证码 for a wrong one, 验证码已失效，请重新获取 for one that is no longer valid.
pub async fn check(
    connection: &impl ConnectionTrait,
    config: &SmsConfig,
    answer: &Answer<'_>,
    now_ms: i64,
) -> Result<RightCode, ServiceError> {
    let expired = || BusinessError::new(code::WRONG_CODE, messages::CODE_EXPIRED);
    let id = secret::sha256(answer.key);
    let tried = Entity::update_many()
        .col_expr(Column::Tries, Expr::col(Column::Tries).add(1))
        .filter(Column::Id.eq(&id))
        .filter(Column::Phone.eq(answer.phone))
        .filter(Column::Purpose.eq(answer.purpose))
        .filter(Column::EndedAt.is_null())
        .filter(Column::ExpiresAt.gt(now_ms))
        .filter(Column::Tries.lt(config.tries))
        .exec(connection)
        .await?;
    if tried.rows_affected != 1 {
        return Err(expired().into());
    }
    let row = Entity::find_by_id(&id).one(connection).await?;
    let row = row.ok_or_else(expired)?;
    if !row.is(answer) {
        return Err(BusinessError::new(code::WRONG_CODE, messages::CODE_WRONG).into());
    }
    // The right code is no guess: whoever is asked for a second factor sends it again.
    Entity::update_many()
        .col_expr(Column::Tries, Expr::col(Column::Tries).sub(1))
        .filter(Column::Id.eq(&id))
        .filter(Column::Tries.gt(0))
        .exec(connection)
        .await?;
    Ok(RightCode { id })
}

impl Model {
    fn is(&self, answer: &Answer<'_>) -> bool {
        let given = code_hash(answer.key, answer.code);
        bool::from(given.as_bytes().ct_eq(self.code_hash.as_bytes()))
    }
}

/// Whether the code was sent to the number, even if it is no longer valid.
pub async fn was_sent(
    connection: &impl ConnectionTrait,
    answer: &Answer<'_>,
) -> Result<bool, ServiceError> {
    let row = Entity::find_by_id(secret::sha256(answer.key))
        .filter(Column::Phone.eq(answer.phone))
        .filter(Column::Purpose.eq(answer.purpose))
        .one(connection)
        .await?;
    Ok(row.is_some_and(|row| row.is(answer)))
}

/// Uses a code up, in the transaction of its effect: of concurrent callers one succeeds.
pub async fn consume(
    transaction: &impl ConnectionTrait,
    right: &RightCode,
    now_ms: i64,
) -> Result<(), ServiceError> {
    if end(transaction, &right.id, now_ms).await? {
        return Ok(());
    }
    Err(BusinessError::new(code::WRONG_CODE, messages::CODE_EXPIRED).into())
}

async fn end(connection: &impl ConnectionTrait, id: &str, now_ms: i64) -> Result<bool, DbErr> {
    let ended = Entity::update_many()
        .set(ActiveModel {
            ended_at: Set(Some(now_ms)),
            ..Default::default()
        })
        .filter(Column::Id.eq(id))
        .filter(Column::EndedAt.is_null())
        .exec(connection)
        .await?;
    Ok(ended.rows_affected == 1)
}

/// Removes codes and gates that no limit counts any more.
pub async fn clean(connection: &impl ConnectionTrait, now_ms: i64) -> Result<u64, DbErr> {
    let codes = Entity::delete_many()
        .filter(Column::CreatedAt.lt(now_ms - limits::DAY_MS))
        .exec(connection)
        .await?;
    limits::clean(connection, now_ms).await?;
    Ok(codes.rows_affected)
}

fn code_hash(key: &str, code: &str) -> String {
    secret::sha256(&format!("{key}:{code}"))
}
