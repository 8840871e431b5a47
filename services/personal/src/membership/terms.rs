//! Time rules of memberships: which term runs, which follows, and when a year ends.

use crate::entity::term;

pub const DAY_MS: i64 = 24 * 3600 * 1000;

/// State of a membership, as shown in the profile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    /// None: never a member; 1 active, 0 expired.
    pub status: Option<i32>,
    pub grade_name: Option<String>,
    /// Rank of the running grade; 0 without one.
    pub rank: i32,
    /// Remaining days, a started day counts as one.
    pub remaining_days: Option<i32>,
    /// Unix time in milliseconds at which the running grade ends.
    pub expires_at: Option<i64>,
    /// Largest single model in MB.
    pub single_max_mb: Option<i64>,
    /// Storage in GB.
    pub storage_gb: Option<i64>,
}

/// Inserts a new term of `months` months among those that have not ended: higher grades first, equal grades in purchase order,
/// consecutive from now on. Each keeps its remaining time.
pub fn arrange(
    terms: Vec<term::Model>,
    fresh: term::Model,
    months: i32,
    now: i64,
) -> Vec<term::Model> {
    let fresh_id = fresh.order_id.clone();
    let mut all = terms;
    all.push(fresh);
    // Stable: equal grades stay in their order.
    all.sort_by_key(|term| std::cmp::Reverse(term.rank));
    let mut cursor = now;
    for term in &mut all {
        if term.order_id == fresh_id {
            term.starts_at = cursor;
            term.ends_at = months_after(cursor, months);
        } else {
            let left = term.ends_at - term.starts_at.max(now);
            // The running term keeps its start.
            if term.starts_at > now || cursor > now {
                term.starts_at = cursor;
            }
            term.ends_at = cursor + left;
        }
        cursor = term.ends_at;
    }
    all
}

/// The same day and time `months` months later in China; the last day of the month where that day does not exist.
pub fn months_after(at_ms: i64, months: i32) -> i64 {
    let rough = at_ms + i64::from(months) * 30 * DAY_MS;
    let Ok(moment) = time::OffsetDateTime::from_unix_timestamp_nanos(i128::from(at_ms) * 1_000_000)
    else {
        return rough;
    };
    let moment = moment.to_offset(time::macros::offset!(+8));
    let count = moment.year() * 12 + i32::from(u8::from(moment.month())) - 1 + months;
    let month = u8::try_from(count.rem_euclid(12) + 1).unwrap_or(1);
    let (year, Ok(month)) = (count.div_euclid(12), time::Month::try_from(month)) else {
        return rough;
    };
    let day = moment.day().min(month.length(year));
    match time::Date::from_calendar_date(year, month, day) {
        Ok(date) => (moment.replace_date(date).unix_timestamp_nanos() / 1_000_000) as i64,
        Err(_) => rough,
    }
}

pub fn standing(terms: &[term::Model], now: i64) -> Standing {
    let Some(last) = terms.iter().max_by_key(|term| term.ends_at) else {
        return Standing::default();
    };
    let mut running = terms
        .iter()
        .filter(|term| term.ends_at > now)
        .skip_while(|term| term.starts_at > now);
    let Some(first) = running.next() else {
        return Standing {
            status: Some(0),
            expires_at: Some(last.ends_at),
            remaining_days: Some(0),
            ..Default::default()
        };
    };
    // Consecutive terms of the same grade count as one membership.
    let same = running.take_while(|term| term.grade_id == first.grade_id);
    let ends_at = same.last().unwrap_or(first).ends_at;
    let days = (ends_at - now + DAY_MS - 1) / DAY_MS;
    Standing {
        status: Some(1),
        grade_name: Some(first.grade_name.clone()),
        rank: first.rank,
        remaining_days: Some(i32::try_from(days).unwrap_or(i32::MAX)),
        expires_at: Some(ends_at),
        single_max_mb: Some(first.single_max_mb),
        storage_gb: Some(first.storage_gb),
    }
}
