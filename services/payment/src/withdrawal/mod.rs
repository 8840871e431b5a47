//! Withdrawals of income: requested by makers, checked and paid by operators. The amount is held in the ledger from the request
//! on, and ends in exactly one way: booked as paid, or free again. Locks are taken in this order: card, withdrawal, account.

mod decide;
mod end;
mod show;

use chassis::db::List;
use chassis::db::list::choice;
use chassis::db::states::Transition;
use chassis::ids::new_id;
use chassis::{BusinessError, ServiceError, SignedIn, db};
use proto::code;
use proto::payment::v1::{
    BankCard, CancelWithdrawalRequest, CardList, CardListRequest, DeletCardRequest,
    ManualCheckRequest, ModifyBankRequest, WithdrawList, WithdrawListRequest, Withdrawal,
    WithdrawalCalls, WithdrawalChanged,
};
use proto::transaction::v1::{MakerReply, MakerRequest, TransactionCommands};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::ExprTrait;
use sea_orm::{DatabaseTransaction, QuerySelect, Set};

use crate::Payment;
use crate::cards::{self, conflict};
use crate::entity::account::Kind;
use crate::entity::withdrawal::{ActiveModel, Column, Entity, Model, State};
use crate::ledger::{self, Account, LedgerError, hold};

/// Letter by letter the site's text.
const FROZEN: &str = "您的模型师账户已冻结,请联系客服";
const NO_SUCH: &str = "提现记录不存在";

fn no_such_withdrawal() -> ServiceError {
    BusinessError::not_found(NO_SUCH).into()
}

