//! Alipay writes amounts as decimal yuan: `299.00`.

/// Formats cents as Alipay's decimal yuan.
pub fn yuan(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    let cents = cents.unsigned_abs();
    format!("{sign}{}.{:02}", cents / 100, cents % 100)
}

/// Parses `299`, `299.5` or `299.00` to cents; `None` for any other form, and on overflow.
pub fn cents(yuan: &str) -> Option<i64> {
    let (whole, part) = yuan.split_once('.').unwrap_or((yuan, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(part) || part.len() > 2 {
        return None;
    }
    let whole: i64 = whole.parse().ok()?;
    let part: i64 = format!("{part:0<2}").parse().ok()?;
    whole.checked_mul(100)?.checked_add(part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_plain_amounts_are_read() {
        let read = ["299.00", "299", "299.5", "0.01", "0"].map(cents);
        assert_eq!(
            read,
            [Some(29900), Some(29900), Some(29950), Some(1), Some(0)]
        );
        for wrong in [
            "",
            ".",
            "1.",
            ".5",
            "-1",
            "+1",
            "1e3",
            "1.234",
            " 1",
            "1,00",
            "٣",
            "99999999999999999999",
            "92233720368547759.00",
        ] {
            assert_eq!(cents(wrong), None, "{wrong}");
        }
        assert_eq!(yuan(i64::MIN), "-92233720368547758.08");
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(amount in 0..i64::MAX) {
            prop_assert_eq!(cents(&yuan(amount)), Some(amount));
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".*") {
            let _ = cents(&text);
        }
    }
}
