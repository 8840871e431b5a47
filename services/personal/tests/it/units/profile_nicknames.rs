//! Unit tests of `profile::nicknames`.

use xl_personal::internals::{PRESETS, any};

#[test]
fn there_are_26_different_ones_that_may_be_published() {
    // SF016
    let different: std::collections::HashSet<&str> = PRESETS.into_iter().collect();
    assert_eq!(different.len(), 26);
    let scanner = contentscan::Scanner::new("");
    assert!(PRESETS.iter().all(|name| scanner.find(name).is_none()));
    assert!(PRESETS.contains(&any()));
}
