//! Unit tests of `earning::months`.

use xl_payment::internals::beginnings;

#[test]
fn months_begin_at_midnight_in_china() {
    // 2026-01-01 00:30 in China, still December in Greenwich.
    let begins = beginnings(1_767_198_600_000, 2).unwrap();
    let names: Vec<&str> = begins.iter().map(|begin| begin.name.as_str()).collect();
    assert_eq!(names, ["2025-12", "2026-01", "2026-02"]);
    assert_eq!(begins[1].at, 1_767_196_800_000);
}
