//! The console's calls.

use chassis::db::contains;
use chassis::db::list::choice;
use chassis::db::list::{cut, page_size};
use chassis::{BusinessError, Operator, ServiceError};
use contentscan::MAX_CHARACTERS;
use proto::personal::v1::*;
use sea_orm::entity::prelude::*;
use sea_orm::{QueryOrder, QuerySelect};

use super::NewWord;
use crate::Personal;
use crate::console::Actor;
use crate::entity::word::{self, Action};

/// Maximum number of hits shown for a text.
const MOST_HITS: usize = 200;

fn new(form: &WordForm) -> NewWord<'_> {
    NewWord {
        word: &form.word,
        action: &form.action,
        replacement: &form.replacement,
        note: &form.note,
    }
}

fn item(row: word::Model) -> (String, WordItem) {
    let item = WordItem {
        word: row.word,
        action: row.action.name().to_owned(),
        replacement: row.replacement,
        note: row.note,
        changed_by: row.created_by,
        changed_at: row.created_at,
    };
    (row.id, item)
}

fn named(action: contentscan::Action) -> &'static str {
    match action {
        contentscan::Action::Refuse => Action::Refuse.name(),
        contentscan::Action::Review => Action::Review.name(),
        contentscan::Action::Replace => Action::Replace.name(),
    }
}

impl WordConsoleCalls<ServiceError> for Personal {
    async fn word_list(
        &self,
        _: &Operator,
        form: WordListRequest,
    ) -> Result<WordListReply, ServiceError> {
        let (db, size) = (&self.context.db, page_size(form.size)?);
        let mut rows = word::Entity::find();
        let text = form.text.trim();
        if !text.is_empty() {
            rows = rows.filter(contains(word::Column::Word, text));
        }
        if let Some(action) = choice(&form.action, Action::of, "处理方式不正确")? {
            rows = rows.filter(word::Column::Action.eq(action));
        }
        if !form.after.is_empty() {
            rows = rows.filter(word::Column::Id.lt(&form.after));
        }
        let found = rows
            .order_by_desc(word::Column::Id)
            .limit(size + 1)
            .all(db)
            .await?;
        let mut found: Vec<(String, WordItem)> = found.into_iter().map(item).collect();
        let next = cut(&mut found, size, |(id, _)| id.clone());
        Ok(WordListReply {
            words: found.into_iter().map(|(_, item)| item).collect(),
            next,
            total_count: word::Entity::find().count(db).await? as i64,
        })
    }

    async fn word_save(
        &self,
        operator: &Operator,
        form: WordSaveRequest,
    ) -> Result<(), ServiceError> {
        let (word, actor) = (form.word.unwrap_or_default(), Actor::Operator(operator));
        self.put_word(&new(&word), form.is_new, &actor).await
    }

    async fn word_remove(
        &self,
        operator: &Operator,
        form: WordRemoveRequest,
    ) -> Result<(), ServiceError> {
        let actor = Actor::Operator(operator);
        self.remove_word(&form.word, &form.reason, &actor).await
    }

    async fn word_import(
        &self,
        operator: &Operator,
        form: WordImportRequest,
    ) -> Result<WordImportReply, ServiceError> {
        let words: Vec<NewWord<'_>> = form.words.iter().map(new).collect();
        let actor = Actor::Operator(operator);
        let done = self.import_words(&words, &form.reason, &actor).await?;
        Ok(WordImportReply {
            added: done.added as i32,
            changed: done.changed as i32,
        })
    }

    async fn word_test(
        &self,
        _: &Operator,
        form: WordTestRequest,
    ) -> Result<WordTestReply, ServiceError> {
        let text = form.text.as_str();
        if text.chars().count() > MAX_CHARACTERS {
            return Err(BusinessError::invalid("内容过长，最多 20000 个字符").into());
        }
        let scanner = self.scanner().await?;
        let judged = scanner.judge(text);
        let refused = judged.refused.is_some();
        let verdict = match (refused, judged.review.is_empty()) {
            (true, _) => "refused",
            (false, false) => "review",
            (false, true) => "passed",
        };
        let letters = |bytes: &str| i32::try_from(bytes.chars().count()).unwrap_or(i32::MAX);
        let hits = scanner.hits(text).into_iter().take(MOST_HITS).map(|hit| {
            let before = text.get(..hit.place.start).unwrap_or_default();
            WordHit {
                position: letters(before),
                length: letters(text.get(hit.place.clone()).unwrap_or_default()),
                action: named(hit.action).to_owned(),
                word: hit.word,
            }
        });
        Ok(WordTestReply {
            verdict: verdict.to_owned(),
            hits: hits.collect(),
            text: if refused { String::new() } else { judged.text },
        })
    }
}
