//! The word lists that operators edit. Every scan checks the version first, so that a committed change applies at once in each
//! replica; other services get the list by event.

mod console;
mod edit;

use std::sync::Arc;

use chassis::ids::new_id;
use chassis::{BusinessError, ServiceError, db};
use contentscan::{Judged, Rule, Scanner};
use proto::code;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QueryOrder};

pub use edit::NewWord;

use crate::Personal;
use crate::entity::word::Action;
use crate::entity::{suspect_text, word, word_list};

/// The single row of `word_list`.
const LIST: &str = "words";
/// Limit of waiting texts per author.
const MOST_WAITING: usize = 20;

fn rule_of(row: &word::Model) -> Rule {
    Rule {
        word: row.word.clone(),
        action: match row.action {
            Action::Refuse => contentscan::Action::Refuse,
            Action::Review => contentscan::Action::Review,
            Action::Replace => contentscan::Action::Replace,
        },
        replacement: row.replacement.clone(),
    }
}

async fn version(connection: &impl ConnectionTrait) -> Result<i64, DbErr> {
    let list = word_list::Entity::find_by_id(LIST).one(connection).await?;
    Ok(list.map_or(0, |list| list.version))
}

async fn listed(connection: &impl ConnectionTrait) -> Result<Vec<word::Model>, DbErr> {
    word::Entity::find()
        .order_by_asc(word::Column::Id)
        .all(connection)
        .await
}

impl Personal {
    /// The scanner for the newest list.
    pub(crate) async fn scanner(&self) -> Result<Arc<Scanner>, ServiceError> {
        let version = version(&self.context.db).await?;
        if let Some(scanner) = self.words.get(version) {
            return Ok(scanner);
        }
        let rules: Vec<Rule> = listed(&self.context.db)
            .await?
            .iter()
            .map(rule_of)
            .collect();
        Ok(self.words.put(version, &rules))
    }

    /// Returns the text to publish, with the list's replacements applied.
    ///
    /// Errors: 60102 with the reason. A text that only needs review is accepted and queued for review under `place`.
    pub(crate) async fn accept_text(
        &self,
        login_id: &str,
        place: &str,
        text: &str,
    ) -> Result<String, ServiceError> {
        let judged = self.scanner().await?.judge(text);
        if let Some(finding) = &judged.refused {
            return Err(refused(&finding.word).into());
        }
        if !judged.review.is_empty() {
            self.suspect(login_id, place, &judged).await?;
        }
        Ok(judged.text)
    }

    async fn suspect(
        &self,
        login_id: &str,
        place: &str,
        judged: &Judged,
    ) -> Result<(), ServiceError> {
        // Forms send back unchanged values: the same text is queued once.
        let waiting = suspect_text::Entity::find_own(login_id)
            .filter(suspect_text::Column::State.eq(suspect_text::State::Waiting))
            .all(&self.context.db)
            .await?;
        let known = waiting
            .iter()
            .any(|row| row.place == place && row.content == judged.text);
        if known {
            return Ok(());
        }
        if waiting.len() >= MOST_WAITING {
            return Err(BusinessError::invalid("待审核的文字过多，请等待审核结果").into());
        }
        let words: Vec<&str> = judged
            .review
            .iter()
            .map(|found| found.word.as_str())
            .collect();
        let row = suspect_text::Model {
            id: new_id(),
            login_id: login_id.to_owned(),
            place: place.to_owned(),
            content: judged.text.clone(),
            words: words.join(","),
            state: suspect_text::State::Waiting,
            created_at: self.context.clock.now_ms(),
            decided_at: None,
            decided_by: String::new(),
            decision: String::new(),
            claimed_by: String::new(),
            claimed_until: 0,
        };
        db::insert(row, &self.context.db).await?;
        Ok(())
    }
}

pub(crate) fn refused(word: &str) -> BusinessError {
    let message = format!("含有不允许发布的词语「{word}」");
    BusinessError::new(code::TEXT_REFUSED, message)
}
