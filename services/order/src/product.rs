//! What an order is for, frozen when it is made.

use proto::order::v1::order_paid::Product as PaidProduct;
use proto::order::v1::{Membership, Recharge, Share};
use serde::{Deserialize, Serialize};

use crate::config::{Grade, Package};
use crate::goods::item::Basket;

/// Function type of whatever has to do with the account itself.
pub(crate) const ACCOUNT: i32 = 0;
/// Function type of packages.
pub(crate) const PACKAGE: i32 = 2;
/// Function type of the model mall.
pub(crate) const MALL: i32 = 3;
/// Function type of memberships.
pub(crate) const MEMBERSHIP: i32 = 4;
/// Transaction type of a recharge.
pub(crate) const RECHARGE_TYPE: i32 = 0;
/// Transaction type of a package.
pub(crate) const PACKAGE_TYPE: i32 = 4;
/// Transaction type of a model.
pub(crate) const MODEL_TYPE: i32 = 10;
/// Transaction type of a membership.
pub(crate) const MEMBERSHIP_TYPE: i32 = 12;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Product {
    Membership {
        grade: Grade,
        months: i32,
    },
    Recharge {
        /// Cents.
        coins: i64,
        package_type: String,
    },
    Package {
        package: Package,
    },
    Goods(Basket),
}

/// With a comma between thousands, as pages write amounts.
fn grouped(number: i64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl Product {
    pub(crate) fn function_module(&self) -> i32 {
        match self {
            Self::Membership { .. } => MEMBERSHIP,
            Self::Recharge { .. } => ACCOUNT,
            Self::Package { .. } => PACKAGE,
            Self::Goods(_) => MALL,
        }
    }

    pub(crate) fn order_type(&self) -> i32 {
        match self {
            Self::Membership { .. } => MEMBERSHIP_TYPE,
            Self::Recharge { .. } => RECHARGE_TYPE,
            Self::Package { .. } => PACKAGE_TYPE,
            Self::Goods(_) => MODEL_TYPE,
        }
    }

    pub(crate) fn description(&self) -> String {
        match self {
            Self::Membership { grade, .. } => format!("{}（年卡）", grade.name),
            Self::Recharge { coins, .. } => {
                format!("云币充值 {}.{:02} 元", grouped(coins / 100), coins % 100)
            }
            Self::Package { package } => format!("{}（{} 个月）", package.name, package.months),
            Self::Goods(basket) => basket.description(),
        }
    }

    /// The price in cents.
    pub(crate) fn price(&self) -> i64 {
        match self {
            Self::Membership { grade, .. } => grade.annual_fee,
            Self::Recharge { coins, .. } => *coins,
            Self::Package { package } => package.price,
            Self::Goods(basket) => basket.price(),
        }
    }

    pub(crate) fn takes_coupons(&self) -> bool {
        matches!(self, Self::Membership { .. })
    }

    /// Coins cannot be bought with coins.
    pub(crate) fn takes_coins(&self) -> bool {
        !matches!(self, Self::Recharge { .. })
    }

    /// Who gets what was paid.
    pub(crate) fn shares(&self, owner: &str, payable: i64) -> Vec<Share> {
        let (account, owner) = match self {
            Self::Membership { .. } | Self::Package { .. } => ("revenue", ""),
            Self::Recharge { .. } => ("coin", owner),
            Self::Goods(basket) => return basket.shares(payable),
        };
        vec![Share {
            account: account.to_owned(),
            owner: owner.to_owned(),
            amount: payable,
        }]
    }

    /// Free counts of a membership that pay it, when they may.
    pub(crate) fn counts(&self) -> Option<i64> {
        match self {
            Self::Goods(basket) if basket.takes_counts() => Some(basket.items.len() as i64),
            _ => None,
        }
    }

    pub(crate) fn to_paid(&self, by_counts: bool) -> PaidProduct {
        match self {
            Self::Membership { grade, months } => PaidProduct::Membership(Membership {
                grade: Some(grade.to_proto()),
                rank: grade.rank,
                months: *months,
            }),
            Self::Recharge { coins, .. } => PaidProduct::Recharge(Recharge { coins: *coins }),
            Self::Package { package } => PaidProduct::Package(package.to_proto()),
            Self::Goods(basket) => PaidProduct::Goods(basket.to_proto(by_counts)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recharge_names_its_amount_as_pages_do() {
        let recharge = |coins| Product::Recharge {
            coins,
            package_type: String::new(),
        };
        for (coins, text) in [
            (100, "云币充值 1.00 元"),
            (99_950, "云币充值 999.50 元"),
            (100_000, "云币充值 1,000.00 元"),
            (123_456_789, "云币充值 1,234,567.89 元"),
        ] {
            assert_eq!(recharge(coins).description(), text);
        }
    }
}
