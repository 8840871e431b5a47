//! Erasure of closed accounts: works are deleted with all rows that belong to them, marks are uncounted, and answered comments
//! become anonymous placeholders.

use chassis::rights::export::{Area, flag, json, number, text, time};
use chassis::rights::{Holding, Leaving, Rights, erased};
use proto::works::v1::AccountErased;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{DatabaseTransaction, QueryOrder, QuerySelect};

use crate::Works;
use crate::entity::work::{Column, Entity};
use crate::entity::{comment, report, work};
use crate::gallery::mark;
use crate::work::folder_of;

/// Reason why a column is not exported.
const INTERNAL: &str = "serves the work of the service alone";
const SECRET: &str = "lets whoever has it in";
const OTHERS: &str = "names somebody else";

/// Export and erasure for works.
pub struct Part(pub(crate) Works);

#[async_trait::async_trait]
impl Rights for Part {
    type Erased = AccountErased;
    const HOLDINGS: &'static [Holding] = &[
        erased("work", "owner"),
        erased("liked", "owner"),
        erased("collected", "owner"),
        erased("report", "owner"),
        erased("comment", "owner"),
        erased("person", "owner"),
        erased("works_share", "owner"),
    ];

    const AREAS: &'static [Area] = &[
        Area::new(
            "works",
            "作品",
            "work",
            "owner",
            &[
                text("id", "编号"),
                text("state", "状态"),
                text("edit_state", "修改状态"),
                text("visibility", "可见范围"),
                flag("comments_allowed", "是否允许评论"),
                flag("download_allowed", "是否允许下载"),
                text("name", "名称"),
                text("description", "说明"),
                text("category_id", "分类"),
                text("industry_id", "行业"),
                text("labels", "标签"),
                number("work_type", "类型"),
                json("scene", "展示设置"),
                json("draft", "草稿"),
                number("bundle", "模型版本"),
                number("browse", "浏览数"),
                number("likes", "点赞数"),
                number("collects", "收藏数"),
                number("comments", "评论数"),
                text("reason", "审核说明"),
                time("submitted_at", "提交时间"),
                time("published_at", "发布时间"),
                time("created_at", "创建时间"),
                time("updated_at", "更新时间"),
            ],
        )
        .withheld(&[
            ("revision", INTERNAL),
            ("listed", INTERNAL),
            ("draft_name", INTERNAL),
            ("newest_bundle", INTERNAL),
            ("poster_key", INTERNAL),
            ("turntable_key", INTERNAL),
            ("heat", INTERNAL),
            ("reports", INTERNAL),
            ("recommended_at", INTERNAL),
        ]),
        Area::new(
            "work_models",
            "作品的模型",
            "bundle",
            "work_id",
            &[
                text("work_id", "作品编号"),
                number("number", "模型版本"),
                text("file_id", "模型文件编号"),
                text("state", "状态"),
                text("reason", "说明"),
                text("format", "格式"),
                number("bytes", "字节数"),
                number("triangles", "三角面数"),
                flag("animation", "是否有动画"),
                time("created_at", "创建时间"),
            ],
        )
        .key(&["work_id", "number"])
        .withheld(&[
            ("model_key", INTERNAL),
            ("proxy_key", INTERNAL),
            ("poster_key", INTERNAL),
            ("turntable_key", INTERNAL),
            ("ask_at", INTERNAL),
        ])
        .through("work_id", ("work", "id", "owner")),
        Area::new(
            "work_reviews",
            "作品审核记录",
            "work_record",
            "work_id",
            &[
                text("id", "编号"),
                text("work_id", "作品编号"),
                text("action", "操作"),
                text("reason", "说明"),
                number("bundle", "模型版本"),
                time("at", "时间"),
            ],
        )
        .through("work_id", ("work", "id", "owner")),
        Area::new(
            "liked_works",
            "点赞的作品",
            "liked",
            "owner",
            &[text("work_id", "作品编号"), time("added_at", "时间")],
        )
        .key(&["work_id"]),
        Area::new(
            "collected_works",
            "收藏的作品",
            "collected",
            "owner",
            &[text("work_id", "作品编号"), time("added_at", "时间")],
        )
        .key(&["work_id"]),
        Area::new(
            "reports",
            "举报",
            "report",
            "owner",
            &[
                text("id", "编号"),
                text("thing_id", "作品或评论编号"),
                text("reason", "原因"),
                text("content", "说明"),
                flag("open", "是否待处理"),
                time("at", "时间"),
            ],
        ),
        Area::new(
            "comments",
            "评论",
            "comment",
            "owner",
            &[
                text("id", "编号"),
                text("work_id", "作品编号"),
                text("root_id", "所在评论"),
                text("parent_id", "回复的评论"),
                text("content", "内容"),
                json("pin", "标记位置"),
                number("bundle", "模型版本"),
                text("state", "状态"),
                text("reason", "隐藏原因"),
                number("replies", "回复数"),
                time("created_at", "评论时间"),
                time("edited_at", "修改时间"),
            ],
        )
        .withheld(&[("addressee", OTHERS), ("reports", INTERNAL)]),
        Area::new(
            "shares",
            "作品的分享",
            "works_share",
            "owner",
            &[
                text("id", "编号"),
                text("work_id", "作品编号"),
                time("ends_at", "截止时间"),
                number("max_views", "访问次数上限"),
                number("views", "已访问次数"),
                text("domains", "可嵌入的域名"),
                json("options", "展示选项"),
                time("created_at", "创建时间"),
                time("revoked_at", "撤销时间"),
            ],
        )
        .withheld(&[
            ("password_hash", SECRET),
            ("preview_hash", SECRET),
            ("preview_until", INTERNAL),
            ("wrong", INTERNAL),
            ("wrong_until", INTERNAL),
        ]),
        Area::new(
            "share_looks",
            "分享的访问记录",
            "share_look",
            "share_id",
            &[
                text("id", "编号"),
                text("share_id", "分享编号"),
                time("at", "时间"),
                text("host", "来源网站"),
                number("seconds", "停留秒数"),
            ],
        )
        .through("share_id", ("works_share", "id", "owner")),
    ];

    const NOT_TAKEN: &'static [(&'static str, &'static str)] =
        &[("person", "a counter and nothing else")];

    fn answer(closure_id: String, round: i32) -> AccountErased {
        AccountErased { closure_id, round }
    }

    async fn prefixes(&self, leaving: Leaving<'_>) -> anyhow::Result<Vec<String>> {
        let own: Vec<String> = Entity::find_own(leaving.login_id)
            .select_only()
            .column(Column::Id)
            .into_tuple()
            .all(&self.0.context.db)
            .await?;
        Ok(own.iter().map(|id| folder_of(id)).collect())
    }

    async fn erase(
        &self,
        transaction: &DatabaseTransaction,
        leaving: Leaving<'_>,
    ) -> anyhow::Result<()> {
        let owner = leaving.login_id;
        let own: Vec<String> = Entity::find_own(owner)
            .select_only()
            .column(Column::Id)
            .order_by_asc(Column::Id)
            .into_tuple()
            .all(transaction)
            .await?;
        for id in &own {
            self.0.hold(transaction, id).await?;
            self.0.forget(transaction, id).await?;
        }
        mark::forget(transaction, owner).await?;
        self.0.forget_comments(transaction, owner).await?;
        forget_reports(transaction, owner).await?;
        Ok(())
    }
}

/// Uncounts the open reports of a closed account.
async fn forget_reports(transaction: &DatabaseTransaction, owner: &str) -> Result<(), DbErr> {
    let mut things: Vec<String> = report::Entity::find_own(owner)
        .select_only()
        .column(report::Column::ThingId)
        .filter(report::Column::Open.eq(true))
        .into_tuple()
        .all(transaction)
        .await?;
    things.sort();
    for thing in things {
        work::Entity::update_any()
            .col_expr(Column::Reports, Expr::col(Column::Reports).sub(1))
            .filter(Column::Id.eq(&thing))
            .exec(transaction)
            .await?;
        let reports = comment::Column::Reports;
        comment::Entity::update_any()
            .col_expr(reports, Expr::col(reports).sub(1))
            .filter(comment::Column::Id.eq(&thing))
            .exec(transaction)
            .await?;
    }
    Ok(())
}
