//! A running service, its callers, and a fake personal.

use std::sync::atomic::{AtomicUsize, Ordering};

use chassis::ServiceError;
use chassis::testing::{self, Shape, TestParts};

use proto::common::v1::{ExportPage, ExportPageRequest};
use proto::matchup::v1::demand_api_client::DemandApiClient;
use proto::matchup::v1::matchup_api_client::MatchupApiClient;
use proto::matchup::v1::matchup_console_api_client::MatchupConsoleApiClient;
use proto::matchup::v1::*;
use proto::personal::v1::{
    Appearance, AppearancesReply, AppearancesRequest, PersonalCommandsHandler,
    PersonalCommandsServer, TermsReply, TermsRequest,
};
use tonic::Status;
use tonic::transport::Channel;

pub const DAY: i64 = 86_400_000;

/// Fake personal: all users are certified, except for login ids that begin with `x`; those with `y` from the second question on.
#[derive(Default)]
struct People {
    asked: AtomicUsize,
}

impl PersonalCommandsHandler<ServiceError> for People {
    async fn appearances(
        &self,
        request: AppearancesRequest,
    ) -> Result<AppearancesReply, ServiceError> {
        let first = self.asked.fetch_add(1, Ordering::Relaxed) == 0;
        let people = request.login_ids.into_iter().map(|login_id| {
            let not_yet = first && login_id.starts_with('y');
            let certified = !not_yet && !login_id.starts_with('x');
            Appearance {
                nickname: format!("昵称{login_id}"),
                check_status: if certified { 1 } else { 3 },
                company_name: match certified {
                    true => format!("认证{login_id}"),
                    false => String::new(),
                },
                login_id,
                ..Default::default()
            }
        });
        Ok(AppearancesReply {
            people: people.collect(),
        })
    }

    async fn terms(&self, _: TermsRequest) -> Result<TermsReply, ServiceError> {
        Ok(TermsReply::default())
    }

    async fn export_page(&self, _: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        Ok(ExportPage::default())
    }
}

pub struct Running {
    base: testing::Running,
}

impl std::ops::Deref for Running {
    type Target = testing::Running;

    fn deref(&self) -> &Self::Target {
        &self.base
    }
}

impl Running {
    pub async fn start(shape: Shape) -> Self {
        Self::with(shape, |_| {}).await
    }

    pub async fn with(shape: Shape, change: impl Fn(&mut chassis::Settings)) -> Self {
        let test = TestParts::open(shape, &[xl_matchup::DEFAULTS], |settings| {
            settings.set("matchup", "examples", false);
            change(settings);
        })
        .await;
        let personal = test.context("personal").await;
        personal
            .bus
            .serve(PersonalCommandsServer(People::default()));
        let service = &xl_matchup::Module;
        let base = testing::Running::on::<xl_matchup::Migrator>(service, test).await;
        Self { base }
    }

    pub fn people(&self) -> MatchupApiClient<Channel> {
        MatchupApiClient::new(self.channel())
    }

    pub fn demands(&self) -> DemandApiClient<Channel> {
        DemandApiClient::new(self.channel())
    }

    pub fn console(&self) -> MatchupConsoleApiClient<Channel> {
        MatchupConsoleApiClient::new(self.channel())
    }

    pub async fn is_a(&self, user: &str, user_type: i32) {
        let form = UpdateServiceTypeRequest {
            service_type: user_type,
            ..Default::default()
        };
        let said = self.people().update_service_type(self.by(user, form)).await;
        said.expect("said");
    }

    pub fn profile(&self, introduce: &str) -> SaveProviderRequest {
        SaveProviderRequest {
            skills: "模型轻量化,格式转换".to_owned(),
            industries: "装备制造".to_owned(),
            region: "华东".to_owned(),
            introduce: introduce.to_owned(),
            contact: "微信 maker_01".to_owned(),
            publish: true,
            ..Default::default()
        }
    }

    pub async fn introduce(
        &self,
        user: &str,
        form: SaveProviderRequest,
    ) -> Result<ServiceInfoReply, Status> {
        let saved = self.people().save_provider(self.by(user, form)).await?;
        Ok(saved.into_inner())
    }

    /// Creates a published provider.
    pub async fn provider(&self, user: &str) -> String {
        self.is_a(user, 2).await;
        let form = self.profile("做装配体轻量化，交付带对比链接，三个工作日完成。");
        let shown = self.introduce(user, form).await.expect("shown");
        assert_eq!(shown.state, "shown");
        shown.provider_id
    }

    pub fn need(&self, title: &str) -> SaveDemandRequest {
        SaveDemandRequest {
            category: "模型轻量化".to_owned(),
            title: title.to_owned(),
            content: "装配体一份，约 180 MB，轻量后不超过 12 MB，零件名称保留。".to_owned(),
            industry: "装备制造".to_owned(),
            budget_low: 3000,
            budget_high: 8000,
            until: self.now() + 10 * DAY,
            contact: "13800138000".to_owned(),
            ..Default::default()
        }
    }

