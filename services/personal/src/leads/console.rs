//! What operators do with those who ask to be called. Effect and audit entry are one transaction.

use chassis::audit::Deed;
use chassis::console::{cursor, cut, newest_first, oldest_first, page_size};
use chassis::db::begin_write;
use chassis::db::part;
use chassis::db::states::Transition;
use chassis::texts::Rule;
use chassis::{BusinessError, Operator, ServiceError};
use proto::code;
use proto::personal::v1::*;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::ExprTrait;
use sea_orm::{Condition, ConnectionTrait, QuerySelect, Set};
use serde_json::json;

use crate::Personal;
use crate::console::Actor;
use crate::entity::lead::{ActiveModel, Column, Entity, Model, State};

const NOTE: Rule = Rule {
    called: "备注",
    most: 1_000,
    lines: true,
};
/// Longest keyword that is looked for.
const KEYWORD: usize = 64;

fn state(name: &str) -> Result<State, ServiceError> {
    let state = State::of(name);
    state.ok_or_else(|| BusinessError::invalid("没有这种状态").into())
}

fn masked(phone: &str) -> String {
    match (phone.get(..3), phone.get(7..)) {
        (Some(head), Some(tail)) => format!("{head}****{tail}"),
        _ => "***".to_owned(),
    }
}

fn view(row: Model) -> Lead {
    Lead {
        phone_masked: masked(&row.phone),
        id: row.id,
        state: row.state.name().to_owned(),
        company_name: row.company_name,
        contact_name: row.contact_name,
        created_at: row.created_at,
        updated_at: row.updated_at,
        operator: row.operator,
    }
}

fn detail(mut row: Model) -> LeadDetail {
    LeadDetail {
        demand: std::mem::take(&mut row.demand),
        note: std::mem::take(&mut row.note),
        lead: Some(view(row)),
    }
}

impl LeadConsoleCalls<ServiceError> for Personal {
    async fn lead_list(
        &self,
        _: &Operator,
        form: LeadListRequest,
    ) -> Result<LeadListReply, ServiceError> {
        let db = &self.context.db;
        let size = page_size(form.size)?;
        let mut rows = Entity::find().filter(Column::State.is_in(State::ALL.to_vec()));
        let keyword: String = form.keyword.trim().chars().take(KEYWORD).collect();
        if !keyword.is_empty() {
            let either = Condition::any()
                .add(Expr::col(Column::CompanyName).like(part(&keyword)))
                .add(Expr::col(Column::ContactName).like(part(&keyword)));
            rows = rows.filter(either);
        }
        let asked = match form.state.as_str() {
            "" => None,
            name => Some(state(name)?),
        };
        if let Some(asked) = asked {
            rows = rows.filter(Column::State.eq(asked));
        }
        let page = match asked {
            Some(State::New) => {
                oldest_first(rows, Column::CreatedAt, Column::Id, &form.after, size)?
            }
            _ => newest_first(rows, Column::CreatedAt, Column::Id, &form.after, size)?,
        };
        let mut found = page.all(db).await?;
        let next = cut(&mut found, size, |row| cursor(row.created_at, &row.id));
        let waiting: Option<(i64, Option<i64>)> = Entity::find()
            .select_only()
            .column_as(Column::Id.count(), "number")
            .column_as(Column::CreatedAt.min(), "since")
            .filter(Column::State.eq(State::New))
            .into_tuple()
            .one(db)
            .await?;
        let (waiting, since) = waiting.unwrap_or_default();
        Ok(LeadListReply {
            leads: found.into_iter().map(view).collect(),
            next,
            waiting,
            waiting_since: since.unwrap_or(0),
        })
    }

    async fn lead_show(&self, _: &Operator, form: LeadRequest) -> Result<LeadDetail, ServiceError> {
        Ok(detail(self.lead(&self.context.db, &form.id).await?))
    }

    async fn lead_phone(
        &self,
        operator: &Operator,
        form: LeadRequest,
    ) -> Result<LeadPhoneReply, ServiceError> {
        let lead = self.lead(&self.context.db, &form.id).await?;
        let what = json!({"phone": masked(&lead.phone)});
        self.record_read(operator, &form.id, what).await?;
        Ok(LeadPhoneReply { phone: lead.phone })
    }

    async fn lead_move(
        &self,
        operator: &Operator,
        form: LeadMoveRequest,
    ) -> Result<LeadDetail, ServiceError> {
        let (known, wanted) = (state(&form.known_state)?, state(&form.state)?);
        let note = NOTE.check_shape(&form.note)?;
        let actor = Actor::Operator(operator);
        let transaction = begin_write(&self.context.db).await?;
        let before = self.lead(&transaction, &form.id).await?;
        let change = ActiveModel {
            note: Set(note.clone()),
            operator: Set(actor.name()),
            updated_at: Set(self.context.clock.now_ms()),
            ..Default::default()
        };
        let own = Column::Id.eq(&form.id);
        let moved = match known == wanted {
            true => {
                let written = Entity::update_many().set(change).filter(own);
                let written = written.filter(Column::State.eq(known));
                written.exec(&transaction).await?.rows_affected == 1
            }
            false => {
                let moved = Transition::to(wanted).from_only(&[known]).set(change);
                moved.only(own).apply(&transaction).await?
            }
        };
        if !moved {
            let message = "这份申请的状态刚刚变了，请刷新后再试";
            return Err(BusinessError::new(code::CONFLICT, message).into());
        }
        let deed = Deed {
            target: &form.id,
            before: json!({"state": before.state, "note": before.note}),
            after: json!({"state": wanted, "note": note}),
            ..Deed::default()
        };
        self.record(&transaction, &actor, deed).await?;
        let after = self.lead(&transaction, &form.id).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(detail(after))
    }

    async fn lead_remove(
        &self,
        operator: &Operator,
        form: LeadRemoveRequest,
    ) -> Result<(), ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let before = self.lead(&transaction, &form.id).await?;
        Entity::delete_by_id(&form.id).exec(&transaction).await?;
        // Names nobody: the entry outlives what it is about.
        let deed = Deed {
            target: &form.id,
            before: json!({"state": before.state}),
            reason: &form.reason,
            ..Deed::default()
        };
        self.record(&transaction, &Actor::Operator(operator), deed)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}

impl Personal {
    async fn lead(&self, db: &impl ConnectionTrait, id: &str) -> Result<Model, ServiceError> {
        let found = Entity::find_by_id(id).one(db).await?;
        found.ok_or_else(|| BusinessError::not_found("没有这份申请，可能已被删除").into())
    }
}
