//! Faults of the providers, injected on request.

use serde::{Deserialize, Serialize};

use super::channel::Channel;

/// Most pending rules.
pub(super) const MAX_RULES: usize = 100;
/// Most repetitions of a notification.
const MAX_REPEAT: u32 = 20;

/// Operations of a merchant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Operation {
    Create,
    Query,
    Close,
    Refund,
    QueryRefund,
}

/// The faults of one trade.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Faults {
    /// Delay of the first notification in milliseconds.
    pub late_ms: i64,
    /// Additional copies of the notification, all at once.
    pub repeat: u32,
    /// Notify an older state after the payment.
    pub reorder: bool,
    /// No notification at all.
    pub mute: bool,
    /// Do the operation but break off the response; each entry applies once.
    pub lose: Vec<Operation>,
    /// Neither do the operation nor respond; each entry applies once.
    pub silent: Vec<Operation>,
    /// Wrong amount in notifications and responses, in cents.
    pub wrong_amount: Option<i64>,
    /// Notifications name another application.
    pub wrong_app: bool,
    /// Notifications name another merchant or seller.
    pub wrong_merchant: bool,
    /// Notifications of WeChat name another currency.
    pub wrong_currency: bool,
    /// Notifications are signed with a wrong key.
    pub bad_signature: bool,
    /// WeChat: paid and notified before the merchant gets its response. Alipay: notified before the payer returns.
    pub early: bool,
    /// Closing fails because the trade is paid at that moment.
    pub paid_on_close: bool,
}

/// Faults of future trades.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Rule {
    /// None: both channels.
    #[serde(default)]
    pub channel: Option<Channel>,
    /// Number of trades it applies to; none: no limit.
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

/// The faults of the first matching rule; a rule that has been used up is removed.
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

/// Removes one entry from a list.
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
