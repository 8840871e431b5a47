//! Times in the providers' formats: Alipay in China Standard Time without an offset, WeChat in RFC 3339.

use time::format_description::BorrowedFormatItem;
use time::format_description::well_known::Rfc3339;
use time::macros::{format_description, offset};
use time::{OffsetDateTime, PrimitiveDateTime, UtcOffset};

const CHINA: UtcOffset = offset!(+8);
const PLAIN: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");

fn at(unix_ms: i64) -> Option<OffsetDateTime> {
    let time = OffsetDateTime::from_unix_timestamp(unix_ms.div_euclid(1000)).ok()?;
    // The last hours of the calendar's range cannot be represented in a later zone.
    time.checked_to_offset(CHINA)
}

/// `yyyy-MM-dd HH:mm:ss` in China Standard Time; empty when the time is out of the calendar's range.
pub fn alipay(unix_ms: i64) -> String {
    at(unix_ms)
        .and_then(|time| time.format(PLAIN).ok())
        .unwrap_or_default()
}

/// Parses Alipay's format to Unix milliseconds.
pub fn read_alipay(text: &str) -> Option<i64> {
    let time = PrimitiveDateTime::parse(text, PLAIN).ok()?;
    time.assume_offset(CHINA).unix_timestamp().checked_mul(1000)
}

/// RFC 3339 with China's offset, to the second; empty when the time is out of the calendar's range.
pub fn wechat(unix_ms: i64) -> String {
    at(unix_ms)
        .and_then(|time| time.format(&Rfc3339).ok())
        .unwrap_or_default()
}

/// Parses RFC 3339 to Unix milliseconds.
pub fn read_wechat(text: &str) -> Option<i64> {
    let time = OffsetDateTime::parse(text, &Rfc3339).ok()?;
    time.unix_timestamp().checked_mul(1000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn times_are_those_of_china() {
        assert_eq!(alipay(0), "1970-01-01 08:00:00");
        assert_eq!(read_alipay("1970-01-01 08:00:00"), Some(0));
        assert_eq!(wechat(999), "1970-01-01T08:00:00+08:00");
        assert_eq!(read_wechat("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(alipay(i64::MAX), "");
        assert_eq!(read_alipay("1970-01-01T08:00:00"), None);
    }

    proptest! {
        #[test]
        fn any_text_and_any_time_is_read_or_refused(text in ".*", ms in any::<i64>()) {
            let _ = (read_alipay(&text), read_wechat(&text));
            let _ = (alipay(ms), wechat(ms));
        }
    }
}
