//! What remains to be paid after a coupon, in integer cents.

use crate::entity::coupon::Kind;

/// The figures of a coupon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reduction {
    /// 1: of the platform.
    pub sys_type: i32,
    pub kind: Kind,
    /// Cents.
    pub face_value: i64,
    /// Percent that is paid.
    pub discount_value: i64,
}

/// Percent of lightweight oblique photography that is paid with a coupon of type 2, whatever the coupon says.
const OBLIQUE_PERCENT: i64 = 49;

/// Cents to be paid for `amount` cents with a coupon; never below 0 nor above `amount`. Percents are rounded to the
/// nearest cent, halves up. `oblique`: the order is for lightweight oblique photography.
pub fn payable(amount: i64, coupon: Reduction, oblique: bool) -> i64 {
    let rest = if oblique && coupon.kind == Kind::Discount {
        percent(amount, OBLIQUE_PERCENT)
    } else if coupon.sys_type == 1 && coupon.kind == Kind::Discount {
        percent(amount, coupon.discount_value)
    } else {
        amount.saturating_sub(coupon.face_value)
    };
    rest.clamp(0, amount.max(0))
}

fn percent(amount: i64, percent: i64) -> i64 {
    let exact = (i128::from(amount) * i128::from(percent) + 50).div_euclid(100);
    i64::try_from(exact).unwrap_or(amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sea_orm::ActiveEnum;

    /// One of `coupon_vectors.json`, which the frontend's test reads too: what a page shows is what is taken.
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Vector {
        amount: i64,
        sys_type: i32,
        #[serde(rename = "type")]
        kind: i32,
        face_value: i64,
        discount_value: i64,
        oblique: bool,
        payable: i64,
    }

    fn kind_of(number: i32) -> Kind {
        Kind::try_from_value(&number).unwrap()
    }

    #[test]
    fn each_kind_of_coupon() {
        let vectors: Vec<Vector> =
            serde_json::from_str(include_str!("coupon_vectors.json")).unwrap();
        assert!(vectors.len() >= 7);
        for one in vectors {
            let coupon = Reduction {
                sys_type: one.sys_type,
                kind: kind_of(one.kind),
                face_value: one.face_value,
                discount_value: one.discount_value,
            };
            let rest = payable(one.amount, coupon, one.oblique);
            assert_eq!(rest, one.payable, "{} cents with {coupon:?}", one.amount);
        }
    }

    proptest! {
        #[test]
        fn never_below_zero_nor_above_the_price(
            amount in 0..i64::MAX, sys in 0..2, kind in 1..3, face: i64, discount: i64, oblique: bool,
        ) {
            let coupon = Reduction { sys_type: sys, kind: kind_of(kind), face_value: face, discount_value: discount };
            let rest = payable(amount, coupon, oblique);
            prop_assert!((0..=amount).contains(&rest));
        }
    }
}
