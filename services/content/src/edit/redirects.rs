//! Redirects of addresses that have moved.

use chassis::audit::Deed;
use chassis::db::list::{cut, page_size};
use chassis::{BusinessError, Operator, ServiceError, db};
use proto::content::v1::{
    Redirect, RedirectListReply, RedirectListRequest, RedirectRemoveRequest, RedirectSaveRequest,
};
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, DatabaseTransaction, QueryOrder, QuerySelect};
use serde_json::{Value, json};

use crate::Library;
use crate::address;
use crate::blocks::is_site_path;
use crate::entity::redirect::{Column, Entity, Model};
use crate::state::invalid;

/// Most redirects.
const MOST: u64 = 10_000;
const LONGEST: usize = 200;
/// Longest chain of redirects.
const LONGEST_CHAIN: usize = 5;

fn view(row: Model) -> Redirect {
    Redirect {
        from: row.source,
        to: row.target,
        saved_by: row.saved_by,
        saved_at: row.saved_at,
    }
}

/// The key that an address is found by.
fn key(address: &str) -> String {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    address::key(path, query)
}

/// Errors: it is no address of the site, or its query has more than ids.
fn source(text: &str) -> Result<String, ServiceError> {
    let text = text.trim();
    let query = text.split_once('?').map_or("", |(_, query)| query);
    let named = |pair: &str| pair.starts_with("id=") || pair.starts_with("cid=");
    let sound = query.is_empty() || query.split('&').all(named);
    if !is_site_path(text) || text.len() > LONGEST || !sound || key(text) == "/" {
        return Err(invalid("原地址应是本站的路径，参数只能有 id 和 cid"));
    }
    Ok(key(text))
}

impl Library {
    pub(super) async fn redirects(
        &self,
        form: &RedirectListRequest,
    ) -> Result<RedirectListReply, ServiceError> {
        let size = page_size(form.size)?;
        let mut query = Entity::find();
        let text = form.text.trim();
        if !text.is_empty() {
            let either = Condition::any()
                .add(db::contains(Column::Source, text))
                .add(db::contains(Column::Target, text));
            query = query.filter(either);
        }
        if !form.after.is_empty() {
            query = query.filter(Column::Source.gt(&form.after));
        }
        let mut found = query
            .order_by_asc(Column::Source)
            .limit(size + 1)
            .all(&self.context.db)
            .await?;
        let next = cut(&mut found, size, |row| row.source.clone());
        Ok(RedirectListReply {
            redirects: found.into_iter().map(view).collect(),
            next,
        })
    }

    pub(super) async fn save_redirect(
        &self,
        operator: &Operator,
        form: &RedirectSaveRequest,
    ) -> Result<Redirect, ServiceError> {
        let source = source(&form.from)?;
        let target = form.to.trim();
        if !is_site_path(target) || target.len() > LONGEST {
            return Err(invalid("新地址应是本站的路径"));
        }
        let transaction = db::begin_write(&self.context.db).await?;
        let before = Entity::find_by_id(&source).one(&transaction).await?;
        if before.is_none() && Entity::find().count(&transaction).await? >= MOST {
            return Err(invalid("转址太多，请先清理"));
        }
        check_chain(&transaction, &source, target).await?;
        let row = Model {
            source: source.clone(),
            target: target.to_owned(),
            saved_by: operator.name().to_owned(),
            saved_at: self.now(),
        };
        let columns = [Column::Target, Column::SavedBy, Column::SavedAt];
        db::upsert(row.clone(), columns, &transaction).await?;
        let deed = Deed {
            target: &source,
            before: before.map_or(Value::Null, |row| json!({"to": row.target})),
            after: json!({"to": row.target}),
            ..Deed::default()
        };
        self.audit(&transaction, operator, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        self.tell_gateways();
        Ok(view(row))
    }

    pub(super) async fn remove_redirect(
        &self,
        operator: &Operator,
        form: &RedirectRemoveRequest,
    ) -> Result<(), ServiceError> {
        let gone = || BusinessError::not_found("没有这条转址");
        let transaction = db::begin_write(&self.context.db).await?;
        let found = Entity::find_by_id(&form.from).one(&transaction).await?;
        let found = found.ok_or_else(gone)?;
        let removed = Entity::delete_by_id(&form.from).exec(&transaction).await?;
        if removed.rows_affected == 0 {
            return Err(gone().into());
        }
        let deed = Deed {
            target: &form.from,
            before: json!({"to": found.target}),
            reason: &form.reason,
            ..Deed::default()
        };
        self.audit(&transaction, operator, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        self.tell_gateways();
        Ok(())
    }
}

/// Errors: the chain from the target leads back to the source, or is too long.
async fn check_chain(
    transaction: &DatabaseTransaction,
    source: &str,
    target: &str,
) -> Result<(), ServiceError> {
    let mut next = key(target);
    for _ in 0..LONGEST_CHAIN {
        if next == source {
            return Err(invalid("转址会绕回原地址"));
        }
        match Entity::find_by_id(&next).one(transaction).await? {
            Some(row) => next = key(&row.target),
            None => return Ok(()),
        }
    }
    Err(invalid("转址接连太多，请直接指向最后的地址"))
}
