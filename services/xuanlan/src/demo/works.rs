//! The works of a new site's gallery: of models that the mall's makers have, made through the calls that authors and operators
//! use. A maker has one work per name, so the next start resumes after a kill.

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use chassis::shutdown::Pauses;
use proto::process::v1::ListFilesRequest;
use proto::works::v1::work_api_client::WorkApiClient;
use proto::works::v1::work_console_api_client::WorkConsoleApiClient;
use proto::works::v1::{
    CreateWorkRequest, MyWork, MyWorkRequest, MyWorksRequest, SaveWorkRequest, WorkDecideRequest,
};
use tonic::service::Routes;

use super::mall::{REASON, Seller};
use super::plan::Plan;

/// Poll interval, longer while nothing changes, and longest wait for a picture: jobs of users go first.
const PERIOD: Duration = Duration::from_secs(1);
const PATIENCE: Duration = Duration::from_secs(24 * 3600);

impl Seller<'_> {
    /// Gets a work into the gallery, resuming from its current state.
    pub(super) async fn show(&self, plan: &Plan) -> anyhow::Result<()> {
        let until = Instant::now() + PATIENCE;
        let mut work = match self.shown(&plan.name).await? {
            Some(work) => work,
            None => self.stage(plan).await?,
        };
        let mut pauses = Pauses::of(PERIOD);
        loop {
            ensure!(Instant::now() < until, "it takes too long");
            let id = work.card.map(|card| card.id).unwrap_or_default();
            match (work.state.as_str(), work.model_state.as_str()) {
                ("published", _) => return Ok(()),
                ("draft", "ready") => self.hand_work_in(&id).await?,
                ("draft", "making") => tokio::time::sleep(pauses.after(false)).await,
                ("review", _) => self.approve_work(&id, work.revision).await?,
                (state, model) => bail!("it is {state}, its model {model}: {}", work.reason),
            }
            let form = MyWorkRequest {
                works_id: id,
                ..Default::default()
            };
            let request = self.mall.by(xl_works::NAME, self.id, form)?;
            work = self.works().my_work_detail(request).await?.into_inner();
        }
    }

    async fn shown(&self, name: &str) -> anyhow::Result<Option<MyWork>> {
        let form = MyWorksRequest {
            keyword: name.to_owned(),
            ..Default::default()
        };
        let request = self.mall.by(xl_works::NAME, self.id, form)?;
        let page = self.works().my_works(request).await?.into_inner();
        let called = |one: &MyWork| one.card.as_ref().is_some_and(|card| card.name == name);
        Ok(page.results.into_iter().find(called))
    }

    /// A draft of the listing's first file, completely filled in.
    async fn stage(&self, plan: &Plan) -> anyhow::Result<MyWork> {
        let form = ListFilesRequest {
            keyword: plan.listing.clone(),
            ..Default::default()
        };
        let request = self.mall.by(xl_process::NAME, self.id, form)?;
        let files = self.files().list_files(request).await?.into_inner().results;
        let file = files
            .into_iter()
            .find(|one| one.model_name == plan.listing)
            .context("the listing has no file")?;
        let form = CreateWorkRequest {
            file_id: file.file_id,
            r#type: plan.work_type,
            ..Default::default()
        };
        let request = self.mall.by(xl_works::NAME, self.id, form)?;
        let made = self.works().create_work(request).await?.into_inner();
        let form = SaveWorkRequest {
            works_id: made.card.map(|card| card.id).unwrap_or_default(),
            name: Some(plan.name.clone()),
            description: Some(plan.text.clone()),
            category_id: Some(plan.category.clone()),
            industry_id: Some(plan.industry.clone()),
            labels: Some(plan.labels.join(",")),
            download_allowed: Some(true),
            scene: Some(plan.scene()),
            ..Default::default()
        };
        let request = self.mall.by(xl_works::NAME, self.id, form)?;
        Ok(self.works().save_work(request).await?.into_inner())
    }

    async fn hand_work_in(&self, id: &str) -> anyhow::Result<()> {
        let form = MyWorkRequest {
            works_id: id.to_owned(),
            ..Default::default()
        };
        let request = self.mall.by(xl_works::NAME, self.id, form)?;
        self.works().submit_work(request).await?;
        Ok(())
    }

    /// An operator's decision; like any, it is recorded in the audit log.
    async fn approve_work(&self, id: &str, revision: i64) -> anyhow::Result<()> {
        let form = WorkDecideRequest {
            works_id: id.to_owned(),
            revision,
            decision: "approve".to_owned(),
            reason: REASON.to_owned(),
        };
        let request = self.mall.as_operator(xl_works::NAME, "work.decide", form)?;
        let routes = self.mall.works.routes.clone().prepare();
        WorkConsoleApiClient::new(routes)
            .work_decide(request)
            .await?;
        Ok(())
    }

    fn works(&self) -> WorkApiClient<Routes> {
        WorkApiClient::new(self.mall.works.routes.clone().prepare())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_first_works_are_of_every_kind_and_of_models_that_there_are() {
        let plans = Plan::all().unwrap();
        assert!(plans.len() >= 20);
        let manifest = super::super::manifest::Manifest::load("").unwrap();
        let offers = manifest.offers().unwrap();
        let listings: HashSet<&str> = offers.iter().map(|one| one.name.as_str()).collect();
        for plan in plans.values() {
            assert!(listings.contains(plan.listing.as_str()), "{}", plan.listing);
            assert!((2..=50).contains(&plan.name.chars().count()));
            assert!(plan.text.chars().count() >= 16, "{}", plan.name);
            let case = plan.work_type == 2;
            assert!(!case || !plan.industry.is_empty(), "{}", plan.name);
        }
        let count = |of: fn(&Plan) -> String| {
            let all: HashSet<String> = plans.values().map(of).collect();
            all.into_iter().filter(|one| !one.is_empty()).count()
        };
        assert_eq!(count(|one| one.work_type.to_string()), 4);
        assert_eq!(count(|one| one.category.clone()), 8);
        assert_eq!(count(|one| one.industry.clone()), 8);
        assert_eq!(count(|one| one.name.clone()), plans.len());
    }
}
