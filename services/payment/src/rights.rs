//! What becomes of a person's money: everything is kept under the pseudonym, as bookkeeping demands, and the books stay sound. What
//! was left on an account stays there; it cannot be spent.

use chassis::rights::export::{Area, cents, number, text, time};
use chassis::rights::{Holding, Leaving, Rights, erased, renamed};
use proto::payment::v1::AccountErased;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait, Func};
use sea_orm::{DatabaseTransaction, QueryOrder, QuerySelect, Set};
use serde_json::{Map, Value};

use crate::Payment;
use crate::entity::account::{COUNT, Kind};
use crate::entity::attempt::{Disposition, State};
use crate::entity::{account, attempt, entry, hold, ledger_transaction, refund, withdrawal};
use crate::ledger::{self, Account};

/// Transactions of the ledger that are looked at a time.
const BATCH: u64 = 500;

/// Why a column is not shown.
const INTERNAL: &str = "serves the work of the service alone";
const OPERATORS: &str = "names operators";

/// The part of payment.
pub struct Part(pub(crate) Payment);

#[async_trait::async_trait]
impl Rights for Part {
    type Erased = AccountErased;
    const HOLDINGS: &'static [Holding] = &[
        renamed("attempt", "owner"),
        erased("bank_card", "owner"),
        renamed("earning", "owner"),
        renamed("refund", "owner"),
        renamed("statement", "owner"),
        renamed("withdrawal", "owner"),
    ];
    const OTHERWISE: &'static [(&'static str, &'static str, &'static str)] = &[
        ("account", "owner", "renamed with the account's id"),
        ("entry", "account_id", "renamed with the account"),
        ("hold", "account_id", "renamed with the account"),
    ];

    const AREAS: &'static [Area] = &[
        Area::new(
            "statements",
            "账户明细",
            "statement",
            "owner",
            &[
                text("id", "编号"),
                number("transaction_type", "交易类型"),
                number("function_type", "功能"),
                text("pay_method", "支付方式"),
                cents("amount", "金额（元）"),
                cents("balance", "余额（元）"),
                text("order_no", "订单号"),
                text("description", "说明"),
                time("created_at", "时间"),
            ],
        ),
        Area::new(
            "payments",
            "支付",
            "attempt",
            "owner",
            &[
                text("id", "编号"),
                text("order_id", "订单编号"),
                text("order_no", "订单号"),
                text("channel", "支付方式"),
                text("coupon_id", "优惠券编号"),
                text("state", "状态"),
                cents("payable", "应付（元）"),
                text("subject", "内容"),
                number("function_type", "功能"),
                number("transaction_type", "交易类型"),
                time("expires_at", "支付截止"),
                cents("captured", "到账（元）"),
                cents("refunded", "退款（元）"),
                number("counts", "免费次数"),
                text("disposition", "资金去向"),
                text("provider_no", "渠道单号"),
                text("reason", "失败原因"),
                time("created_at", "时间"),
                time("updated_at", "更新时间"),
            ],
        )
        .withheld(&[
            ("shares", "says what others get"),
            ("closing", INTERNAL),
            ("tries", INTERNAL),
            ("next_check_at", INTERNAL),
        ]),
        Area::new(
            "refunds",
            "退款",
            "refund",
            "owner",
            &[
                text("id", "编号"),
                text("attempt_id", "支付编号"),
                text("order_id", "订单编号"),
                text("channel", "支付方式"),
                cents("amount", "金额（元）"),
                text("reason", "原因"),
                text("state", "状态"),
                time("created_at", "时间"),
                time("ended_at", "完成时间"),
            ],
        )
        .withheld(&[
            ("tries", INTERNAL),
            ("next_check_at", INTERNAL),
            ("told", INTERNAL),
            ("ended_by", OPERATORS),
            ("note", OPERATORS),
        ]),
        Area::new(
            "incomes",
            "收入",
            "earning",
            "owner",
            &[
                text("id", "编号"),
                text("order_no", "订单号"),
                text("title", "商品"),
                cents("amount", "收入（元）"),
                cents("paid", "买家支付（元）"),
                text("state", "状态"),
                time("created_at", "时间"),
                time("matures_at", "到账时间"),
                time("ended_at", "完成时间"),
            ],
        )
        .withheld(&[
            ("order_id", "is somebody else's order"),
            ("tries", INTERNAL),
            ("next_check_at", INTERNAL),
        ]),
        Area::new(
            "bankCards",
            "银行卡",
            "bank_card",
            "owner",
            &[
                text("id", "编号"),
                text("bank_name", "银行"),
                text("last4", "卡号末四位"),
                text("holder", "持卡人"),
                text("branch", "开户支行"),
                time("created_at", "绑定时间"),
                time("updated_at", "更新时间"),
            ],
        )
        .withheld(&[
            ("key_id", INTERNAL),
            ("wrapped_key", INTERNAL),
            ("details", "is the number and the holder, encrypted"),
            ("number_index", INTERNAL),
        ]),
        Area::new(
            "withdrawals",
            "提现",
            "withdrawal",
            "owner",
            &[
                text("id", "编号"),
                text("bank_name", "银行"),
                text("last4", "卡号末四位"),
                text("holder", "持卡人"),
                cents("amount", "金额（元）"),
                cents("fee", "手续费（元）"),
                text("state", "状态"),
                text("reason", "原因"),
                text("reference", "银行流水号"),
                time("requested_at", "申请时间"),
                time("updated_at", "更新时间"),
                time("ended_at", "完成时间"),
            ],
        )
        .withheld(&[
            ("request_no", INTERNAL),
            ("card_id", INTERNAL),
            ("needs_two", OPERATORS),
            ("checked_id", OPERATORS),
            ("checked_by", OPERATORS),
            ("approved_id", OPERATORS),
            ("approved_by", OPERATORS),
            ("paid_id", OPERATORS),
            ("paid_by", OPERATORS),
            ("version", INTERNAL),
        ]),
        Area::new(
            "accounts",
            "云币、收益与次数账户",
            "account",
            "owner",
            &[
                text("id", "账户"),
                text("kind", "类型"),
                text("unit", "单位"),
                cents("posted", "余额（元或次）"),
                cents("held", "冻结（元或次）"),
            ],
        )
        .withheld(&[("guarded", INTERNAL), ("version", INTERNAL)]),
        Area::new(
            "ledger",
            "账户分录",
            "entry",
            "account_id",
            &[
                text("transaction_id", "交易编号"),
                number("line", "行"),
                text("account_id", "账户"),
                cents("amount", "金额（元或次）"),
            ],
        )
        .key(&["transaction_id", "line"])
        .through("account_id", ("account", "id", "owner")),
        Area::new(
            "holds",
            "冻结记录",
            "hold",
            "account_id",
            &[
                text("id", "编号"),
                text("account_id", "账户"),
                cents("amount", "金额（元）"),
                text("state", "状态"),
                time("created_at", "时间"),
                time("ended_at", "结束时间"),
            ],
        )
        .through("account_id", ("account", "id", "owner")),
    ];

    fn answer(closure_id: String, round: i32) -> AccountErased {
        AccountErased { closure_id, round }
    }

    /// Cents are shown as yuan, free counts as what they are.
    fn present(&self, area: &Area, row: &mut Map<String, Value>) {
        let text = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default();
        let counted = match area.table {
            "account" => text("unit") == COUNT,
            "entry" => {
                let kind = text("accountId").split(':').next().and_then(Kind::of);
                kind.is_some_and(|kind| kind.unit() == COUNT)
            }
            _ => false,
        };
        for name in ["posted", "held", "amount"] {
            if let Some(value) = row.get_mut(name)
                && counted
                && let Some(hundredths) = value.as_f64()
            {
                *value = Value::from((hundredths * 100.0).round() as i64);
            }
        }
    }

    /// Attempts, refunds, withdrawals and money that no order has taken yet come to their end first.
    async fn is_busy(&self, leaving: Leaving<'_>) -> anyhow::Result<bool> {
        let db = &self.0.context.db;
        let taken = attempt::Column::Captured.gt(0);
        let in_escrow = attempt::Column::Disposition
            .eq(Disposition::Escrow)
            .and(taken.or(attempt::Column::Counts.gt(0)));
        let attempts = attempt::Entity::find_own(leaving.login_id)
            .filter(attempt::Column::State.is_in(State::OPEN).or(in_escrow))
            .count(db)
            .await?;
        let refunds = refund::Entity::find_own(leaving.login_id)
            .filter(refund::Column::State.is_in(refund::State::OPEN))
            .count(db)
            .await?;
        let withdrawals = withdrawal::Entity::find_own(leaving.login_id)
            .filter(withdrawal::Column::State.is_in(withdrawal::State::OPEN))
            .count(db)
            .await?;
        Ok(attempts + refunds + withdrawals > 0)
    }

    async fn erase(
        &self,
        transaction: &DatabaseTransaction,
        leaving: Leaving<'_>,
    ) -> anyhow::Result<()> {
        let Leaving {
            login_id,
            pseudonym,
        } = leaving;
        let shares = Func::cust("REPLACE")
            .arg(Expr::col(attempt::Column::Shares))
            .arg(Expr::value(login_id))
            .arg(Expr::value(pseudonym));
        attempt::Entity::update_any()
            .col_expr(attempt::Column::Shares, shares.into())
            .filter(attempt::Column::Shares.contains(login_id))
            .exec(transaction)
            .await?;
        // The holder's name; an enterprise's too, which leads back to the person.
        withdrawal::Entity::update_own(login_id)
            .set(withdrawal::ActiveModel {
                holder: Set(String::new()),
                last4: Set(String::new()),
                ..Default::default()
            })
            .exec(transaction)
            .await?;
        for kind in [Kind::Coin, Kind::Income, Kind::Pending, Kind::Debt] {
            let from = Account::of(kind, login_id);
            rename(transaction, &from, &Account::of(kind, pseudonym)).await?;
        }
        let counted = account::Entity::find_own(login_id)
            .filter(account::Column::Unit.eq(COUNT))
            .all(transaction)
            .await?;
        for row in counted {
            let own = Account::of(row.kind, login_id).id();
            let part = row.id.strip_prefix(&format!("{own}:")).unwrap_or_default();
            let from = Account::part_of(row.kind, login_id, part);
            let to = Account::part_of(row.kind, pseudonym, part);
            rename(transaction, &from, &to).await?;
        }
        Ok(())
    }
}

