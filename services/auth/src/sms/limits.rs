//! How many codes may be sent, to a number and for an address.

use chassis::{BusinessError, db};
use proto::code;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QueryOrder, QuerySelect};

use super::{Request, alike, shows_password};
use crate::config::SmsConfig;
use crate::entity::sms_code::Lane;
use crate::entity::{sms_code, sms_gate};
use crate::{rules, store};

const HOUR_MS: i64 = 3_600_000;
pub const DAY_MS: i64 = 24 * HOUR_MS;
/// Most rows read; no limit may be above it.
const MOST: u64 = 1000;

/// When codes were sent within a day, newest first (Unix ms).
#[derive(Debug, Clone, Default)]
pub struct Recent {
    /// To the number, in the caller's lane; those who show a password see what they requested themselves.
    number: Vec<i64>,
    /// To the number, for whoever knew the password.
    known: Vec<i64>,
    address: Vec<i64>,
    /// Codes to all numbers from all addresses within the last hour.
    all_hour: u64,
    /// Milliseconds until the limit for all allows another one.
    all_wait: Option<i64>,
    now_ms: i64,
}

impl Recent {
    /// Codes sent to the number within the last hour.
    pub fn number_hour(&self) -> usize {
        within(&self.number, self.now_ms - HOUR_MS)
    }

    /// Codes requested from the address within the last hour.
    pub fn address_hour(&self) -> usize {
        within(&self.address, self.now_ms - HOUR_MS)
    }

    /// Codes sent to any number within the last hour.
    pub fn all_hour(&self) -> u64 {
        self.all_hour
    }

    /// Whether those who know the password have had as many codes as the number may get. They must not be told: whoever is
    /// told has guessed it.
    pub fn is_known_too_often(&self, config: &SmsConfig) -> bool {
        let limits = [
            (1, config.resend_seconds * 1000),
            (config.per_number_hour, HOUR_MS),
            (config.per_number_day, DAY_MS),
        ];
        let mut limits = limits.into_iter();
        limits.any(|(most, window)| wait(&self.known, most, window, self.now_ms).is_some())
    }

    /// Whether a code was sent, or requested, just now: any other is too soon.
    pub fn is_too_soon(&self, config: &SmsConfig) -> bool {
        wait(&self.number, 1, config.resend_seconds * 1000, self.now_ms).is_some()
    }

    /// Errors: 60202 with the time to wait.
    pub fn check(&self, config: &SmsConfig, now_ms: i64) -> Result<(), BusinessError> {
        let resend_ms = config.resend_seconds * 1000;
        if let Some(wait) = wait(&self.number, 1, resend_ms, now_ms) {
            // Of codes that are requested at once one may be written after this one began.
            let seconds = ((wait + 999) / 1000).min(config.resend_seconds);
            return Err(not_sent(format!("获取太频繁，请{seconds}秒后再试")));
        }
        let limits = [
            (
                &self.number,
                config.per_number_hour,
                HOUR_MS,
                "该手机号1小时内获取验证码次数过多",
            ),
            (
                &self.number,
                config.per_number_day,
                DAY_MS,
                "该手机号今天获取验证码次数过多",
            ),
            (
                &self.address,
                config.per_address_hour,
                HOUR_MS,
                "当前网络1小时内获取验证码次数过多",
            ),
            (
                &self.address,
                config.per_address_day,
                DAY_MS,
                "当前网络今天获取验证码次数过多",
            ),
        ];
        for (times, most, window, reason) in limits {
            if let Some(wait) = wait(times, most, window, now_ms) {
                return Err(not_sent(format!("{reason}，请{}后再试", rules::span(wait))));
            }
        }
        if let Some(wait) = self.all_wait {
            let wait = rules::span(wait);
            return Err(not_sent(format!("获取验证码的人太多，请{wait}后再试")));
        }
        Ok(())
    }
}

fn not_sent(message: String) -> BusinessError {
    BusinessError::new(code::SMS_NOT_SENT, message)
}

fn within(times: &[i64], since: i64) -> usize {
    times.iter().filter(|at| **at > since).count()
}

