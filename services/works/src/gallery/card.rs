//! Cards: a work in a list, with its author and the viewer's marks.

use std::collections::HashSet;

use chassis::{ServiceError, people};
use proto::works::v1::{WorkCard, WorkMarks};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QuerySelect};

use crate::Works;
use crate::entity::work::Model;
use crate::entity::{collected, liked};
use crate::state::split;

/// What the viewer has marked.
#[derive(Default)]
struct Marked {
    liked: HashSet<String>,
    collected: HashSet<String>,
}

async fn marked(db: &impl ConnectionTrait, viewer: &str, works: &[Model]) -> Result<Marked, DbErr> {
    if viewer.is_empty() || works.is_empty() {
        return Ok(Marked::default());
    }
    let ids = || works.iter().map(|one| one.id.as_str());
    let liked: Vec<String> = liked::Entity::find_own(viewer)
        .select_only()
        .column(liked::Column::WorkId)
        .filter(liked::Column::WorkId.is_in(ids()))
        .into_tuple()
        .all(db)
        .await?;
    let collected: Vec<String> = collected::Entity::find_own(viewer)
        .select_only()
        .column(collected::Column::WorkId)
        .filter(collected::Column::WorkId.is_in(ids()))
        .into_tuple()
        .all(db)
        .await?;
    Ok(Marked {
        liked: liked.into_iter().collect(),
        collected: collected.into_iter().collect(),
    })
}

impl Works {
    /// Cards in the order of `works`.
    pub(crate) async fn cards(
        &self,
        viewer: &str,
        works: &[Model],
    ) -> Result<Vec<WorkCard>, ServiceError> {
        let db = &self.context.db;
        let marked = marked(db, viewer, works).await?;
        let names = crate::category::names(db).await?;
        let authors = works.iter().map(|one| one.owner.as_str());
        let authors = self.people.appearances(self.now(), authors).await;
        let name_of = |id: &str| names.get(id).cloned().unwrap_or_default();
        let card = |work: &Model| {
            let author = authors.get(&work.owner).cloned().unwrap_or_default();
            let preview = self.address(&work.poster_key);
            let is_liked = marked.liked.contains(&work.id);
            let is_collected = marked.collected.contains(&work.id);
            WorkCard {
                id: work.id.clone(),
                works_id: work.id.clone(),
                name: work.name.clone(),
                r#type: work.work_type,
                pc_preview: preview.clone(),
                preview,
                code: work.page(),
                prev_path: work.page(),
                user_id: work.owner.clone(),
                certified: people::mark_of(&author),
                nickname: author.nickname,
                avatar: author.avatar,
                description: work.description.clone(),
                browsenumber: work.browse,
                browse_count: work.browse,
                likenumber: work.likes,
                like_count: work.likes,
                islike: is_liked,
                liked: is_liked,
                is_collect: is_collected,
                is_collection: is_collected,
                release_time: work.published_at,
                issued_time: work.published_at,
                collect_number: work.collects,
                comment_number: work.comments,
                category_name: name_of(&work.category_id),
                category_id: work.category_id.clone(),
                industry_name: name_of(&work.industry_id),
                industry_id: work.industry_id.clone(),
                labels: split(&work.labels),
                turntable_url: self.address(&work.turntable_key),
            }
        };
        Ok(works.iter().map(card).collect())
    }

    /// The marks and counters of a work for a viewer.
    pub(super) async fn marks(
        &self,
        db: &impl ConnectionTrait,
        viewer: &str,
        work: &Model,
    ) -> Result<WorkMarks, DbErr> {
        let marked = marked(db, viewer, std::slice::from_ref(work)).await?;
        let is_liked = marked.liked.contains(&work.id);
        let is_collected = marked.collected.contains(&work.id);
        Ok(WorkMarks {
            islike: is_liked,
            liked: is_liked,
            is_collect: is_collected,
            is_collection: is_collected,
            likenumber: work.likes,
            like_count: work.likes,
            collect_number: work.collects,
        })
    }
}
