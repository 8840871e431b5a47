//! Lists of works: filtered, similar, recommended, collected.

use std::collections::{HashMap, HashSet};

use chassis::db::{List, contains};
use chassis::{BusinessError, ServiceError};
use proto::works::v1::{
    CollectedWork, MyCollectionReply, MyCollectionRequest, WorkCard, WorkListRequest, WorkPage,
};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, Query};
use sea_orm::{Condition, ConnectionTrait, QueryOrder, QuerySelect, Select};

use crate::Works;
use crate::entity::collected;
use crate::entity::work::{Column, Entity, Model};
use crate::state::split;

const PAGE: i32 = 24;
const LARGEST_PAGE: i32 = 48;
/// Default number of similar or recommended works.
const BESIDE: usize = 8;
/// Number of labels used to find similar works.
const LABELS: usize = 3;

fn listed() -> Select<Entity> {
    Entity::find_any().filter(Column::Listed.eq(true))
}

/// Works that have a label.
fn labelled(label: &str) -> Expr {
    contains(Column::Labels, &format!(",{label},"))
}

fn invalid(message: &str) -> ServiceError {
    BusinessError::invalid(message).into()
}

/// Number of similar or recommended works.
fn beside(asked: i32) -> usize {
    match asked {
        ..=0 => BESIDE,
        size => size.unsigned_abs() as usize,
    }
}

fn filtered(form: &WorkListRequest) -> Result<List<Entity>, ServiceError> {
    let column = match form.order.as_str() {
        "" | "new" => Column::PublishedAt,
        "hot" => Column::Heat,
        "liked" => Column::Likes,
        _ => return Err(invalid("没有这种排序")),
    };
    let ordered = listed().order_by_desc(column).order_by_desc(Column::Id);
    let mut list = List::of(ordered)
        .sizes(PAGE, LARGEST_PAGE)
        .when(Column::CategoryId, &form.category_id)
        .when(Column::IndustryId, &form.industry_id)
        .when(Column::Owner, &form.author_id);
    let types = split(&form.types);
    if !types.is_empty() {
        let known: Option<Vec<i32>> = types
            .iter()
            .map(|one| one.parse().ok().filter(|one| (0..=3).contains(one)))
            .collect();
        let known = known.ok_or_else(|| invalid("没有这种作品类型"))?;
        list = list.filter(Column::WorkType.is_in(known));
    }
    let label = form.label.trim();
    if !label.is_empty() {
        list = list.filter(labelled(label));
    }
    for word in form.keyword.split_whitespace() {
        list = list.search(word, [Column::Name, Column::Description, Column::Labels]);
    }
    Ok(list)
}

impl Works {
    pub(super) async fn list(
        &self,
        viewer: &str,
        form: &WorkListRequest,
    ) -> Result<WorkPage, ServiceError> {
        let page = filtered(form)?.page(form, &self.context.db).await?;
        Ok(WorkPage {
            total_count: page.total_count,
            results: self.cards(viewer, &page.rows).await?,
        })
    }

    /// Works of its category or labels by likes, filled up with the hottest.
    pub(super) async fn alike(
        &self,
        viewer: &str,
        id: &str,
        size: i32,
    ) -> Result<Vec<WorkCard>, ServiceError> {
        let size = beside(size);
        let db = &self.context.db;
        let work = self.open_work(db, viewer, id).await?;
        let mut alike = Condition::any().add(Column::CategoryId.eq(&work.category_id));
        for label in split(&work.labels).iter().take(LABELS) {
            alike = alike.add(labelled(label));
        }
        let others = || listed().filter(Column::Id.ne(&work.id));
        let of_kind = others()
            .filter(alike)
            .order_by_desc(Column::Likes)
            .order_by_desc(Column::Id);
        let found = filled(db, [of_kind, hottest(others())], size).await?;
        self.cards(viewer, &found).await
    }

