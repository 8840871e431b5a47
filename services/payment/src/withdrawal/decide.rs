//! What operators do to withdrawals. Effect and audit entry are one transaction; a decision names the version that was looked at.

use chassis::audit::{self, Deed};
use chassis::db::states::Transition;
use chassis::{BusinessError, Operator, ServiceError, db};
use proto::payment::v1::{
    AuditRecorded, WithdrawalCardReply, WithdrawalConsoleCalls, WithdrawalDecideRequest,
    WithdrawalItem, WithdrawalPaidRequest, WithdrawalSearchReply, WithdrawalSearchRequest,
    WithdrawalShowReply, WithdrawalShowRequest, WithdrawalTakeRequest,
};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};
use serde_json::json;

use super::no_such_withdrawal;
use super::show::item;
use crate::Payment;
use crate::cards::conflict;
use crate::entity::withdrawal::{ActiveModel, Column, Entity, Model, State};

const LONGEST_REASON: usize = 200;

/// What its owner reads.
fn reason_of(reason: &str) -> Result<String, BusinessError> {
    let reason = reason.trim();
    if reason.is_empty() || reason.chars().count() > LONGEST_REASON {
        return Err(BusinessError::invalid(
            "请填写不超过200字的原因，申请人会看到",
        ));
    }
    Ok(reason.to_owned())
}

fn reference(text: &str) -> Result<String, BusinessError> {
    let text = text.trim();
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    match (4..=64).contains(&text.len()) && text.bytes().all(fits) {
        true => Ok(text.to_owned()),
        false => Err(BusinessError::invalid(
            "银行流水号应为 4 至 64 位字母或数字",
        )),
    }
}

impl WithdrawalConsoleCalls<ServiceError> for Payment {
    async fn withdrawal_search(
        &self,
        _: &Operator,
        form: WithdrawalSearchRequest,
    ) -> Result<WithdrawalSearchReply, ServiceError> {
        self.search_withdrawals(&form).await
    }

    async fn withdrawal_show(
        &self,
        _: &Operator,
        form: WithdrawalShowRequest,
    ) -> Result<WithdrawalShowReply, ServiceError> {
        self.show_withdrawal(&form.id).await
    }

    async fn withdrawal_approve(
        &self,
        operator: &Operator,
        form: WithdrawalDecideRequest,
    ) -> Result<WithdrawalItem, ServiceError> {
        let (id, name) = (operator.id().to_owned(), operator.name().to_owned());
        let transaction = db::begin_write(&self.context.db).await?;
        let row = looked_at(&transaction, &form.id, form.version).await?;
        let first = row.needs_two && row.state == State::Requested;
        let transition = match first {
            true => Transition::to(State::Checked).set(ActiveModel {
                checked_id: Set(id),
                checked_by: Set(name),
                updated_at: Set(self.now()),
                ..Default::default()
            }),
            false if row.state == State::Checked && row.checked_id == id => {
                return Err(conflict("大额提现需由另一位运营人员复核"));
            }
            false => Transition::to(State::Approved)
                .from_only(&[State::Requested, State::Checked])
                .set(ActiveModel {
                    approved_id: Set(id),
                    approved_by: Set(name),
                    updated_at: Set(self.now()),
                    ..Default::default()
                }),
        };
        let row = self.moved(&transaction, transition, &row).await?;
        self.decided(transaction, operator, &row, &form.reason)
            .await?;
        Ok(item(row))
    }

    async fn withdrawal_refuse(
        &self,
        operator: &Operator,
        form: WithdrawalDecideRequest,
    ) -> Result<WithdrawalItem, ServiceError> {
        self.end_unpaid_withdrawal(operator, &form, State::Refused)
            .await
    }

    async fn withdrawal_take(
        &self,
        operator: &Operator,
        form: WithdrawalTakeRequest,
    ) -> Result<WithdrawalCardReply, ServiceError> {
        let (id, name) = (operator.id().to_owned(), operator.name().to_owned());
        let transaction = db::begin_write(&self.context.db).await?;
        let row = looked_at(&transaction, &form.id, form.version).await?;
        let transition = Transition::to(State::Paying).set(ActiveModel {
            paid_id: Set(id),
            paid_by: Set(name),
            updated_at: Set(self.now()),
            ..Default::default()
        });
        let row = self.moved(&transaction, transition, &row).await?;
        let answer = self.card_reply(&transaction, &row).await?;
        self.decided(transaction, operator, &row, "").await?;
        Ok(answer)
    }

