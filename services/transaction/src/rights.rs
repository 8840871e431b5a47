//! What becomes of a maker who has left: listings leave the mall, and stay for their buyers under the pseudonym.

use chassis::db::states::Transition;
use chassis::rights::export::{Area, cents, flag, json, number, text, time};
use chassis::rights::{Holding, Leaving, Rights, erased, renamed};
use proto::transaction::v1::AccountErased;
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, IntoActiveModel, Set};

use crate::Mall;
use crate::entity::listing::{Column, Entity, State};
use crate::entity::{approval, version};
use crate::listing::Change;

/// Why a column is not shown.
const INTERNAL: &str = "serves the work of the service alone";
const OPERATORS: &str = "names operators";

/// The part of transaction.
pub struct Part(pub(crate) Mall);

#[async_trait::async_trait]
impl Rights for Part {
    type Erased = AccountErased;
    const HOLDINGS: &'static [Holding] = &[
        renamed("listing", "seller"),
        erased("released_file", "owner"),
        erased("cart", "owner"),
        erased("cart_item", "owner"),
        erased("free_day", "owner"),
        renamed("model_grant", "owner"),
        erased("folder", "owner"),
        erased("favourite", "owner"),
        erased("rating", "owner"),
        erased("modeler", "login_id"),
        erased("modeler_record", "login_id"),
    ];
    const OTHERWISE: &'static [(&'static str, &'static str, &'static str)] = &[(
        "listing_version",
        "claimed_by",
        "the operator who looks at it",
    )];

    const AREAS: &'static [Area] = &[
        Area::new(
            "listings",
            "发布的模型",
            "listing",
            "seller",
            &[
                text("id", "编号"),
                text("state", "状态"),
                text("name", "名称"),
                text("category_id", "分类"),
                text("label_ids", "标签"),
                text("intro", "简介"),
                text("description", "描述"),
                text("license", "授权"),
                text("origin", "来源"),
                cents("price", "价格（元）"),
                number("uploader_type", "发布者类型"),
                flag("frozen", "是否因冻结不展示"),
                number("current_version", "在售版本"),
                number("newest_version", "最新版本"),
                text("format", "格式"),
                number("triangles", "三角面数"),
                flag("animation", "是否有动画"),
                number("score", "评分"),
                number("sold", "销量"),
                number("favourites", "收藏数"),
                number("rating_sum", "评分合计"),
                number("rating_count", "评分人数"),
                time("listed_at", "上架时间"),
                time("created_at", "创建时间"),
                time("updated_at", "更新时间"),
            ],
        )
        .withheld(&[
            ("revision", INTERNAL),
            ("thumb_key", INTERNAL),
            ("turntable_key", INTERNAL),
        ]),
        Area::new(
            "listing_versions",
            "发布的版本",
            "listing_version",
            "listing_id",
            &[
                text("listing_id", "发布编号"),
                number("number", "版本"),
                text("state", "状态"),
                text("file_id", "模型编号"),
                flag("texts_only", "是否仅修改文字"),
                text("notes", "版本说明"),
                text("name", "名称"),
                text("category_id", "分类"),
                text("label_ids", "标签"),
                text("intro", "简介"),
                text("description", "描述"),
                text("origin", "来源"),
                text("format", "格式"),
                number("bytes", "字节数"),
                text("sha256", "SHA-256"),
                number("triangles", "三角面数"),
                flag("animation", "是否有动画"),
                number("score", "评分"),
                json("facts", "检测结果"),
                text("reason", "审核说明"),
                time("submitted_at", "提交时间"),
                time("created_at", "创建时间"),
                time("updated_at", "更新时间"),
            ],
        )
        .key(&["listing_id", "number"])
        .withheld(&[
            ("thumb_key", INTERNAL),
            ("shown_of", INTERNAL),
            ("source_key", INTERNAL),
            ("proxy_key", INTERNAL),
            ("pictures", INTERNAL),
            ("descriptor", INTERNAL),
            ("ask_at", INTERNAL),
            ("claimed_by", OPERATORS),
            ("claimed_until", OPERATORS),
        ])
        .through("listing_id", ("listing", "id", "seller")),
        Area::new(
            "listing_reviews",
            "审核记录",
            "approval",
            "listing_id",
            &[
                text("id", "编号"),
                text("listing_id", "发布编号"),
                number("version", "版本"),
                text("action", "操作"),
                text("reason", "说明"),
                time("at", "时间"),
            ],
        )
        .through("listing_id", ("listing", "id", "seller")),
        Area::new(
            "price_changes",
            "价格变更",
            "price_change",
            "listing_id",
            &[
                text("id", "编号"),
                text("listing_id", "发布编号"),
                cents("price", "价格（元）"),
                time("at", "生效时间"),
            ],
        )
        .through("listing_id", ("listing", "id", "seller")),
        Area::new(
            "cart",
            "购物车",
            "cart_item",
            "owner",
            &[
                text("listing_id", "商品编号"),
                cents("price", "加入时价格（元）"),
                time("added_at", "加入时间"),
            ],
        )
        .key(&["listing_id"]),
        Area::new(
            "favourite_folders",
            "收藏夹",
            "folder",
            "owner",
            &[
                text("id", "编号"),
                text("name", "名称"),
                time("created_at", "创建时间"),
            ],
        )
        .key(&["id"])
        .withheld(&[("revision", INTERNAL)]),
        Area::new(
            "favourites",
            "收藏的模型",
            "favourite",
            "owner",
            &[
                text("folder_id", "收藏夹编号"),
                text("listing_id", "商品编号"),
                time("added_at", "收藏时间"),
            ],
        )
        .key(&["folder_id", "listing_id"]),
        Area::new(
            "model_reviews",
            "模型评价",
            "rating",
            "owner",
            &[
                text("id", "编号"),
                text("listing_id", "商品编号"),
                number("stars", "星级"),
                text("content", "内容"),
                text("answer", "作者回复"),
                time("answered_at", "回复时间"),
                flag("hidden", "是否被隐藏"),
                text("hidden_reason", "隐藏原因"),
                time("created_at", "评价时间"),
                time("updated_at", "修改时间"),
            ],
        ),
        Area::new(
            "free_models",
            "每日免费模型",
            "free_day",
            "owner",
            &[
                number("day", "日期（1970年起的天数）"),
                number("taken", "已领取"),
            ],
        )
        .key(&["day"]),
        Area::new(
            "models_had",
            "拥有的模型",
            "model_grant",
            "owner",
            &[
                text("id", "编号"),
                text("listing_id", "商品编号"),
                number("version", "版本"),
                text("order_id", "订单编号"),
                text("item_id", "订单项编号"),
                cents("price", "价格（元）"),
                text("way", "取得方式"),
                text("license", "授权"),
                text("state", "状态"),
                time("got_at", "取得时间"),
                time("first_download_at", "首次下载"),
                number("downloads", "下载次数"),
                time("updated_at", "更新时间"),
            ],
        ),
        Area::new(
            "downloads",
            "下载记录",
            "download",
            "grant_id",
            &[
                text("id", "编号"),
                text("grant_id", "拥有编号"),
                number("version", "版本"),
                text("format", "格式"),
                time("at", "时间"),
            ],
        )
        .through("grant_id", ("model_grant", "id", "owner")),
        Area::new(
            "publishable_files",
            "可发布的模型",
            "released_file",
            "owner",
            &[
                text("file_id", "模型编号"),
                text("name", "名称"),
                text("format", "格式"),
                number("file_size", "字节数"),
                text("sha256", "SHA-256"),
                number("triangles", "三角面数"),
                flag("animation", "是否有动画"),
                number("score", "评分"),
                text("label_ids", "标签"),
                time("released_at", "时间"),
            ],
        )
        .key(&["file_id"])
        .withheld(&[("thumb_key", INTERNAL)]),
        Area::new(
            "modeler",
            "模型师",
            "modeler",
            "login_id",
            &[
                number("uploader_type", "发布者类型"),
                text("state", "申请状态"),
                flag("frozen", "是否冻结"),
                number("share_bp", "分成（万分之）"),
                text("statement", "申请说明"),
                text("reason", "未通过原因"),
                text("frozen_reason", "冻结原因"),
                time("applied_at", "申请时间"),
                time("decided_at", "审核时间"),
                text("slogan", "横幅标语"),
                text("introduction", "主页介绍"),
                text("theme", "主页配色"),
                text("banner_id", "横幅模型"),
                text("carousel_ids", "轮播模型"),
                time("updated_at", "更新时间"),
            ],
        )
        .key(&["login_id"])
        .withheld(&[("version", INTERNAL)]),
        Area::new(
            "modeler_records",
            "模型师记录",
            "modeler_record",
            "login_id",
            &[
                text("id", "编号"),
                text("action", "操作"),
                text("reason", "说明"),
                time("at", "时间"),
            ],
        ),
    ];

    const NOT_TAKEN: &'static [(&'static str, &'static str)] =
        &[("cart", "a counter and nothing else")];

    fn answer(closure_id: String, round: i32) -> AccountErased {
        AccountErased { closure_id, round }
    }

    /// What was never shown goes whole; what was shown leaves the mall.
    async fn erase(
        &self,
        transaction: &DatabaseTransaction,
        leaving: Leaving<'_>,
    ) -> anyhow::Result<()> {
        self.0
            .forget_all_favourites(transaction, leaving.login_id)
            .await?;
        self.0.forget_reviews(transaction, leaving.login_id).await?;
        let own = || Entity::find_own(leaving.login_id);
        let never_shown = own()
            .filter(Column::ListedAt.eq(0))
            .all(transaction)
            .await?;
        for listing in &never_shown {
            self.0
                .forget(transaction, leaving.login_id, &listing.id)
                .await?;
        }
        let moved = Transition::to(State::Withdrawn)
            .only(Column::Seller.eq(leaving.login_id))
            .take(transaction)
            .await?;
        for listing in &moved {
            let withdrawn = Change::of(approval::Action::Withdrawn, listing.current_version);
            self.0.note(transaction, &listing.id, withdrawn).await?;
            self.0.publish_changed(transaction, listing).await?;
        }
        let kept = own().all(transaction).await?;
        for listing in &kept {
            // No maker is left to hand them in.
            version::Entity::delete_many()
                .filter(version::Column::ListingId.eq(&listing.id))
                .filter(version::Column::State.ne(version::State::Ready))
                .exec(transaction)
                .await?;
            if let Some(approved) = self.0.approved_last(transaction, &listing.id).await? {
                let mut row = listing.clone().into_active_model();
                row.newest_version = Set(approved);
                row.update(transaction).await?;
            }
        }
        Ok(())
    }
}
