//! The makers of a new site's mall: accounts that apply and are approved like others.

use std::time::Instant;

use proto::personal::v1::profile_api_client::ProfileApiClient;
use proto::personal::v1::{ModifyUserInfoRequest, UserRequest};
use proto::transaction::v1::modeler_api_client::ModelerApiClient;
use proto::transaction::v1::modeler_console_api_client::ModelerConsoleApiClient;
use proto::transaction::v1::{
    ApplyModelerRequest, ModelerDecideRequest, ModelerInfoRequest, ModelerShowRequest,
};
use xl_auth::admin::{AccountSpec, add_account};

use super::accounts::{PERIOD, PROFILE_PATIENCE, unguessable};
use super::mall::{Mall, REASON};
use super::manifest::Maker;

/// Digits of the makers' telephone numbers before the last two.
const PHONES: &str = "138000001";
/// Review states of an application, as the profile reports them.
const WAITING: i32 = 0;
const APPROVED: i32 = 1;
/// The first kind that can be applied for.
const PERSONAL: i32 = 2;

impl Mall {
    /// Makes a maker's account, whose jobs give way to all others. Its password is random and not kept.
    pub(super) async fn maker(&self, number: usize, maker: &Maker) -> anyhow::Result<String> {
        let spec = AccountSpec {
            phone: format!("{PHONES}{:02}", number + 1),
            password: unguessable(),
            profession: "modeler".to_owned(),
            ..Default::default()
        };
        let id = add_account(&self.auth, &spec).await?.login_id;
        xl_process::admin::give_way(&self.jobs, &id, true).await?;
        let until = Instant::now() + PROFILE_PATIENCE;
        while let Err(error) = self.introduce(&id, &maker.name, &maker.intro).await {
            if Instant::now() > until {
                return Err(error.context("no profile of a maker"));
            }
            tokio::time::sleep(PERIOD).await;
        }
        self.enrol(&id, maker).await?;
        Ok(id)
    }

    /// Applies as a user and approves as an operator, resuming from the current state.
    async fn enrol(&self, id: &str, maker: &Maker) -> anyhow::Result<()> {
        let routes = self.transaction.routes.clone().prepare();
        let mut client = ModelerApiClient::new(routes.clone());
        let ask = self.by(xl_transaction::NAME, id, ModelerInfoRequest::default())?;
        let known = client.modeler_info(ask).await?.into_inner();
        if known.review_status == Some(APPROVED) {
            return Ok(());
        }
        if known.review_status != Some(WAITING) {
            let form = ApplyModelerRequest {
                // The studio cannot be applied for; the operator sets it on approval.
                uploader_type: (maker.kind as i32).max(PERSONAL),
                statement: format!("{REASON}的作者「{}」。{}", maker.name, maker.intro),
                ..Default::default()
            };
            client
                .apply_modeler(self.by(xl_transaction::NAME, id, form)?)
                .await?;
        }
        let mut console = ModelerConsoleApiClient::new(routes);
        let form = ModelerShowRequest {
            login_id: id.to_owned(),
        };
        let shown = console
            .modeler_show(self.as_operator(xl_transaction::NAME, "modeler.read", form)?)
            .await?;
        let version = shown.into_inner().item.unwrap_or_default().version;
        let form = ModelerDecideRequest {
            login_id: id.to_owned(),
            version,
            decision: "approve".to_owned(),
            uploader_type: maker.kind as i32,
            reason: REASON.to_owned(),
        };
        console
            .modeler_decide(self.as_operator(xl_transaction::NAME, "modeler.decide", form)?)
            .await?;
        Ok(())
    }

    /// Gives an account its name and, unless empty, its introduction.
    pub(super) async fn introduce(&self, id: &str, name: &str, intro: &str) -> anyhow::Result<()> {
        let mut client = ProfileApiClient::new(self.personal.routes.clone().prepare());
        let ask = self.by(xl_personal::NAME, id, UserRequest::default())?;
        let known = client.query_info(ask).await?.into_inner();
        if known.new_nick_name.or(known.nick_name).as_deref() == Some(name) {
            return Ok(());
        }
        let form = ModifyUserInfoRequest {
            nickname: Some(name.to_owned()),
            introduce: (!intro.is_empty()).then(|| intro.to_owned()),
            ..Default::default()
        };
        let change = self.by(xl_personal::NAME, id, form)?;
        client.modify_user_info(change).await?;
        Ok(())
    }
}
