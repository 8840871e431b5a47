//! Unit tests of `certification::rules`.

use xl_auth::internals::{
    CREDIT_CODE_WRONG, ID_CARD_REQUIRED, ID_CARD_WRONG, ID_CHECKS, contact_phone, credit_code,
    id_card, introduce, is_credit_code, masked_name, masked_number, masked_phone, real_name,
    website,
};

/// 2026-01-01 in China.
const NOW_MS: i64 = 1_767_196_800_000;

#[test]
fn id_cards_have_a_day_and_a_check_character() {
    for good in [
        "11010519491231002X",
        "11010519491231002x",
        " 440524188001010014 ",
        "830000199001010012",
        "810000199001010019",
    ] {
        assert!(id_card(good, NOW_MS).is_ok(), "{good}");
    }
    for bad in [
        "110105194912310021",
        "11010519491331002X",
        "11010519490229002X",
        "1101051949123100",
        "１1010519491231002X",
        "X1010519491231002X",
        "00010519491231002X",
        // Divisions that were never given out.
        "550105194912310021",
        "70010519491231002X",
    ] {
        assert_eq!(
            id_card(bad, NOW_MS).unwrap_err().message,
            ID_CARD_WRONG,
            "{bad}"
        );
    }
    // A birthday that is still to come; its check character is right.
    let later = "11010520991231003";
    let whole = ID_CHECKS
        .iter()
        .map(|check| format!("{later}{}", char::from(*check)));
    assert!(
        whole
            .into_iter()
            .all(|number| id_card(&number, NOW_MS).is_err())
    );
    assert_eq!(id_card(" ", NOW_MS).unwrap_err().message, ID_CARD_REQUIRED);
}

#[test]
fn credit_codes_have_a_check_character() {
    for good in ["91350100M000100Y43", "911100000000131022"] {
        let read = credit_code(good);
        assert_eq!(read.is_ok(), is_credit_code(good), "{good}");
    }
    assert!(credit_code("91350100M000100Y43").is_ok());
    assert!(credit_code("91350100m000100y43").is_ok());
    // Of an authority of the whole country, and of a division that does not exist.
    assert!(credit_code("91100000M000100Y4U").is_ok());
    for bad in [
        "91550100M000100Y4G",
        "91350100M000100Y44",
        "91350100M000100Y4",
        "9135010OM000100Y43",
        "91350100M000100Y4３",
    ] {
        assert_eq!(
            credit_code(bad).unwrap_err().message,
            CREDIT_CODE_WRONG,
            "{bad}"
        );
    }
}

#[test]
fn names_phones_and_addresses() {
    for good in ["张三", "阿依古丽·买买提", "O'Neil Smith"] {
        assert!(real_name(good).is_ok(), "{good}");
    }
    for bad in ["张", "张3", "<b>张三</b>", "·张三", "A.", "张·"] {
        assert!(real_name(bad).is_err(), "{bad}");
    }
    assert!(
        contact_phone("010-12345678").is_err(),
        "no number begins with 1"
    );
    for good in [
        "010-62345678",
        "01062345678",
        "0591-87654321",
        "059187654321",
        "400-820-8820",
        "4008208820",
        "13800138000",
    ] {
        assert!(contact_phone(good).is_ok(), "{good}");
    }
    for bad in [
        "62345678",
        "0591--7654321",
        "05918765432100",
        "400-820-882",
        "400------8820",
        "0591-8765é21",
    ] {
        assert!(contact_phone(bad).is_err(), "{bad}");
    }
    assert!(website("").is_ok() && website("https://a.cn/x?y=1").is_ok());
    for bad in [
        "http://a.cn",
        "https://",
        "https://a\"b.cn",
        "javascript:alert(1)",
    ] {
        assert!(website(bad).is_err(), "{bad}");
    }
    assert!(introduce(&"长".repeat(501)).is_err() && introduce("短").is_err());
}

#[test]
fn masks() {
    assert_eq!(masked_name("张三"), "张*");
    assert_eq!(masked_number("11010519491231002X"), "1****************X");
    assert_eq!(masked_phone("13800138000"), "*******8000");
    assert_eq!(
        (masked_name(""), masked_number("")),
        (String::new(), "*".to_owned())
    );
}
