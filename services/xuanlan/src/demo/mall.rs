//! The listings of a new site's mall, made through the calls that makers and operators use. Progress is read from the
//! services (an object has one file, a maker one listing per name), so the next start resumes after a kill.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use chassis::error::business_error;
use chassis::shutdown::Pauses;
use chassis::{Context, Parts, Service};
use futures::{StreamExt, stream};
use objectstore::user_prefix;
use proto::common::v1::Principal;
use proto::process::v1::process_api_client::ProcessApiClient;
use proto::process::v1::{ModelCheckingRequest, ModelReleaseRequest};
use proto::transaction::v1::listing_api_client::ListingApiClient;
use proto::transaction::v1::listing_console_api_client::ListingConsoleApiClient;
use proto::transaction::v1::{
    AddVersionRequest, ListingDecideRequest, ListingIdsRequest, MakerListing, MyListingRequest,
    MyListingsRequest, SaveListingRequest,
};
use tempfile::TempDir;
use tokio::sync::{OnceCell, Semaphore};
use tonic::Request;

use super::manifest::{Manifest, Model, Offer};
use super::plan::Plan;
use super::sold::Sales;

/// Listings made concurrently: so many that pictures of listings always wait, which go before those of source files.
const AT_ONCE: usize = 24;
/// Poll interval, longer while nothing changes: what is waited for may take hours, on a full disk for ever.
const PERIOD: Duration = Duration::from_millis(500);
/// Jobs of users go first, for hours if need be.
const PATIENCE: Duration = Duration::from_secs(24 * 3600);
pub(super) const REASON: &str = "平台自带的示例模型";

/// The parts needed to make the mall.
pub struct Mall {
    pub parts: Parts,
    pub auth: Context,
    pub jobs: Context,
    pub process: Service,
    pub personal: Service,
    pub transaction: Service,
    pub order: Service,
    pub payment: Service,
    /// Where buyers get their coins.
    pub coins: Context,
    pub works: Service,
}

/// Shared by all listings.
struct Shared {
    /// Works to show in the gallery, by the name of their listing.
    works: HashMap<String, Plan>,
    sales: Sales,
    /// Accounts of the buyers, made for the first sale.
    buyers: OnceCell<Vec<String>>,
    /// Accounts in the manifest's order.
    makers: Vec<String>,
    making: Semaphore,
    folder: TempDir,
    made: AtomicUsize,
    began: Instant,
}

/// The seller of listings.
pub(super) struct Seller<'a> {
    pub(super) mall: &'a Mall,
    pub(super) id: &'a str,
    /// Models are generated one at a time, to leave capacity for users.
    making: &'a Semaphore,
    folder: &'a Path,
}

impl Mall {
    /// Makes what is missing, unless `marker` says that all is made.
    pub async fn seed(&self, file: &str, marker: &Path) -> anyhow::Result<()> {
        if marker.exists() {
            return Ok(());
        }
        let manifest = Manifest::load(file)?;
        let offers = manifest.offers()?;
        let began = Instant::now();
        let mut makers = Vec::new();
        for (number, maker) in manifest.maker.iter().enumerate() {
            makers.push(self.maker(number, maker).await?);
        }
        let with_more = |one: &&Offer| one.models.len() > 1;
        let later: Vec<Offer> = offers.iter().filter(with_more).cloned().collect();
        let count = offers.len() + later.len();
        let shared = Shared {
            works: Plan::all()?,
            sales: Sales::all()?,
            buyers: OnceCell::new(),
            makers,
            making: Semaphore::new(1),
            folder: TempDir::new()?,
            made: AtomicUsize::new(0),
            began,
        };
        // Two dozen as soon as can be, and all listings before the second versions of some.
        let mut first: Vec<Offer> = offers.into_iter().map(Offer::first_version).collect();
        let others = first.split_off(first.len().min(AT_ONCE));
        for offers in [first, others, later] {
            stream::iter(offers)
                .for_each_concurrent(AT_ONCE, |offer| self.make(offer, &shared))
                .await;
        }
        let made = shared.made.into_inner();
        ensure!(
            made == count,
            "{made} of {count} demo listings and their later versions were made"
        );
        tokio::fs::write(marker, b"").await?;
        tracing::info!(listings = made, "demo listings made");
        Ok(())
    }

    async fn make(&self, offer: Offer, shared: &Shared) {
        let seller = Seller {
            mall: self,
            id: &shared.makers[offer.maker],
            making: &shared.making,
            folder: shared.folder.path(),
        };
        let name = &offer.name;
        let made = async {
            seller
                .offer_and_show(&offer, shared.works.get(name))
                .await?;
            self.sell(&seller, &offer, shared).await
        };
        match made.await {
            Ok(()) => {
                let made = shared.made.fetch_add(1, Ordering::Relaxed) + 1;
                let seconds = shared.began.elapsed().as_secs();
                tracing::info!(made, seconds, name, "demo listing made");
            }
            Err(error) => {
                // A refusal's words are not in the status.
                let refusal = error.downcast_ref().and_then(business_error);
                let error = refusal.map_or_else(|| format!("{error:#}"), |one| one.message);
                tracing::warn!(error, name, "demo listing not made");
            }
        }
    }