/// Moves all that is booked on an account to another one, balance and holds included.
async fn rename(
    transaction: &DatabaseTransaction,
    from: &Account,
    to: &Account,
) -> anyhow::Result<()> {
    // Held until the end of the transaction: a concurrent booking waits, and then finds the account gone.
    let held = account::Entity::update_any()
        .col_expr(
            account::Column::Version,
            Expr::col(account::Column::Version).add(1),
        )
        .filter(account::Column::Id.eq(from.id()))
        .exec_with_returning(transaction)
        .await?;
    let Some(known) = held.into_iter().next() else {
        return Ok(());
    };
    ledger::ensure(transaction, to).await?;
    let plus = |column: account::Column, more: i64| Expr::col(column).add(more);
    account::Entity::update_any()
        .col_expr(
            account::Column::Posted,
            plus(account::Column::Posted, known.posted),
        )
        .col_expr(
            account::Column::Held,
            plus(account::Column::Held, known.held),
        )
        .filter(account::Column::Id.eq(to.id()))
        .exec(transaction)
        .await?;
    entry::Entity::update_many()
        .col_expr(entry::Column::AccountId, Expr::value(to.id()))
        .filter(entry::Column::AccountId.eq(from.id()))
        .exec(transaction)
        .await?;
    hold::Entity::update_many()
        .col_expr(hold::Column::AccountId, Expr::value(to.id()))
        .filter(hold::Column::AccountId.eq(from.id()))
        .exec(transaction)
        .await?;
    account::Entity::delete_any_by_id(from.id())
        .exec(transaction)
        .await?;
    hash_again(transaction, to).await
}

