//! Finds disguised contacts: spaces, Chinese or other Unicode digits, letters in between, names of messengers. Not exhaustive:
//! operators still see what passes.

/// Maximum number of characters between two digits of one number.
const GAP: usize = 3;
/// Maximum number of characters between a messenger's name and an account.
const NEAR: usize = 8;

const WECHAT: [&str; 11] = [
    "微信",
    "薇信",
    "威信",
    "徽信",
    "微讯号",
    "v信",
    "wechat",
    "weixin",
    "vx",
    "wx",
    "加v",
];
const QQ: [&str; 5] = ["qq", "扣扣", "秋秋", "企鹅号", "叩叩"];

/// Ends of host names that people write without `www`.
const HOSTS: [&str; 9] = [
    ".com", ".cn", ".net", ".org", ".top", ".vip", ".cc", ".xyz", ".shop",
];

/// The first kind of contact found, in words.
pub fn find(text: &str) -> Option<&'static str> {
    all(text).into_iter().next()
}

/// All kinds of contacts found, in words.
pub fn all(text: &str) -> Vec<&'static str> {
    let folded: Vec<char> = text.chars().map(fold).collect();
    let number = has_number(&folded, digit) || has_number(&folded, lookalike);
    let kinds = [
        (number, "电话号码"),
        (has_mail(&folded), "邮箱地址"),
        (has_account(&folded, &QQ, true), "QQ 号"),
        (has_account(&folded, &WECHAT, false), "微信号"),
    ];
    let found = kinds.into_iter().filter(|(found, _)| *found);
    found.map(|(_, kind)| kind).collect()
}

/// Whether a text holds the address of a site.
pub fn has_link(text: &str) -> bool {
    let folded: String = text.chars().map(fold).collect();
    let named = |end: &str| {
        folded.match_indices(end).any(|(at, _)| {
            let before = folded[..at].chars().next_back();
            let after = folded[at + end.len()..].chars().next();
            before.is_some_and(|c| c.is_ascii_alphanumeric())
                && !after.is_some_and(|c| c.is_ascii_alphanumeric())
        })
    };
    folded.contains("://") || folded.contains("www.") || HOSTS.into_iter().any(named)
}

/// Converts full width to half width, and upper to lower case.
fn fold(c: char) -> char {
    let c = match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        c => c,
    };
    c.to_ascii_lowercase()
}

/// The value of a character in a range of digits that starts with one or zero.
fn in_row(c: char, first: u32, value: u32, length: u32) -> Option<u32> {
    let place = (c as u32).checked_sub(first)?;
    (place < length).then_some(value + place)
}

fn digit(c: char) -> Option<u32> {
    const CHINESE: [&str; 10] = [
        "零〇洞",
        "一壹幺",
        "二贰两",
        "三叁",
        "四肆",
        "五伍",
        "六陆",
        "七柒拐",
        "八捌",
        "九玖勾",
    ];
    if let Some(known) = c.to_digit(10) {
        return Some(known);
    }
    let chinese = CHINESE.iter().position(|signs| signs.contains(c));
    chinese
        .and_then(|value| u32::try_from(value).ok())
        .or_else(|| in_row(c, 0x2460, 1, 9))
        .or_else(|| in_row(c, 0x2474, 1, 9))
        .or_else(|| in_row(c, 0x2488, 1, 9))
        .or_else(|| in_row(c, 0x2776, 1, 9))
        .or_else(|| in_row(c, 0x2780, 1, 9))
        .or_else(|| in_row(c, 0x278a, 1, 9))
        .or_else(|| in_row(c, 0x2080, 0, 10))
        .or_else(|| in_row(c, 0x2074, 4, 6))
        .or_else(|| in_row(c, 0x1d7ce, 0, 50).map(|value| value % 10))
        .or(match c {
            '⓪' | '⁰' => Some(0),
            '¹' => Some(1),
            '²' => Some(2),
            '³' => Some(3),
            _ => None,
        })
}

/// Includes letters that look like digits.
fn lookalike(c: char) -> Option<u32> {
    match c {
        'o' => Some(0),
        'l' | 'i' => Some(1),
        c => digit(c),
    }
}

/// Digits of one run, and the number of characters before each.
struct Run {
    digits: Vec<u32>,
    gaps: Vec<usize>,
    /// Whether separators of sizes such as 1200x800, or of ranges, precede the digit.
    measure: Vec<bool>,
}

/// A character that ends a number: a letter, not used as a separator, of a script written without spaces.
fn ends(c: char) -> bool {
    c as u32 >= 0x2e80 && c.is_alphabetic() && !matches!(c, '杠' | '横' | '点' | '空')
}

