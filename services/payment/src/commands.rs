//! The commands that payment handles.

use chassis::rights::export;
use chassis::{BusinessError, ServiceError, db};
use proto::common::v1::{ExportPage, ExportPageRequest};
use proto::payment::v1::{
    BalancesReply, BalancesRequest, ClearReply, ClearRequest, CountsLeftReply, CountsLeftRequest,
    PaymentCommandsHandler,
};

use crate::Payment;
use crate::counts::Right;
use crate::entity::account::Kind;
use crate::ledger::{self, Account};
use crate::rights::Part;

/// Handles the commands of payment.
pub(crate) struct Commands(pub Payment);

impl PaymentCommandsHandler<ServiceError> for Commands {
    async fn clear(&self, request: ClearRequest) -> Result<ClearReply, ServiceError> {
        let verdict = self.0.clear(&request.order_id).await?;
        Ok(ClearReply {
            verdict: verdict.into(),
        })
    }

    async fn balances(&self, request: BalancesRequest) -> Result<BalancesReply, ServiceError> {
        // One snapshot: what matures in between would be counted twice or not at all.
        let db = &db::begin_read(&self.0.context.db).await?;
        let coin = Account::of(Kind::Coin, &request.owner);
        let income = Account::of(Kind::Income, &request.owner);
        let pending = Account::of(Kind::Pending, &request.owner);
        Ok(BalancesReply {
            cloud_coin: ledger::available(db, &coin).await?,
            income_balance: ledger::available(db, &income).await?,
            pending_income: ledger::available(db, &pending).await?,
        })
    }

    async fn counts_left(
        &self,
        request: CountsLeftRequest,
    ) -> Result<CountsLeftReply, ServiceError> {
        let right =
            Right::of(&request.right).ok_or_else(|| BusinessError::invalid("没有这种免费次数"))?;
        let left = self.0.counts_left(&request.owner, right).await?;
        Ok(CountsLeftReply { left })
    }

    async fn export_page(&self, request: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        export::page(&Part(self.0.clone()), &self.0.context.db, &request).await
    }
}
