//! Rules of what people write.

use contentscan::{Scanner, is_invisible};
use proto::code;

use crate::{BusinessError, ServiceError};

/// A text of one line or more: what it is called, and its most characters.
pub struct Rule {
    pub called: &'static str,
    pub most: usize,
    pub lines: bool,
}

impl Rule {
    /// The text as it is kept. Errors: it is too long, holds what nobody sees, or a word that is not published (60102).
    pub fn check(&self, text: &str, scanner: &Scanner) -> Result<String, ServiceError> {
        let text = self.check_shape(text)?;
        let judged = scanner.judge(&text);
        if let Some(finding) = judged.refused {
            let message = format!("{}：含有不允许发布的词语「{}」", self.called, finding.word);
            return Err(BusinessError::new(code::TEXT_REFUSED, message).into());
        }
        Ok(judged.text)
    }

    /// The same of a text that is not published: no word is looked for.
    pub fn check_shape(&self, text: &str) -> Result<String, ServiceError> {
        let called = self.called;
        let text = text.replace("\r\n", "\n");
        let text = text.trim();
        if text.chars().count() > self.most {
            let message = format!("{called}最多 {} 个字符", self.most);
            return Err(BusinessError::invalid(message).into());
        }
        let seen = |c: char| !is_invisible(c) || (self.lines && matches!(c, '\n' | '\t'));
        if !text.chars().all(seen) {
            let message = format!("{called}含有不可见字符，请重新输入");
            return Err(BusinessError::invalid(message).into());
        }
        Ok(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_seen_and_as_long_as_it_may_be() {
        let scanner = Scanner::new("");
        let rule = |most, lines| Rule {
            called: "名称",
            most,
            lines,
        };
        let (name, notes) = (rule(50, false), rule(500, true));
        assert_eq!(name.check("  齿轮 ", &scanner).unwrap(), "齿轮");
        assert!(name.check(&"齿".repeat(51), &scanner).is_err());
        assert!(name.check("a\u{202e}b", &scanner).is_err());
        assert!(name.check("a\nb", &scanner).is_err());
        assert_eq!(notes.check("a\r\nb", &scanner).unwrap(), "a\nb");
    }
}
