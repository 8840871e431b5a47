//! Unit tests of `search::words`.

use xl_transaction::internals::{
    indexed, is_spelled, plain, slurred, sound, sounds, spoken, syllables, synonyms,
};

#[test]
fn scripts_widths_and_punctuation_become_one() {
    assert_eq!(plain("行星齒輪組（ＧＥＡＲ）"), "行星齿轮组 gear ");
    assert!(indexed("行星齿轮组").contains(&"齿轮".to_owned()));
    assert!(indexed("齿轮组与轴承").contains(&"轴承".to_owned()));
    let sounds = sounds("行星齿轮组");
    for wanted in ["chilun", "xingxing", "xingxingchilunzu"] {
        assert!(sounds.iter().any(|one| one == wanted), "{sounds:?}");
    }
    assert_eq!(sound("绿色").0, "lvse");
    assert!(synonyms("齿轮").contains(&"gear"));
}

#[test]
fn pinyin_is_read_by_syllables() {
    for spelled in ["luosi", "yizi", "chilun", "shu", "lvse", "xian"] {
        assert!(is_spelled(spelled), "{spelled}");
    }
    for other in ["chilum", "gear", "bearing", "ng", "xx"] {
        assert!(!is_spelled(other), "{other}");
    }
    assert_eq!(syllables("Q版 松树"), ["ban", "song", "shu"]);
    assert_eq!(slurred("zhuangshi"), slurred("zuansi"));
    assert!(spoken("luosi").contains(&"螺丝"));
}
