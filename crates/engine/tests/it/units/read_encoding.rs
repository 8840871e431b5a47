//! Unit tests of `read::encoding`.

use encoding_rs::{BIG5, GBK, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};
use modelkit::internals::{Encoding, Names, fold, json, text, xml};

fn read(bytes: &[u8]) -> String {
    Encoding::of(bytes).name(bytes)
}

#[test]
fn utf8_stays_utf8() {
    for name in [
        "wood",
        "木头",
        "贴图 01",
        "Björn",
        "Дерево",
        "ξύλο",
        "été à Łódź",
        "φ10×20",
        "Gro\u{308}ße",
        "螺栓M8×20",
        "café",
        "5° ±3 m² µm",
        "שלום",
        "日本語テキスト",
        "재질",
        "a·b",
        "T°C Nº5 1½ §7 «дом»",
    ] {
        assert_eq!(read(name.as_bytes()), name);
    }
}

#[test]
fn common_characters_decide_where_both_readings_are_valid() {
    for name in [
        "木头",
        "楼",
        "楼01",
        "猫",
        "小",
        "台",
        "砖",
        "圆",
        "头_01",
        "露台".get(..3).unwrap_or(""),
    ] {
        let bytes = GBK.encode(name).0;
        assert_eq!(read(&bytes), name);
    }
    // Names in other lines decide too.
    let mut names = Names::default();
    for name in ["楼", "贴图"] {
        names.add(&GBK.encode(name).0);
    }
    assert_eq!(names.encoding().name(&GBK.encode("楼").0), "楼");
    let mut names = Names::default();
    for name in ["楼", "¥"] {
        names.add(name.as_bytes());
    }
    assert_eq!(names.encoding(), Encoding::UTF8);
}

#[test]
fn legacy_encodings_are_told_apart() {
    for (name, encoding) in [
        ("贴图 01", GBK),
        ("材质球", GBK),
        ("红色金属", GBK),
        ("球体", GBK),
        ("组", GBK),
        ("榫卯", GBK),
        ("朱镕基", GBK),
        ("螺栓M8×20", GBK),
        ("Größe.png", WINDOWS_1252),
        ("Körper", WINDOWS_1252),
        ("café", WINDOWS_1252),
        ("Дерево", WINDOWS_1251),
        ("木材", BIG5),
        ("頭髮", BIG5),
        ("マテリアル", SHIFT_JIS),
        ("髪の毛.png", SHIFT_JIS),
    ] {
        let bytes = encoding.encode(name).0;
        assert!(std::str::from_utf8(&bytes).is_err(), "{name}");
        assert_eq!(read(&bytes), name);
    }
}

#[test]
fn texts_follow_their_marks_and_declarations() {
    assert_eq!(text(b"\xef\xbb\xbfa"), "a");
    assert_eq!(text(b"\xff\xfe\x28\x67"), "木");
    assert_eq!(text(b"\xfe\xff\x67\x28"), "木");
    let wide: Vec<u8> = "<?xml encoding='UTF-16'?><a/>"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(xml(&wide), "<?xml encoding='UTF-16'?><a/>");
    // A declaration that is not true.
    let lie = [
        b"<?xml encoding='utf-8'?>".to_vec(),
        GBK.encode("瓷砖").0.into_owned(),
    ]
    .concat();
    assert!(xml(&lie).ends_with("瓷砖"));
    // JSON is UTF-8, however unusual.
    assert_eq!(json("ľͷ".as_bytes()), "ľͷ");
    assert_eq!(json(&GBK.encode("瓷砖").0), "瓷砖");
}

#[test]
fn names_are_compared_without_case_and_composition() {
    for (a, b) in [
        ("A.PNG", "a.png"),
        ("Größe", "GRO\u{308}SSE"),
        ("e\u{301}", "É"),
        ("ΣΑΣ", "σας"),
        ("木", "木"),
    ] {
        assert_eq!(fold(a), fold(b));
    }
    assert_ne!(fold("o"), fold("ö"));
}
