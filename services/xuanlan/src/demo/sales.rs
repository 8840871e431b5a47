//! The first sales of a new mall, made through the calls that buyers and makers use. Everything is looked up before it is made,
//! so the next start resumes after a kill.

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use chassis::shutdown::Pauses;
use proto::order::v1::CreateModelOrderRequest;
use proto::order::v1::order_api_client::OrderApiClient;
use proto::payment::v1::PayRequest;
use proto::payment::v1::payment_api_client::PaymentApiClient;
use proto::transaction::v1::grant_api_client::GrantApiClient;
use proto::transaction::v1::rating_api_client::RatingApiClient;
use proto::transaction::v1::{
    AnswerModelReviewRequest, FreeModelCountRequest, FreeModelRequest, MyModelReviewRequest,
    MyModelsRequest, SaveModelReviewRequest,
};
use xl_auth::admin::{AccountSpec, add_account};

use super::accounts::{PROFILE_PATIENCE, unguessable};
use super::mall::{Mall, Seller};
use super::sold::{COINS, Sale};

/// Digits of the buyers' telephone numbers before the last two.
const PHONES: &str = "138000002";
/// Poll interval and longest wait for a model that is paid.
const PERIOD: Duration = Duration::from_millis(250);
const PATIENCE: Duration = Duration::from_secs(120);

impl Mall {
    /// Makes the buyers' accounts, each with coins. Their passwords are random and not kept.
    pub(super) async fn buyers(&self, names: &[String]) -> anyhow::Result<Vec<String>> {
        let mut buyers = Vec::new();
        for (number, name) in names.iter().enumerate() {
            let spec = AccountSpec {
                phone: format!("{PHONES}{:02}", number + 1),
                password: unguessable(),
                ..Default::default()
            };
            let id = add_account(&self.auth, &spec).await?.login_id;
            xl_payment::admin::grant(&self.coins, &id, COINS, &format!("demo:{id}")).await?;
            let until = Instant::now() + PROFILE_PATIENCE;
            while let Err(error) = self.introduce(&id, name, "").await {
                ensure!(Instant::now() < until, "no profile of a buyer: {error}");
                tokio::time::sleep(PERIOD).await;
            }
            buyers.push(id);
        }
        Ok(buyers)
    }
}

impl Seller<'_> {
    /// Gets a listing to its buyers, whose reviews it then has.
    pub(super) async fn sell(
        &self,
        listing: &str,
        price: i64,
        sales: &[Sale],
        buyers: &[String],
    ) -> anyhow::Result<()> {
        for sale in sales {
            let buyer = buyers.get(sale.buyer).context("no such buyer")?;
            if self.deliver(listing, price, buyer).await? && sale.stars > 0 {
                self.review(listing, buyer, sale).await?;
            }
        }
        Ok(())
    }

    /// `false`: free, and its taker has had as many today as a day allows.
    async fn deliver(&self, listing: &str, price: i64, buyer: &str) -> anyhow::Result<bool> {
        if self.has(listing, buyer).await? {
            return Ok(true);
        }
        if price == 0 {
            let form = FreeModelCountRequest::default();
            let request = self.mall.by(xl_transaction::NAME, buyer, form)?;
            let mut grants = self.grants();
            let left = grants.check_the_day_of_free_model_count(request).await?;
            if left.into_inner().count == 0 {
                return Ok(false);
            }
            let form = FreeModelRequest {
                model_id: listing.to_owned(),
                ..Default::default()
            };
            let request = self.mall.by(xl_transaction::NAME, buyer, form)?;
            grants.get_a_free_model(request).await?;
            return Ok(true);
        }
        let form = CreateModelOrderRequest {
            model_id: listing.to_owned(),
            ..Default::default()
        };
        let request = self.mall.by(xl_order::NAME, buyer, form)?;
        let routes = self.mall.order.routes.clone().prepare();
        let mut orders = OrderApiClient::new(routes);
        let order = orders.create_model_order(request).await?.into_inner();
        let form = PayRequest {
            order_id: order.order_id,
            ..Default::default()
        };
        let request = self.mall.by(xl_payment::NAME, buyer, form)?;
        let routes = self.mall.payment.routes.clone().prepare();
        PaymentApiClient::new(routes)
            .cloud_coin_pay(request)
            .await?;
        let until = Instant::now() + PATIENCE;
        let mut pauses = Pauses::of(PERIOD);
        while !self.has(listing, buyer).await? {
            ensure!(Instant::now() < until, "a paid model is not delivered");
            tokio::time::sleep(pauses.after(false)).await;
        }
        Ok(true)
    }

    async fn has(&self, listing: &str, buyer: &str) -> anyhow::Result<bool> {
        let form = MyModelsRequest {
            model_id: listing.to_owned(),
            ..Default::default()
        };
        let request = self.mall.by(xl_transaction::NAME, buyer, form)?;
        let models = self.grants().my_models(request).await?.into_inner();
        Ok(models.total_count > 0)
    }

    async fn review(&self, listing: &str, buyer: &str, sale: &Sale) -> anyhow::Result<()> {
        let form = MyModelReviewRequest {
            model_id: listing.to_owned(),
            ..Default::default()
        };
        let request = self.mall.by(xl_transaction::NAME, buyer, form)?;
        let known = self.ratings().my_model_review(request).await?;
        let review = match known.into_inner().review {
            Some(review) => review,
            None => {
                let form = SaveModelReviewRequest {
                    model_id: listing.to_owned(),
                    stars: sale.stars,
                    content: sale.text.clone(),
                    ..Default::default()
                };
                let request = self.mall.by(xl_transaction::NAME, buyer, form)?;
                self.ratings()
                    .save_model_review(request)
                    .await?
                    .into_inner()
            }
        };
        if !sale.answer.is_empty() && review.answer.is_empty() {
            let form = AnswerModelReviewRequest {
                review_id: review.review_id,
                content: sale.answer.clone(),
                ..Default::default()
            };
            let request = self.mall.by(xl_transaction::NAME, self.id, form)?;
            self.ratings().answer_model_review(request).await?;
        }
        Ok(())
    }

    fn grants(&self) -> GrantApiClient<tonic::service::Routes> {
        GrantApiClient::new(self.mall.transaction.routes.clone().prepare())
    }

    fn ratings(&self) -> RatingApiClient<tonic::service::Routes> {
        RatingApiClient::new(self.mall.transaction.routes.clone().prepare())
    }
}
