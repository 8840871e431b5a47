//! The commands that payment handles.

use chassis::ServiceError;
use proto::payment::v1::{
    BalancesReply, BalancesRequest, ClearReply, ClearRequest, PaymentCommandsHandler,
};

use crate::Payment;
use crate::ledger::{self, Account, Kind};

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
        let db = &self.0.context.db;
        let coin = Account::of(Kind::Coin, &request.owner);
        let income = Account::of(Kind::Income, &request.owner);
        Ok(BalancesReply {
            cloud_coin: ledger::available(db, &coin).await?,
            income_balance: ledger::available(db, &income).await?,
        })
    }
}