    pub async fn save(&self, user: &str, form: SaveDemandRequest) -> Result<Demand, Status> {
        let saved = self.demands().save_demand(self.by(user, form)).await?;
        Ok(saved.into_inner())
    }

    pub async fn draft(&self, user: &str, title: &str) -> String {
        self.is_a(user, 1).await;
        let saved = self.save(user, self.need(title)).await.expect("a draft");
        assert_eq!(saved.state, "draft");
        saved.demand_id
    }

    pub async fn submit(&self, user: &str, id: &str) -> Result<Demand, Status> {
        let done = self
            .demands()
            .submit_demand(self.by(user, demand(id)))
            .await?;
        Ok(done.into_inner())
    }

    pub async fn withdraw(&self, user: &str, id: &str) -> Result<Demand, Status> {
        let done = self
            .demands()
            .withdraw_demand(self.by(user, demand(id)))
            .await?;
        Ok(done.into_inner())
    }

    pub async fn decide(&self, id: &str, decision: &str) -> Result<(), Status> {
        let form = MatchShowRequest { id: id.to_owned() };
        let shown = self
            .console()
            .demand_show(self.by_operator("anna", form))
            .await?;
        let form = MatchDecideRequest {
            id: id.to_owned(),
            revision: shown.into_inner().revision,
            decision: decision.to_owned(),
            reason: "交付标准不清楚".to_owned(),
        };
        let decided = self
            .console()
            .demand_decide(self.by_operator("anna", form))
            .await;
        decided.map(|_| ())
    }

    /// Creates an open need.
    pub async fn open(&self, user: &str, title: &str) -> String {
        let id = self.draft(user, title).await;
        self.submit(user, &id).await.expect("handed in");
        self.decide(&id, "approve").await.expect("approved");
        id
    }

    pub async fn detail(&self, user: &str, id: &str) -> Result<Demand, Status> {
        let form = DemandDetailRequest {
            demand_id: id.to_owned(),
        };
        let found = self.demands().demand_detail(self.by(user, form)).await?;
        Ok(found.into_inner())
    }

    pub async fn market(&self, form: DemandListRequest) -> DemandPage {
        let page = self.demands().demand_list(self.by("", form)).await;
        page.expect("a page").into_inner()
    }

    pub async fn offer(&self, user: &str, id: &str, price: i64) -> Result<Offer, Status> {
        self.propose(user, id, price, "按零件逐级减面，交付 GLB 与对比链接。")
            .await
    }

    pub async fn propose(
        &self,
        user: &str,
        id: &str,
        price: i64,
        proposal: &str,
    ) -> Result<Offer, Status> {
        let form = SendOfferRequest {
            demand_id: id.to_owned(),
            price,
            days: 5,
            proposal: proposal.to_owned(),
            ..Default::default()
        };
        let sent = self.demands().send_offer(self.by(user, form)).await?;
        Ok(sent.into_inner())
    }

    pub async fn take_back(&self, user: &str, id: &str) -> Result<Offer, Status> {
        let done = self
            .demands()
            .withdraw_offer(self.by(user, offer(id)))
            .await?;
        Ok(done.into_inner())
    }

    pub async fn choose(&self, user: &str, id: &str) -> Result<Demand, Status> {
        let done = self
            .demands()
            .choose_offer(self.by(user, offer(id)))
            .await?;
        Ok(done.into_inner())
    }

    pub async fn close(&self, user: &str, id: &str) -> Result<Demand, Status> {
        let done = self
            .demands()
            .close_demand(self.by(user, demand(id)))
            .await?;
        Ok(done.into_inner())
    }

    pub async fn rate(&self, user: &str, id: &str, stars: i32) -> Result<Demand, Status> {
        let form = RateDemandRequest {
            demand_id: id.to_owned(),
            stars,
            content: "沟通清楚，按期交付".to_owned(),
            ..Default::default()
        };
        let done = self.demands().rate_demand(self.by(user, form)).await?;
        Ok(done.into_inner())
    }

    /// Number of notifications published so far.
    pub async fn notifications(&self) -> i64 {
        self.number("SELECT COUNT(*) FROM outbox WHERE event_key = 'matchup.person.told'")
            .await
    }
}

pub fn demand(id: &str) -> DemandRequest {
    DemandRequest {
        demand_id: id.to_owned(),
        ..Default::default()
    }
}

pub fn offer(id: &str) -> OfferRequest {
    OfferRequest {
        offer_id: id.to_owned(),
        ..Default::default()
    }
}

pub fn code_of<T: std::fmt::Debug>(answer: Result<T, Status>) -> i32 {
    let status = answer.expect_err("refused");
    testing::code_of(&status)
}

pub fn message_of<T: std::fmt::Debug>(answer: Result<T, Status>) -> String {
    let status = answer.expect_err("refused");
    testing::message_of(&status)
}