/// Each transaction of the ledger keeps a hash of its entries, which name accounts.
async fn hash_again(transaction: &DatabaseTransaction, of: &Account) -> anyhow::Result<()> {
    let mut behind = String::new();
    loop {
        let mut ids: Vec<String> = entry::Entity::find()
            .select_only()
            .column(entry::Column::TransactionId)
            .filter(entry::Column::AccountId.eq(of.id()))
            .filter(entry::Column::TransactionId.gt(&behind))
            .order_by_asc(entry::Column::TransactionId)
            .limit(BATCH)
            .into_tuple()
            .all(transaction)
            .await?;
        ids.dedup();
        let Some(last) = ids.last() else {
            return Ok(());
        };
        behind = last.clone();
        for id in &ids {
            let entries = entry::Entity::find()
                .filter(entry::Column::TransactionId.eq(id))
                .all(transaction)
                .await?;
            let lines = entries
                .iter()
                .map(|entry| (entry.account_id.as_str(), entry.amount));
            ledger_transaction::Entity::update_many()
                .set(ledger_transaction::ActiveModel {
                    input_hash: Set(ledger::hash(lines)),
                    ..Default::default()
                })
                .filter(ledger_transaction::Column::Id.eq(id))
                .exec(transaction)
                .await?;
        }
    }
}
