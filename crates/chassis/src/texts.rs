//! Rules of what people write.

use contentscan::{Scanner, is_invisible, is_visible};
use proto::code;

use crate::{BusinessError, ServiceError};

/// A text of one line or more, and what it is called. How long it may be is a rule of the contract.
pub struct Rule {
    pub called: &'static str,
    pub lines: bool,
}

impl Rule {
    /// The text as it is kept. Errors: it has invisible characters, or a word that is not published (60102).
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
        let seen = |c: char| !is_invisible(c) || (self.lines && matches!(c, '\n' | '\t'));
        if !text.chars().all(seen) || (!text.is_empty() && !is_visible(text)) {
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
    fn a_text_has_no_invisible_characters() {
        let scanner = Scanner::new("");
        let rule = |lines| Rule {
            called: "名称",
            lines,
        };
        let (name, notes) = (rule(false), rule(true));
        assert_eq!(name.check("  齿轮 ", &scanner).unwrap(), "齿轮");
        assert!(name.check("a\u{202e}b", &scanner).is_err());
        assert!(name.check("a\nb", &scanner).is_err());
        assert_eq!(notes.check("a\r\nb", &scanner).unwrap(), "a\nb");
    }
}
