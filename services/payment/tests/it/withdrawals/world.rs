//! A running service, people who are certified, and operators.

use chassis::ServiceError;
use chassis::db;
use chassis::testing::{Running, Shape, TestParts, code_of, eventually};
use proto::auth::v1::{
    AuthCommandsHandler, AuthCommandsServer, CertifiedAsReply, CertifiedAsRequest,
};
use proto::common::v1::{ExportPage, ExportPageRequest};
use proto::payment::v1::withdrawal_api_client::WithdrawalApiClient;
use proto::payment::v1::withdrawal_console_api_client::WithdrawalConsoleApiClient;
use proto::payment::v1::*;
use proto::transaction::v1::{
    MakerReply, MakerRequest, QuoteReply, QuoteRequest, ReturnReply, ReturnRequest,
    TransactionCommandsHandler, TransactionCommandsServer,
};
use sea_orm::{ConnectionTrait, Statement};
use tonic::Status;
use tonic::transport::Channel;
use xl_payment::entity::account::Kind;
use xl_payment::entity::ledger_transaction::Book;
use xl_payment::ledger::{self, Account, Posting, audit};

/// Two numbers that Luhn's digit fits.
pub const CARD: &str = "6222 0212 3456 7890 128";
pub const OTHER_CARD: &str = "4111111111111111";
pub const HOLDER: &str = "张三丰";

/// Auth: every user is certified as the same person, except `nobody`.
struct Certified;

impl AuthCommandsHandler<ServiceError> for Certified {
    async fn certified_as(
        &self,
        request: CertifiedAsRequest,
    ) -> Result<CertifiedAsReply, ServiceError> {
        let certified = request.login_id != "nobody";
        Ok(CertifiedAsReply {
            certified,
            same: certified && request.name == HOLDER,
            enterprise: false,
        })
    }
}

/// The mall: every user is a maker, except `plain`; `frozen` is frozen.
struct Makers;

impl TransactionCommandsHandler<ServiceError> for Makers {
    async fn maker(&self, request: MakerRequest) -> Result<MakerReply, ServiceError> {
        Ok(MakerReply {
            uploader_type: if request.login_id == "plain" { 0 } else { 2 },
            frozen: request.login_id == "frozen",
        })
    }

    async fn quote(&self, _: QuoteRequest) -> Result<QuoteReply, ServiceError> {
        Ok(QuoteReply::default())
    }

    async fn r#return(&self, _: ReturnRequest) -> Result<ReturnReply, ServiceError> {
        Ok(ReturnReply::default())
    }

    async fn export_page(&self, _: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        Ok(ExportPage::default())
    }
}

pub struct World {
    running: Running,
}

impl std::ops::Deref for World {
    type Target = Running;

    fn deref(&self) -> &Running {
        &self.running
    }
}

impl World {
    pub async fn start(shape: Shape) -> Self {
        let test = TestParts::open(shape, &[xl_payment::DEFAULTS], |settings| {
            settings.put("payment.withdrawal.fee_bp", 10).expect("set");
            settings
                .put("payment.cards.key", "01".repeat(32))
                .expect("set");
            settings
                .put("payment.cards.index_key", "0f".repeat(32))
                .expect("set");
        })
        .await;
        let auth = test.context("auth").await;
        auth.bus.serve(AuthCommandsServer(Certified));
        let mall = test.context("transaction").await;
        mall.bus.serve(TransactionCommandsServer(Makers));
        let running = Running::on::<xl_payment::Migrator>(&xl_payment::Module, test).await;
        let world = Self { running };
        eventually("the others answer", || async {
            world
                .request("probe", "card", "n0000000", 10_000)
                .await
                .is_err_and(|status| code_of(&status) == proto::code::NOT_FOUND)
                .then_some(())
        })
        .await;
        eventually("auth answers", || async {
            let asked = world.modify("nobody", "add", "", CARD, HOLDER).await;
            asked
                .is_err_and(|status| code_of(&status) == proto::code::CONFLICT)
                .then_some(())
        })
        .await;
        world
    }

    pub fn api(&self) -> WithdrawalApiClient<Channel> {
        WithdrawalApiClient::new(self.channel())
    }

    pub fn console(&self) -> WithdrawalConsoleApiClient<Channel> {
        WithdrawalConsoleApiClient::new(self.channel())
    }

    pub async fn modify(
        &self,
        user: &str,
        suffix: &str,
        card: &str,
        number: &str,
        holder: &str,
    ) -> Result<BankCard, Status> {
        let form = ModifyBankRequest {
            suffix: suffix.to_owned(),
            card_id: card.to_owned(),
            card_no: number.to_owned(),
            holder: holder.to_owned(),
            branch: "杭州文三路支行".to_owned(),
            ..Default::default()
        };
        let answer = self.api().modify_bank(self.by(user, form)).await?;
        Ok(answer.into_inner())
    }

