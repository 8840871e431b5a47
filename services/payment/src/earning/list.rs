//! What a seller reads of his incomes.

use chassis::{BusinessError, ServiceError, db};
use proto::payment::v1::{Income, IncomeList, IncomeListRequest};
use sea_orm::QueryOrder;
use sea_orm::entity::prelude::*;

use crate::Payment;
use crate::entity::earning::{Column, Entity, Model, State};
use crate::ledger::{self, Account, Kind};

impl Payment {
    pub(crate) async fn incomes(
        &self,
        owner: &str,
        request: &IncomeListRequest,
    ) -> Result<IncomeList, ServiceError> {
        let mut query = Entity::find().filter(Column::Owner.eq(owner));
        if !request.state.is_empty() {
            let state = State::of(&request.state);
            let wrong = || BusinessError::invalid("state 应为 pending、matured 或 reversed");
            query = query.filter(Column::State.eq(state.ok_or_else(wrong)?));
        }
        if let Some(begin) = request.begin_time {
            query = query.filter(Column::CreatedAt.gte(begin));
        }
        if let Some(end) = request.end_time {
            query = query.filter(Column::CreatedAt.lt(end));
        }
        let newest_first = query
            .order_by_desc(Column::CreatedAt)
            .order_by_desc(Column::Id);
        let db = &self.context.db;
        let (page_no, page_size) = (request.page_no, request.page_size);
        let (total_count, rows) = db::paged(newest_first, page_no, page_size, db).await?;
        let owed = ledger::available(db, &Account::of(Kind::Debt, owner)).await?;
        Ok(IncomeList {
            total_count,
            results: rows.into_iter().map(shown).collect(),
            pending_income: ledger::available(db, &Account::of(Kind::Pending, owner)).await?,
            income_balance: ledger::available(db, &Account::of(Kind::Income, owner)).await?,
            debt: -owed,
        })
    }
}

fn shown(row: Model) -> Income {
    Income {
        id: row.id,
        create_time: row.created_at,
        order_no: row.order_no,
        title: row.title,
        amount: row.amount,
        paid: row.paid,
        state: row.state.name().to_owned(),
        mature_time: row.matures_at,
        end_time: row.ended_at,
    }
}
