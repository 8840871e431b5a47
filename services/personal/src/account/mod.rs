//! The caller's money, as payment and order know it.

use chassis::{ServiceError, SignedIn};
use proto::order::v1::{CountsReply, CountsRequest, OrderCommands};
use proto::payment::v1::{BalancesReply, BalancesRequest, PaymentCommands};
use proto::personal::v1::{AccountCalls, AccountInfo, UserRequest};

use crate::Personal;

impl Personal {
    /// What the user has at payment and order. Asked anew each time: a balance that is out of date is a wrong one.
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
