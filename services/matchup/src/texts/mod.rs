//! Checks of user texts: forbidden words, and contacts where none are allowed.

use chassis::texts::Rule;
use chassis::{BusinessError, ServiceError};
use contentscan::contacts;
use proto::code;

use crate::Matchup;
use crate::state::invalid;

const CONTACT: Rule = Rule {
    called: "联系方式",
    lines: false,
};

/// Checked texts of one form, with the words that need review.
#[derive(Default)]
pub(crate) struct Said {
    suspects: Vec<String>,
}

impl Said {
    /// Returns the words that need review, joined by commas.
    pub(crate) fn suspects(mut self) -> String {
        self.suspects.sort();
        self.suspects.dedup();
        self.suspects.join(",")
    }
}

impl Matchup {
    /// Checks a text that others read before a choice. Errors: too long, or it contains a forbidden word or a contact.
    pub(crate) async fn say(
        &self,
        rule: &Rule,
        text: &str,
        said: &mut Said,
    ) -> Result<String, ServiceError> {
        let text = rule.check_shape(text)?;
        let judged = self.words.scanner().await?.judge(&text);
        let called = rule.called;
        if let Some(finding) = judged.refused {
            let message = format!("{called}：含有不允许发布的词语「{}」", finding.word);
            return Err(BusinessError::new(code::TEXT_REFUSED, message).into());
        }
        if let Some(found) = contacts::find(&judged.text) {
            return Err(invalid(format!(
                "{called}中疑似有{found}，请删去；联系方式只在选定之后、由专门的一栏给双方看"
            )));
        }
        let words = judged.review.into_iter().map(|finding| finding.word);
        said.suspects.extend(words);
        Ok(judged.text)
    }
}

/// Checks the contact, the only field that may hold one.
pub(crate) fn contact(text: &str) -> Result<String, ServiceError> {
    CONTACT.check_shape(text)
}
