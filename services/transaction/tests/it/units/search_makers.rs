//! Unit tests of `search::makers`.

use xl_transaction::internals::{Makers, Named};

fn makers() -> Makers {
    let mut makers = Makers::default();
    for (id, name) in [
        ("a", "云工坊"),
        ("b", "Gear Works"),
        ("c", "AB"),
        ("d", "齿轮 大师"),
        ("e", "云工"),
    ] {
        makers.meet(id);
        makers.name(id, name, 1_000_000);
    }
    makers
}

fn named(makers: &Makers, keyword: &str) -> Option<(String, String)> {
    let named = makers.named(keyword);
    named.map(|Named { sellers, rest }| (sellers.join(","), rest))
}

#[test]
fn a_keyword_names_the_maker_with_the_longest_name_in_it() {
    let makers = makers();
    let is = |ids: &str, rest: &str| Some((ids.to_owned(), rest.to_owned()));
    assert_eq!(named(&makers, "云工坊"), is("a", ""));
    assert_eq!(named(&makers, "雲工坊"), is("a", ""));
    assert_eq!(named(&makers, "yungongfang"), is("a", ""));
    assert_eq!(named(&makers, "云工的椅子"), is("e", "的椅子"));
    assert_eq!(named(&makers, "椅子 云工坊 木"), is("a", "椅子  木"));
    assert_eq!(named(&makers, "gear works low poly"), is("b", "low poly"));
    assert_eq!(named(&makers, "GearWorks"), is("b", ""));
    assert_eq!(named(&makers, "齿轮大师齿轮"), is("d", "齿轮"));
    // Not within a word.
    assert_eq!(named(&makers, "fabric"), None);
    assert_eq!(named(&makers, "ab椅子"), is("c", "椅子"));
    assert_eq!(named(&makers, "齿轮"), None);
    assert_eq!(named(&makers, ""), None);
    assert_eq!(named(&makers, &"云".repeat(100)), None);
}

#[test]
fn a_changed_name_is_the_only_one() {
    let mut makers = makers();
    makers.name("a", "山工坊", 2_000_000);
    assert_eq!(
        named(&makers, "云工坊"),
        Some(("e".to_owned(), "坊".to_owned()))
    );
    assert_eq!(
        named(&makers, "山工坊"),
        Some(("a".to_owned(), String::new()))
    );
    let like = |text: &str| -> Vec<String> {
        let like = makers.like(text);
        like.into_iter().map(|(_, name)| name).collect()
    };
    assert_eq!(like("工坊"), ["山工坊"]);
    assert_eq!(like("gear"), ["Gear Works"]);
    assert_eq!(like("dashi"), ["齿轮 大师"]);
    assert_eq!(like("云"), [""; 0]);
}

#[test]
fn names_are_asked_for_again_after_a_while() {
    let mut makers = makers();
    assert_eq!(makers.due(1_030_000, 9), [""; 0]);
    makers.meet("f");
    makers.meet("a");
    assert_eq!(makers.due(1_030_000, 9), ["f"]);
    assert_eq!(makers.due(1_060_000, 9).len(), 6);
    assert_eq!(makers.due(1_060_000, 2).len(), 2);
}
