//! What an order is for, frozen when it is made.

use proto::order::v1::order_paid::Product as PaidProduct;
use proto::order::v1::{Membership, Recharge, Share};
use serde::{Deserialize, Serialize};

use crate::config::{Grade, Package};

/// Function type of whatever has to do with the account itself.
pub(crate) const ACCOUNT: i32 = 0;
/// Function type of packages.
pub(crate) const PACKAGE: i32 = 2;
/// Function type of memberships.
pub(crate) const MEMBERSHIP: i32 = 4;
/// Transaction type of a recharge.
pub(crate) const RECHARGE_TYPE: i32 = 0;
/// Transaction type of a package.
pub(crate) const PACKAGE_TYPE: i32 = 4;
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
}

impl Product {
    pub(crate) fn function_module(&self) -> i32 {
        match self {
            Self::Membership { .. } => MEMBERSHIP,
            Self::Recharge { .. } => ACCOUNT,
            Self::Package { .. } => PACKAGE,
        }
    }

    pub(crate) fn order_type(&self) -> i32 {
        match self {
            Self::Membership { .. } => MEMBERSHIP_TYPE,
            Self::Recharge { .. } => RECHARGE_TYPE,
            Self::Package { .. } => PACKAGE_TYPE,
        }
    }

    pub(crate) fn description(&self) -> String {
        match self {
            Self::Membership { grade, .. } => format!("{}（年卡）", grade.name),
            Self::Recharge { coins, .. } => {
                format!("云币充值 {}.{:02} 元", coins / 100, coins % 100)
            }
            Self::Package { package } => format!("{}（{} 个月）", package.name, package.months),
        }
    }

    /// The price in cents.
    pub(crate) fn price(&self) -> i64 {
        match self {
            Self::Membership { grade, .. } => grade.annual_fee,
            Self::Recharge { coins, .. } => *coins,
            Self::Package { package } => package.price,
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
        };
        vec![Share {
            account: account.to_owned(),
            owner: owner.to_owned(),
            amount: payable,
        }]
    }

    pub(crate) fn to_paid(&self) -> PaidProduct {
        match self {
            Self::Membership { grade, months } => PaidProduct::Membership(Membership {
                grade: Some(grade.to_proto()),
                rank: grade.rank,
                months: *months,
            }),
            Self::Recharge { coins, .. } => PaidProduct::Recharge(Recharge { coins: *coins }),
            Self::Package { package } => PaidProduct::Package(package.to_proto()),
        }
    }
}
