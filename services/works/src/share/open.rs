//! Shares for visitors who have the link. Every outcome reveals no more of the work than necessary.

use chassis::{ServiceError, db};
use proto::works::v1::{OpenShareReply, OpenShareRequest};
use sea_orm::Set;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};

use super::view::is_for_all;
use super::{digest, hosts, is_secret, new_secret, still_open};
use crate::Works;
use crate::entity::share::{Column, Entity, Model};
use crate::entity::work::State;
use crate::entity::{share_look as looks, work};
use crate::gallery::view::is_robot;

/// Wrong passwords per share within `WRONG_MS`; further ones are not checked.
const MOST_WRONG: i32 = 20;
const WRONG_MS: i64 = 15 * 60_000;
const LONGEST_PASSWORD: usize = 128;
const LONGEST_HOST: usize = 255;
/// Views of a share that are stored individually; further ones are only counted.
const MOST_LOOKS: i32 = 10_000;

/// Why a share is not opened.
enum Shut {
    None,
    Gone,
    Stranger,
    Password,
    Wrong,
    Wait,
}

impl Shut {
    fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Gone => "gone",
            Self::Stranger => "stranger",
            Self::Password => "password",
            Self::Wrong => "wrong",
            Self::Wait => "wait",
        }
    }
}

/// A share and its work, open to the caller.
struct Subject {
    share: Model,
    work: work::Model,
    /// Opened by its owner as a preview.
    preview: bool,
}

impl Works {
    pub(super) async fn open_share(
        &self,
        asked: &OpenShareRequest,
        user_agent: &str,
    ) -> Result<OpenShareReply, ServiceError> {
        // Crawlers that follow the links of a chat would use up the views.
        if is_robot(user_agent) {
            return Ok(closed(&Shut::None));
        }
        let subject = match self.subject(asked).await? {
            Ok(subject) => subject,
            Err(shut) => return Ok(closed(&shut)),
        };
        let anywhere = subject.share.domains.is_empty() && is_for_all(&subject.work);
        let mut reply = OpenShareReply {
            domains: subject.share.hosts(),
            anywhere,
            ..Default::default()
        };
        let look_id = match self.enter(&subject, asked).await? {
            Ok(look_id) => look_id,
            Err(Shut::Gone) => return Ok(closed(&Shut::Gone)),
            Err(shut) => {
                reply.outcome = shut.name().to_owned();
                return Ok(reply);
            }
        };
        let Subject { share, work, .. } = subject;
        let bundle = self.bundle_of(&self.context.db, &work.id, work.bundle);
        let model = bundle
            .await?
            .and_then(|one| self.model_view(None, &one, None));
        let Some(model) = model else {
            return Ok(closed(&Shut::Gone));
        };
        Ok(OpenShareReply {
            outcome: "open".to_owned(),
            name: work.name,
            model_url: model.model_url,
            proxy_url: model.proxy_url,
            poster_url: model.poster_url,
            bytes: model.bytes,
            scene: work.scene,
            options: share.options,
            look_id,
            ..reply
        })
    }

    /// The requested share, if it exists and its host may frame it.
    async fn subject(
        &self,
        asked: &OpenShareRequest,
    ) -> Result<Result<Subject, Shut>, ServiceError> {
        let db = &self.context.db;
        if !is_secret(&asked.share_id) {
            return Ok(Err(Shut::None));
        }
        let Some(share) = Entity::find_any_by_id(&asked.share_id).one(db).await? else {
            return Ok(Err(Shut::None));
        };
        let now = self.now();
        let work = work::Entity::find_any_by_id(&share.work_id).one(db).await?;
        let work = work.filter(|work| work.state == State::Published);
        let Some(work) = work.filter(|_| share.revoked_at == 0) else {
            return Ok(Err(Shut::Gone));
        };
        let own = asked.framed && asked.own_site;
        let preview = own
            && is_secret(&asked.preview)
            && share.preview_until > now
            && share.preview_hash == digest(&asked.preview);
        if !preview && share.has_ended(now) {
            return Ok(Err(Shut::Gone));
        }
        let known = share.hosts();
        let admitted = match known.is_empty() {
            true => is_for_all(&work),
            false => hosts::admit(&known, &asked.host),
        };
        if asked.framed && !own && !admitted {
            return Ok(Err(Shut::Stranger));
        }
        Ok(Ok(Subject {
            share,
            work,
            preview,
        }))
    }