    async fn sell(
        &self,
        seller: &Seller<'_>,
        offer: &Offer,
        shared: &Shared,
    ) -> anyhow::Result<()> {
        let sales = shared.sales.of(&offer.name);
        if sales.is_empty() {
            return Ok(());
        }
        let names = &shared.sales.buyers;
        let buyers = shared.buyers.get_or_try_init(|| self.buyers(names)).await?;
        let id = seller.find(&offer.name).await?;
        let id = id.context("the listing is gone")?;
        seller.sell(&id, offer.price, sales, buyers).await
    }

    pub(super) fn by<T>(
        &self,
        audience: &str,
        user: &str,
        message: T,
    ) -> anyhow::Result<Request<T>> {
        let principal = Principal {
            login_id: user.to_owned(),
            ..Default::default()
        };
        self.signed(audience, principal, message)
    }

    fn signed<T>(
        &self,
        audience: &str,
        principal: Principal,
        message: T,
    ) -> anyhow::Result<Request<T>> {
        let mut request = Request::new(message);
        let principal = Principal {
            audience: audience.to_owned(),
            ..principal
        };
        let principals = &self.parts.principals;
        principals.attach(principal, request.metadata_mut())?;
        Ok(request)
    }

    pub(super) fn as_operator<T>(
        &self,
        audience: &str,
        permission: &str,
        message: T,
    ) -> anyhow::Result<Request<T>> {
        let operator = Principal {
            operator: true,
            operator_id: "demo".to_owned(),
            operator_name: "demo".to_owned(),
            permissions: vec![permission.to_owned()],
            ..Default::default()
        };
        self.signed(audience, operator, message)
    }

    /// An operator's decision; like any, it is recorded in the audit log.
    async fn approve(&self, listing: &str, version: i32) -> anyhow::Result<()> {
        let form = ListingDecideRequest {
            listing_id: listing.to_owned(),
            version,
            decision: "approve".to_owned(),
            reason: REASON.to_owned(),
        };
        let request = self.as_operator(xl_transaction::NAME, "listing.decide", form)?;
        let routes = self.transaction.routes.clone().prepare();
        let mut client = ListingConsoleApiClient::new(routes);
        client.listing_decide(request).await?;
        Ok(())
    }
}

