//! Unit tests of `seed`.

use xl_matchup::internals::{needs, providers};

#[test]
fn examples_say_that_they_are_examples() {
    let (needs, providers) = (needs().expect("needs"), providers().expect("providers"));
    assert!(needs.len() >= 12 && providers.len() >= 8);
    for one in &needs {
        assert!(one.slug.len() <= 24, "{}", one.slug);
        assert!(one.title.starts_with("示例："), "{}", one.title);
        assert!(one.title.chars().count() <= 60, "{}", one.title);
        assert!(one.content.contains("示例需求"), "{}", one.title);
        assert!(one.budget[0] <= one.budget[1] && one.budget[0] > 0);
    }
    for one in &providers {
        assert!(one.slug.len() <= 24, "{}", one.slug);
        assert!(one.name.starts_with("示例"), "{}", one.name);
        assert!(one.introduce.contains("示例"), "{}", one.name);
    }
}
