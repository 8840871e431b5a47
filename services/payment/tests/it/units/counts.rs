//! Unit tests of `counts`.

use proto::personal::v1::CountedTerm;
use xl_payment::internals::{Right, period};

const DAY: i64 = 86_400_000;
/// 2026-02-01 00:00 in China.
const FEBRUARY: i64 = 1_769_875_200_000;

fn term(order: &str, starts_at_ms: i64, ends_at_ms: i64, mall: i64) -> CountedTerm {
    CountedTerm {
        order_id: order.to_owned(),
        starts_at_ms,
        ends_at_ms,
        mall,
        lightweight: mall * 2,
        ..Default::default()
    }
}

#[test]
fn models_are_counted_by_the_month_in_china() {
    let terms = [
        term("a", FEBRUARY - 40 * DAY, FEBRUARY + 10 * DAY, 50),
        term("b", FEBRUARY + 10 * DAY, FEBRUARY + 375 * DAY, 150),
    ];
    let at = |now| period(Right::Mall, &terms, now).unwrap().unwrap();
    let last = at(FEBRUARY - 1);
    assert_eq!((last.part.as_str(), last.allowance), ("mall:2026-01", 50));
    assert_eq!((last.ends_at, last.renews_at), (FEBRUARY, Some(FEBRUARY)));
    let first = at(FEBRUARY);
    assert_eq!((first.part.as_str(), first.allowance), ("mall:2026-02", 50));
    // The better grade that follows within the month has the same accounts.
    let better = at(FEBRUARY + 10 * DAY);
    assert_eq!(
        (better.part.as_str(), better.allowance),
        ("mall:2026-02", 150)
    );
    // In its last month they end with the membership, and are not given again.
    let end = at(FEBRUARY + 375 * DAY - 1);
    assert_eq!((end.ends_at, end.renews_at), (FEBRUARY + 375 * DAY, None));
    let over = period(Right::Mall, &terms, FEBRUARY + 375 * DAY).unwrap();
    assert_eq!(over, None);
}

#[test]
fn runs_are_counted_by_the_year_of_the_membership() {
    let terms = [
        term("a", FEBRUARY, FEBRUARY + 365 * DAY, 50),
        term("b", FEBRUARY + 365 * DAY, FEBRUARY + 730 * DAY, 50),
    ];
    let at = |now| period(Right::Lightweight, &terms, now).unwrap().unwrap();
    let first = at(FEBRUARY + 364 * DAY);
    assert_eq!(
        (first.part.as_str(), first.allowance),
        ("lightweight:a", 100)
    );
    assert_eq!(first.renews_at, Some(FEBRUARY + 365 * DAY));
    let second = at(FEBRUARY + 365 * DAY);
    assert_eq!(
        (second.part.as_str(), second.renews_at),
        ("lightweight:b", None)
    );
}
