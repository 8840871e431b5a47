//! Format of the fields of a certification, messages for violations, and masking. No I/O.

use chassis::BusinessError;
use time::{Date, Month, OffsetDateTime};

use crate::rules;

pub const REAL_NAME_WRONG: &str = "请输入正确的真实姓名";
pub const ID_CARD_REQUIRED: &str = "请输入身份证号";
pub const ID_CARD_WRONG: &str = "请输入正确的身份证号";
pub const COMPANY_WRONG: &str = "请输入正确的企业名称";
pub const CREDIT_CODE_WRONG: &str = "请输入正确的统一社会信用代码";
pub const LEGAL_PERSON_WRONG: &str = "请输入正确的法定代表人姓名";
pub const CONTACT_WRONG: &str = "请输入正确的联系电话";
pub const DIRECTION_WRONG: &str = "请选择开发方向";
pub const INTRODUCE_LENGTH: &str = "请用10~500个字介绍您的开发经验";
pub const WEBSITE_WRONG: &str = "请输入以 https:// 开头的作品地址";

const DIRECTIONS: [&str; 3] = ["app", "plugin", "model"];
/// Weights of the first 17 digits (GB 11643-1999), and the check characters by the sum's remainder.
const ID_WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
pub const ID_CHECKS: &[u8; 11] = b"10X98765432";
/// The characters of a unified social credit identifier by value (GB 32100-2015): no I, O, S, V, Z.
const CREDIT_CHARACTERS: &[u8; 31] = b"0123456789ABCDEFGHJKLMNPQRTUWXY";
const CREDIT_WEIGHTS: [usize; 17] = [
    1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28,
];
/// First two digits of an administrative division (GB/T 2260): provinces, and what is counted as one; 81 to 83 are of the residence
/// permits for people from Hong Kong, Macao and Taiwan.
fn is_province(code: u32) -> bool {
    matches!(code, 11..=15 | 21..=23 | 31..=37 | 41..=46 | 50..=54 | 61..=65 | 71 | 81..=83)
}

/// A person's name: two letters or more of any script, with the dots that join the parts of some.
fn is_name(text: &str) -> bool {
    let joins = |c: char| matches!(c, '·' | '•' | '.' | '-' | '\'' | ' ');
    text.chars().filter(|c| c.is_alphabetic()).count() >= 2
        && text.chars().all(|c| c.is_alphabetic() || joins(c))
        && !text.starts_with(joins)
}

pub fn real_name(text: &str) -> Result<String, BusinessError> {
    match is_name(text) {
        true => Ok(text.to_owned()),
        false => Err(BusinessError::invalid(REAL_NAME_WRONG)),
    }
}

pub fn legal_person(text: &str) -> Result<String, BusinessError> {
    match is_name(text) {
        true => Ok(text.to_owned()),
        false => Err(BusinessError::invalid(LEGAL_PERSON_WRONG)),
    }
}

/// Checks the number of an identity card (GB 11643) and returns it in capitals.
pub fn id_card(text: &str, now_ms: i64) -> Result<String, BusinessError> {
    let text = text.trim().to_ascii_uppercase();
    if text.is_empty() {
        return Err(BusinessError::invalid(ID_CARD_REQUIRED));
    }
    match is_id_card(&text, now_ms) {
        true => Ok(text),
        false => Err(BusinessError::invalid(ID_CARD_WRONG)),
    }
}

fn is_id_card(text: &str, now_ms: i64) -> bool {
    let Ok(bytes) = <&[u8; 18]>::try_from(text.as_bytes()) else {
        return false;
    };
    let Some((&check, digits)) = bytes.split_last() else {
        return false;
    };
    if !digits.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let number = |range: std::ops::Range<usize>| text[range].parse::<u32>().unwrap_or(0);
    let sum: u32 = digits
        .iter()
        .zip(ID_WEIGHTS)
        .map(|(digit, weight)| u32::from(digit - b'0') * weight)
        .sum();
    is_province(number(0..2))
        && was_a_day(number(6..10), number(10..12), number(12..14), now_ms)
        && ID_CHECKS[(sum % 11) as usize] == check
}

/// Whether the day exists, in a year from 1880 on, and is over in China.
fn was_a_day(year: u32, month: u32, day: u32, now_ms: i64) -> bool {
    let month = u8::try_from(month)
        .ok()
        .and_then(|month| Month::try_from(month).ok());
    let (Some(month), Ok(day)) = (month, u8::try_from(day)) else {
        return false;
    };
    let Ok(born) = Date::from_calendar_date(year as i32, month, day) else {
        return false;
    };
    let china = OffsetDateTime::from_unix_timestamp(now_ms / 1000 + 8 * 3600);
    year >= 1880 && china.is_ok_and(|now| born < now.date())
}

