//! Pictures that wait for a reviewer, decisions, and banned pictures.

use bytes::Bytes;
use chassis::ids::new_id;
use chassis::{BusinessError, ServiceError, db};
use picturescan::Fingerprint;
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, QueryOrder};

use super::{Checked, Verdict, away, refused, sweep};
use crate::Personal;
use crate::entity::suspect_picture::State;
use crate::entity::{picture_rule, suspect_picture};

/// Limit of waiting pictures per owner.
const MOST_WAITING: u64 = 20;

const REFUSED: &str = "图片未通过人工审核，请更换图片";

impl Personal {
    /// The reviewer's decision about these bytes of this owner.
    pub(super) async fn decision(
        &self,
        owner: &str,
        sha256: &str,
    ) -> Result<Option<Verdict>, ServiceError> {
        let known = suspect_picture::Entity::find_own(owner)
            .filter(suspect_picture::Column::Sha256.eq(sha256))
            .one(&self.context.db)
            .await?;
        Ok(known.and_then(|row| match row.state {
            State::Waiting => None,
            State::Passed => Some(Verdict::Passed),
            State::Refused => Some(Verdict::Refused(REFUSED.into())),
        }))
    }

    /// Queues a picture for review, once. Reviewers see the re-encoded copy, which the owner cannot replace.
    pub(super) async fn await_review(
        &self,
        owner: &str,
        checked: &Checked,
        cause: &str,
    ) -> Result<(), ServiceError> {
        let waiting = suspect_picture::Entity::find_own(owner)
            .filter(suspect_picture::Column::State.eq(State::Waiting))
            .count(&self.context.db)
            .await?;
        if waiting >= MOST_WAITING {
            return Err(refused("待审核的图片过多，请等待审核结果"));
        }
        let id = new_id();
        let object_key = format!("q/{owner}/{id}.{}", checked.clean.extension());
        let bytes = Bytes::copy_from_slice(&checked.clean.bytes);
        let now = self.context.clock.now_ms();
        sweep::due(&self.context.db, &object_key, now + sweep::REPLACED_MS).await?;
        let objects = &self.context.objects;
        let put = objects
            .put_bytes(&object_key, bytes, checked.clean.content_type)
            .await;
        put.map_err(away)?;
        let row = suspect_picture::Model {
            id,
            login_id: owner.to_owned(),
            sha256: checked.sha256.clone(),
            object_key: object_key.clone(),
            fingerprint: checked.clean.fingerprint.text(),
            cause: cause.to_owned(),
            state: State::Waiting,
            created_at: now,
            decided_at: None,
            decided_by: String::new(),
            decision: String::new(),
            claimed_by: String::new(),
            claimed_until: 0,
        };
        let transaction = db::begin_write(&self.context.db).await?;
        // A picture already waiting has its own copy, so this one is swept.
        if db::insert_new(row, &transaction).await? {
            sweep::keep(&transaction, &object_key).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Waiting pictures, oldest first, and their number.
    pub async fn waiting_pictures(
        &self,
        page_no: i32,
        page_size: i32,
    ) -> Result<(i64, Vec<suspect_picture::Model>), ServiceError> {
        let size = u64::from(page_size.max(1).unsigned_abs());
        let pages = suspect_picture::Entity::find_any()
            .filter(suspect_picture::Column::State.eq(State::Waiting))
            .order_by_asc(suspect_picture::Column::Id)
            .paginate(&self.context.db, size);
        let before = u64::from(page_no.max(1).unsigned_abs()) - 1;
        let rows = pages.fetch_page(before).await?;
        Ok((pages.num_items().await? as i64, rows))
    }

    /// Bans a picture: look-alikes are refused from now on.
    pub async fn ban_picture(
        &self,
        transaction: &DatabaseTransaction,
        fingerprint: &str,
        note: &str,
        operator: &str,
    ) -> Result<(), ServiceError> {
        let print = Fingerprint::parse(fingerprint)
            .ok_or_else(|| BusinessError::invalid("图片指纹不正确"))?;
        if print.is_plain() {
            return Err(BusinessError::invalid("图片过于简单，禁用后会误伤其他图片").into());
        }
        let row = picture_rule::Model {
            id: new_id(),
            fingerprint: print.text(),
            note: note.to_owned(),
            created_by: operator.to_owned(),
            created_at: self.context.clock.now_ms(),
        };
        db::insert_new(row, transaction).await?;
        Ok(())
    }
}
