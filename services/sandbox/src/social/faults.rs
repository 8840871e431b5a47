//! Faults of the platforms, injected on request.

use std::time::Duration;

use serde::Deserialize;

use super::Provider;

/// Most pending rules.
pub(super) const MAX_RULES: usize = 100;
/// Longest delay.
const MAX_LATE_MS: u64 = 60_000;

/// The faults of one sign-in.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Faults {
    /// Delay of each response in milliseconds.
    pub late_ms: u64,
    /// The code counts as used from the start.
    pub used_code: bool,
    /// QQ: the token belongs to another application.
    pub foreign_client: bool,
    /// Another openid with the same unionid.
    pub changed_openid: bool,
    /// Responses of 10 MB.
    pub huge: bool,
    /// Address of the picture.
    pub picture: Option<String>,
    pub nickname: Option<String>,
}

/// Faults of future sign-ins.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Rule {
    /// None: both.
    #[serde(default)]
    pub provider: Option<Provider>,
    pub faults: Faults,
}

impl Faults {
    /// Waits as long as the fault says, and pads a huge response; JSON and forms both allow trailing blanks.
    pub(super) async fn applied(&self, answer: String) -> String {
        if self.late_ms > 0 {
            tokio::time::sleep(Duration::from_millis(self.late_ms.min(MAX_LATE_MS))).await;
        }
        match self.huge {
            true => answer + &" ".repeat(10 * 1024 * 1024),
            false => answer,
        }
    }
}

/// The faults of the first matching rule, which is removed.
pub(super) fn take(rules: &mut Vec<Rule>, provider: Provider) -> Faults {
    let fits = |rule: &Rule| rule.provider.is_none_or(|of| of == provider);
    match rules.iter().position(fits) {
        Some(at) => rules.remove(at).faults,
        None => Faults::default(),
    }
}
