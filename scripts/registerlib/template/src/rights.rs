//! Export and erasure: what the service holds of users.

use chassis::rights::export::{Area, text, time};
use chassis::rights::{Holding, Rights, erased};
use proto::@name@::v1::AccountErased;

/// Export and erasure of entries.
pub struct Part;

#[async_trait::async_trait]
impl Rights for Part {
    type Erased = AccountErased;
    const HOLDINGS: &'static [Holding] = &[erased("entry", "owner")];
    const AREAS: &'static [Area] = &[Area::new(
        "entries",
        "条目",
        "entry",
        "owner",
        &[
            text("id", "编号"),
            text("state", "状态"),
            text("title", "标题"),
            time("created_at", "创建时间"),
        ],
    )];

    fn answer(closure_id: String, round: i32) -> AccountErased {
        AccountErased { closure_id, round }
    }
}