    /// The id of a card of theirs.
    pub async fn card(&self, user: &str) -> String {
        let added = self.modify(user, "add", "", CARD, HOLDER).await;
        added.expect("added").id
    }

    /// Cents moved between the platform's gifts and an account.
    pub async fn give(&self, kind: Kind, user: &str, cents: i64) {
        let transaction = db::begin_write(&self.context.db).await.expect("begun");
        let posting = Posting {
            book: Book::Grant,
            key: &format!("test:{}:{user}:{cents}", kind.name()),
            entries: vec![
                (Account::platform(Kind::Promotion), -cents),
                (Account::of(kind, user), cents),
            ],
        };
        ledger::post(&transaction, &posting, 1)
            .await
            .expect("booked");
        transaction.commit().await.expect("committed");
    }

    pub async fn has(&self, kind: Kind, owner: &str) -> i64 {
        let account = Account::of(kind, owner);
        ledger::available(&self.context.db, &account)
            .await
            .expect("a balance")
    }

    pub async fn request(
        &self,
        user: &str,
        card: &str,
        number: &str,
        cents: i64,
    ) -> Result<Withdrawal, Status> {
        let form = ManualCheckRequest {
            request_no: number.to_owned(),
            card_id: card.to_owned(),
            amount: cents,
            ..Default::default()
        };
        let answer = self.api().manual_check(self.by(user, form)).await?;
        Ok(answer.into_inner())
    }

    pub async fn cancel(&self, user: &str, id: &str) -> Result<Withdrawal, Status> {
        let form = CancelWithdrawalRequest {
            withdrawal_id: id.to_owned(),
            ..Default::default()
        };
        let answer = self.api().cancel_withdrawal(self.by(user, form)).await?;
        Ok(answer.into_inner())
    }

    pub async fn listed(&self, user: &str) -> WithdrawList {
        let form = WithdrawListRequest::default();
        let answer = self.api().withdraw_list(self.by(user, form)).await;
        answer.expect("a list").into_inner()
    }

    pub async fn show(&self, id: &str) -> WithdrawalShowReply {
        let form = WithdrawalShowRequest { id: id.to_owned() };
        let answer = self
            .console()
            .withdrawal_show(self.by_operator("anna", form))
            .await;
        answer.expect("shown").into_inner()
    }

    pub async fn version(&self, id: &str) -> i64 {
        self.show(id).await.item.expect("one").version
    }

    fn decision(id: &str, version: i64) -> WithdrawalDecideRequest {
        WithdrawalDecideRequest {
            id: id.to_owned(),
            version,
            reason: "卡号与户名不符".to_owned(),
        }
    }

    /// approve, refuse, failed or giveBack.
    pub async fn decide(
        &self,
        operator: &str,
        what: &str,
        id: &str,
        version: i64,
    ) -> Result<WithdrawalItem, Status> {
        let request = self.by_operator(operator, Self::decision(id, version));
        let mut console = self.console();
        let answer = match what {
            "approve" => console.withdrawal_approve(request).await,
            "refuse" => console.withdrawal_refuse(request).await,
            "failed" => console.withdrawal_failed(request).await,
            _ => console.withdrawal_give_back(request).await,
        };
        answer.map(|reply| reply.into_inner())
    }

    pub async fn take(&self, operator: &str, id: &str) -> Result<WithdrawalCardReply, Status> {
        let form = WithdrawalTakeRequest {
            id: id.to_owned(),
            version: self.version(id).await,
        };
        let answer = self
            .console()
            .withdrawal_take(self.by_operator(operator, form))
            .await?;
        Ok(answer.into_inner())
    }

    pub async fn paid(&self, operator: &str, id: &str) -> Result<WithdrawalItem, Status> {
        let form = WithdrawalPaidRequest {
            id: id.to_owned(),
            version: self.version(id).await,
            reference: "ICBC-20261124-1".to_owned(),
        };
        let answer = self
            .console()
            .withdrawal_paid(self.by_operator(operator, form))
            .await?;
        Ok(answer.into_inner())
    }

    pub async fn text(&self, sql: &str) -> String {
        let backend = self.context.db.get_database_backend();
        let statement = Statement::from_string(backend, sql);
        let row = self
            .context
            .db
            .query_one_raw(statement)
            .await
            .expect("asked");
        row.and_then(|row| row.try_get_by_index::<String>(0).ok())
            .unwrap_or_default()
    }

    pub async fn finish(self) {
        let findings = audit::findings(&self.context.db).await.expect("audited");
        assert_eq!(findings, Vec::<String>::new());
        self.test.finish().await;
    }
}