/// Milliseconds until another one may follow, if `most` are within the window.
pub fn wait(times: &[i64], most: u64, window: i64, now_ms: i64) -> Option<i64> {
    let place = usize::try_from(most.clamp(1, MOST)).unwrap_or(1) - 1;
    // The one that must leave the window first.
    let oldest = *times.get(place)?;
    let left = oldest + window - now_ms;
    (left > 0).then_some(left)
}

pub async fn recent(
    connection: &impl ConnectionTrait,
    config: &SmsConfig,
    request: &Request<'_>,
    now_ms: i64,
) -> Result<Recent, DbErr> {
    use sms_code::{Column, Entity};
    let newest = Entity::find()
        .filter(Column::CreatedAt.gt(now_ms - DAY_MS))
        .order_by_desc(Column::CreatedAt)
        .limit(MOST)
        .select_only()
        .column(Column::CreatedAt);
    let of_number = newest.clone().filter(Column::Phone.eq(request.phone));
    let here = Column::RemoteAddr.eq(store::subscriber(request.remote_addr));
    let lane = Column::Lane.is_in(alike(request.lane).iter().copied());
    let mut number = of_number.clone().filter(lane);
    let mut known = Vec::new();
    if shows_password(request.lane) {
        number = number.filter(here.clone());
        let of_known = of_number.filter(Column::Lane.eq(Lane::Knower));
        known = of_known.into_tuple().all(connection).await?;
    }
    let mut address = Vec::new();
    // The owner shares an address with many others in an office or a mobile network.
    if request.lane != Lane::Owner {
        address = newest.filter(here).into_tuple().all(connection).await?;
    }
    let sent = Entity::find().filter(Column::Lane.ne(Lane::Pretender));
    let all_hour = sent
        .clone()
        .filter(Column::CreatedAt.gt(now_ms - HOUR_MS))
        .count(connection)
        .await?;
    let mut all_wait = None;
    // All but strangers are bounded by the number's own limits, and not shut out by what others request.
    let of_all = [(config.all_hour, HOUR_MS), (config.all_day, DAY_MS)];
    let is_stranger = request.lane == Lane::Stranger;
    for (most, window) in of_all.into_iter().filter(|_| is_stranger) {
        // The one that must leave the window first.
        let oldest: Option<i64> = sent
            .clone()
            .order_by_desc(Column::CreatedAt)
            .offset(most.max(1) - 1)
            .limit(1)
            .select_only()
            .column(Column::CreatedAt)
            .into_tuple()
            .one(connection)
            .await?;
        let left = oldest.map_or(0, |at| at + window - now_ms);
        all_wait = all_wait.max((left > 0).then_some(left));
    }
    Ok(Recent {
        number: number.into_tuple().all(connection).await?,
        known,
        address,
        all_hour,
        all_wait,
        now_ms,
    })
}

/// Name of the gate of a phone number.
pub fn gate_of_phone(phone: &str) -> String {
    format!("phone:{phone}")
}

/// Locks the rows of number, address and all until the end of the transaction, which does no more than count and write:
/// a concurrent request waits and counts afterwards.
pub async fn pass_gates(
    transaction: &impl ConnectionTrait,
    phone: &str,
    remote_addr: &str,
    now_ms: i64,
) -> Result<(), DbErr> {
    // Always in this order, to avoid a deadlock.
    let address = store::subscriber(remote_addr);
    for name in [
        gate_of_phone(phone),
        format!("address:{address}"),
        "all".to_owned(),
    ] {
        let row = sms_gate::Model {
            name,
            passed_at: now_ms,
        };
        db::upsert(row, [sms_gate::Column::PassedAt], transaction).await?;
    }
    Ok(())
}

pub async fn clean(connection: &impl ConnectionTrait, now_ms: i64) -> Result<(), DbErr> {
    sms_gate::Entity::delete_many()
        .filter(sms_gate::Column::PassedAt.lt(now_ms - DAY_MS))
        .exec(connection)
        .await?;
    Ok(())
}