fn runs(text: &[char], digit: fn(char) -> Option<u32>) -> Vec<Run> {
    let empty = || Run {
        digits: Vec::new(),
        gaps: Vec::new(),
        measure: Vec::new(),
    };
    let (mut all, mut run, mut gap, mut measure) = (Vec::new(), empty(), 0, false);
    for c in text {
        if let Some(value) = digit(*c) {
            run.digits.push(value);
            run.gaps.push(gap);
            run.measure.push(measure);
            (gap, measure) = (0, false);
            continue;
        }
        gap += 1;
        measure |= matches!(
            *c,
            'x' | '×' | '*' | '~' | '～' | '—' | '至' | '到' | '-' | '/' | '+' | ',' | '、' | ';'
        );
        if gap > GAP || ends(*c) {
            all.push(std::mem::replace(&mut run, empty()));
            (gap, measure) = (0, false);
        }
    }
    all.push(run);
    all
}

fn has_number(text: &[char], digit: fn(char) -> Option<u32>) -> bool {
    runs(text, digit).iter().any(|run| {
        (0..run.digits.len()).any(|start| is_mobile(run, start) || is_landline(run, start))
    })
}

/// Lengths of the groups of `digits` digits from `start` on, and whether separators of sizes are between them; none if the last
/// group continues after them.
fn groups(run: &Run, start: usize, digits: usize) -> Option<(Vec<usize>, bool)> {
    let end = start + digits;
    if end > run.digits.len() || run.gaps.get(end) == Some(&0) {
        return None;
    }
    let mut groups: Vec<usize> = vec![1];
    let mut measure = false;
    for place in start + 1..end {
        match (run.gaps[place], groups.last_mut()) {
            (0, Some(last)) => *last += 1,
            _ => {
                groups.push(1);
                measure |= run.measure[place];
            }
        }
    }
    Some((groups, measure))
}

/// Whether a number may begin here: at the start of a group, or after the country code.
fn begins(run: &Run, start: usize) -> bool {
    if start == 0 || run.gaps[start] > 0 {
        return true;
    }
    let before = &run.digits[..start];
    before.ends_with(&[8, 6])
        && (start == 2 || run.gaps[start - 2] > 0 || before.ends_with(&[0, 0, 8, 6]))
}

fn is_mobile(run: &Run, start: usize) -> bool {
    if run.digits[start] != 1 || !begins(run, start) {
        return false;
    }
    if run.digits.get(start + 1).is_none_or(|second| *second < 3) {
        return false;
    }
    let Some((groups, measure)) = groups(run, start, 11) else {
        return false;
    };
    // Sizes and ranges: 1500x1300x180, 15000-200000. Phone numbers are grouped differently.
    let usual = [&[3, 4, 4][..], &[3, 8], &[7, 4], &[3, 3, 5]];
    !measure || usual.contains(&groups.as_slice()) || groups.len() > 6
}

