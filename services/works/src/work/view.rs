//! Works as their authors see them.

use std::collections::HashMap;

use chassis::db::List;
use chassis::{BusinessError, Grantee, ServiceError};
use proto::works::v1::{MyWork, MyWorksReply, MyWorksRequest};
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, QuerySelect};

use crate::Works;
use crate::entity::bundle as bundles;
use crate::entity::work::{Column, Edit, Entity, Model, State};

const PAGE: i32 = 24;
const LARGEST_PAGE: i32 = 48;

/// Filter for a state name of the pages. None: there is no such state.
pub(crate) fn in_state(state: &str) -> Option<Condition> {
    let edit = |edit: Edit| {
        Condition::all()
            .add(Column::State.eq(State::Draft))
            .add(Column::EditState.eq(edit))
    };
    Some(match state {
        "draft" => edit(Edit::Editing),
        "review" => edit(Edit::Review),
        "refused" => edit(Edit::Refused),
        name => {
            let state = State::of(name).filter(|state| *state != State::Draft)?;
            Condition::all().add(Column::State.eq(state))
        }
    })
}

impl Works {
    pub(super) async fn my_page(
        &self,
        to: &Grantee<'_>,
        form: &MyWorksRequest,
    ) -> Result<MyWorksReply, ServiceError> {
        let owner = to.user;
        let mut list = List::<Entity>::own(owner)
            .sizes(PAGE, LARGEST_PAGE)
            .search(&form.keyword, [Column::DraftName]);
        if !form.state.is_empty() {
            let state = in_state(&form.state);
            list = list.filter(state.ok_or_else(|| BusinessError::invalid("没有这种状态"))?);
        }
        let db = &self.context.db;
        let page = list
            .newest_first(Column::UpdatedAt, Column::Id)
            .page(form, db)
            .await?;
        let counted: Vec<(State, Edit, i64)> = Entity::find_own(owner)
            .select_only()
            .column(Column::State)
            .column(Column::EditState)
            .column_as(Column::Id.count(), "count")
            .group_by(Column::State)
            .group_by(Column::EditState)
            .into_tuple()
            .all(db)
            .await?;
        let mut counts: HashMap<String, i64> = HashMap::new();
        for (state, edit, count) in counted {
            let note = match (state, edit) {
                (State::Draft, Edit::Review) => "review",
                (State::Draft, Edit::Refused) => "refused",
                (state, _) => state.name(),
            };
            *counts.entry(note.to_owned()).or_default() += count;
        }
        Ok(MyWorksReply {
            total_count: page.total_count,
            results: self.authors_views(to, page.rows).await?,
            counts,
        })
    }

    /// Includes the draft's model and what is missing.
    pub(crate) async fn my_detail(
        &self,
        to: &Grantee<'_>,
        id: &str,
    ) -> Result<MyWork, ServiceError> {
        let work = self.own(&self.context.db, to.user, id).await?;
        let missing = self.missing(&self.context.db, &work).await?;
        let number = work.content().bundle;
        let bundle = self.bundle_of(&self.context.db, id, number).await?;
        let name = work.draft_name.clone();
        let mut views = self.authors_views(to, vec![work]).await?;
        let mut view = views.pop().unwrap_or_default();
        view.model = bundle.and_then(|one| self.model_view(Some(to), &one, Some(&name)));
        view.missing = missing;
        Ok(view)
    }

    /// Works for their authors, with the draft's texts and picture.
    pub(crate) async fn authors_views(
        &self,
        to: &Grantee<'_>,
        works: Vec<Model>,
    ) -> Result<Vec<MyWork>, ServiceError> {
        let ids = works.iter().map(|one| one.id.as_str());
        let mut drafted: HashMap<(String, i32), bundles::Model> = HashMap::new();
        if !works.is_empty() {
            let rows = bundles::Entity::find()
                .filter(bundles::Column::WorkId.is_in(ids))
                .all(&self.context.db)
                .await?;
            drafted.extend(
                rows.into_iter()
                    .map(|one| ((one.work_id.clone(), one.number), one)),
            );
        }
        let as_drafted = works.into_iter().map(|mut work| {
            let content = work.content();
            let bundle = drafted.remove(&(work.id.clone(), content.bundle));
            if let Some(ready) = bundle.as_ref().filter(|one| !one.poster_key.is_empty()) {
                work.poster_key = ready.poster_key.clone();
                work.turntable_key = ready.turntable_key.clone();
            }
            work.name = content.name;
            work.description = content.description;
            work.category_id = content.category_id;
            work.industry_id = content.industry_id;
            work.labels = content.labels.join(",");
            work.work_type = content.work_type;
            work.scene = content.scene;
            (work, bundle)
        });
        let (works, bundles): (Vec<_>, Vec<_>) = as_drafted.unzip();
        let mut cards = self.cards(to.user, &works).await?;
        // A draft's pictures are not for everybody.
        for (card, work) in cards.iter_mut().zip(&works) {
            card.preview = self.address_for(Some(to), &work.poster_key, None);
            card.pc_preview = card.preview.clone();
            card.turntable_url = self.address_for(Some(to), &work.turntable_key, None);
        }
        let views = works.into_iter().zip(bundles).zip(cards);
        Ok(views
            .map(|((work, bundle), card)| MyWork {
                card: Some(card),
                state: work.told_state().to_owned(),
                edit_state: work.told_edit().to_owned(),
                reason: work.reason,
                revision: work.revision,
                visibility: work.visibility.name().to_owned(),
                comments_allowed: work.comments_allowed,
                download_allowed: work.download_allowed,
                scene: work.scene,
                file_id: bundle
                    .as_ref()
                    .map(|one| one.file_id.clone())
                    .unwrap_or_default(),
                model_state: bundle
                    .as_ref()
                    .map_or("failed", |one| one.state.name())
                    .to_owned(),
                model_reason: bundle.map(|one| one.reason).unwrap_or_default(),
                model: None,
                missing: Vec::new(),
                created_at: work.created_at,
                updated_at: work.updated_at,
            })
            .collect())
    }
}