    /// Other works of the author.
    pub(super) async fn others(
        &self,
        viewer: &str,
        id: &str,
        size: i32,
    ) -> Result<Vec<WorkCard>, ServiceError> {
        let size = beside(size) as u64;
        let db = &self.context.db;
        let work = self.open_work(db, viewer, id).await?;
        let found = Entity::find_own(&work.owner)
            .filter(Column::Listed.eq(true))
            .filter(Column::Id.ne(&work.id))
            .order_by_desc(Column::PublishedAt)
            .order_by_desc(Column::Id)
            .limit(size)
            .all(db)
            .await?;
        self.cards(viewer, &found).await
    }

    pub(super) async fn recommended(
        &self,
        viewer: &str,
        size: i32,
    ) -> Result<Vec<WorkCard>, ServiceError> {
        let size = beside(size);
        let chosen = listed()
            .filter(Column::RecommendedAt.gt(0))
            .order_by_desc(Column::RecommendedAt)
            .order_by_desc(Column::Id);
        let found = filled(&self.context.db, [chosen, hottest(listed())], size).await?;
        self.cards(viewer, &found).await
    }

    pub(super) async fn collection(
        &self,
        owner: &str,
        form: &MyCollectionRequest,
    ) -> Result<MyCollectionReply, ServiceError> {
        let mut list = List::<collected::Entity>::own(owner).sizes(PAGE, LARGEST_PAGE);
        let keyword = form.keyword.trim();
        if !keyword.is_empty() {
            let called = Query::select()
                .column(Column::Id)
                .from(Entity)
                .and_where(contains(Column::Name, keyword))
                .to_owned();
            list = list.filter(collected::Column::WorkId.in_subquery(called));
        }
        let page = list
            .newest_first(collected::Column::AddedAt, collected::Column::WorkId)
            .page(form, &self.context.db)
            .await?;
        let works = self
            .works_of(page.rows.iter().map(|one| one.work_id.as_str()))
            .await?;
        let mut order = Vec::new();
        let mut open = Vec::new();
        for row in &page.rows {
            let Some(work) = works.get(&row.work_id) else {
                continue;
            };
            let available = work.open_to(owner);
            order.push((row.added_at, available, work));
            if available {
                open.push(work.clone());
            }
        }
        let mut cards = self.cards(owner, &open).await?.into_iter();
        let results = order.into_iter().map(|(added_at, available, work)| {
            let card = match available {
                true => cards.next(),
                false => Some(WorkCard {
                    id: work.id.clone(),
                    works_id: work.id.clone(),
                    name: work.name.clone(),
                    is_collect: true,
                    is_collection: true,
                    ..Default::default()
                }),
            };
            CollectedWork {
                card,
                added_at,
                available,
            }
        });
        Ok(MyCollectionReply {
            total_count: page.total_count,
            results: results.collect(),
        })
    }

    /// Works by id.
    pub(crate) async fn works_of<'a>(
        &self,
        ids: impl Iterator<Item = &'a str>,
    ) -> Result<HashMap<String, Model>, DbErr> {
        let ids: HashSet<&str> = ids.collect();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let rows = Entity::find_any()
            .filter(Column::Id.is_in(ids))
            .all(&self.context.db)
            .await?;
        Ok(rows.into_iter().map(|one| (one.id.clone(), one)).collect())
    }
}

fn hottest(rows: Select<Entity>) -> Select<Entity> {
    rows.order_by_desc(Column::Heat).order_by_desc(Column::Id)
}

/// The first entries of the first list, filled up from the second.
async fn filled(
    db: &impl ConnectionTrait,
    lists: [Select<Entity>; 2],
    size: usize,
) -> Result<Vec<Model>, DbErr> {
    let mut found: Vec<Model> = Vec::new();
    for list in lists {
        if found.len() == size {
            break;
        }
        let more = list.limit(2 * size as u64).all(db).await?;
        for one in more {
            if found.len() < size && found.iter().all(|known| known.id != one.id) {
                found.push(one);
            }
        }
    }
    Ok(found)
}
