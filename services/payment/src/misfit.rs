//! Money that a channel reports under a valid signature and that no state of ours takes: kept, with what was said, until
//! an operator has reviewed it.

use anyhow::ensure;
use chassis::db;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QueryOrder, QuerySelect, Set};
use sha2::{Digest, Sha256};

use crate::Payment;
use crate::entity::misfit;
use crate::operator::Decision;

/// Longest number that is kept, in bytes: ours have 32.
const LONGEST_NUMBER: usize = 64;

pub(crate) struct Misfit<'a> {
    pub channel: &'a str,
    /// Number of the payment, as the channel says it.
    pub number: &'a str,
    pub why: String,
    /// What came; empty when it was said in an answer.
    pub body: &'a str,
}

impl Misfit<'_> {
    /// The same for the same thing: channels repeat themselves for a day, each time in other bytes.
    fn id(&self) -> String {
        let whole = format!("{}\n{}\n{}", self.channel, self.number, self.why);
        let mut id = hex::encode(Sha256::digest(whole));
        id.truncate(32);
        id
    }
}

impl Payment {
    pub(crate) async fn keep_misfit(
        &self,
        connection: &impl ConnectionTrait,
        misfit: &Misfit<'_>,
    ) -> Result<(), DbErr> {
        let number = &misfit.number[..misfit.number.floor_char_boundary(LONGEST_NUMBER)];
        let row = misfit::Model {
            id: misfit.id(),
            channel: misfit.channel.to_owned(),
            number: number.to_owned(),
            why: misfit.why.clone(),
            // A database does not keep it in text.
            body: misfit.body.replace('\0', ""),
            created_at: self.now(),
            ended_at: None,
            ended_by: String::new(),
            note: String::new(),
        };
        db::insert_new(row, connection).await?;
        Ok(())
    }

    /// Those not reviewed yet, or all; oldest first.
    pub async fn misfits(&self, all: bool, limit: u64) -> Result<Vec<misfit::Model>, DbErr> {
        let mut found = misfit::Entity::find();
        if !all {
            found = found.filter(misfit::Column::EndedAt.is_null());
        }
        found
            .order_by_asc(misfit::Column::CreatedAt)
            .limit(limit)
            .all(&self.context.db)
            .await
    }

    /// Ends one after its review: `decision` names it, and why it is done.
    pub async fn end_misfit(&self, decision: &Decision) -> anyhow::Result<()> {
        decision.check()?;
        let which = misfit::Column::Id.eq(&decision.subject);
        let ended = self.end_misfits(&self.context.db, decision, which).await?;
        ensure!(ended == 1, "no open notice {}", decision.subject);
        Ok(())
    }

    /// Ends those that fit the condition and are open; how many.
    pub(crate) async fn end_misfits(
        &self,
        connection: &impl ConnectionTrait,
        decision: &Decision,
        which: Expr,
    ) -> Result<u64, DbErr> {
        let ended = misfit::Entity::update_many()
            .set(misfit::ActiveModel {
                ended_at: Set(Some(self.now())),
                ended_by: Set(decision.operator.trim().to_owned()),
                note: Set(decision.reason.trim().to_owned()),
                ..Default::default()
            })
            .filter(which)
            .filter(misfit::Column::EndedAt.is_null())
            .exec(connection)
            .await?;
        Ok(ended.rows_affected)
    }
}
