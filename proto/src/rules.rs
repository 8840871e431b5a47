//! Rules of the contract for request fields, and the user-facing refusals.

use std::borrow::Cow;
use std::fmt::Display;

use garde::Validate;
use garde::i18n::{
    I18n, InvalidCreditCard, InvalidEmail, InvalidPhoneNumber, InvalidUrl, IpKind, with_i18n,
};

use crate::calls::Refusal;

/// A request with rules. Implemented for every message that has a field with the option `rule`.
pub trait Ruled: Validate<Context = ()> {
    const WORDS: &'static [Words];

    /// Trims its texts that have rules.
    fn trim(&mut self);
}

/// Texts for the refusals of a field.
pub struct Words {
    pub field: &'static str,
    pub called: &'static str,
    /// Unit of its length.
    pub unit: &'static str,
    /// Refusal of an empty value; empty: generated.
    pub missing: &'static str,
    /// Refusal of any other invalid value; empty: generated.
    pub says: &'static str,
}

/// Returns the request if all rules hold. Errors: the first field that breaks a rule.
pub fn checked<M: Ruled>(mut request: M) -> Result<M, Refusal> {
    request.trim();
    let Err(report) = with_i18n(Breach, || request.validate()) else {
        return Ok(request);
    };
    // The report is sorted by field name, the contract in the order of the form.
    let sentence = M::WORDS.iter().find_map(|words| {
        let broken = report.iter().find(|(path, _)| {
            let path = path.to_string();
            path.trim_start_matches("r#") == words.field
        });
        broken.map(|(_, error)| words.sentence(error.message()))
    });
    Err(Refusal::Invalid(sentence.unwrap_or_default()))
}

pub fn trim(text: &mut String) {
    let kept = text.trim();
    if kept.len() < text.len() {
        *text = kept.to_owned();
    }
}

impl Words {
    /// `breach` as written by [`Breach`]: kind of the bound, and the bound.
    fn sentence(&self, breach: &str) -> String {
        let Self { called, unit, .. } = self;
        match breach.split_once(' ').unwrap_or_default() {
            ("absent", _) | ("least", "1") if !self.missing.is_empty() => self.missing.to_owned(),
            _ if !self.says.is_empty() => self.says.to_owned(),
            ("absent", _) | ("least", "1") => format!("请填写{called}"),
            ("least", bound) => format!("{called}至少 {bound} {unit}"),
            ("most", bound) => format!("{called}最多 {bound} {unit}"),
            ("low", bound) => format!("{called}不能小于 {bound}"),
            ("high", bound) => format!("{called}不能大于 {bound}"),
            _ => format!("{called}不正确"),
        }
    }
}

/// Formats the violated bound for [`Words::sentence`].
struct Breach;

type Text = Cow<'static, str>;

impl I18n for Breach {
    fn length_lower_than(&self, min: usize) -> Text {
        format!("least {min}").into()
    }

    fn length_greater_than(&self, max: usize) -> Text {
        format!("most {max}").into()
    }

    fn range_lower_than(&self, min: &dyn Display) -> Text {
        format!("low {min}").into()
    }

    fn range_greater_than(&self, max: &dyn Display) -> Text {
        format!("high {max}").into()
    }

    fn required_not_set(&self) -> Text {
        "absent ".into()
    }

    // No rule of the contract uses these.
    fn credit_card_invalid(&self, _: InvalidCreditCard) -> Text {
        Text::default()
    }

    fn pattern_no_match(&self, _: &dyn Display) -> Text {
        Text::default()
    }

    fn contains_missing(&self, _: &dyn Display) -> Text {
        Text::default()
    }

    fn url_invalid(&self, _: InvalidUrl) -> Text {
        Text::default()
    }

    fn prefix_missing(&self, _: &dyn Display) -> Text {
        Text::default()
    }

    fn suffix_missing(&self, _: &dyn Display) -> Text {
        Text::default()
    }

    fn phone_number_invalid(&self, _: InvalidPhoneNumber) -> Text {
        Text::default()
    }

    fn ip_invalid(&self, _: IpKind) -> Text {
        Text::default()
    }

    fn matches_field_mismatch(&self, _: &dyn Display) -> Text {
        Text::default()
    }

    fn email_invalid(&self, _: InvalidEmail) -> Text {
        Text::default()
    }

    fn ascii_invalid(&self) -> Text {
        Text::default()
    }

    fn alphanumeric_invalid(&self) -> Text {
        Text::default()
    }
}
