//! Export and erasure of personal data: files, results and everything made of them.

use chassis::db::states::Transition;
use chassis::rights::export::{Area, flag, json, number, text, time};
use chassis::rights::{Holding, Leaving, Rights, erased};
use proto::process::v1::AccountErased;
use sea_orm::DatabaseTransaction;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::Query;
use serde_json::{Map, Value};

use crate::Process;
use crate::entity::{check_message, file, job};

/// Reason why a column is not exported.
const INTERNAL: &str = "serves the work of the service alone";

/// Export and erasure for process.
pub struct Part(pub(crate) Process);

#[async_trait::async_trait]
impl Rights for Part {
    type Erased = AccountErased;
    const HOLDINGS: &'static [Holding] = &[
        erased("entitlement", "owner"),
        erased("source_file", "owner"),
        erased("job", "owner"),
        erased("result_feedback", "owner"),
        erased("service_result", "owner"),
        erased("user_counter", "owner"),
    ];

    const AREAS: &'static [Area] = &[
        Area::new(
            "models",
            "上传的模型",
            "source_file",
            "owner",
            &[
                text("id", "编号"),
                text("file_name", "文件名"),
                text("model_name", "模型名称"),
                text("format", "格式"),
                number("file_size", "字节数"),
                text("sha256", "SHA-256"),
                number("model_type", "类型"),
                text("file_source", "来源"),
                number("origin", "来源类型"),
                text("status", "状态"),
                text("tips", "提示"),
                flag("released", "是否上架"),
                text("label_ids", "标签"),
                number("triangles", "三角面数"),
                flag("animation", "是否有动画"),
                number("model_num", "模型数"),
                number("score", "评分"),
                json("report", "检测报告"),
                time("created_at", "上传时间"),
                time("updated_at", "更新时间"),
                flag("deleted", "是否已删除"),
            ],
        )
        .withheld(&[
            ("object_key", INTERNAL),
            ("kept_key", INTERNAL),
            ("version", INTERNAL),
            ("etag", INTERNAL),
            ("preview_key", INTERNAL),
            ("thumb_key", INTERNAL),
            ("turntable_key", INTERNAL),
            ("proxy_key", INTERNAL),
        ])
        .added(&[("download", "下载方式")]),
        Area::new(
            "check_messages",
            "检测记录",
            "check_message",
            "file_id",
            &[
                text("file_id", "模型编号"),
                number("seq", "序号"),
                text("status", "状态"),
                text("tips", "提示"),
                time("created_at", "时间"),
                number("file_size", "字节数"),
                text("format", "格式"),
                flag("animation", "是否有动画"),
                number("model_num", "模型数"),
            ],
        )
        .key(&["file_id", "seq"])
        .through("file_id", ("source_file", "id", "owner")),
        Area::new(
            "results",
            "处理结果",
            "service_result",
            "owner",
            &[
                text("id", "编号"),
                text("file_id", "模型编号"),
                text("service_type", "服务"),
                json("params", "参数"),
                text("status", "状态"),
                number("percent", "进度"),
                text("stage", "阶段"),
                text("tips", "提示"),
                text("model_name", "模型名称"),
                text("file_name", "文件名"),
                text("format", "格式"),
                number("file_size", "字节数"),
                number("source_size", "源文件字节数"),
                json("report", "报告"),
                time("created_at", "提交时间"),
                time("finished_at", "完成时间"),
            ],
        )
        .withheld(&[
            ("fingerprint", INTERNAL),
            ("object_key", INTERNAL),
            ("preview_key", INTERNAL),
        ])
        .added(&[("download", "下载方式")]),
        Area::new(
            "result_feedback",
            "对处理结果的评价",
            "result_feedback",
            "owner",
            &[
                text("result_id", "结果编号"),
                text("service_type", "服务"),
                number("stars", "星级"),
                text("content", "内容"),
                text("model_name", "模型名称"),
                text("status", "结果状态"),
                time("created_at", "评价时间"),
                time("updated_at", "更新时间"),
            ],
        )
        .key(&["result_id"]),
        Area::new(
            "jobs",
            "处理任务",
            "job",
            "owner",
            &[
                text("id", "编号"),
                text("kind", "类型"),
                text("file_id", "模型编号"),
                text("result_id", "结果编号"),
                text("state", "状态"),
                number("attempts", "次数"),
                time("created_at", "创建时间"),
                time("updated_at", "更新时间"),
            ],
        )
        .withheld(&[
            ("lease", INTERNAL),
            ("lease_until", INTERNAL),
            ("traceparent", INTERNAL),
            ("priority", INTERNAL),
            ("turn", INTERNAL),
            ("ready_at", INTERNAL),
            ("put_off_at", INTERNAL),
            ("yields", INTERNAL),
            ("error", INTERNAL),
            ("is_long", INTERNAL),
        ]),
        Area::new(
            "entitlement",
            "处理权益",
            "entitlement",
            "owner",
            &[json("terms", "会员期"), json("storage", "空间")],
        )
        .key(&["owner"])
        .withheld(&[("version", INTERNAL)]),
    ];
    const NOT_TAKEN: &'static [(&'static str, &'static str)] =
        &[("user_counter", "a counter, and whose jobs go last")];

    fn answer(closure_id: String, round: i32) -> AccountErased {
        AccountErased { closure_id, round }
    }

    fn present(&self, area: &Area, row: &mut Map<String, Value>) {
        let at = match area.table {
            "source_file" => "登录后在「工作台 - 我的上传」（/workbench/myUpload）下载",
            "service_result" => "登录后在「工作台 - 服务结果」（/workbench/serviceResult）下载",
            _ => return,
        };
        row.insert("download".to_owned(), at.into());
    }

    /// Cancels the jobs first: their workers lose them and write nothing more.
    async fn is_busy(&self, leaving: Leaving<'_>) -> anyhow::Result<bool> {
        Transition::to(job::State::Cancelled)
            .set(self.0.touched())
            .only(job::Column::Owner.eq(leaving.login_id))
            .apply(&self.0.context.db)
            .await?;
        Ok(false)
    }

    async fn prefixes(&self, leaving: Leaving<'_>) -> anyhow::Result<Vec<String>> {
        Ok(prefixes(leaving.login_id)?)
    }

    async fn erase(
        &self,
        transaction: &DatabaseTransaction,
        leaving: Leaving<'_>,
    ) -> anyhow::Result<()> {
        let files = Query::select()
            .column(file::Column::Id)
            .from(file::Entity)
            .and_where(file::Column::Owner.eq(leaving.login_id))
            .to_owned();
        check_message::Entity::delete_many()
            .filter(check_message::Column::FileId.in_subquery(files))
            .exec(transaction)
            .await?;
        // Their objects have been removed already.
        for prefix in prefixes(leaving.login_id)? {
            chassis::garbage::forget_below(transaction, &prefix).await?;
        }
        Ok(())
    }
}

/// Prefixes of uploads, claimed copies, and derived objects.
fn prefixes(login_id: &str) -> Result<Vec<String>, objectstore::StoreError> {
    Ok(vec![
        objectstore::user_prefix(login_id)?,
        objectstore::kept_prefix(login_id)?,
        format!("d/{login_id}/"),
    ])
}
