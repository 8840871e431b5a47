//! Who has which of the first listings and what they say of it, as it is written down.

use std::collections::HashMap;

use anyhow::Context as _;
use serde::Deserialize;

const BUILT_IN: &str = include_str!("../../demo/sales.toml");

/// Cents of cloud coins that a buyer begins with.
pub(super) const COINS: i64 = 100_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    buyer: Vec<String>,
    sale: Vec<Sold>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sold {
    listing: String,
    to: Vec<Sale>,
}

/// A buyer of a listing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sale {
    pub(super) buyer: usize,
    /// 0: no review.
    pub(super) stars: i32,
    pub(super) text: String,
    #[serde(default)]
    pub(super) answer: String,
}

/// All that is sold.
pub(super) struct Sales {
    pub(super) buyers: Vec<String>,
    /// By the name of the listing.
    of: HashMap<String, Vec<Sale>>,
}

impl Sales {
    pub(super) fn all() -> anyhow::Result<Self> {
        let manifest: Manifest = toml::from_str(BUILT_IN).context("the sales of the demo")?;
        let of = manifest.sale.into_iter().map(|one| (one.listing, one.to));
        Ok(Self {
            buyers: manifest.buyer,
            of: of.collect(),
        })
    }

    pub(super) fn of(&self, listing: &str) -> &[Sale] {
        self.of.get(listing).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What buyers take for nothing fits into a day, and their coins pay for the rest.
    #[test]
    fn the_first_sales_are_of_listings_that_there_are_and_can_be_paid() {
        let sales = Sales::all().unwrap();
        let manifest = super::super::manifest::Manifest::load("").unwrap();
        let offers = manifest.offers().unwrap();
        let prices: HashMap<&str, i64> = offers
            .iter()
            .map(|one| (one.name.as_str(), one.price))
            .collect();
        let mut spent = vec![(0, 0); sales.buyers.len()];
        let mut reviews = 0;
        for (listing, to) in &sales.of {
            let price = prices.get(listing.as_str());
            let price = *price.unwrap_or_else(|| panic!("no listing {listing}"));
            for sale in to {
                let (free, cents) = &mut spent[sale.buyer];
                *free += i32::from(price == 0);
                *cents += price;
                assert!((0..=5).contains(&sale.stars), "{listing}");
                reviews += i32::from(sale.stars > 0);
            }
        }
        assert!(reviews >= 40, "{reviews}");
        for (free, cents) in spent {
            assert!(free <= 5 && cents <= COINS, "{free} free, {cents} cents");
        }
    }
}
