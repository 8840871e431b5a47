//! The console's calls.

use chassis::db::List;
use chassis::db::list::choice;
use chassis::{BusinessError, Operator, ServiceError};
use proto::personal::v1::*;
use sea_orm::Condition;
use sea_orm::entity::prelude::*;

use super::{Kind, Publication, Revision, Saved, State, content};
use crate::Personal;
use crate::console::Actor;
use crate::entity::{publication, publication_revision};

/// State shown in the console: the stored one, compared with the clock.
fn state_at(row: &Publication, now: i64) -> &'static str {
    match row.state {
        State::Draft => "draft",
        State::Withdrawn => "withdrawn",
        State::Published if row.starts_at > now => "scheduled",
        State::Published if row.ends_at > 0 && row.ends_at <= now => "ended",
        State::Published => "shown",
    }
}

fn item(row: Publication, latest: Option<&Revision>, now: i64) -> PublicationItem {
    let state = state_at(&row, now).to_owned();
    // A draft has no published content yet: show its latest revision.
    let draft = latest.filter(|_| row.state == State::Draft);
    let (json, starts_at, ends_at, position) = match draft {
        Some(of) => (&of.content, of.starts_at, of.ends_at, of.position),
        None => (&row.content, row.starts_at, row.ends_at, row.position),
    };
    PublicationItem {
        content: content::to_form(row.kind, json),
        kind: row.kind.name().to_owned(),
        state,
        starts_at,
        ends_at,
        position,
        published_version: row.published_version,
        latest_version: row.version,
        created_at: row.created_at,
        updated_at: row.updated_at,
        id: row.id,
    }
}

fn revision(kind: Kind, row: Revision) -> PublicationRevision {
    PublicationRevision {
        content: content::to_form(kind, &row.content),
        version: row.version,
        starts_at: row.starts_at,
        ends_at: row.ends_at,
        position: row.position,
        saved_by: row.saved_by,
        saved_at: row.created_at,
        published_at: row.published_at,
        restored_from: row.restored_from,
    }
}

impl PublicationConsoleCalls<ServiceError> for Personal {
    async fn publication_list(
        &self,
        _: &Operator,
        form: PublicationListRequest,
    ) -> Result<PublicationListReply, ServiceError> {
        use publication::Column::{CreatedAt, Id, Kind as KindOf, UpdatedAt};
        let rows = publication::Entity::find().filter(self.in_state(&form.state)?);
        let found = List::of(rows)
            .when(KindOf, choice(&form.kind, Kind::of, "类型不正确")?)
            .between(UpdatedAt, form.from, form.to)
            // Ids of seeded rows do not sort by time.
            .newest_first(CreatedAt, Id)
            .following(&form, &self.context.db)
            .await?;
        let latest = self.newest_of_drafts(&found.rows).await?;
        let now = self.context.clock.now_ms();
        Ok(found.reply(|row| {
            let newest = |of: &&Revision| of.publication_id == row.id && of.version == row.version;
            let newest = latest.iter().find(newest);
            item(row, newest, now)
        }))
    }

    async fn publication_show(
        &self,
        _: &Operator,
        form: PublicationShowRequest,
    ) -> Result<PublicationShowReply, ServiceError> {
        let id = form.id.as_str();
        let row = publication::Entity::find_by_id(id)
            .one(&self.context.db)
            .await?;
        let row = row.ok_or_else(|| BusinessError::not_found("没有这条内容"))?;
        let (kind, revisions) = (row.kind, self.revisions(id).await?);
        let now = self.context.clock.now_ms();
        Ok(PublicationShowReply {
            publication: Some(item(row, revisions.first(), now)),
            revisions: revisions
                .into_iter()
                .map(|row| revision(kind, row))
                .collect(),
        })
    }

    async fn publication_save(
        &self,
        operator: &Operator,
        form: PublicationSaveRequest,
    ) -> Result<PublicationSaveReply, ServiceError> {
        let (kind, content) = content::of_form(form.content)?;
        let saved = Saved {
            content,
            starts_at: form.starts_at,
            ends_at: form.ends_at,
            position: form.position,
        };
        let id = Some(form.id.as_str()).filter(|id| !id.is_empty());
        let base = Some(form.base_version);
        let actor = Actor::Operator(operator);
        let revision = self.save_publication(id, base, kind, saved, &actor).await?;
        Ok(saved_as(revision))
    }

    async fn publication_publish(
        &self,
        operator: &Operator,
        form: PublicationPublishRequest,
    ) -> Result<(), ServiceError> {
        let actor = Actor::Operator(operator);
        let published = self.publish(&form.id, form.version, &actor).await;
        self.announce_now().await;
        published
    }

    async fn publication_withdraw(
        &self,
        operator: &Operator,
        form: PublicationWithdrawRequest,
    ) -> Result<(), ServiceError> {
        let actor = Actor::Operator(operator);
        let withdrawn = self.withdraw(&form.id, &form.reason, &actor).await;
        self.announce_now().await;
        withdrawn
    }

    async fn publication_restore(
        &self,
        operator: &Operator,
        form: PublicationRestoreRequest,
    ) -> Result<PublicationSaveReply, ServiceError> {
        let actor = Actor::Operator(operator);
        let restored = self.restore_publication(&form.id, form.version, &form.reason, &actor);
        let restored = restored.await;
        self.announce_now().await;
        restored.map(saved_as)
    }

    async fn publication_picture(
        &self,
        operator: &Operator,
        form: PublicationPictureRequest,
    ) -> Result<PublicationPictureReply, ServiceError> {
        self.take_picture(form.data, &Actor::Operator(operator))
            .await
    }

    async fn publication_picture_show(
        &self,
        _: &Operator,
        form: PublicationPictureShowRequest,
    ) -> Result<FilePart, ServiceError> {
        self.show_picture(&form.img, form.offset).await
    }
}

impl Personal {
    fn in_state(&self, state: &str) -> Result<Condition, BusinessError> {
        use publication::Column::{EndsAt, StartsAt, State as Kept};
        let now = self.context.clock.now_ms();
        let published = Condition::all().add(Kept.eq(State::Published));
        Ok(match state {
            "" => Condition::all(),
            "draft" => Condition::all().add(Kept.eq(State::Draft)),
            "withdrawn" => Condition::all().add(Kept.eq(State::Withdrawn)),
            "scheduled" => published.add(StartsAt.gt(now)),
            "ended" => published.add(EndsAt.gt(0)).add(EndsAt.lte(now)),
            "shown" => self.shown_at(now),
            _ => return Err(BusinessError::invalid("状态不正确")),
        })
    }

    async fn newest_of_drafts(&self, rows: &[Publication]) -> Result<Vec<Revision>, DbErr> {
        use publication_revision::Column::{PublicationId, Version};
        let drafts = rows.iter().filter(|row| row.state == State::Draft);
        let named = drafts.map(|row| {
            Condition::all()
                .add(PublicationId.eq(&row.id))
                .add(Version.eq(row.version))
        });
        let any = named.fold(Condition::any(), Condition::add);
        if any.is_empty() {
            return Ok(Vec::new());
        }
        publication_revision::Entity::find()
            .filter(any)
            .all(&self.context.db)
            .await
    }

    /// Notifies open pages at once; if that fails, the next round does.
    async fn announce_now(&self) {
        if let Err(error) = self.announce().await {
            tracing::warn!(%error, "not announced; the next round tries again");
        }
    }
}

fn saved_as(revision: Revision) -> PublicationSaveReply {
    PublicationSaveReply {
        id: revision.publication_id,
        version: revision.version,
    }
}
