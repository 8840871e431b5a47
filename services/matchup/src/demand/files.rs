//! Files of a need: taken from its owner's uploads, available to the owner and the chosen provider only.

use chassis::garbage::discard;
use chassis::ids::new_id;
use chassis::texts::Rule;
use chassis::{Grantee, ServiceError, db};
use objectstore::StoreError;
use proto::matchup::v1::{AddDemandFileRequest, Demand, RemoveDemandFileRequest};
use sea_orm::PaginatorTrait;
use sea_orm::entity::prelude::*;

use super::editable;
use crate::Matchup;
use crate::entity::demand;
use crate::entity::file::{Column, Entity, Model};
use crate::state::{conflict, invalid};
use crate::texts::Said;

const MOST_FILES: u64 = 6;
const MOST_BYTES: u64 = 20 * 1024 * 1024;
/// Accepted file types; files are passed on unopened.
const KINDS: [&str; 17] = [
    "pdf", "png", "jpg", "jpeg", "webp", "zip", "rar", "glb", "gltf", "obj", "stl", "ply", "fbx",
    "step", "docx", "xlsx", "txt",
];
const NAME: Rule = Rule {
    called: "文件名",
    lines: false,
};

/// Prefix of all objects of a need.
pub(crate) fn folder_of(id: &str) -> String {
    format!("n/{id}/")
}

fn away(error: StoreError) -> ServiceError {
    anyhow::Error::from(error).into()
}

/// Checks that the key is below the owner's uploads.
fn own_key(key: &str, owner: &str) -> Result<(), ServiceError> {
    match chassis::uploads::is_own(owner, key) {
        true => Ok(()),
        false => Err(invalid("文件地址不正确，请重新上传")),
    }
}

fn kind_of(name: &str) -> Result<String, ServiceError> {
    let kind = name
        .rsplit_once('.')
        .map(|(_, kind)| kind.to_ascii_lowercase());
    kind.filter(|kind| KINDS.contains(&kind.as_str()))
        .ok_or_else(|| invalid(format!("不支持这种文件，可以上传 {}", KINDS.join("、"))))
}

impl Matchup {
    pub(super) async fn add_file(
        &self,
        to: &Grantee<'_>,
        form: &AddDemandFileRequest,
    ) -> Result<Demand, ServiceError> {
        let owner = to.user;
        let name = self
            .say(&NAME, &form.name, &mut Said::default())
            .await?
            .replace(['/', '\\', ':'], "_");
        let kind = kind_of(&name)?;
        own_key(&form.object_key, owner)?;
        let own = demand::Entity::find_own_by_id(owner, &form.demand_id)
            .one(&self.context.db)
            .await?;
        editable(&own.ok_or_else(super::no_such_demand)?)?;
        let objects = &self.context.objects;
        let meta = objects.head(&form.object_key).await.map_err(away)?;
        let meta = meta.ok_or_else(|| invalid("文件不存在，请重新上传"))?;
        if meta.size == 0 || meta.size > MOST_BYTES {
            return Err(invalid("文件为 1 字节至 20 MB"));
        }
        let id = new_id();
        let kept = format!("{}{id}.{kind}", folder_of(&form.demand_id));
        match objects.copy_if(&form.object_key, &meta, &kept).await {
            Ok(_) => {}
            Err(StoreError::PreconditionFailed) => {
                return Err(invalid("文件已被更改，请重新上传"));
            }
            Err(error) => return Err(away(error)),
        }
        let added = self.note_file(owner, form, (&id, &name, &kept), meta.size);
        if let Err(error) = added.await {
            objects.delete(&kept).await.map_err(away)?;
            return Err(error);
        }
        // The upload was made for this need only.
        if let Err(error) = objects.delete(&form.object_key).await {
            tracing::warn!(%error, "an upload stays until it is swept");
        }
        self.detail(to, &form.demand_id).await
    }

    async fn note_file(
        &self,
        owner: &str,
        form: &AddDemandFileRequest,
        (id, name, key): (&str, &str, &str),
        bytes: u64,
    ) -> Result<(), ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let demand = self.hold_own(&transaction, owner, &form.demand_id).await?;
        editable(&demand)?;
        let known = Entity::find().filter(Column::DemandId.eq(&demand.id));
        if known.count(&transaction).await? >= MOST_FILES {
            return Err(conflict("一个需求最多 6 个文件，多个文件请打包上传"));
        }
        let row = Model {
            id: id.to_owned(),
            demand_id: demand.id,
            name: name.to_owned(),
            object_key: key.to_owned(),
            bytes: i64::try_from(bytes).unwrap_or(i64::MAX),
            created_at: self.now(),
        };
        db::insert(row, &transaction).await?;
        transaction.commit().await?;
        Ok(())
    }

    pub(super) async fn remove_file(
        &self,
        to: &Grantee<'_>,
        form: &RemoveDemandFileRequest,
    ) -> Result<Demand, ServiceError> {
        let owner = to.user;
        let transaction = db::begin_write(&self.context.db).await?;
        let demand = self.hold_own(&transaction, owner, &form.demand_id).await?;
        editable(&demand)?;
        let file = Entity::find_by_id(&form.file_id)
            .filter(Column::DemandId.eq(&demand.id))
            .one(&transaction)
            .await?;
        let file = file.ok_or_else(|| chassis::BusinessError::not_found("没有这个文件"))?;
        discard(&transaction, self.now(), [&file.object_key]).await?;
        Entity::delete_by_id(&file.id).exec(&transaction).await?;
        transaction.commit().await?;
        self.detail(to, &demand.id).await
    }
}
