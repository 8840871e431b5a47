//! The section `[order]`: what is on offer, and the rules of time.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Deserialize)]
pub struct OrderConfig {
    pub listen: String,
    pub window_minutes: i64,
    pub coupon_return_minutes: i64,
    pub sweep_ms: u64,
    pub retry_s: i64,
    pub retry_longest_s: i64,
    pub cancel_wait_ms: u64,
    pub pending_limit: u64,
    pub attempt_limit: u64,
    pub return_days: i64,
    pub recharge_min: i64,
    pub recharge_max: i64,
    pub grades: Vec<Grade>,
    pub packages: Vec<Package>,
    pub gift: Gift,
}

pub(crate) const MINUTE_MS: i64 = 60_000;
pub(crate) const DAY_MS: i64 = 24 * 60 * MINUTE_MS;

/// A grade on offer; frozen into each order for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grade {
    pub id: String,
    pub name: String,
    /// The higher one runs first.
    pub rank: i32,
    /// Cents.
    pub annual_fee: i64,
    /// Cents.
    pub monthly_fee: i64,
    /// Cents.
    pub first_month_fee: i64,
    pub single_model_lightweight: i64,
    pub model_format_conversion: i64,
    pub single_model_offline_package: i64,
    /// Percent that is paid.
    pub scene_model_lightweight: i64,
    pub model_mall_charge_model_downloads: i64,
    pub storage_gb: i64,
    pub single_max_mb: i64,
    pub scene_max_gb: i64,
    pub api_calls: i64,
}

impl Grade {
    pub(crate) fn to_proto(&self) -> proto::order::v1::MemberGrade {
        proto::order::v1::MemberGrade {
            id: self.id.clone(),
            name: self.name.clone(),
            single_model_lightweight: self.single_model_lightweight,
            model_format_conversion: self.model_format_conversion,
            single_model_offline_package: self.single_model_offline_package,
            scene_model_lightweight: self.scene_model_lightweight,
            model_mall_charge_model_downloads: self.model_mall_charge_model_downloads,
            annual_fee: self.annual_fee,
            // Rounded up: twelve of them are never less than the year.
            monthly_average: (self.annual_fee + 11) / 12,
            monthly_fee: self.monthly_fee,
            first_month_fee: self.first_month_fee,
            storage_gb: self.storage_gb,
            single_max_mb: self.single_max_mb,
            scene_max_gb: self.scene_max_gb,
            api_calls: self.api_calls,
            rank: self.rank,
        }
    }
}

/// A package on offer; frozen into each order for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package {
    pub id: String,
    pub name: String,
    /// Cents.
    pub price: i64,
    pub months: i32,
    pub storage_gb: i64,
}

impl Package {
    pub(crate) fn to_proto(&self) -> proto::order::v1::Package {
        proto::order::v1::Package {
            id: self.id.clone(),
            name: self.name.clone(),
            price: self.price,
            months: self.months,
            storage_gb: self.storage_gb,
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
pub struct Gift {
    pub days: i64,
    pub coupons: Vec<GiftCoupon>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct GiftCoupon {
    pub id: String,
    pub name: String,
    pub label: String,
    /// Cents.
    pub face_value: i64,
    /// Cents.
    pub min_amount: i64,
}

impl OrderConfig {
    /// Milliseconds until payment is asked again after so many questions.
    pub(crate) fn wait_ms(&self, checks: i32) -> i64 {
        let doubled = self
            .retry_s
            .saturating_mul(1_i64 << u32::try_from(checks).unwrap_or(0).min(20));
        doubled.min(self.retry_longest_s).saturating_mul(1000)
    }

    /// What must hold before anything is sold by these figures.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        for grade in &self.grades {
            anyhow::ensure!(grade.annual_fee > 0, "grade {}: no price", grade.id);
        }
        let rising = self.grades.windows(2).all(|two| two[0].rank < two[1].rank);
        anyhow::ensure!(
            rising && !self.grades.is_empty(),
            "grades: lowest rank first"
        );
        for package in &self.packages {
            let sound = package.price > 0 && package.months > 0 && package.storage_gb > 0;
            anyhow::ensure!(sound, "package {}: price, months, storage_gb", package.id);
        }
        let gifts = &self.gift.coupons;
        anyhow::ensure!(
            gifts
                .iter()
                .all(|gift| gift.face_value > 0 && gift.min_amount >= 0),
            "gift: face values above zero"
        );
        anyhow::ensure!(
            0 < self.recharge_min && self.recharge_min <= self.recharge_max,
            "recharge: smallest and largest"
        );
        Ok(())
    }
}
