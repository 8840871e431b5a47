//! What the providers do wrong when they are told to.

use serde::{Deserialize, Serialize};

use super::books::Channel;

/// Rules that wait at most.
pub(super) const MAX_RULES: usize = 100;
/// Notifications beyond the first at most.
const MAX_REPEAT: u32 = 20;

/// What a merchant may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Operation {
    Create,
    Query,
    Close,
    Refund,
    QueryRefund,
}

/// What goes wrong with one trade.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Faults {
    /// The first notification waits so many milliseconds.
    pub late_ms: i64,
    /// Notifications that come beside the first, all at once.
    pub repeat: u32,
    /// An older state is notified after the payment.
    pub reorder: bool,
    /// No notification at all.
    pub mute: bool,
    /// Answers that break off, the thing done; each entry once.
    pub lose: Vec<Operation>,
    /// Requests that get no answer, nothing done; each entry once.
    pub silent: Vec<Operation>,
    /// Cents that notifications and answers tell instead.
    pub wrong_amount: Option<i64>,
    /// Notifications name another application.
    pub wrong_app: bool,
    /// Notifications name another merchant or seller.
    pub wrong_merchant: bool,
    /// Notifications of WeChat name another currency.
    pub wrong_currency: bool,
    /// Notifications are signed by somebody else.
    pub bad_signature: bool,
    /// WeChat: it is paid, and notified, before the merchant has its answer. Alipay: notified before the payer comes back.
    pub early: bool,
    /// Whoever closes it finds that it was paid at that moment.
    pub paid_on_close: bool,
}

/// Faults of trades to come.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Rule {
    /// None: of both.
    #[serde(default)]
    pub channel: Option<Channel>,
    /// Trades it holds for; none: always.
    #[serde(default = "once")]
    pub times: Option<u32>,
    pub faults: Faults,
}

fn once() -> Option<u32> {
    Some(1)
}

impl Faults {
    pub(super) fn bounded(mut self) -> Self {
        self.repeat = self.repeat.min(MAX_REPEAT);
        self.lose.truncate(100);
        self.silent.truncate(100);
        self
    }
}

/// The faults of the first rule that fits; a rule that held often enough goes.
pub(super) fn take(rules: &mut Vec<Rule>, channel: Channel) -> Faults {
    let fits = |rule: &Rule| rule.channel.is_none_or(|of| of == channel);
    let Some(at) = rules.iter().position(fits) else {
        return Faults::default();
    };
    let faults = rules[at].faults.clone();
    match &mut rules[at].times {
        None => {}
        Some(times) if *times > 1 => *times -= 1,
        Some(_) => drop(rules.remove(at)),
    }
    faults
}

/// Takes one entry out of a list.
pub(super) fn strike(list: &mut Vec<Operation>, operation: Operation) -> bool {
    let at = list.iter().position(|one| *one == operation);
    at.map(|at| list.remove(at)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_hold_as_often_as_they_say() {
        let rule = |text| serde_json::from_str::<Rule>(text).unwrap();
        let mut rules = vec![
            rule(r#"{"channel":"alipay","faults":{"mute":true}}"#),
            rule(r#"{"times":2,"faults":{"reorder":true}}"#),
            rule(r#"{"times":null,"faults":{"early":true}}"#),
        ];
        assert!(take(&mut rules, Channel::Wechat).reorder);
        assert!(take(&mut rules, Channel::Alipay).mute);
        assert!(take(&mut rules, Channel::Alipay).reorder);
        for _ in 0..3 {
            assert!(take(&mut rules, Channel::Alipay).early);
        }
        assert!(serde_json::from_str::<Rule>(r#"{"faults":{"typo":true}}"#).is_err());
    }
}
