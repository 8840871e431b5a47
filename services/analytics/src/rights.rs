//! The user data to export and erase: visits name no user, lines of the action log a claimed one.

use chassis::rights::export::{Area, text, time};
use chassis::rights::{Holding, Rights, erased};
use proto::analytics::v1::AccountErased;

/// The part of analytics.
pub struct Part;

impl Rights for Part {
    type Erased = AccountErased;
    const HOLDINGS: &'static [Holding] = &[erased("action_log", "user_claim")];

    const AREAS: &'static [Area] = &[Area::new(
        "actions",
        "页面操作",
        "action_log",
        "user_claim",
        &[
            text("id", "编号"),
            text("source", "来源"),
            text("visitor", "浏览器编号"),
            text("template", "模板"),
            text("tag", "操作"),
            text("location", "位置"),
            text("node", "元素"),
            time("at", "时间"),
        ],
    )];

    fn answer(closure_id: String, round: i32) -> AccountErased {
        AccountErased { closure_id, round }
    }
}