/// Checks a unified social credit identifier (GB 32100) and returns it in capitals.
pub fn credit_code(text: &str) -> Result<String, BusinessError> {
    let text = text.to_ascii_uppercase();
    match is_credit_code(&text) {
        true => Ok(text),
        false => Err(BusinessError::invalid(CREDIT_CODE_WRONG)),
    }
}

pub fn is_credit_code(text: &str) -> bool {
    let value = |byte: &u8| CREDIT_CHARACTERS.iter().position(|known| known == byte);
    let values: Option<Vec<usize>> = text.as_bytes().iter().map(value).collect();
    let Some(values) = values.filter(|values| values.len() == 18) else {
        return false;
    };
    let sum: usize = values
        .iter()
        .zip(CREDIT_WEIGHTS)
        .map(|(value, weight)| value * weight)
        .sum();
    let division = &text.as_bytes()[2..8];
    let province = u32::try_from(10 * values[2] + values[3]).is_ok_and(|code| {
        // 10 stands for authorities of the whole country.
        code == 10 || is_province(code)
    });
    province && division.iter().all(u8::is_ascii_digit) && values[17] == (31 - sum % 31) % 31
}

pub fn company_name(text: &str) -> Result<String, BusinessError> {
    let plain = |c: char| !c.is_control() && !matches!(c, '<' | '>');
    let named = text.chars().count() >= 2 && text.chars().any(char::is_alphabetic);
    match named && text.chars().all(plain) {
        true => Ok(text.to_owned()),
        false => Err(BusinessError::invalid(COMPANY_WRONG)),
    }
}

/// A mobile number, a landline with its area code, or a service number (400, 800); with or without dashes.
pub fn contact_phone(text: &str) -> Result<String, BusinessError> {
    match rules::is_phone(text) || is_landline(text) || is_service_number(text) {
        true => Ok(text.to_owned()),
        false => Err(BusinessError::invalid(CONTACT_WRONG)),
    }
}

fn is_landline(text: &str) -> bool {
    // Area codes of three digits begin with 01 or 02.
    let area = match text.as_bytes() {
        [b'0', b'1' | b'2', ..] => 3,
        [b'0', ..] => 4,
        _ => return false,
    };
    let Some((area, number)) = text.split_at_checked(area) else {
        return false;
    };
    let number = number.strip_prefix('-').unwrap_or(number);
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    digits(area)
        && digits(number)
        && (7..=8).contains(&number.len())
        && !number.starts_with(['0', '1'])
}

fn is_service_number(text: &str) -> bool {
    let digits = text.replace('-', "");
    digits.len() == 10
        && text.len() <= 12
        && (digits.starts_with("400") || digits.starts_with("800"))
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

pub fn direction(text: &str) -> Result<&'static str, BusinessError> {
    let known = DIRECTIONS.into_iter().find(|known| *known == text);
    known.ok_or_else(|| BusinessError::invalid(DIRECTION_WRONG))
}

pub fn introduce(text: &str) -> Result<String, BusinessError> {
    let text = text.trim();
    let shown = |c: char| !c.is_control() || c == '\n';
    // Bytes first, so that characters of a text of many megabytes are not counted.
    let fits = text.len() <= 500 * 4 && (10..=500).contains(&text.chars().count());
    match fits && text.chars().all(shown) {
        true => Ok(text.to_owned()),
        false => Err(BusinessError::invalid(INTRODUCE_LENGTH)),
    }
}

/// A website with own works; empty means none.
pub fn website(text: &str) -> Result<String, BusinessError> {
    let text = text.trim();
    let host = text
        .strip_prefix("https://")
        .map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default());
    let named = |host: &str| {
        host.contains('.')
            && host
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b".-:".contains(&byte))
    };
    let plain = text.len() <= 200
        && text
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !b"<>\"'`\\".contains(&byte));
    match text.is_empty() || (plain && host.is_some_and(named)) {
        true => Ok(text.to_owned()),
        false => Err(BusinessError::invalid(WEBSITE_WRONG)),
    }
}

/// Only the first character of a name: 张*.
pub fn masked_name(name: &str) -> String {
    let mut characters = name.chars();
    let first = characters.next().map(String::from).unwrap_or_default();
    first + &"*".repeat(characters.count())
}

/// Only the first and the last character of a number: 1****************X.
pub fn masked_number(number: &str) -> String {
    let characters: Vec<char> = number.chars().collect();
    match characters.as_slice() {
        [first, hidden @ .., last] => format!("{first}{}{last}", "*".repeat(hidden.len())),
        _ => "*".to_owned(),
    }
}

/// Hides all but the last four digits of a phone number.
pub fn masked_phone(phone: &str) -> String {
    let shown = phone.len().saturating_sub(4);
    match phone.split_at_checked(shown) {
        Some((hidden, tail)) => "*".repeat(hidden.len()) + tail,
        None => "***".to_owned(),
    }
}
