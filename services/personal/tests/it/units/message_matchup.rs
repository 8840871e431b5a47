//! Unit tests of `message::matchup`.

use xl_personal::internals::{KINDS, words};

#[test]
fn every_kind_has_words() {
    for kind in KINDS {
        assert!(words(kind, "齿轮").is_some(), "{kind}");
    }
}
