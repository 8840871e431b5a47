//! Categories and industries: built-in ones at first, then edited by operators.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use chassis::{BusinessError, Context, ServiceError};
use proto::works::v1::WorkCategory;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ConnectionTrait, QueryOrder, QuerySelect, Set};

use crate::Works;
use crate::entity::category::{ActiveModel, Column, Entity, Kind, Model};
use crate::entity::work;

/// Maximum number per kind.
pub(crate) const MOST: u64 = 200;
/// Cache lifetime of the counts in milliseconds: counting scans an index of all works.
const BELIEVED_MS: i64 = 10_000;

const FIRST: &[(Kind, &str, &[&str])] = &[
    (
        Kind::Category,
        "wc",
        &[
            "机械与装备",
            "建筑与空间",
            "文化与文物",
            "交通工具",
            "产品与家居",
            "自然与人物",
            "科学与教育",
            "城市与实景",
        ],
    ),
    (
        Kind::Industry,
        "wi",
        &[
            "智能制造",
            "能源电力",
            "建筑地产",
            "文博展陈",
            "教育培训",
            "智慧城市",
            "交通物流",
            "电商零售",
        ],
    ),
];

/// Inserts the built-in ones if the table is empty.
pub(crate) async fn make_first(context: &Context) -> Result<(), DbErr> {
    if Entity::find().limit(1).count(&context.db).await? > 0 {
        return Ok(());
    }
    let now = context.clock.now_ms();
    let rows = FIRST.iter().flat_map(|(kind, mark, names)| {
        names.iter().zip(1..).map(move |(name, at)| ActiveModel {
            id: Set(format!("{mark}{at:02}")),
            kind: Set(*kind),
            name: Set((*name).to_owned()),
            position: Set(at),
            offered: Set(true),
            updated_at: Set(now),
        })
    });
    // Another replica may insert them at the same time.
    let known = OnConflict::column(Column::Id).do_nothing().to_owned();
    Entity::insert_many(rows)
        .on_conflict(known)
        .exec_without_returning(&context.db)
        .await?;
    Ok(())
}

/// All of one kind or of both, in their order.
pub(crate) async fn all(
    db: &impl ConnectionTrait,
    kind: Option<Kind>,
) -> Result<Vec<Model>, DbErr> {
    let mut rows = Entity::find();
    if let Some(kind) = kind {
        rows = rows.filter(Column::Kind.eq(kind));
    }
    rows.order_by_asc(Column::Kind)
        .order_by_asc(Column::Position)
        .order_by_asc(Column::Id)
        .limit(2 * MOST)
        .all(db)
        .await
}

/// Names by id.
pub(crate) async fn names(db: &impl ConnectionTrait) -> Result<HashMap<String, String>, DbErr> {
    let rows = all(db, None).await?;
    Ok(rows.into_iter().map(|one| (one.id, one.name)).collect())
}

impl Works {
    /// Checks that authors can choose it. Errors: no offered one has this id.
    pub(crate) async fn check_category(
        &self,
        db: &impl ConnectionTrait,
        kind: Kind,
        id: &str,
    ) -> Result<(), ServiceError> {
        let found = Entity::find_by_id(id)
            .filter(Column::Kind.eq(kind))
            .filter(Column::Offered.eq(true))
            .one(db)
            .await?;
        let message = match kind {
            Kind::Category => "请选择分类",
            Kind::Industry => "请选择行业",
        };
        match found {
            Some(_) => Ok(()),
            None => Err(BusinessError::invalid(message).into()),
        }
    }

    /// Filters of the lists: categories that are offered or used.
    pub(crate) async fn categories(&self, kind: Kind) -> Result<Vec<WorkCategory>, ServiceError> {
        let counted = self.counted(kind).await?;
        let rows = all(&self.context.db, Some(kind)).await?;
        let shown = rows.into_iter().filter_map(|row| {
            let count = counted.get(&row.id).copied().unwrap_or(0);
            (row.offered || count > 0).then_some(WorkCategory {
                id: row.id,
                name: row.name,
                count,
            })
        });
        Ok(shown.collect())
    }

    async fn counted(&self, kind: Kind) -> Result<Arc<HashMap<String, i64>>, ServiceError> {
        let now = self.now();
        let known = {
            let counts = self.counts.0.lock().unwrap_or_else(PoisonError::into_inner);
            counts.get(&kind).cloned()
        };
        if let Some((at, counted)) = known
            && now - at < BELIEVED_MS
        {
            return Ok(counted);
        }
        let column = match kind {
            Kind::Category => work::Column::CategoryId,
            Kind::Industry => work::Column::IndustryId,
        };
        let counted: Vec<(String, i64)> = work::Entity::find_any()
            .select_only()
            .column(column)
            .column_as(work::Column::Id.count(), "count")
            .filter(work::Column::Listed.eq(true))
            .group_by(column)
            .into_tuple()
            .all(&self.context.db)
            .await?;
        let counted: Arc<HashMap<String, i64>> = Arc::new(counted.into_iter().collect());
        let mut counts = self.counts.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.insert(kind, (now, counted.clone()));
        Ok(counted)
    }
}
