//! Export and erasure of personal data. Memberships and packages are kept under the pseudonym: they record how paid orders were
//! delivered.

use std::collections::HashMap;

use chassis::rights::export::{Area, json, masked_name, number, person, source, text, time};
use chassis::rights::{Holding, Leaving, Rights, erased, renamed};
use proto::common::v1::ExportObject;
use proto::personal::v1::AccountErased;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::Query;
use sea_orm::{DatabaseTransaction, QueryOrder, QuerySelect};
use serde_json::{Map, Value};

use crate::Personal;
use crate::entity::{feedback, feedback_reply, message, profile};
use crate::message::words::words;

/// Feedback whose pictures are exported.
const MOST_FEEDBACK: u64 = 500;
/// Reason why a column is not exported.
const INTERNAL: &str = "serves the work of the service alone";
const OPERATORS: &str = "names operators";

/// Export and erasure for personal.
pub struct Part(pub(crate) Personal);

#[async_trait::async_trait]
impl Rights for Part {
    type Erased = AccountErased;
    const HOLDINGS: &'static [Holding] = &[
        erased("announcement_seen", "login_id"),
        erased("attention", "login_id"),
        erased("attention", "target_id"),
        erased("certification", "login_id"),
        erased("chat", "login_id"),
        erased("chat_line", "login_id"),
        erased("feedback", "login_id"),
        erased("follow_told", "login_id"),
        erased("follow_told", "target_id"),
        erased("guide", "login_id"),
        erased("integral_entry", "login_id"),
        erased("member", "login_id"),
        erased("member_popup_closed", "login_id"),
        erased("message", "login_id"),
        erased("modeler_badge", "login_id"),
        erased("newcomer", "login_id"),
        renamed("package", "login_id"),
        erased("profile", "login_id"),
        erased("statistics", "login_id"),
        erased("suspect_picture", "login_id"),
        erased("suspect_text", "login_id"),
        renamed("term", "login_id"),
    ];

    const OTHERWISE: &'static [(&'static str, &'static str, &'static str)] = &[(
        "lead",
        "phone",
        "of whoever asked to be called, with an account or without: removed on demand, and some time after its end",
    )];

    const AREAS: &'static [Area] = &[
        Area::new(
            "profile",
            "个人资料",
            "profile",
            "login_id",
            &[
                text("account_number", "账号"),
                text("nickname", "昵称"),
                text("username", "用户名"),
                text("avatar", "头像"),
                text("introduce", "简介"),
                text("profession_code", "职业"),
                text("phone_masked", "手机号（展示）"),
                text("email_masked", "邮箱（展示）"),
                time("created_at", "注册时间"),
            ],
        )
        .key(&["login_id"])
        .withheld(&[
            ("version", INTERNAL),
            ("account_version", INTERNAL),
            ("username_key", INTERNAL),
        ]),
        Area::new(
            "certification_badge",
            "认证标识",
            "certification",
            "login_id",
            &[
                number("check_status", "状态"),
                text("cause", "未通过原因"),
                text("company_name", "企业名称"),
                text("real_name_masked", "姓名（展示）"),
            ],
        )
        .key(&["login_id"])
        .withheld(&[("version", INTERNAL)]),
        Area::new(
            "messages",
            "消息",
            "message",
            "login_id",
            &[
                text("id", "编号"),
                text("group_name", "分组"),
                text("kind", "类型"),
                text("link", "页面"),
                time("created_at", "时间"),
                time("read_at", "阅读时间"),
                source("params"),
            ],
        )
        .withheld(&[("event", INTERNAL)])
        .added(&[("title", "标题"), ("content", "内容")]),
        Area::new(
            "announcements_read",
            "已读公告",
            "announcement_seen",
            "login_id",
            &[time("seen_at", "已读至")],
        )
        .key(&["login_id"]),
        Area::new(
            "following",
            "我的关注",
            "attention",
            "login_id",
            &[
                person("target_id", "关注的人"),
                time("created_at", "关注时间"),
            ],
        )
        .key(&["target_id"]),
        Area::new(
            "followers",
            "关注我的人",
            "attention",
            "target_id",
            &[person("login_id", "关注者"), time("created_at", "关注时间")],
        )
        .key(&["login_id"]),
        Area::new(
            "support_chat",
            "客服会话",
            "chat",
            "login_id",
            &[
                time("waiting_since", "等待回复自"),
                time("open_since", "会话开始"),
                time("last_at", "最近一条"),
                number("unread", "未读条数"),
            ],
        )
        .key(&["login_id"]),
        Area::new(
            "support_chat_lines",
            "客服对话",
            "chat_line",
            "login_id",
            &[
                text("id", "编号"),
                text("content", "内容"),
                time("created_at", "时间"),
                source("operator"),
            ],
        )
        .withheld(&[("client_id", INTERNAL)])
        .added(&[("from", "发送方")]),
        Area::new(
            "feedback",
            "反馈",
            "feedback",
            "login_id",
            &[
                text("id", "编号"),
                number("kind", "类型"),
                text("content", "内容"),
                json("pictures", "图片"),
                text("annex_name", "附件"),
                text("state", "状态"),
                time("created_at", "提交时间"),
                time("updated_at", "更新时间"),
            ],
        )
        .withheld(&[("annex_key", INTERNAL)]),
        Area::new(
            "feedback_replies",
            "反馈回复",
            "feedback_reply",
            "feedback_id",
            &[
                text("id", "编号"),
                text("feedback_id", "反馈编号"),
                text("content", "回复"),
                time("created_at", "时间"),
            ],
        )
        .withheld(&[("operator", OPERATORS)])
        .through("feedback_id", ("feedback", "id", "login_id")),
        Area::new(
            "guides",
            "新手引导",
            "guide",
            "login_id",
            &[number("location", "位置"), time("read_at", "阅读时间")],
        )
        .key(&["location"]),
        Area::new(
            "points",
            "积分记录",
            "integral_entry",
            "login_id",
            &[
                text("id", "编号"),
                number("amount", "积分"),
                text("kind", "类型"),
                text("description", "说明"),
                time("created_at", "时间"),
            ],
        )
        .withheld(&[("source", INTERNAL)]),
        Area::new(
            "member_popups",
            "会员弹窗",
            "member_popup_closed",
            "login_id",
            &[text("popup_id", "弹窗编号"), time("closed_at", "关闭时间")],
        )
        .key(&["popup_id"]),
        Area::new(
            "first_appearance",
            "第三方带来的资料",
            "newcomer",
            "login_id",
            &[
                text("nickname", "昵称"),
                text("picture", "图片（Base64）"),
                time("created_at", "时间"),
            ],
        )
        .key(&["login_id"])
        .withheld(&[("due_at", INTERNAL)]),
        Area::new(
            "memberships",
            "会员",
            "term",
            "login_id",
            &[
                text("order_id", "订单编号"),
                text("grade_id", "等级编号"),
                text("grade_name", "等级"),
                number("rank", "级别"),
                number("storage_gb", "空间（GB）"),
                number("single_max_mb", "单文件上限（MB）"),
                number("mall_counts", "商城模型（次/月）"),
                number("lightweight_counts", "轻量化（次/年）"),
                number("conversion_counts", "格式转换（次/年）"),
                number("offline_counts", "离线包（次/年）"),
                time("starts_at", "开始"),
                time("ends_at", "结束"),
            ],
        )
        .key(&["order_id"]),
        Area::new(
            "packages",
            "套餐",
            "package",
            "login_id",
            &[
                text("order_id", "订单编号"),
                text("package_id", "套餐编号"),
                text("name", "名称"),
                number("storage_gb", "空间（GB）"),
                time("starts_at", "开始"),
                time("ends_at", "结束"),
            ],
        )
        .key(&["order_id"]),
        Area::new(
            "statistics",
            "统计",
            "statistics",
            "login_id",
            &[
                number("total_uploads", "上传总数"),
                number("total_single_models", "单模型数"),
                number("total_scene_models", "场景数"),
                number("total_models", "模型数"),
                number("total_results", "处理结果数"),
                number("total_purchased_models", "购买的模型数"),
                json("results_by_service", "按服务统计"),
            ],
        )
        .key(&["login_id"])
        .withheld(&[("version", INTERNAL), ("purchases_version", INTERNAL)]),
        Area::new(
            "modeler_badge",
            "模型师标识",
            "modeler_badge",
            "login_id",
            &[
                number("uploader_type", "发布者类型"),
                number("review_status", "审核状态"),
            ],
        )
        .key(&["login_id"])
        .withheld(&[("version", INTERNAL)]),
        Area::new(
            "picture_reviews",
            "图片审核",
            "suspect_picture",
            "login_id",
            &[
                text("id", "编号"),
                text("sha256", "SHA-256"),
                text("cause", "送审原因"),
                text("state", "状态"),
                time("created_at", "时间"),
                time("decided_at", "审核时间"),
                text("decision", "审核说明"),
            ],
        )
        .withheld(&[
            ("object_key", INTERNAL),
            ("fingerprint", "keeps abuse away"),
            ("decided_by", OPERATORS),
            ("claimed_by", OPERATORS),
            ("claimed_until", OPERATORS),
        ]),
        Area::new(
            "text_reviews",
            "文字审核",
            "suspect_text",
            "login_id",
            &[
                text("id", "编号"),
                text("place", "位置"),
                text("content", "内容"),
                text("state", "状态"),
                time("created_at", "时间"),
                time("decided_at", "审核时间"),
                text("decision", "审核说明"),
            ],
        )
        .withheld(&[
            ("words", "keeps abuse away"),
            ("decided_by", OPERATORS),
            ("claimed_by", OPERATORS),
            ("claimed_until", OPERATORS),
        ]),
    ];
    const NOT_TAKEN: &'static [(&'static str, &'static str)] = &[
        ("member", "a counter and nothing else"),
        (
            "follow_told",
            "keeps a message from being sent again; the follows themselves are exported",
        ),
        ("lead", "of whoever asked to be called, and of no account"),
    ];

    fn answer(closure_id: String, round: i32) -> AccountErased {
        AccountErased { closure_id, round }
    }

    async fn names(&self, ids: &[String]) -> anyhow::Result<HashMap<String, String>> {
        let profiles = profile::Entity::find()
            .filter(profile::Column::LoginId.is_in(ids))
            .all(&self.0.context.db)
            .await?;
        let named = profiles.into_iter().map(|of| {
            let nickname = of.nickname.unwrap_or_default();
            (of.login_id, masked_name(&nickname))
        });
        Ok(named.collect())
    }

    fn present(&self, area: &Area, row: &mut Map<String, Value>) {
        let text = |row: &Map<String, Value>, name: &str| {
            let value = row.get(name).and_then(Value::as_str);
            value.unwrap_or_default().to_owned()
        };
        match area.table {
            "message" => {
                let mut params = serde_json::from_str(&text(row, "params")).unwrap_or(Value::Null);
                if let Some(Value::String(name)) = params.get_mut("name") {
                    *name = masked_name(name);
                }
                let (title, content) = words(&text(row, "kind"), &params);
                row.insert("title".to_owned(), title.into());
                row.insert("content".to_owned(), content.into());
            }
            "chat_line" => {
                let from = match text(row, "operator").as_str() {
                    "" => "本人",
                    _ => "客服",
                };
                row.insert("from".to_owned(), from.into());
            }
            _ => {}
        }
    }

    /// The avatar, and the pictures and archives that came with feedback.
    async fn takes(&self, login_id: &str) -> anyhow::Result<Vec<ExportObject>> {
        let db = &self.0.context.db;
        let object = |key: &str, folder: &str| {
            let name = key.rsplit('/').next().unwrap_or_default();
            ExportObject {
                key: key.to_owned(),
                path: format!("{folder}/{name}"),
            }
        };
        let own = profile::Entity::find_by_id(login_id).one(db).await?;
        let avatar = own.and_then(|own| own.avatar);
        let avatar = avatar.as_deref().and_then(|at| self.0.own_public_key(at));
        let mut objects: Vec<ExportObject> = avatar
            .into_iter()
            .map(|key| object(key, "avatar"))
            .collect();
        let sent = feedback::Entity::find_own(login_id)
            .order_by_desc(feedback::Column::Id)
            .limit(MOST_FEEDBACK)
            .all(db)
            .await?;
        for one in &sent {
            let pictures: Vec<String> = serde_json::from_str(&one.pictures).unwrap_or_default();
            let keys = pictures
                .iter()
                .chain(Some(&one.annex_key).filter(|key| !key.is_empty()));
            let folder = format!("feedback/{}", one.id);
            objects.extend(keys.map(|key| object(key, &folder)));
        }
        Ok(objects)
    }

    /// Pictures that wait for a reviewer, and files of feedback.
    async fn prefixes(&self, leaving: Leaving<'_>) -> anyhow::Result<Vec<String>> {
        let ids: Vec<String> = feedback::Entity::find_own(leaving.login_id)
            .select_only()
            .column(feedback::Column::Id)
            .into_tuple()
            .all(&self.0.context.db)
            .await?;
        let mut prefixes = vec![format!("q/{}/", leaving.login_id)];
        prefixes.extend(ids.iter().map(|id| format!("f/{id}/")));
        Ok(prefixes)
    }

    /// The avatar, unless another profile refers to it too.
    async fn objects(&self, leaving: Leaving<'_>) -> anyhow::Result<Vec<String>> {
        let db = &self.0.context.db;
        let own = profile::Entity::find_by_id(leaving.login_id)
            .one(db)
            .await?;
        let Some(avatar) = own.and_then(|own| own.avatar) else {
            return Ok(Vec::new());
        };
        let users = profile::Entity::find()
            .filter(profile::Column::Avatar.eq(&avatar))
            .count(db)
            .await?;
        let key = self.0.own_public_key(&avatar).filter(|_| users == 1);
        Ok(key.map(str::to_owned).into_iter().collect())
    }

    async fn erase(
        &self,
        transaction: &DatabaseTransaction,
        leaving: Leaving<'_>,
    ) -> anyhow::Result<()> {
        let own = Query::select()
            .column(feedback::Column::Id)
            .from(feedback::Entity)
            .and_where(feedback::Column::LoginId.eq(leaving.login_id))
            .to_owned();
        feedback_reply::Entity::delete_many()
            .filter(feedback_reply::Column::FeedbackId.in_subquery(own))
            .exec(transaction)
            .await?;
        // Messages to followed users contain this user's name.
        message::Entity::delete_any()
            .filter(message::Column::Event.eq(format!("follow:{}", leaving.login_id)))
            .exec(transaction)
            .await?;
        Ok(())
    }
}
