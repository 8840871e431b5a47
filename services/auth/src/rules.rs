//! Format of fields. No I/O.

use chassis::BusinessError;

use crate::messages::{
    ACCOUNT_REQUIRED, CODE_REQUIRED, CODE_WRONG, EMAIL_WRONG, KEY_REQUIRED, PASSWORD_COMMON,
    PASSWORD_LENGTH, PASSWORD_REQUIRED, PHONE_REQUIRED, PHONE_WRONG,
};

/// Longest account input.
const ACCOUNT_MAX: usize = 32;
const PROFESSIONS: [&str; 4] = ["appdeveloper", "modeler", "designer", "other"];

/// Whether the text is a mainland mobile number: 11 digits, 1, then 3 to 9.
pub fn is_phone(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 11
        && bytes.iter().all(u8::is_ascii_digit)
        && bytes[0] == b'1'
        && (b'3'..=b'9').contains(&bytes[1])
}

/// Checks a phone number.
pub fn phone(text: &str) -> Result<&str, BusinessError> {
    if text.is_empty() {
        return Err(BusinessError::invalid(PHONE_REQUIRED));
    }
    if !is_phone(text) {
        return Err(BusinessError::invalid(PHONE_WRONG));
    }
    Ok(text)
}

/// The name that a user signs in with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountName {
    Phone(String),
    /// Lower case.
    Email(String),
}

/// Checks an account input: a phone number, or with an @ an e-mail address; at most 32 characters.
pub fn account_name(text: &str) -> Result<AccountName, BusinessError> {
    if text.is_empty() {
        return Err(BusinessError::invalid(ACCOUNT_REQUIRED));
    }
    if text.contains('@') {
        return email(text).map(AccountName::Email);
    }
    if !is_phone(text) {
        return Err(BusinessError::invalid(PHONE_WRONG));
    }
    Ok(AccountName::Phone(text.to_owned()))
}

/// Checks an e-mail address and returns it in lower case.
pub fn email(text: &str) -> Result<String, BusinessError> {
    if text.len() > ACCOUNT_MAX || !is_email(text) {
        return Err(BusinessError::invalid(EMAIL_WRONG));
    }
    Ok(text.to_ascii_lowercase())
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else {
        return false;
    };
    let local_fits = !local.is_empty()
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..")
        && local
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"._%+-".contains(&b));
    let labels: Vec<&str> = domain.split('.').collect();
    let domain_fits = labels.len() >= 2
        && labels.iter().all(|label| {
            !label.is_empty()
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b == b'-')
        });
    let top_fits = labels
        .last()
        .is_some_and(|top| top.len() >= 2 && top.bytes().all(|b| b.is_ascii_alphabetic()));
    local_fits && domain_fits && top_fits
}

/// Checks a password: 6 to 16 characters.
pub fn password(text: &str) -> Result<&str, BusinessError> {
    if text.is_empty() {
        return Err(BusinessError::invalid(PASSWORD_REQUIRED));
    }
    // Bytes first, so that characters of a text of many megabytes are not counted.
    if text.len() > 64 || !(6..=16).contains(&text.chars().count()) {
        return Err(BusinessError::invalid(PASSWORD_LENGTH));
    }
    Ok(text)
}

/// Rank in the list of common passwords up to which a password is refused: of so many, more than 3,000 have at least 6
/// characters.
const COMMON: u64 = 5_000;

/// Checks a password that is to be set: also that it is neither a common one nor the phone number.
pub fn new_password<'a>(text: &'a str, phone: &str) -> Result<&'a str, BusinessError> {
    let password = password(text)?;
    if password == phone || is_common(password) {
        return Err(BusinessError::invalid(PASSWORD_COMMON));
    }
    Ok(password)
}

/// Whether the whole of it is one entry of the list, or one run such as 111111. Its composition does not matter.
fn is_common(password: &str) -> bool {
    let estimate = zxcvbn::zxcvbn(password, &[]);
    estimate.sequence().len() == 1 && estimate.guesses() < COMMON
}

/// Whether it takes fewer than 10⁸ guesses: too few where one password opens everybody's data.
pub fn is_guessable(password: &str) -> bool {
    zxcvbn::zxcvbn(password, &[]).guesses() < 100_000_000
}

/// Checks that a code was requested and is well-formed.
pub fn code<'a>(key: &str, code: &'a str) -> Result<&'a str, BusinessError> {
    if key.is_empty() {
        return Err(BusinessError::invalid(KEY_REQUIRED));
    }
    if code.is_empty() {
        return Err(BusinessError::invalid(CODE_REQUIRED));
    }
    if code.len() > 6 || !code.bytes().all(|b| b.is_ascii_digit()) {
        return Err(BusinessError::invalid(CODE_WRONG));
    }
    Ok(code)
}

/// The profession to store; empty means other.
pub fn profession(text: &str) -> Result<&'static str, BusinessError> {
    if text.is_empty() {
        return Ok("other");
    }
    PROFESSIONS
        .into_iter()
        .find(|known| *known == text)
        .ok_or_else(|| BusinessError::invalid("请选择正确的职业"))
}

/// The number with its middle four digits hidden.
pub fn masked(phone: &str) -> String {
    match (phone.get(..3), phone.get(7..)) {
        (Some(head), Some(tail)) => format!("{head}****{tail}"),
        _ => "***".to_owned(),
    }
}

/// The address with all but its first letter hidden before the @.
pub fn masked_email(email: &str) -> String {
    match email.split_once('@') {
        Some((local, domain)) => {
            let first: String = local.chars().take(1).collect();
            format!("{first}***@{domain}")
        }
        None => "***".to_owned(),
    }
}

/// A duration for display, rounded up.
pub fn span(milliseconds: i64) -> String {
    let seconds = div_ceil(milliseconds.max(1), 1000);
    if seconds < 120 {
        return format!("{seconds}秒");
    }
    let minutes = div_ceil(seconds, 60);
    if minutes < 120 {
        return format!("{minutes}分钟");
    }
    let hours = div_ceil(minutes, 60);
    if hours <= 72 {
        return format!("{hours}小时");
    }
    format!("{}天", div_ceil(hours, 24))
}

fn div_ceil(number: i64, by: i64) -> i64 {
    (number + by - 1) / by
}
