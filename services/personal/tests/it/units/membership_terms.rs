//! Unit tests of `membership::terms`.

use proptest::prelude::*;
use xl_personal::internals::{DAY_MS, arrange, months_after, standing, term};

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
    /// AM024. Whatever is bought when: no gap, no overlap, the higher grade first, and no paid day is lost.
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