    /// Checks the password and counts the view; returns the view's id, empty for a preview.
    async fn enter(
        &self,
        subject: &Subject,
        asked: &OpenShareRequest,
    ) -> Result<Result<String, Shut>, ServiceError> {
        if subject.preview {
            return Ok(Ok(String::new()));
        }
        if let Err(shut) = self.check_password(&subject.share, &asked.password).await? {
            return Ok(Err(shut));
        }
        let (share, now) = (&subject.share, self.now());
        let transaction = db::begin_write(&self.context.db).await?;
        // Checked again in the statement: the share may have ended or changed its password meanwhile.
        let counted = Entity::update_any()
            .col_expr(Column::Views, Expr::col(Column::Views).add(1))
            .filter(Column::Id.eq(&share.id))
            .filter(Column::PasswordHash.eq(&share.password_hash))
            .filter(still_open(now))
            .exec(&transaction)
            .await?;
        if counted.rows_affected == 0 {
            return Ok(Err(Shut::Gone));
        }
        if share.views >= MOST_LOOKS {
            transaction.commit().await?;
            return Ok(Ok(String::new()));
        }
        let look = looks::Model {
            id: new_secret(),
            share_id: share.id.clone(),
            at: now,
            host: asked.host.chars().take(LONGEST_HOST).collect(),
            seconds: 0,
        };
        let id = look.id.clone();
        db::insert(look, &transaction).await?;
        transaction.commit().await?;
        Ok(Ok(id))
    }

    async fn check_password(
        &self,
        share: &Model,
        given: &str,
    ) -> Result<Result<(), Shut>, ServiceError> {
        if share.password_hash.is_empty() {
            return Ok(Ok(()));
        }
        if given.is_empty() {
            return Ok(Err(Shut::Password));
        }
        // Counted before the check, so that concurrent attempts cannot exceed the limit.
        if !self.take_try(&share.id).await? {
            return Ok(Err(Shut::Wait));
        }
        let checked = match given.len() <= LONGEST_PASSWORD {
            true => self.passwords.verify(given, &share.password_hash).await,
            false => Ok(false),
        };
        // A check that failed to run is not a wrong attempt.
        if !matches!(checked, Ok(false)) {
            self.give_back(&share.id).await?;
        }
        match checked? {
            true => Ok(Ok(())),
            false => Ok(Err(Shut::Wrong)),
        }
    }

    async fn give_back(&self, id: &str) -> Result<(), DbErr> {
        let wrong = Expr::col(Column::Wrong);
        Entity::update_any()
            .col_expr(Column::Wrong, wrong.clone().sub(1))
            .filter(Column::Id.eq(id))
            .filter(wrong.gt(0))
            .exec(&self.context.db)
            .await?;
        Ok(())
    }

    async fn take_try(&self, id: &str) -> Result<bool, DbErr> {
        let (db, now) = (&self.context.db, self.now());
        let own = |row: crate::entity::share::ActiveModel| {
            Entity::update_any().set(row).filter(Column::Id.eq(id))
        };
        let anew = crate::entity::share::ActiveModel {
            wrong: Set(0),
            wrong_until: Set(now + WRONG_MS),
            ..Default::default()
        };
        own(anew)
            .filter(Column::WrongUntil.lte(now))
            .exec(db)
            .await?;
        let taken = Entity::update_any()
            .col_expr(Column::Wrong, Expr::col(Column::Wrong).add(1))
            .filter(Column::Id.eq(id))
            .filter(Column::Wrong.lt(MOST_WRONG))
            .exec(db)
            .await?;
        Ok(taken.rows_affected > 0)
    }
}

fn closed(shut: &Shut) -> OpenShareReply {
    OpenShareReply {
        outcome: shut.name().to_owned(),
        ..Default::default()
    }
}