fn is_landline(run: &Run, start: usize) -> bool {
    if run.digits[start] != 0 || !begins(run, start) {
        return false;
    }
    if run.digits.get(start + 1).is_none_or(|second| *second == 0) {
        return false;
    }
    (10..=12).any(|digits| {
        groups(run, start, digits).is_some_and(|(groups, _)| {
            matches!(
                groups.as_slice(),
                [3 | 4, 7 | 8] | [3 | 4, 3 | 4, 4] | [11 | 12]
            )
        })
    })
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

fn has_mail(text: &[char]) -> bool {
    let text: String = text.iter().filter(|c| !c.is_whitespace()).collect();
    let text = text
        .replace("(at)", "@")
        .replace("[at]", "@")
        .replace("艾特", "@")
        .replace("点com", ".com")
        .replace("点cn", ".cn");
    let mut parts = text.split('@');
    let Some(mut before) = parts.next() else {
        return false;
    };
    for after in parts {
        let name = before.chars().rev().take_while(|c| is_part(*c)).count();
        let host: String = after.chars().take_while(|c| is_part(*c)).collect();
        let end = host.trim_end_matches('.').rsplit_once('.');
        if name >= 2 && end.is_some_and(|(host, end)| !host.is_empty() && end.len() >= 2) {
            return true;
        }
        before = after;
    }
    false
}

/// The position after a name that begins here; single separators between its letters are skipped.
fn behind(text: &[char], start: usize, name: &str) -> Option<usize> {
    let mut place = start;
    for (at, wanted) in name.chars().enumerate() {
        let hidden = text.get(place).is_some_and(|c| !c.is_alphanumeric());
        if at > 0 && hidden {
            place += 1;
        }
        if text.get(place) != Some(&wanted) {
            return None;
        }
        place += 1;
    }
    Some(place)
}

/// Whether a messenger's name is followed by an account.
fn has_account(text: &[char], names: &[&str], numbers: bool) -> bool {
    (0..text.len()).any(|start| {
        let inside = start > 0 && text[start - 1].is_ascii_alphanumeric();
        let found = names.iter().filter_map(|name| {
            let latin = name.starts_with(|c: char| c.is_ascii());
            if latin && inside {
                return None;
            }
            behind(text, start, name)
        });
        found
            .into_iter()
            .any(|place| is_account(&text[place..], numbers))
    })
}

fn is_account(text: &[char], numbers: bool) -> bool {
    let filler = |c: &char| {
        !c.is_alphanumeric() || matches!(c, '号' | '码' | '是' | '为' | '加' | '我' | '群' | '同')
    };
    let skipped = text.iter().take(NEAR).take_while(|c| filler(c)).count();
    let preceding = text[..skipped]
        .iter()
        .any(|c| matches!(c, '号' | ':' | '=' | '是' | '为' | '加' | '同'));
    let rest = &text[skipped..];
    if numbers {
        let digits = rest
            .iter()
            .take_while(|c| digit(**c).is_some() || **c == ' ');
        return digits.filter(|c| **c != ' ').count() >= 5;
    }
    let account: Vec<&char> = rest
        .iter()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        .collect();
    let mixed = account.iter().any(|c| c.is_ascii_digit());
    account.len() >= 5 && (preceding || mixed)
}

#[cfg(test)]
mod tests {
    use super::{all, find, has_link};

    #[test]
    fn a_contact_is_found_in_each_disguise() {
        for text in [
            "请致电13800138000",
            "138 0013 8000",
            "1 3 8 0 0 1 3 8 0 0 0",
            "138-0013-8000",
            "+86 13800138000",
            "8613800138000",
            "一三八零零一三八零零零",
            "壹叁捌零零壹叁捌零零零",
            "幺三八洞洞幺三八洞洞洞",
            "１３８００１３８０００",
            "①③⑧⓪⓪①③⑧⓪⓪⓪",
            "𝟏𝟑𝟖𝟎𝟎𝟏𝟑𝟖𝟎𝟎𝟎",
            "1a3b8c0d0e1f3g8h0j0k0",
            "138oo138ooo",
            "l38OOl38OOO",
            "1.3.8.0.0.1.3.8.0.0.0",
            "138零零1三8000",
            "010-62770000",
            "(0755) 2677 0000",
            "加微信 xuanlan_2026",
            "微 信：abcdef",
            "VX：xl2026",
            "ｖｘ xl20260",
            "加V xl20260",
            "QQ 123456",
            "扣扣：一二三四五六",
            "Q-Q：1234567",
            "mail a.b@example.com",
            "ab＠example.cn",
            "name(at)example点com",
        ] {
            assert!(find(text).is_some(), "{text}");
        }
    }

    #[test]
    fn plain_talk_is_no_contact() {
        for text in [
            "",
            "预算 15000-200000 元",
            "尺寸 1500x1300x180 mm",
            "2026-11-24 交付，13 个文件，共 800 MB",
            "约 1380013800012 个点",
            "接入微信小程序，支持 WeChat 分享",
            "用 three.js 与 WebGL2 展示，坐标系 EPSG:4326",
            "模型 3 个，三角面 12,345,678，贴图 4096x4096",
            "一共三层，每层八间，二十四个机柜",
            "精度 0.015 mm，误差 0.0025，共 1200 个零件",
            "型号 GB/T 1804-2000，图号 XL-2026-0117",
            "邮件通知与@提醒功能",
            "QQ 群登录功能",
            "尺寸 1600、1200、900 毫米",
            "1600, 1200, 900",
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }

    #[test]
    fn every_kind_is_named_and_addresses_of_sites_are_found() {
        let text = "加QQ 123456789，或微信 wx_abc12345，13800138000";
        assert_eq!(all(text), ["电话号码", "QQ 号", "微信号"]);
        for text in [
            "https://a.example/b",
            "看ＷＷＷ．abc.io",
            "下载：models3d.com",
            "shop.cc/x",
        ] {
            assert!(has_link(text), "{text}");
        }
        for text in ["命名 .com", "three.js 与 WebGL", "a.company", "精度 0.5 mm"] {
            assert!(!has_link(text), "{text}");
        }
    }
}