pub fn yuan(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

fn shown(row: Model) -> Withdrawal {
    Withdrawal {
        id: row.id,
        request_no: row.request_no,
        create_time: row.requested_at,
        amount: row.amount,
        fee: row.fee,
        state: row.state.name().to_owned(),
        bank_name: row.bank_name,
        card_no: cards::masked(&row.last4),
        holder: row.holder,
        reason: row.reason,
        reference: row.reference,
        end_time: row.ended_at,
    }
}

pub fn is_request_no(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (8..=64).contains(&text.len()) && text.bytes().all(fits)
}

/// The withdrawal that a number names already. Errors: it named another one.
fn same(known: Model, form: &ManualCheckRequest) -> Result<Withdrawal, ServiceError> {
    match known.amount == form.amount && known.card_id == form.card_id {
        true => Ok(shown(known)),
        false => Err(conflict(
            "该提现申请已提交过，金额或银行卡与之前不同，请刷新后重试",
        )),
    }
}

impl WithdrawalCalls<ServiceError> for Payment {
    async fn query_card_list(
        &self,
        caller: &SignedIn,
        _: CardListRequest,
    ) -> Result<CardList, ServiceError> {
        self.cards(caller.login_id()).await
    }

    async fn delet_card(
        &self,
        caller: &SignedIn,
        form: DeletCardRequest,
    ) -> Result<(), ServiceError> {
        self.delete_card(caller.login_id(), &form.card_id).await
    }

    async fn modify_bank(
        &self,
        caller: &SignedIn,
        form: ModifyBankRequest,
    ) -> Result<BankCard, ServiceError> {
        self.modify_card(caller.login_id(), &form).await
    }

    async fn withdraw_list(
        &self,
        caller: &SignedIn,
        form: WithdrawListRequest,
    ) -> Result<WithdrawList, ServiceError> {
        let owner = caller.login_id();
        let state = choice(&form.state, State::of, "没有这种提现状态")?;
        let db = &db::begin_read(&self.context.db).await?;
        let page = List::<Entity>::own(owner)
            .when(Column::State, state)
            .newest_first(Column::RequestedAt, Column::Id)
            .page(&form, db)
            .await?;
        let held: Option<Option<i64>> = Entity::find_own(owner)
            .select_only()
            .expr_as(Column::Amount.sum().cast_as("BIGINT"), "held")
            .filter(Column::State.is_in(State::OPEN))
            .into_tuple()
            .one(db)
            .await?;
        let terms = &self.config.withdrawal;
        Ok(WithdrawList {
            total_count: page.total_count,
            results: page.rows.into_iter().map(shown).collect(),
            income_balance: ledger::available(db, &Account::of(Kind::Income, owner)).await?,
            held: held.flatten().unwrap_or(0),
            debt: -ledger::available(db, &Account::of(Kind::Debt, owner)).await?,
            least: terms.least,
            most: terms.most,
            fee_bp: i32::try_from(terms.fee_bp).unwrap_or(i32::MAX),
            least_fee: terms.least_fee,
        })
    }

    async fn manual_check(
        &self,
        caller: &SignedIn,
        form: ManualCheckRequest,
    ) -> Result<Withdrawal, ServiceError> {
        let owner = caller.login_id();
        let terms = &self.config.withdrawal;
        if !is_request_no(&form.request_no) {
            return Err(BusinessError::invalid("requestNo 应为 8 至 64 位字母或数字").into());
        }
        if let Some(known) = self.by_number(owner, &form.request_no).await? {
            return same(known, &form);
        }
        self.vault()?;
        if !(terms.least..=terms.most).contains(&form.amount) {
            let (least, most) = (yuan(terms.least), yuan(terms.most));
            return Err(
                BusinessError::invalid(format!("单笔提现金额为 {least} 至 {most} 元")).into(),
            );
        }
        if self.standing(owner).await?.frozen {
            return Err(conflict(FROZEN));
        }
        match self.hold_income(owner, &form).await? {
            Some(row) => Ok(shown(row)),
            None => {
                let known = self.by_number(owner, &form.request_no).await?;
                same(known.ok_or_else(no_such_withdrawal)?, &form)
            }
        }
    }

    /// Takes back what no operator has checked yet.
    async fn cancel_withdrawal(
        &self,
        caller: &SignedIn,
        form: CancelWithdrawalRequest,
    ) -> Result<Withdrawal, ServiceError> {
        let (owner, id) = (caller.login_id(), form.withdrawal_id.as_str());
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        let moved = Transition::to(State::Cancelled)
            .set(ActiveModel {
                ended_at: Set(Some(now)),
                updated_at: Set(now),
                ..Default::default()
            })
            .only(Column::Id.eq(id))
            .only(Column::Owner.eq(owner))
            .take(&transaction)
            .await?;
        let Some(row) = moved.into_iter().next() else {
            transaction.rollback().await?;
            let known = Entity::find_own_by_id(owner, id)
                .one(&self.context.db)
                .await?;
            return match known.ok_or_else(no_such_withdrawal)? {
                row if row.state == State::Cancelled => Ok(shown(row)),
                _ => Err(conflict("该提现已在处理或已结束，不能撤回")),
            };
        };
        self.give_income_back(&transaction, &row, now).await?;
        self.tell_changed(&transaction, &row).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(shown(row))
    }
}

impl Payment {
    /// The standing of a person as a maker.
    async fn standing(&self, login_id: &str) -> Result<MakerReply, ServiceError> {
        let request = MakerRequest {
            login_id: login_id.to_owned(),
        };
        TransactionCommands::maker(&self.context.bus, &request).await
    }

    /// Errors: the caller is no maker, or frozen as one.
    pub(crate) async fn may_spend_income(&self, owner: &str) -> Result<(), ServiceError> {
        let maker = self.standing(owner).await?;
        if maker.frozen {
            return Err(conflict(FROZEN));
        }
        match maker.uploader_type {
            0 => Err(conflict("仅模型师可以使用收入余额支付，请选择其他支付方式")),
            _ => Ok(()),
        }
    }

    async fn by_number(&self, owner: &str, number: &str) -> Result<Option<Model>, DbErr> {
        Entity::find_own(owner)
            .filter(Column::RequestNo.eq(number))
            .one(&self.context.db)
            .await
    }

    /// Writes a request down and holds its amount; none: the number was used meanwhile.
    async fn hold_income(
        &self,
        owner: &str,
        form: &ManualCheckRequest,
    ) -> Result<Option<Model>, ServiceError> {
        let (terms, now) = (&self.config.withdrawal, self.now());
        let transaction = db::begin_write(&self.context.db).await?;
        let card = cards::hold(&transaction, owner, &form.card_id, now).await?;
        let card = card.ok_or_else(|| BusinessError::not_found("请选择已绑定的银行卡"))?;
        let row = Model {
            id: new_id(),
            owner: owner.to_owned(),
            request_no: form.request_no.clone(),
            card_id: card.id,
            bank_name: card.bank_name,
            last4: card.last4,
            holder: card.holder,
            amount: form.amount,
            fee: terms.fee_of(form.amount),
            needs_two: form.amount > terms.two_above,
            state: State::Requested,
            checked_id: String::new(),
            checked_by: String::new(),
            approved_id: String::new(),
            approved_by: String::new(),
            paid_id: String::new(),
            paid_by: String::new(),
            reason: String::new(),
            reference: String::new(),
            requested_at: now,
            updated_at: now,
            ended_at: None,
            version: 1,
        };
        if !db::insert_new(row.clone(), &transaction).await? {
            return Ok(None);
        }
        let income = Account::of(Kind::Income, owner);
        match hold::place(&transaction, &row.id, &income, row.amount, now).await {
            Ok(_) => {}
            Err(LedgerError::Insufficient(_)) => {
                let message = "可用收入不足，请修改提现金额";
                return Err(BusinessError::new(code::NO_FUNDS, message).into());
            }
            Err(error) => return Err(error.into()),
        }
        self.tell_changed(&transaction, &row).await?;
        self.context.fail.at("payment.withdrawal.before_commit")?;
        transaction.commit().await?;
        self.outbox.wake();
        self.context.fail.at("payment.withdrawal.committed")?;
        Ok(Some(row))
    }

    /// Publishes a withdrawal as it is from now on.
    async fn tell_changed(
        &self,
        transaction: &DatabaseTransaction,
        row: &Model,
    ) -> Result<(), DbErr> {
        let event = WithdrawalChanged {
            withdrawal_id: row.id.clone(),
            version: row.version,
            owner: row.owner.clone(),
            state: row.state.name().to_owned(),
            amount: row.amount,
            fee: row.fee,
            bank_name: row.bank_name.clone(),
            last4: row.last4.clone(),
            reason: row.reason.clone(),
            reference: row.reference.clone(),
            changed_at_ms: row.updated_at,
        };
        self.outbox
            .add_streamed(transaction, &row.id, row.version, &event)
            .await
    }
}
