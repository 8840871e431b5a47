//! The generated trait: request → domain → reply.

use chassis::ServiceError;
use chassis::rpc::{Reply, reply, signed_in};
use proto::common::v1::Empty;
use proto::payment::v1::notify_reply::Outcome;
use proto::payment::v1::payment_api_server::PaymentApi;
use proto::payment::v1::payment_internal_server::PaymentInternal;
use proto::payment::v1::*;
use tonic::{Request, Response};

use crate::Payment;
use crate::provider::{Face, Notification, ProviderError};
use crate::state::{CLOUD_COIN, INCOME_BALANCE};

pub(crate) struct Api {
    payment: Payment,
}

impl Api {
    pub(crate) fn new(payment: Payment) -> Self {
        Self { payment }
    }
}

fn wrong_face(channel: &str) -> ServiceError {
    anyhow::anyhow!("{channel} answered with the wrong kind of face").into()
}

#[tonic::async_trait]
impl PaymentApi for Api {
    async fn pc_alipay(&self, request: Request<PayRequest>) -> Reply<FormReply> {
        let (owner, request) = signed_in(request)?;
        match self.payment.pay_outside(&owner, "alipay", &request).await? {
            Face::Form(form) => Ok(Response::new(FormReply { form })),
            Face::CodeUrl(_) => Err(wrong_face("alipay").into()),
        }
    }

    async fn weixin_pay(&self, request: Request<PayRequest>) -> Reply<CodeReply> {
        let (owner, request) = signed_in(request)?;
        match self.payment.pay_outside(&owner, "wechat", &request).await? {
            Face::CodeUrl(code_url) => Ok(Response::new(CodeReply { code_url })),
            Face::Form(_) => Err(wrong_face("wechat").into()),
        }
    }

    async fn cloud_coin_pay(&self, request: Request<PayRequest>) -> Reply<Empty> {
        let (owner, request) = signed_in(request)?;
        self.payment
            .pay_from_balance(&owner, CLOUD_COIN, &request)
            .await?;
        Ok(Response::new(Empty {}))
    }

    async fn income_balance_pay(&self, request: Request<PayRequest>) -> Reply<Empty> {
        let (owner, request) = signed_in(request)?;
        self.payment
            .pay_from_balance(&owner, INCOME_BALANCE, &request)
            .await?;
        Ok(Response::new(Empty {}))
    }

    async fn pay_by_member_free_count(&self, request: Request<CountPayRequest>) -> Reply<Empty> {
        let (owner, request) = signed_in(request)?;
        self.payment.pay_by_counts(&owner, &request, false).await?;
        Ok(Response::new(Empty {}))
    }

    async fn batch_pay_models_by_member_free_count(
        &self,
        request: Request<CountPayRequest>,
    ) -> Reply<Empty> {
        let (owner, request) = signed_in(request)?;
        self.payment.pay_by_counts(&owner, &request, true).await?;
        Ok(Response::new(Empty {}))
    }

    async fn member_free_counts(
        &self,
        request: Request<MemberFreeCountsRequest>,
    ) -> Reply<MemberFreeCountList> {
        let (owner, _) = signed_in(request)?;
        let counts = self.payment.free_counts(&owner).await?;
        Ok(Response::new(MemberFreeCountList { counts }))
    }

    async fn query_account_details(
        &self,
        request: Request<AccountDetailsRequest>,
    ) -> Reply<AccountDetails> {
        let (owner, request) = signed_in(request)?;
        Ok(Response::new(
            self.payment.account_details(&owner, &request).await?,
        ))
    }

    async fn list_incomes(&self, request: Request<IncomeListRequest>) -> Reply<IncomeList> {
        let (owner, request) = signed_in(request)?;
        Ok(Response::new(self.payment.incomes(&owner, &request).await?))
    }

    async fn income_months(&self, request: Request<IncomeMonthsRequest>) -> Reply<IncomeMonths> {
        let (owner, request) = signed_in(request)?;
        reply(self.payment.income_months(&owner, &request).await)
    }
}

pub(crate) struct Internal {
    payment: Payment,
}

impl Internal {
    pub(crate) fn new(payment: Payment) -> Self {
        Self { payment }
    }
}

#[tonic::async_trait]
impl PaymentInternal for Internal {
    async fn notify(&self, request: Request<NotifyRequest>) -> Reply<NotifyReply> {
        let request = request.into_inner();
        let notification = Notification {
            headers: request.headers.into_iter().collect(),
            body: request.body,
        };
        let channel = request.channel;
        let outcome = match self.payment.notified(&channel, &notification).await {
            Ok(()) => Outcome::Taken,
            Err(error @ ProviderError::Refused(_)) => {
                tracing::warn!(channel, %error, "notification refused");
                Outcome::Refused
            }
            Err(
                error @ (ProviderError::Unclear(_)
                | ProviderError::Silent(_)
                | ProviderError::Paused),
            ) => {
                tracing::error!(channel, %error, "notification not handled");
                Outcome::Failed
            }
        };
        let outcome = outcome.into();
        Ok(Response::new(NotifyReply { outcome }))
    }
}
