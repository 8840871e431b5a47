//! Views of works: counted once per user or browser within a period, during which only a digest of the viewer is stored.

use std::time::Duration;

use chassis::{BusinessError, ServiceError, db};
use proto::works::v1::{CountViewReply, CountViewRequest};
use sea_orm::Set;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sha2::{Digest, Sha256};

use super::LOOK;
use super::mark::count;
use crate::Works;
use crate::entity::view::{ActiveModel, Column, Entity};
use crate::entity::work;

/// Period of the sweeper.
const PERIOD: Duration = Duration::from_secs(600);
/// Parts of the user agents of crawlers.
const ROBOTS: [&str; 5] = ["bot", "spider", "crawl", "headless", "preview"];

/// The viewer: a user or an anonymous browser. Errors: the visitor id is invalid.
pub fn visitor(login_id: &str, visitor_id: &str) -> Result<String, ServiceError> {
    if !login_id.is_empty() {
        return Ok(format!("u:{login_id}"));
    }
    let sound = (16..=64).contains(&visitor_id.len());
    match sound && visitor_id.bytes().all(|b| b.is_ascii_alphanumeric()) {
        true => Ok(format!("b:{visitor_id}")),
        false => Err(BusinessError::invalid("参数 visitorId 不正确").into()),
    }
}

pub fn is_robot(user_agent: &str) -> bool {
    let agent = user_agent.to_ascii_lowercase();
    ROBOTS.iter().any(|part| agent.contains(part))
}

impl Works {
    pub(super) async fn look(
        &self,
        login_id: &str,
        form: &CountViewRequest,
        robot: bool,
    ) -> Result<CountViewReply, ServiceError> {
        let by = visitor(login_id, &form.visitor_id)?;
        let db = &self.context.db;
        let work = self.open_work(db, login_id, &form.works_id).await?;
        let reply = |browse: i64| CountViewReply {
            browsenumber: browse,
            browse_count: browse,
        };
        if robot || work.owner == login_id {
            return Ok(reply(work.browse));
        }
        let digest = Sha256::digest(format!("{}|{by}", work.id));
        let now = self.now();
        let row = ActiveModel {
            work_id: Set(work.id.clone()),
            seen_by: Set(hex::encode(digest)),
            until: Set(now + self.config.view_minutes * 60_000),
        };
        let anew = OnConflict::columns([Column::WorkId, Column::SeenBy])
            .update_column(Column::Until)
            .action_and_where(Expr::col((Entity, Column::Until)).lte(now))
            .to_owned();
        let transaction = db::begin_write(db).await?;
        let counts = Entity::insert(row)
            .on_conflict(anew)
            .exec_without_returning(&transaction)
            .await?;
        if counts > 0 {
            let look = (work::Column::Browse, 1, LOOK);
            count(&transaction, &work.id, look).await?;
        }
        transaction.commit().await?;
        let found = work::Entity::find_any_by_id(&work.id).one(db).await?;
        Ok(reply(found.map_or(work.browse, |work| work.browse)))
    }
}

/// Starts the sweeper of expired rows.
pub(crate) fn spawn(works: &Works) {
    let works = works.clone();
    let shutdown = works.context.shutdown.clone();
    shutdown.every(PERIOD, "looks at works", move || {
        let works = works.clone();
        async move {
            Entity::delete_many()
                .filter(Column::Until.lte(works.now()))
                .exec(&works.context.db)
                .await
                .map(drop)
        }
    });
}
