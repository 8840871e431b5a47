//! The caller's balances, as reported by payment and order.

use chassis::{ServiceError, SignedIn};
use proto::order::v1::{CountsReply, CountsRequest, OrderCommands};
use proto::payment::v1::{BalancesReply, BalancesRequest, PaymentCommands};
use proto::personal::v1::{AccountCalls, AccountInfo, UserRequest};

use crate::Personal;

impl Personal {
    /// Balances and free counts at payment and order. Never cached: an outdated balance is a wrong one.
    pub(crate) async fn holdings(
        &self,
        login_id: &str,
    ) -> Result<(BalancesReply, CountsReply), ServiceError> {
        let bus = &self.context.bus;
        let balances = BalancesRequest {
            owner: login_id.to_owned(),
        };
        let counts = CountsRequest {
            owner: login_id.to_owned(),
        };
        tokio::try_join!(
            PaymentCommands::balances(bus, &balances),
            OrderCommands::counts(bus, &counts)
        )
    }
}

impl AccountCalls<ServiceError> for Personal {
    async fn account_information(
        &self,
        caller: &SignedIn,
        _: UserRequest,
    ) -> Result<AccountInfo, ServiceError> {
        let (balances, counts) = self.holdings(caller.login_id()).await?;
        Ok(AccountInfo {
            cloud_coin: balances.cloud_coin,
            income_balance: balances.income_balance,
            balance: balances.cloud_coin + balances.income_balance,
            coupon_count: counts.coupon_count,
            expiring_coupon_count: counts.expiring_coupon_count,
        })
    }
}