impl Seller<'_> {
    /// Makes the listing and, if planned, the work of its model.
    async fn offer_and_show(&self, offer: &Offer, work: Option<&Plan>) -> anyhow::Result<()> {
        self.offer(offer).await?;
        match work {
            Some(plan) => self.show(plan).await,
            None => Ok(()),
        }
    }

    /// Gets a listing with all its versions into the mall, resuming from its current state.
    async fn offer(&self, offer: &Offer) -> anyhow::Result<()> {
        let until = Instant::now() + PATIENCE;
        let id = match self.find(&offer.name).await? {
            Some(id) => id,
            None => {
                self.release(&offer.name, offer.maker, &offer.models[0])
                    .await?;
                self.draft_of(&offer.name, until).await?
            }
        };
        let mut pauses = Pauses::of(PERIOD);
        loop {
            ensure!(Instant::now() < until, "it takes too long");
            let listing = self.listing(&id).await?;
            let newest = listing.versions.first().map_or(1, |one| one.number);
            let state = listing.versions.first().map_or("", |one| &one.state);
            match (listing.state.as_str(), state) {
                ("draft", _) => self.hand_in(&id, offer).await?,
                ("submitted", _) | ("listed", "submitted") => {
                    self.mall.approve(&id, newest).await?;
                }
                ("making", _) | ("listed", "making") => {
                    tokio::time::sleep(pauses.after(false)).await;
                }
                ("listed", "ready") => {
                    let Some((at, model)) = missing(&listing, offer) else {
                        return Ok(());
                    };
                    self.add_version(&id, offer, at, model, until).await?;
                }
                (state, _) => bail!("it is {state}: {}", listing.reason),
            }
        }
    }

    /// The listing of this name, in any state.
    async fn find(&self, name: &str) -> anyhow::Result<Option<String>> {
        for released in ["", "true"] {
            let form = MyListingsRequest {
                is_relase: released.to_owned(),
                keyword: name.to_owned(),
                page_size: 100,
                ..Default::default()
            };
            let request = self.mall.by(xl_transaction::NAME, self.id, form)?;
            let page = self.listings().my_listings(request).await?.into_inner();
            let mut shown = page.results.into_iter().filter_map(|one| one.listing);
            if let Some(found) = shown.find(|one| one.name == name) {
                return Ok(Some(found.listing_id));
            }
        }
        Ok(None)
    }

    /// The draft that the mall makes of a released file once the file has passed its check-up.
    async fn draft_of(&self, name: &str, until: Instant) -> anyhow::Result<String> {
        let mut pauses = Pauses::of(PERIOD);
        while Instant::now() < until {
            if let Some(id) = self.find(name).await? {
                return Ok(id);
            }
            tokio::time::sleep(pauses.after(false)).await;
        }
        bail!("no draft was made of its file")
    }

    async fn listing(&self, id: &str) -> anyhow::Result<MakerListing> {
        let form = MyListingRequest {
            listing_id: id.to_owned(),
            ..Default::default()
        };
        let request = self.mall.by(xl_transaction::NAME, self.id, form)?;
        Ok(self.listings().my_listing(request).await?.into_inner())
    }

    async fn hand_in(&self, id: &str, offer: &Offer) -> anyhow::Result<()> {
        let measured = offer.clone();
        let texts = tokio::task::spawn_blocking(move || measured.texts()).await??;
        let form = SaveListingRequest {
            listing_id: id.to_owned(),
            name: Some(offer.name.clone()),
            category_id: Some(offer.category.clone()),
            label_ids: Some(offer.labels.clone()),
            intro: Some(texts.intro),
            description: Some(texts.description),
            license: Some(offer.license.clone()),
            price: Some(offer.price),
            origin: Some("own".to_owned()),
            ..Default::default()
        };
        let request = self.mall.by(xl_transaction::NAME, self.id, form)?;
        self.listings().save_listing(request).await?;
        let form = ListingIdsRequest {
            listing_ids: id.to_owned(),
            ..Default::default()
        };
        let request = self.mall.by(xl_transaction::NAME, self.id, form)?;
        let answer = self.listings().submit_listings(request).await?.into_inner();
        let refused = answer
            .results
            .into_iter()
            .find(|one| !one.message.is_empty());
        match refused {
            Some(one) => bail!("not handed in: {}", one.message),
            None => Ok(()),
        }
    }

    async fn add_version(
        &self,
        id: &str,
        offer: &Offer,
        at: usize,
        model: &Model,
        until: Instant,
    ) -> anyhow::Result<()> {
        let name = offer.name_of_version(at + 1);
        let file_id = self.release(&name, offer.maker, model).await?;
        self.draft_of(&name, until).await?;
        let form = AddVersionRequest {
            listing_id: id.to_owned(),
            file_id,
            notes: model.notes.clone(),
            ..Default::default()
        };
        let request = self.mall.by(xl_transaction::NAME, self.id, form)?;
        self.listings().add_version(request).await?;
        Ok(())
    }

    /// A file that its owner has saved as a model; generated if it does not exist.
    async fn release(&self, name: &str, maker: usize, model: &Model) -> anyhow::Result<String> {
        let key = format!("{}demo/mall/{name}.glb", user_prefix(self.id)?);
        // The same object yields the same file, even if it has been moved since.
        let file_id = match self.check(&key, name, 1).await {
            Ok(known) => known,
            Err(_) => {
                let _one = self.making.acquire().await?;
                let path = self.folder.join(format!("{maker}-{name}.glb"));
                super::generate(model.family, &path, &words(model)).await?;
                let objects = &self.mall.parts.objects;
                let put = objects.put_file(&key, &path, "model/gltf-binary").await?;
                tokio::fs::remove_file(&path).await?;
                self.check(&key, name, put.size as i64).await?
            }
        };
        let form = ModelReleaseRequest {
            file_id: file_id.clone(),
            model_name: name.to_owned(),
            model_type: 1,
            ..Default::default()
        };
        let request = self.mall.by(xl_process::NAME, self.id, form)?;
        self.files().model_release(request).await?;
        Ok(file_id)
    }

    async fn check(&self, key: &str, name: &str, size: i64) -> anyhow::Result<String> {
        let bucket = self.mall.parts.objects.bucket();
        let form = ModelCheckingRequest {
            file_name: format!("{name}.glb"),
            file_size: size,
            file_url: format!("{bucket}/{key}"),
            format: "glb".to_owned(),
            bucket_name: bucket.to_owned(),
            model_type: 1,
            ..Default::default()
        };
        let request = self.mall.by(xl_process::NAME, self.id, form)?;
        let reply = self.files().model_checking(request).await?;
        Ok(reply.into_inner().file_id)
    }

    fn listings(&self) -> ListingApiClient<tonic::service::Routes> {
        ListingApiClient::new(self.mall.transaction.routes.clone().prepare())
    }

    pub(super) fn files(&self) -> ProcessApiClient<tonic::service::Routes> {
        ProcessApiClient::new(self.mall.process.routes.clone().prepare())
    }
}

/// The first version missing from the listing; versions are identified by their notes.
fn missing<'a>(listing: &MakerListing, offer: &'a Offer) -> Option<(usize, &'a Model)> {
    let has = |model: &Model| listing.versions.iter().any(|one| one.notes == model.notes);
    let mut later = offer.models.iter().enumerate().skip(1);
    later.find(|(_, model)| !has(model))
}

/// A model's parameters as the generator takes them.
fn words(model: &Model) -> Vec<String> {
    let set = model.set.iter();
    set.flat_map(|(name, value)| ["--set".to_owned(), format!("{name}={value}")])
        .collect()
}
