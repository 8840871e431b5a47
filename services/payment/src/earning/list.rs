//! What a seller reads of his incomes.

use chassis::ServiceError;
use chassis::db::list::choice;
use chassis::db::{self, List};
use proto::payment::v1::{Income, IncomeList, IncomeListRequest};

use crate::Payment;
use crate::entity::account::Kind;
use crate::entity::earning::{Column, Entity, Model, State};
use crate::ledger::{self, Account};

impl Payment {
    pub(crate) async fn incomes(
        &self,
        owner: &str,
        request: &IncomeListRequest,
    ) -> Result<IncomeList, ServiceError> {
        let wrong = "state 应为 pending、matured 或 reversed";
        // One snapshot: a sale settled between two queries would be in the balance and not in the list.
        let db = &db::begin_read(&self.context.db).await?;
        let page = List::<Entity>::own(owner)
            .when(Column::State, choice(&request.state, State::of, wrong)?)
            .between(Column::CreatedAt, request.begin_time, request.end_time)
            .newest_first(Column::CreatedAt, Column::Id)
            .page(request, db)
            .await?;
        let owed = ledger::available(db, &Account::of(Kind::Debt, owner)).await?;
        Ok(IncomeList {
            total_count: page.total_count,
            results: page.rows.into_iter().map(shown).collect(),
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
