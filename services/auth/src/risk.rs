//! When the slider is demanded and when a sign-in has to wait. Rules without I/O.

use crate::config::SliderRule;
use crate::sms::Recent;
use crate::store::Failures;

/// Wrong passwords of an account after which the slider is demanded.
const ACCOUNT_FAILURES: u64 = 2;
/// The same of an address, for whatever accounts.
const ADDRESS_FAILURES: u64 = 10;
/// Wrong passwords of an account, since its last sign-in, after which it has to wait as well.
const LOCK_FAILURES: u64 = 10;
const FIRST_LOCK_MS: i64 = 60_000;
const LONGEST_LOCK_MS: i64 = 30 * 60_000;
/// Codes an address gets per hour without the slider, each for another number.
const FREE_CODES: usize = 3;

/// Whether signing in by password demands the slider.
pub fn password_needs_slider(rule: SliderRule, failures: &Failures) -> bool {
    rule == SliderRule::Always
        || failures.account >= ACCOUNT_FAILURES
        || failures.address >= ADDRESS_FAILURES
}

/// Milliseconds the account still has to wait. It doubles with every wrong password; signing in by SMS stays open.
pub fn lock_left_ms(failures: &Failures, now_ms: i64) -> Option<i64> {
    if failures.account_day < LOCK_FAILURES {
        return None;
    }
    let doublings = (failures.account_day - LOCK_FAILURES).min(8);
    let length = (FIRST_LOCK_MS << doublings).min(LONGEST_LOCK_MS);
    let left = failures.last_at + length - now_ms;
    (left > 0).then_some(left)
}

/// Whether sending a code demands the slider.
pub fn sms_needs_slider(rule: SliderRule, recent: &Recent) -> bool {
    rule == SliderRule::Always || recent.number_hour() >= 1 || recent.address_hour() >= FREE_CODES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failures(account: u64, address: u64) -> Failures {
        Failures {
            account,
            address,
            account_day: account,
            last_at: 0,
        }
    }

    #[test]
    fn the_slider_comes_after_two_or_ten() {
        let needs =
            |account, address| password_needs_slider(SliderRule::Risk, &failures(account, address));
        assert!(!needs(1, 9));
        assert!(needs(2, 2));
        assert!(needs(0, 10));
        assert!(password_needs_slider(SliderRule::Always, &failures(0, 0)));
    }

    #[test]
    fn the_lock_grows_and_ends() {
        assert_eq!(lock_left_ms(&failures(9, 9), 1), None);
        assert_eq!(lock_left_ms(&failures(10, 10), 0), Some(60_000));
        assert_eq!(lock_left_ms(&failures(12, 12), 0), Some(240_000));
        assert_eq!(lock_left_ms(&failures(500, 500), 0), Some(1_800_000));
        assert_eq!(lock_left_ms(&failures(10, 10), 60_000), None);
    }
}
