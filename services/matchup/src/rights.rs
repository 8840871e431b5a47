//! Erasure of closed accounts: needs with files and offers, own offers and ratings are deleted, and chosen needs are closed.

use std::collections::BTreeSet;

use chassis::rights::export::{Area, number, text, time};
use chassis::rights::{Holding, Leaving, Rights, erased};
use proto::matchup::v1::AccountErased;
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, QueryOrder, QuerySelect};

use crate::Matchup;
use crate::demand::files::folder_of;
use crate::entity::demand::{Column, Entity};
use crate::entity::{offer, rating};

/// Reason why a column is not exported.
const INTERNAL: &str = "serves the work of the service alone";
const OTHERS: &str = "names somebody else";

/// Export and erasure for matchup.
pub struct Part(pub(crate) Matchup);

async fn ids_of(
    rows: Select<Entity>,
    db: &impl sea_orm::ConnectionTrait,
) -> Result<Vec<String>, DbErr> {
    rows.select_only()
        .column(Column::Id)
        .order_by_asc(Column::Id)
        .into_tuple()
        .all(db)
        .await
}

#[async_trait::async_trait]
impl Rights for Part {
    type Erased = AccountErased;
    const HOLDINGS: &'static [Holding] = &[
        erased("provider", "owner"),
        erased("demand", "owner"),
        erased("offer", "owner"),
        erased("rating", "owner"),
        erased("rating", "target"),
    ];

    const OTHERWISE: &'static [(&'static str, &'static str, &'static str)] = &[(
        "demand",
        "chosen_owner",
        "emptied by `erase`: the need is somebody else's and stays, ended",
    )];

    const AREAS: &'static [Area] = &[
        Area::new(
            "provider_profile",
            "供需身份与服务商资料",
            "provider",
            "owner",
            &[
                text("id", "编号"),
                number("user_type", "身份"),
                text("state", "状态"),
                text("name", "名称"),
                text("skills", "服务类别"),
                text("industries", "行业"),
                text("region", "地区"),
                text("introduce", "介绍"),
                text("contact", "联系方式"),
                text("reason", "审核说明"),
                number("done", "结束的对接"),
                number("rating_count", "评价数"),
                number("rating_sum", "星数合计"),
                time("submitted_at", "提交时间"),
                time("shown_at", "发布时间"),
                time("updated_at", "更新时间"),
            ],
        )
        .withheld(&[
            ("revision", INTERNAL),
            ("suspects", INTERNAL),
            ("example", INTERNAL),
            ("rating_mean", INTERNAL),
        ]),
        Area::new(
            "demands",
            "需求",
            "demand",
            "owner",
            &[
                text("id", "编号"),
                text("state", "状态"),
                text("category", "类别"),
                text("title", "标题"),
                text("content", "说明"),
                text("industry", "行业"),
                number("budget_low", "预算下限（元）"),
                number("budget_high", "预算上限（元）"),
                time("until", "报价截止"),
                text("contact", "联系方式"),
                text("reason", "审核说明"),
                time("submitted_at", "提交时间"),
                time("opened_at", "发布时间"),
                time("chosen_at", "选定时间"),
                time("closed_at", "结束时间"),
                time("created_at", "创建时间"),
                time("updated_at", "更新时间"),
            ],
        )
        .withheld(&[
            ("revision", INTERNAL),
            ("suspects", INTERNAL),
            ("example", INTERNAL),
            ("chosen_offer", INTERNAL),
            ("chosen_owner", OTHERS),
        ]),
        Area::new(
            "demand_files",
            "需求的附件",
            "demand_file",
            "demand_id",
            &[
                text("id", "编号"),
                text("demand_id", "需求编号"),
                text("name", "文件名"),
                number("bytes", "字节数"),
                time("created_at", "上传时间"),
            ],
        )
        .withheld(&[("object_key", INTERNAL)])
        .through("demand_id", ("demand", "id", "owner")),
        Area::new(
            "offers",
            "报价",
            "offer",
            "owner",
            &[
                text("id", "编号"),
                text("demand_id", "需求编号"),
                text("state", "状态"),
                text("title", "需求标题"),
                number("price", "报价（元）"),
                number("days", "周期（天）"),
                text("proposal", "方案说明"),
                time("created_at", "报价时间"),
                time("updated_at", "更新时间"),
            ],
        ),
        Area::new(
            "ratings",
            "给出的评价",
            "rating",
            "owner",
            &[
                text("demand_id", "需求编号"),
                text("title", "需求标题"),
                number("stars", "星数"),
                text("content", "内容"),
                time("at", "时间"),
            ],
        )
        .key(&["demand_id"])
        .withheld(&[("target", OTHERS), ("of_provider", INTERNAL)]),
        Area::new(
            "ratings_received",
            "收到的评价",
            "rating",
            "target",
            &[
                text("demand_id", "需求编号"),
                text("title", "需求标题"),
                number("stars", "星数"),
                text("content", "内容"),
                time("at", "时间"),
            ],
        )
        .key(&["demand_id"])
        .withheld(&[("owner", OTHERS), ("of_provider", INTERNAL)]),
    ];

    fn answer(closure_id: String, round: i32) -> AccountErased {
        AccountErased { closure_id, round }
    }

    async fn prefixes(&self, leaving: Leaving<'_>) -> anyhow::Result<Vec<String>> {
        let own = Entity::find_own(leaving.login_id);
        let own = ids_of(own, &self.0.context.db).await?;
        Ok(own.iter().map(|id| folder_of(id)).collect())
    }

    async fn erase(
        &self,
        transaction: &DatabaseTransaction,
        leaving: Leaving<'_>,
    ) -> anyhow::Result<()> {
        let login_id = leaving.login_id;
        // Read before the needs are deleted, which deletes their ratings.
        let mut rated: Vec<String> = rating::Entity::find_own(login_id)
            .select_only()
            .column(rating::Column::Target)
            .filter(rating::Column::OfProvider.eq(true))
            .into_tuple()
            .all(transaction)
            .await?;
        // Deleted first, so that none of them can be chosen meanwhile.
        offer::Entity::delete_own(login_id)
            .exec(transaction)
            .await?;
        let own = ids_of(Entity::find_own(login_id), transaction).await?;
        let chosen = Entity::find_any().filter(Column::ChosenOwner.eq(login_id));
        let chosen = ids_of(chosen, transaction).await?;
        // In one order, to prevent deadlocks: two users who chose each other may leave at once.
        let all: BTreeSet<&String> = own.iter().chain(&chosen).collect();
        for id in all {
            self.0.hold(transaction, id).await?;
            match own.contains(id) {
                true => self.0.forget(transaction, login_id, id).await?,
                false => self.0.end_chosen(transaction, id).await?,
            }
        }
        rating::Entity::delete_own(login_id)
            .exec(transaction)
            .await?;
        rated.sort();
        rated.dedup();
        for target in rated {
            self.0.count_ratings(transaction, &target).await?;
        }
        Ok(())
    }
}
