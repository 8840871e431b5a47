//! An order of models that free counts pay: a count for each of them, or nothing.

use chassis::{BusinessError, ServiceError, db};
use proto::code;
use proto::order::v1::BeginReply;
use proto::payment::v1::{CountPayRequest, PayRequest};
use proto::personal::v1::CountedTerm;
use sea_orm::{DatabaseTransaction, Set};

use super::{COUNTED_TYPE, MEMBER_FREE, Right, UNLIMITED, period};
use crate::Payment;
use crate::attempt::{claim, terms, transition};
use crate::entity::attempt;
use crate::entity::attempt::State;
use crate::pay::Refusal;
use crate::statement::{self, Line};

/// What becomes of the counts of an attempt.
enum Taken {
    All,
    /// Nothing: so many are left.
    Short(i64),
}

impl Payment {
    /// Pays an order of the caller with the free counts of the membership.
    pub(crate) async fn pay_by_counts(
        &self,
        owner: &str,
        request: &CountPayRequest,
        batch: bool,
    ) -> Result<(), ServiceError> {
        let request = PayRequest {
            order_id: request.order_id.clone(),
            ..Default::default()
        };
        // While nothing is written yet: without an answer there is no attempt to be ended.
        let terms = self.terms(owner).await?;
        let (attempt, begun) = self.begin(owner, MEMBER_FREE, &request).await?;
        if begun.counts > 1 && !batch {
            let text = "订单中有多个模型，请一并用会员免费次数抵扣";
            self.end_unpaid(&attempt, State::Closed, text).await?;
            return Err(BusinessError::new(code::CONFLICT, text).into());
        }
        self.context.fail.at("payment.begun")?;
        match self.take_counts(&attempt, &begun, &terms).await {
            Ok(Taken::All) => Ok(()),
            Ok(Taken::Short(left)) => {
                let text = format!("您的免费次数为{left}，不足以抵扣此订单，请重新选择或直接支付");
                self.end_unpaid(&attempt, State::Failed, &text).await?;
                Err(BusinessError::new(code::NO_FUNDS, text).into())
            }
            Err(refusal) => self.not_taken(&attempt, refusal).await,
        }
    }

    async fn take_counts(
        &self,
        attempt: &attempt::Model,
        begun: &BeginReply,
        members: &[CountedTerm],
    ) -> Result<Taken, Refusal> {
        let transaction = db::begin_write(&self.context.db).await?;
        let now = self.now();
        let Some(period) = period(Right::Mall, members, now)? else {
            return Ok(Taken::Short(0));
        };
        if !claim(&transaction, &attempt.order_id, &attempt.id, now).await? {
            return Err(Refusal::Gone);
        }
        let counts = match period.allowance {
            UNLIMITED => 0,
            _ => begun.counts,
        };
        let succeeded = transition(&attempt.id, State::Succeeded, now)
            .from_only(&[State::Created])
            .set(attempt::ActiveModel {
                counts: Set(counts),
                ..terms(begun)
            })
            .apply(&transaction);
        if !succeeded.await? {
            return Err(Refusal::Gone);
        }
        if counts > 0 {
            let what = (attempt.id.as_str(), counts);
            let short = period.take(&transaction, &attempt.owner, what, now).await?;
            if let Some(left) = short {
                return Ok(Taken::Short(left));
            }
        }
        let line = format!("会员免费次数抵扣 {} 次：{}", begun.counts, begun.subject);
        count_line(&transaction, &attempt.owner, &begun.order_no, &line, now).await?;
        self.publish_succeeded(&transaction, attempt, 0, now)
            .await?;
        self.context.fail.at("payment.count.before_commit")?;
        transaction.commit().await?;
        self.context.fail.at("payment.count.committed")?;
        self.outbox.wake();
        self.close_others(&attempt.order_id).await;
        Ok(Taken::All)
    }
}

/// The line of the account details: no money has moved.
pub(super) async fn count_line(
    transaction: &DatabaseTransaction,
    owner: &str,
    order_no: &str,
    description: &str,
    now: i64,
) -> Result<(), sea_orm::DbErr> {
    let line = Line {
        owner,
        transaction_type: COUNTED_TYPE,
        function_type: crate::earning::MALL,
        pay_method: "",
        amount: 0,
        account: None,
        order_no,
        description,
    };
    statement::write(transaction, &line, now).await
}
