//! An account of the ledger with its balance.

use sea_orm::entity::prelude::*;

/// The unit of money accounts: cents of the renminbi.
pub const CNY: &str = "CNY";
/// The unit of free counts. One transaction has one unit.
pub const COUNT: &str = "COUNT";

chassis::column_enum! {
    /// What an account is for.
    pub enum Kind {
        /// A user's cloud coins.
        Coin = "coin",
        /// What a user has earned.
        Income = "income",
        /// What a user has earned and may still have to give back.
        Pending = "pending",
        /// What a user has to give back and had not any more; negative by that amount.
        Debt = "debt",
        /// What the platform has earned.
        Revenue = "revenue",
        /// Money paid for orders that have not taken it yet.
        Escrow = "escrow",
        /// Where gifts come from; negative by what was given.
        Promotion = "promotion",
        /// What a channel owes us; negative by what it has taken and not yet transferred.
        Clearing = "clearing",
        /// Free counts of a right that a user has left in a period.
        Count = "count",
        /// Those given for the period; negative by that number.
        Quota = "quota",
        /// Those taken of it.
        Used = "used",
    }
}

impl Kind {
    /// The kind a share of an order names; none for what orders cannot pay to.
    pub fn of_share(name: &str) -> Option<Self> {
        [Self::Coin, Self::Income, Self::Pending, Self::Revenue]
            .into_iter()
            .find(|kind| kind.name() == name)
    }

    /// Accounts that the database keeps at zero or above.
    pub(crate) fn guarded(self) -> bool {
        !matches!(
            self,
            Self::Promotion | Self::Clearing | Self::Debt | Self::Quota
        )
    }

    pub fn unit(self) -> &'static str {
        match self {
            Self::Count | Self::Quota | Self::Used => COUNT,
            _ => CNY,
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "account")]
pub struct Model {
    /// `{kind}:{owner}` or `{kind}:{owner}:{part}`, see [`crate::ledger::Account`].
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// Login id; for the platform's own accounts what distinguishes them.
    pub owner: String,
    pub kind: Kind,
    /// `CNY`: cents; `COUNT`: free counts.
    pub unit: String,
    /// Sum of the entries.
    pub posted: i64,
    /// Part of it that is promised already.
    pub held: i64,
    /// Whether `posted - held` may not fall below zero.
    pub guarded: bool,
    pub version: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
