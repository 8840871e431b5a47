//! Things of a seller, frozen into an order as the seller quoted them.

use chassis::ids::new_id;
use proto::order::v1::{Goods, GoodsItem, Share};
use proto::transaction::v1::QuotedItem;
use serde::{Deserialize, Serialize};

/// Whole of a share in ten-thousandths.
const WHOLE_BP: i64 = 10_000;

/// Who sells models, and what they are called there.
pub(crate) const MALL: &str = "transaction";
pub(crate) const MODEL: &str = "model";
/// Personal and enterprise modelers.
const MODELERS: [i32; 2] = [2, 3];

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    pub item_id: String,
    /// At the seller: of a listing, for example.
    pub id: String,
    pub version: i32,
    pub title: String,
    pub seller: String,
    pub uploader_type: i32,
    pub share_bp: i32,
    /// Cents.
    pub price: i64,
    pub license: String,
}

impl Item {
    pub(crate) fn of(quoted: QuotedItem) -> Self {
        Self {
            item_id: new_id(),
            id: quoted.model_id,
            version: quoted.version,
            title: quoted.title,
            seller: quoted.seller,
            uploader_type: quoted.uploader_type,
            share_bp: quoted.share_bp,
            price: quoted.price,
            license: quoted.license,
        }
    }

    /// Cents of the price that are the seller's, rounded down.
    pub(crate) fn earning(&self) -> i64 {
        let bp = i64::from(self.share_bp).clamp(0, WHOLE_BP);
        (i128::from(self.price) * i128::from(bp) / i128::from(WHOLE_BP)) as i64
    }

    /// Whether it is offered on the same terms.
    pub(crate) fn same_offer(&self, other: &Self) -> bool {
        (&self.id, self.price, &self.license, self.version)
            == (&other.id, other.price, &other.license, other.version)
    }

    fn to_proto(&self, by_counts: bool) -> GoodsItem {
        let cents = |cents: i64| if by_counts { 0 } else { cents };
        GoodsItem {
            item_id: self.item_id.clone(),
            id: self.id.clone(),
            version: self.version,
            title: self.title.clone(),
            seller: self.seller.clone(),
            uploader_type: self.uploader_type,
            share_bp: self.share_bp,
            price: self.price,
            payable: cents(self.price),
            license: self.license.clone(),
            earning: cents(self.earning()),
        }
    }
}

/// What is ordered at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Basket {
    pub service: String,
    pub kind: String,
    pub items: Vec<Item>,
    #[serde(default)]
    pub embedded_setting: String,
}

impl Basket {
    /// Cents.
    pub(crate) fn price(&self) -> i64 {
        self.items.iter().map(|item| item.price).sum()
    }

    pub(crate) fn description(&self) -> String {
        match self.items.as_slice() {
            [] => String::new(),
            [one] => one.title.clone(),
            [first, ..] => format!("{} 等 {} 个模型", first.title, self.items.len()),
        }
    }

    pub(crate) fn same_offer(&self, other: &Self) -> bool {
        self.service == other.service
            && self.kind == other.kind
            && self.embedded_setting == other.embedded_setting
            && self.items.len() == other.items.len()
            && self
                .items
                .iter()
                .all(|item| other.items.iter().any(|known| known.same_offer(item)))
    }

    /// The highest of the makers': one of theirs among them decides how the order can be paid.
    pub(crate) fn uploader_type(&self) -> Option<i32> {
        self.items.iter().map(|item| item.uploader_type).max()
    }

    /// What free counts of a membership may pay: models whose makers need not be paid for them.
    pub(crate) fn takes_counts(&self) -> bool {
        let own = |item: &Item| !MODELERS.contains(&item.uploader_type);
        self.service == MALL && self.kind == MODEL && self.items.iter().all(own)
    }

    /// Each seller's part comes to what is pending for him, the rest to the platform.
    /// Nothing is shared where nothing is paid.
    pub(crate) fn shares(&self, payable: i64) -> Vec<Share> {
        if payable == 0 {
            return Vec::new();
        }
        let mut shares: Vec<Share> = Vec::new();
        for item in self.items.iter().filter(|item| item.earning() > 0) {
            match shares.iter_mut().find(|share| share.owner == item.seller) {
                Some(share) => share.amount += item.earning(),
                None => shares.push(Share {
                    account: "pending".to_owned(),
                    owner: item.seller.clone(),
                    amount: item.earning(),
                }),
            }
        }
        let rest = payable - shares.iter().map(|share| share.amount).sum::<i64>();
        shares.push(Share {
            account: "revenue".to_owned(),
            owner: String::new(),
            amount: rest,
        });
        shares
    }

    pub(crate) fn to_proto(&self, by_counts: bool) -> Goods {
        Goods {
            service: self.service.clone(),
            kind: self.kind.clone(),
            items: self
                .items
                .iter()
                .map(|item| item.to_proto(by_counts))
                .collect(),
            r#type: String::new(),
            embedded_setting: self.embedded_setting.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn item(seller: &str, price: i64, share_bp: i32) -> Item {
        Item {
            item_id: String::new(),
            id: format!("{seller}{price}"),
            version: 1,
            title: "齿轮".to_owned(),
            seller: seller.to_owned(),
            uploader_type: 2,
            share_bp,
            price,
            license: "personal".to_owned(),
        }
    }

    fn basket(items: Vec<Item>) -> Basket {
        Basket {
            service: MALL.to_owned(),
            kind: MODEL.to_owned(),
            items,
            embedded_setting: String::new(),
        }
    }

    #[test]
    fn a_maker_of_two_things_has_one_share() {
        let goods = basket(vec![
            item("a", 101, 7000),
            item("b", 300, 7000),
            item("a", 99, 7000),
        ]);
        let shares: Vec<(String, String, i64)> = goods
            .shares(goods.price())
            .into_iter()
            .map(|share| (share.account, share.owner, share.amount))
            .collect();
        let share =
            |account: &str, owner: &str, amount| (account.to_owned(), owner.to_owned(), amount);
        assert_eq!(
            shares,
            [
                share("pending", "a", 70 + 69),
                share("pending", "b", 210),
                share("revenue", "", 151)
            ]
        );
    }

    proptest! {
        #[test]
        fn shares_are_all_that_is_paid(
            items in proptest::collection::vec(("[a-c]", 1i64..10_000_000, 0i32..=10_000), 1..200),
        ) {
            let goods = basket(items.iter().map(|(seller, price, bp)| item(seller, *price, *bp)).collect());
            let shares = goods.shares(goods.price());
            prop_assert_eq!(shares.iter().map(|share| share.amount).sum::<i64>(), goods.price());
            prop_assert!(shares.iter().all(|share| share.amount >= 0));
        }
    }
}
