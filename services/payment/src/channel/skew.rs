//! How far our clock is from a channel's, by the time in its answers: WeChat's are refused beyond five minutes, which looks
//! like a channel that does not answer.

use std::sync::Mutex;

use payprotocol::wechat::merchant::Answer;

/// A difference that is worth a line in the log, in seconds.
const WORTH_TELLING_S: i64 = 60;
/// Time between two such lines.
pub const PERIOD_MS: i64 = 60_000;

pub struct Skew {
    channel: &'static str,
    warned_at: Mutex<i64>,
}

impl Skew {
    pub fn of(channel: &'static str) -> Self {
        Self {
            channel,
            warned_at: Mutex::new(i64::MIN),
        }
    }

    /// Takes note of an answer that has just come.
    pub(super) fn note(&self, answer: &Answer, now_ms: i64) {
        let Some(ahead) = ahead_s(answer, now_ms) else {
            return;
        };
        metrics::gauge!("payment_channel_clock_seconds", "channel" => self.channel)
            .set(ahead as f64);
        if ahead.abs() < WORTH_TELLING_S || !self.is_time_to_tell(now_ms) {
            return;
        }
        let direction = if ahead > 0 { "ahead of" } else { "behind" };
        tracing::error!(
            channel = self.channel,
            seconds = ahead.abs(),
            "our clock is {direction} the channel's: beyond 300 seconds its answers and notifications are refused"
        );
    }

    pub fn is_time_to_tell(&self, now_ms: i64) -> bool {
        let mut warned_at = self
            .warned_at
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let due = now_ms.saturating_sub(*warned_at) >= PERIOD_MS;
        if due {
            *warned_at = now_ms;
        }
        due
    }
}

/// Seconds by which our clock is ahead; none when the answer names no time.
pub fn ahead_s(answer: &Answer, now_ms: i64) -> Option<i64> {
    let header = |name: &str| {
        let mut headers = answer.headers.iter();
        headers
            .find(|(known, _)| known.as_str() == name)
            .map(|(_, value)| value.as_str())
    };
    let signed = header("wechatpay-timestamp").and_then(|text| text.parse().ok());
    let theirs = match signed {
        Some(seconds) => seconds,
        None => {
            let date = httpdate::parse_http_date(header("date")?).ok()?;
            let since = date.duration_since(std::time::UNIX_EPOCH).ok()?;
            i64::try_from(since.as_secs()).ok()?
        }
    };
    Some(now_ms.div_euclid(1000).saturating_sub(theirs))
}
