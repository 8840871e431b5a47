//! Unit tests of `search::vocabulary`.

use xl_transaction::internals::{Kind, Vocabulary, is_near};

#[test]
fn what_is_meant_is_near_or_sounds_alike() {
    let mut words = Vocabulary::default();
    words.learn("行星齿轮组", Kind::Listing);
    words.learn("机械零件", Kind::Category);
    assert!(words.meant("齿纶").contains(&"齿轮".to_owned()));
    assert!(words.meant("chilum").contains(&"齿轮".to_owned()));
    assert!(words.meant("机戒零件").contains(&"机械零件".to_owned()));
    assert!(words.meant("桌子").is_empty());
    // What can be read as pinyin means what it says, but for what many do not hear.
    words.learn("落地灯", Kind::Listing);
    words.learn("装饰", Kind::Label);
    assert!(words.meant("luosi").is_empty());
    assert!(words.meant("zuangsi").contains(&"装饰".to_owned()));
    let found = words.suggest("xingx", 10);
    assert!(found.iter().any(|(text, _)| text == "行星齿轮组"));
    assert_eq!(
        words.suggest("JXLJ", 10),
        [("机械零件".to_owned(), Kind::Category)]
    );
    // The words of a category too.
    let found = words.suggest("零", 10);
    assert!(found.contains(&("零件".to_owned(), Kind::Word)));
    assert!(is_near("abcd", "abdc") && !is_near("ab", "cd"));
}
