//! What operators do with call requests. Effect and audit entry are one transaction.

use chassis::audit::Deed;
use chassis::db::list::choice;
use chassis::db::states::Transition;
use chassis::db::{List, begin_write};
use chassis::texts::Rule;
use chassis::{BusinessError, Operator, ServiceError};
use proto::code;
use proto::personal::v1::*;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QuerySelect, Set};
use serde_json::json;

use crate::Personal;
use crate::console::Actor;
use crate::entity::lead::{ActiveModel, Column, Entity, Model, State};

const NOTE: Rule = Rule {
    called: "备注",
    lines: true,
};

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
        let asked = choice(&form.state, State::of, "没有这种状态")?;
        let known = Entity::find().filter(Column::State.is_in(State::ALL.to_vec()));
        let rows = List::of(known)
            .search(&form.keyword, [Column::CompanyName, Column::ContactName])
            .when(Column::State, asked);
        let rows = match asked {
            Some(State::New) => rows.oldest_first(Column::CreatedAt, Column::Id),
            _ => rows.newest_first(Column::CreatedAt, Column::Id),
        };
        let found = rows.following(&form, db).await?;
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
            leads: found.rows.into_iter().map(view).collect(),
            next: found.next,
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
            before: json!({"state": before.state}),
            // Not the note, which may name a person: the log outlives the application.
            after: json!({"state": wanted, "noteChanged": note != before.note}),
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
        // Contains no personal data: the audit entry outlives the lead.
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
