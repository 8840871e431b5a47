//! Numbers of bank cards: Luhn's check digit, and the bank where the first digits identify it.

/// First digits of debit cards → bank. Only what is known for sure: a card of another bank is taken all the same, without a name.
pub const BINS: &[(&str, &str)] = &[
    ("103", "中国农业银行"),
    ("405512", "交通银行"),
    ("415599", "中国民生银行"),
    ("436742", "中国建设银行"),
    ("456351", "中国银行"),
    ("601382", "中国银行"),
    ("601428", "交通银行"),
    ("621098", "中国邮政储蓄银行"),
    ("621225", "中国工商银行"),
    ("621226", "中国工商银行"),
    ("621286", "招商银行"),
    ("621483", "招商银行"),
    ("621485", "招商银行"),
    ("621486", "招商银行"),
    ("621626", "平安银行"),
    ("621660", "中国银行"),
    ("621661", "中国银行"),
    ("621700", "中国建设银行"),
    ("621799", "中国邮政储蓄银行"),
    ("622150", "中国邮政储蓄银行"),
    ("622151", "中国邮政储蓄银行"),
    ("622188", "中国邮政储蓄银行"),
    ("622200", "中国工商银行"),
    ("622202", "中国工商银行"),
    ("622203", "中国工商银行"),
    ("622208", "中国工商银行"),
    ("622260", "交通银行"),
    ("622261", "交通银行"),
    ("622262", "交通银行"),
    ("622280", "中国建设银行"),
    ("622298", "平安银行"),
    ("622521", "上海浦东发展银行"),
    ("622522", "上海浦东发展银行"),
    ("622568", "广发银行"),
    ("622580", "招商银行"),
    ("622588", "招商银行"),
    ("622609", "招商银行"),
    ("622615", "中国民生银行"),
    ("622617", "中国民生银行"),
    ("622622", "中国民生银行"),
    ("622630", "华夏银行"),
    ("622660", "中国光大银行"),
    ("622662", "中国光大银行"),
    ("622663", "中国光大银行"),
    ("622690", "中信银行"),
    ("622691", "中信银行"),
    ("622692", "中信银行"),
    ("622696", "中信银行"),
    ("622698", "中信银行"),
    ("622700", "中国建设银行"),
    ("622845", "中国农业银行"),
    ("622846", "中国农业银行"),
    ("622848", "中国农业银行"),
    ("622849", "中国农业银行"),
    ("622908", "兴业银行"),
    ("622909", "兴业银行"),
    ("955880", "中国工商银行"),
];

/// The digits of a card's number as it was typed; none when it is no number of a card.
pub fn digits_of(typed: &str) -> Option<String> {
    if typed.len() > 64 {
        return None;
    }
    let digits: String = typed
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '-')
        .collect();
    let shaped = (16..=19).contains(&digits.len())
        && digits.bytes().all(|digit| digit.is_ascii_digit())
        && !digits.starts_with('0');
    (shaped && luhn(&digits)).then_some(digits)
}

fn luhn(digits: &str) -> bool {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let value = u32::from(digit - b'0');
            match (place % 2, value) {
                (0, value) => value,
                (_, value) if value > 4 => value * 2 - 9,
                (_, value) => value * 2,
            }
        })
        .sum();
    sum.is_multiple_of(10)
}

/// The bank that gave the card out; empty when the table does not know.
pub fn bank_of(digits: &str) -> &'static str {
    let known = BINS.iter().find(|(bin, _)| digits.starts_with(bin));
    known.map_or("", |(_, bank)| bank)
}

/// The last four digits.
pub fn last4(digits: &str) -> &str {
    digits
        .get(digits.len().saturating_sub(4)..)
        .unwrap_or_default()
}
