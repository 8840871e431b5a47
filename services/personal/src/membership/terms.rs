//! The rules of time of memberships: which term runs, what follows, and when a year ends.

use crate::entity::term;

const DAY_MS: i64 = 24 * 3600 * 1000;

/// How a membership stands, as the profile shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// None for one who never was a member, 1 active, 0 expired.
    pub status: Option<i32>,
    pub grade_name: Option<String>,
    /// Days that have begun.
    pub remaining_days: Option<i32>,
    /// Unix time in milliseconds at which the running grade ends.
    pub expires_at: Option<i64>,
    /// Largest single model in MB.
    pub single_max_mb: Option<i64>,
    /// Storage in GB.
    pub storage_gb: Option<i64>,
}

/// Puts a new term of so many months among those that have not ended: higher grades first, equal ones in the order they
/// were bought, one after the other from now on. Each keeps the time it has left.
pub(crate) fn arrange(
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
            // The running one keeps the day it began.
            if term.starts_at > now || cursor > now {
                term.starts_at = cursor;
            }
            term.ends_at = cursor + left;
        }
        cursor = term.ends_at;
    }
    all
}

/// The same day and time so many months later in China; the last of the month where there is no such day.
pub(crate) fn months_after(at_ms: i64, months: i32) -> i64 {
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

pub(crate) fn standing(terms: &[term::Model], now: i64) -> Standing {
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
    // What follows in the same grade is one membership to its owner.
    let same = running.take_while(|term| term.grade_id == first.grade_id);
    let ends_at = same.last().unwrap_or(first).ends_at;
    let days = (ends_at - now + DAY_MS - 1) / DAY_MS;
    Standing {
        status: Some(1),
        grade_name: Some(first.grade_name.clone()),
        remaining_days: Some(i32::try_from(days).unwrap_or(i32::MAX)),
        expires_at: Some(ends_at),
        single_max_mb: Some(first.single_max_mb),
        storage_gb: Some(first.storage_gb),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn term(order: usize, rank: i32) -> term::Model {
        term::Model {
            order_id: format!("o{order}"),
            login_id: "u".into(),
            grade_id: rank.to_string(),
            grade_name: format!("g{rank}"),
            rank,
            storage_gb: 0,
            single_max_mb: 500,
            mall_counts: None,
            lightweight_counts: None,
            conversion_counts: None,
            offline_counts: None,
            starts_at: 0,
            ends_at: 0,
        }
    }

    #[test]
    fn an_upgrade_runs_at_once_and_the_rest_follows() {
        let day = DAY_MS;
        let first = arrange(Vec::new(), term(1, 1), 12, 0);
        assert_eq!(first[0].ends_at, 365 * day);
        let both = arrange(first, term(2, 3), 12, 100 * day);
        assert_eq!(
            (both[0].rank, both[0].starts_at, both[0].ends_at),
            (3, 100 * day, 465 * day)
        );
        assert_eq!(
            (both[1].rank, both[1].starts_at, both[1].ends_at),
            (1, 465 * day, 730 * day)
        );
        let now = standing(&both, 100 * day);
        assert_eq!(
            (now.status, now.grade_name.as_deref()),
            (Some(1), Some("g3"))
        );
        assert_eq!(
            (now.remaining_days, now.expires_at),
            (Some(365), Some(465 * day))
        );
        let later = standing(&both, 500 * day);
        assert_eq!(later.grade_name.as_deref(), Some("g1"));
        let over = standing(&both, 730 * day);
        assert_eq!((over.status, over.grade_name), (Some(0), None));
        assert_eq!(standing(&[], 0).status, None);
    }

    #[test]
    fn the_same_grade_follows_itself() {
        let first = arrange(Vec::new(), term(1, 2), 12, 0);
        let both = arrange(first, term(2, 2), 12, 10 * DAY_MS);
        assert_eq!(both[0].starts_at, 0);
        assert_eq!(both[1].starts_at, 365 * DAY_MS);
        assert_eq!(standing(&both, 10 * DAY_MS).expires_at, Some(730 * DAY_MS));
    }

    /// MB029.
    #[test]
    fn a_year_ends_on_the_same_day() {
        // 2028-02-29 12:00 in China has no anniversary in 2029.
        let leap = 1_835_409_600_000;
        assert_eq!(months_after(leap, 12) - leap, 365 * DAY_MS);
        assert_eq!(months_after(0, 12), 365 * DAY_MS);
    }

    proptest! {
        /// AM024. Whatever is bought whenever: no gap, no overlap, the higher grade first, and nobody loses a paid day.
        #[test]
        fn no_paid_time_is_lost(bought in prop::collection::vec((1..4_i32, 0..400_i64), 1..9)) {
            let mut now = 0;
            let mut terms = Vec::new();
            for (order, (rank, days)) in bought.into_iter().enumerate() {
                now += days * DAY_MS;
                terms.retain(|term: &term::Model| term.ends_at > now);
                let left: i64 = terms.iter().map(|t| t.ends_at - t.starts_at.max(now)).sum();
                terms = arrange(terms, term(order, rank), 12, now);
                let fresh = terms.iter().find(|t| t.order_id == format!("o{order}")).unwrap();
                let year = fresh.ends_at - fresh.starts_at;
                prop_assert!(year >= 365 * DAY_MS);
                let after: i64 = terms.iter().map(|t| t.ends_at - t.starts_at.max(now)).sum();
                prop_assert_eq!(after, left + year);
                for two in terms.windows(2) {
                    prop_assert_eq!(two[0].ends_at, two[1].starts_at);
                    prop_assert!(two[0].rank >= two[1].rank);
                }
            }
        }
    }
}