    async fn withdrawal_give_back(
        &self,
        operator: &Operator,
        form: WithdrawalDecideRequest,
    ) -> Result<WithdrawalItem, ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let row = looked_at(&transaction, &form.id, form.version).await?;
        has_it(&row, operator)?;
        let transition = Transition::to(State::Approved)
            .from_only(&[State::Paying])
            .set(ActiveModel {
                paid_id: Set(String::new()),
                paid_by: Set(String::new()),
                updated_at: Set(self.now()),
                ..Default::default()
            });
        let row = self.moved(&transaction, transition, &row).await?;
        self.decided(transaction, operator, &row, &form.reason)
            .await?;
        Ok(item(row))
    }

    async fn withdrawal_paid(
        &self,
        operator: &Operator,
        form: WithdrawalPaidRequest,
    ) -> Result<WithdrawalItem, ServiceError> {
        let reference = reference(&form.reference)?;
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        let row = looked_at(&transaction, &form.id, form.version).await?;
        has_it(&row, operator)?;
        let transition = Transition::to(State::Paid).set(ActiveModel {
            reference: Set(reference),
            ended_at: Set(Some(now)),
            updated_at: Set(now),
            ..Default::default()
        });
        let row = self.moved(&transaction, transition, &row).await?;
        self.book_paid(&transaction, &row, now).await?;
        self.context.fail.at("payment.withdrawal.ending")?;
        self.decided(transaction, operator, &row, "").await?;
        Ok(item(row))
    }

    /// The bank did not pay: reported by the operator who took it.
    async fn withdrawal_failed(
        &self,
        operator: &Operator,
        form: WithdrawalDecideRequest,
    ) -> Result<WithdrawalItem, ServiceError> {
        self.end_unpaid_withdrawal(operator, &form, State::Failed)
            .await
    }

    /// The card once more, for the operator who took the withdrawal.
    async fn withdrawal_card(
        &self,
        operator: &Operator,
        form: WithdrawalShowRequest,
    ) -> Result<WithdrawalCardReply, ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let row = Entity::find_any_by_id(&form.id).one(&transaction).await?;
        let row = row.ok_or_else(no_such_withdrawal)?;
        has_it(&row, operator)?;
        let deed = Deed {
            target: &row.id,
            after: json!({"loginId": row.owner, "last4": row.last4}),
            ..Deed::default()
        };
        self.audited(&transaction, operator, deed).await?;
        let answer = self.card_reply(&transaction, &row).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(answer)
    }
}

impl Payment {
    async fn end_unpaid_withdrawal(
        &self,
        operator: &Operator,
        form: &WithdrawalDecideRequest,
        state: State,
    ) -> Result<WithdrawalItem, ServiceError> {
        let reason = reason_of(&form.reason)?;
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        let row = looked_at(&transaction, &form.id, form.version).await?;
        if state == State::Failed {
            has_it(&row, operator)?;
        }
        let transition = Transition::to(state).set(ActiveModel {
            reason: Set(reason),
            ended_at: Set(Some(now)),
            updated_at: Set(now),
            ..Default::default()
        });
        let row = self.moved(&transaction, transition, &row).await?;
        self.give_income_back(&transaction, &row, now).await?;
        self.context.fail.at("payment.withdrawal.ending")?;
        self.decided(transaction, operator, &row, &form.reason)
            .await?;
        Ok(item(row))
    }

    async fn card_reply(
        &self,
        transaction: &DatabaseTransaction,
        row: &Model,
    ) -> Result<WithdrawalCardReply, ServiceError> {
        let (details, branch) = self.opened(transaction, &row.owner, &row.card_id).await?;
        Ok(WithdrawalCardReply {
            item: Some(item(row.clone())),
            card_no: details.number,
            holder: details.holder,
            branch,
        })
    }

    /// The row after the transition. Errors: another decision was first, or it does not lead from where the row is.
    async fn moved(
        &self,
        transaction: &DatabaseTransaction,
        transition: Transition<State>,
        row: &Model,
    ) -> Result<Model, ServiceError> {
        let moved = transition
            .only(Column::Id.eq(&row.id))
            .only(Column::Version.eq(row.version))
            .take(transaction)
            .await?;
        moved.into_iter().next().ok_or_else(changed)
    }

    /// Writes down and publishes what was decided, and commits.
    async fn decided(
        &self,
        transaction: DatabaseTransaction,
        operator: &Operator,
        row: &Model,
        reason: &str,
    ) -> Result<(), ServiceError> {
        self.tell_changed(&transaction, row).await?;
        let deed = Deed {
            target: &row.id,
            after: json!({
                "state": row.state.name(),
                "loginId": row.owner,
                "amount": row.amount,
                "reference": row.reference,
            }),
            reason,
            ..Deed::default()
        };
        self.audited(&transaction, operator, deed).await?;
        self.context.fail.at("payment.withdrawal.decided")?;
        transaction.commit().await?;
        self.outbox.wake();
        metrics::counter!("payment_withdrawal_decided_total", "state" => row.state.name())
            .increment(1);
        Ok(())
    }

    async fn audited(
        &self,
        transaction: &DatabaseTransaction,
        operator: &Operator,
        deed: Deed<'_>,
    ) -> Result<(), ServiceError> {
        let event = |entry| AuditRecorded { entry: Some(entry) };
        audit::record(
            &self.outbox,
            transaction,
            crate::NAME,
            operator,
            deed,
            event,
        )
        .await
    }
}

fn changed() -> ServiceError {
    conflict("该提现已被处理或有新的变化，请重新查看")
}

async fn looked_at(
    transaction: &DatabaseTransaction,
    id: &str,
    version: i64,
) -> Result<Model, ServiceError> {
    let row = Entity::find_any_by_id(id).one(transaction).await?;
    let row = row.ok_or_else(no_such_withdrawal)?;
    match row.version == version {
        true => Ok(row),
        false => Err(changed()),
    }
}

/// Errors: another operator pays it, or none does.
fn has_it(row: &Model, operator: &Operator) -> Result<(), ServiceError> {
    match row.state == State::Paying && row.paid_id == operator.id() {
        true => Ok(()),
        false => Err(conflict("该提现不在您的打款中")),
    }
}
