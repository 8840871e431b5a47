//! Downloads: written down first, then given a link that is good for one object and a short time.

use std::time::Duration;

use chassis::ids::new_id;
use chassis::{BusinessError, Grantee, ServiceError, db};
use proto::code;
use proto::transaction::v1::{DownloadModelReply, DownloadModelRequest};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{CaseStatement, Expr, ExprTrait};
use sea_orm::{DatabaseTransaction, QueryOrder};

use super::downloadable;
use crate::Mall;
use crate::entity::grant::{self, Column, Entity, State};
use crate::entity::{download, listing, version};
use crate::listing::no_such_listing;

/// Life of a link.
const LIFE: Duration = Duration::from_secs(600);

/// The same whether it was never had, is being given back, or does not exist.
fn not_had() -> ServiceError {
    BusinessError::new(code::FOREIGN, "您没有这个模型，不能下载").into()
}

impl Mall {
    pub(super) async fn download(
        &self,
        to: &Grantee<'_>,
        form: &DownloadModelRequest,
    ) -> Result<DownloadModelReply, ServiceError> {
        let known = Entity::find_own(to.user)
            .filter(Column::ListingId.eq(&form.model_id))
            .filter(Column::State.eq(State::Active))
            .one(&self.context.db)
            .await?;
        let grant = known.ok_or_else(not_had)?;
        let version = self.offered_version(&grant, form).await?;
        // A store that is away shall not cost the buyer the right to give it back.
        let object = self.context.objects.head(&version.source_key).await;
        let object = object.map_err(|error| {
            tracing::warn!(%error, "the store of models is away");
            ServiceError::Unavailable("object store")
        })?;
        if object.is_none() {
            let key = &version.source_key;
            return Err(anyhow::anyhow!("a version without its source: {key}").into());
        }
        let name = listing::Entity::find_any_by_id(&grant.listing_id)
            .one(&self.context.db)
            .await?
            .ok_or_else(no_such_listing)?
            .name;
        let transaction = db::begin_write(&self.context.db).await?;
        self.write_down(&transaction, &grant, &version).await?;
        transaction.commit().await?;
        let file_name = format!("{name}-v{}.{}", version.number, version.format);
        let key = &version.source_key;
        let objects = &self.context.objects;
        let url = objects.presign_get_for(to, key, LIFE, Some(&file_name), None);
        Ok(DownloadModelReply {
            url: url.map_err(|error| ServiceError::Internal(error.into()))?,
            file_name,
            format: version.format,
            version: version.number,
            bytes: version.bytes,
            sha256: version.sha256,
            expires_at: self.now() + LIFE.as_millis() as i64,
        })
    }

    /// The version that is asked for, which has that format.
    async fn offered_version(
        &self,
        grant: &grant::Model,
        form: &DownloadModelRequest,
    ) -> Result<version::Model, ServiceError> {
        let mut wanted = downloadable().filter(version::Column::ListingId.eq(&grant.listing_id));
        if form.version != 0 {
            wanted = wanted.filter(version::Column::Number.eq(form.version));
        }
        let found = wanted
            .order_by_desc(version::Column::Number)
            .one(&self.context.db)
            .await?;
        let found = found.ok_or_else(|| BusinessError::invalid("没有这个版本"))?;
        if !form.format.is_empty() && form.format != found.format {
            return Err(BusinessError::invalid("这个版本没有该格式").into());
        }
        Ok(found)
    }

    /// Errors: it has been taken away, or is being given back, since it was looked at.
    async fn write_down(
        &self,
        transaction: &DatabaseTransaction,
        grant: &grant::Model,
        version: &version::Model,
    ) -> Result<(), ServiceError> {
        let now = self.now();
        let first = CaseStatement::new()
            .case(Expr::col(Column::FirstDownloadAt).eq(0), now)
            .finally(Expr::col(Column::FirstDownloadAt));
        // The row that a return takes as well: of two at once one finds it as it was.
        let taken = Entity::update_own(&grant.owner)
            .col_expr(Column::FirstDownloadAt, first.into())
            .col_expr(Column::Downloads, Expr::col(Column::Downloads).add(1))
            .col_expr(Column::UpdatedAt, Expr::value(now))
            .filter(Column::Id.eq(&grant.id))
            .filter(Column::State.eq(State::Active))
            .exec(transaction)
            .await?;
        if taken.rows_affected == 0 {
            return Err(not_had());
        }
        let row = download::Model {
            id: new_id(),
            grant_id: grant.id.clone(),
            version: version.number,
            format: version.format.clone(),
            at: now,
        };
        db::insert(row, transaction).await?;
        Ok(())
    }
}
