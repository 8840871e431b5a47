//! The form in which texts are compared: lower case, half width, a space where the script changes.

/// Most words of one search.
const MOST_WORDS: usize = 8;
/// Most pairs of characters that one search falls back to.
const MOST_PAIRS: usize = 16;

/// Letters and digits only, words separated by one space, also between Chinese and other scripts.
pub(crate) fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut last = ' ';
    for c in text.chars().flat_map(half_width) {
        let c = if c.is_alphanumeric() { c } else { ' ' };
        let gap = c != ' ' && last != ' ' && c.is_ascii() != last.is_ascii();
        if gap || (c == ' ' && last != ' ') {
            out.push(' ');
        }
        if c != ' ' {
            out.push(c);
        }
        last = c;
    }
    out.truncate(out.trim_end().len());
    out
}

fn half_width(c: char) -> std::char::ToLowercase {
    let code = u32::from(c);
    let half = match code {
        0xff01..=0xff5e => char::from_u32(code - 0xfee0).unwrap_or(c),
        0x3000 => ' ',
        _ => c,
    };
    half.to_lowercase()
}

/// The words of a query.
pub(crate) fn asked(keyword: &str) -> Vec<String> {
    let normal = normal(keyword);
    let mut words: Vec<String> = normal.split(' ').map(str::to_owned).collect();
    words.retain(|word| !word.is_empty());
    words.dedup();
    words.truncate(MOST_WORDS);
    words
}

/// Searched for when no text has all the words: pairs of neighbours in Chinese, other words whole.
pub(crate) fn pairs(words: &[String]) -> Vec<String> {
    let mut pairs = Vec::new();
    for word in words {
        let letters: Vec<char> = word.chars().collect();
        if word.is_ascii() || letters.len() <= 2 {
            pairs.push(word.clone());
        } else {
            pairs.extend(
                letters
                    .windows(2)
                    .map(|pair| pair.iter().collect::<String>()),
            );
        }
    }
    pairs.truncate(MOST_PAIRS);
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_alike_is_alike() {
        assert_eq!(normal("上传ＳＴＬ文件，6.4 MB！"), "上传 stl 文件 6 4 mb");
        assert_eq!(normal("  上传 stl\n文件 6.4MB"), "上传 stl 文件 6 4mb");
        assert_eq!(normal("%_'\"\\"), "");
        assert_eq!(asked("上传STL 上传"), ["上传", "stl", "上传"]);
        assert_eq!(pairs(&asked("轻量化 stl")), ["轻量", "量化", "stl"]);
    }
}
