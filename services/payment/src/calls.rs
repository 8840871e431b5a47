//! The calls about paying and about what is on an account; those about withdrawals are in their own module.

use chassis::{Origin, ServiceError, SignedIn};
use payprotocol::Receipt;
use proto::payment::v1::*;

use crate::Payment;
use crate::provider::{Checkout, Notification, Provider, ProviderError};
use crate::state::{CLOUD_COIN, INCOME_BALANCE};

fn wrong_checkout(channel: &str) -> ServiceError {
    anyhow::anyhow!("{channel} answered with the wrong kind of checkout").into()
}

impl PaymentCalls<ServiceError> for Payment {
    async fn pc_alipay(
        &self,
        caller: &SignedIn,
        request: PayRequest,
    ) -> Result<String, ServiceError> {
        let owner = caller.login_id();
        match self.pay_outside(owner, "alipay", &request).await? {
            Checkout::Form(form) => Ok(form),
            Checkout::CodeUrl(_) => Err(wrong_checkout("alipay")),
        }
    }

    async fn weixin_pay(
        &self,
        caller: &SignedIn,
        request: PayRequest,
    ) -> Result<CodeReply, ServiceError> {
        let owner = caller.login_id();
        match self.pay_outside(owner, "wechat", &request).await? {
            Checkout::CodeUrl(code_url) => Ok(CodeReply { code_url }),
            Checkout::Form(_) => Err(wrong_checkout("wechat")),
        }
    }

    async fn cloud_coin_pay(
        &self,
        caller: &SignedIn,
        request: PayRequest,
    ) -> Result<(), ServiceError> {
        let owner = caller.login_id();
        self.pay_from_balance(owner, CLOUD_COIN, &request).await
    }

    async fn income_balance_pay(
        &self,
        caller: &SignedIn,
        request: PayRequest,
    ) -> Result<(), ServiceError> {
        let owner = caller.login_id();
        self.pay_from_balance(owner, INCOME_BALANCE, &request).await
    }

    async fn pay_by_member_free_count(
        &self,
        caller: &SignedIn,
        request: CountPayRequest,
    ) -> Result<(), ServiceError> {
        self.pay_by_counts(caller.login_id(), &request, false).await
    }

    async fn batch_pay_models_by_member_free_count(
        &self,
        caller: &SignedIn,
        request: CountPayRequest,
    ) -> Result<(), ServiceError> {
        self.pay_by_counts(caller.login_id(), &request, true).await
    }

    async fn member_free_counts(
        &self,
        caller: &SignedIn,
        _: MemberFreeCountsRequest,
    ) -> Result<Vec<MemberFreeCount>, ServiceError> {
        self.free_counts(caller.login_id()).await
    }

    async fn query_account_details(
        &self,
        caller: &SignedIn,
        request: AccountDetailsRequest,
    ) -> Result<AccountDetails, ServiceError> {
        self.account_details(caller.login_id(), &request).await
    }

    async fn list_incomes(
        &self,
        caller: &SignedIn,
        request: IncomeListRequest,
    ) -> Result<IncomeList, ServiceError> {
        self.incomes(caller.login_id(), &request).await
    }

    async fn income_months(
        &self,
        caller: &SignedIn,
        request: IncomeMonthsRequest,
    ) -> Result<IncomeMonths, ServiceError> {
        Payment::income_months(self, caller.login_id(), &request).await
    }
}

impl PaymentInternalCalls<ServiceError> for Payment {
    async fn notify(
        &self,
        _: &Origin,
        request: NotifyRequest,
    ) -> Result<NotifyReply, ServiceError> {
        let notification = Notification {
            headers: request.headers.into_iter().collect(),
            body: request.body,
        };
        let channel = request.channel;
        let Some(provider) = self.provider(&channel) else {
            return Ok(NotifyReply {
                status: 404,
                ..Default::default()
            });
        };
        let receipt = match self.notified(&channel, &notification).await {
            Ok(()) => Receipt::Committed,
            Err(error @ ProviderError::Refused(_)) => {
                tracing::warn!(channel, %error, "notification refused");
                Receipt::Refused
            }
            Err(
                error @ (ProviderError::Unclear(_)
                | ProviderError::Silent(_)
                | ProviderError::Paused),
            ) => {
                tracing::error!(channel, %error, "notification not handled");
                Receipt::Failed
            }
        };
        let answer = provider.acknowledge(receipt);
        Ok(NotifyReply {
            status: answer.status.into(),
            content_type: answer.content_type.to_owned(),
            body: answer.body,
        })
    }
}
