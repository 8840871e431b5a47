//! Edits the word list. Each edit is one transaction with its audit entry and the event that carries the list to other services.

use std::collections::HashSet;

use chassis::audit::Deed;
use chassis::db::{self, begin_write};
use chassis::ids::new_id;
use chassis::{BusinessError, ServiceError};
use proto::code;
use proto::personal::v1::{ListedWord, WordsChanged};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ConnectionTrait, DatabaseTransaction};
use serde_json::{Value, json};

use super::{LIST, listed};
use crate::Personal;
use crate::console::Actor;
use crate::entity::word::Action;
use crate::entity::{word, word_list};

/// Maximum length of a word, and maximum number of words.
const MAX_WORD: usize = 64;
const MOST_WORDS: u64 = 20_000;
const MAX_NOTE: usize = 200;
/// Words of an import that are named in the audit log.
const LOGGED: usize = 50;

/// A word as entered by an operator.
#[derive(Clone, Copy)]
pub struct NewWord<'a> {
    pub word: &'a str,
    pub action: &'a str,
    pub replacement: &'a str,
    pub note: &'a str,
}

/// Result of an import.
pub(super) struct Imported {
    pub added: usize,
    pub changed: usize,
}

/// The row of a word. Errors: a field is invalid.
fn checked(new: &NewWord<'_>, by: &str, now: i64) -> Result<word::Model, BusinessError> {
    let text = new.word.trim();
    let action = Action::of(new.action)
        .ok_or_else(|| BusinessError::invalid("处理方式不正确：refuse、review 或 replace"))?;
    if text.is_empty() || text.chars().count() > MAX_WORD {
        return Err(BusinessError::invalid("词语长度在 1 到 64 个字符"));
    }
    if !text.chars().any(char::is_alphanumeric) {
        return Err(BusinessError::invalid("词语至少含有一个文字或数字"));
    }
    if new.replacement.chars().count() > MAX_WORD || new.note.chars().count() > MAX_NOTE {
        return Err(BusinessError::invalid(
            "替换文字最多 64 个字符，备注最多 200 个字符",
        ));
    }
    Ok(word::Model {
        id: new_id(),
        word: text.to_owned(),
        action,
        replacement: new.replacement.to_owned(),
        note: new.note.to_owned(),
        created_by: by.to_owned(),
        created_at: now,
    })
}

/// A word as stored in the audit log.
fn audited(row: &word::Model) -> Value {
    json!({"action": row.action, "replacement": row.replacement, "note": row.note})
}

async fn known(
    word: &str,
    connection: &impl ConnectionTrait,
) -> Result<Option<word::Model>, DbErr> {
    word::Entity::find()
        .filter(word::Column::Word.eq(word))
        .one(connection)
        .await
}

async fn write(row: word::Model, transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    let replace = OnConflict::column(word::Column::Word)
        .update_columns([
            word::Column::Action,
            word::Column::Replacement,
            word::Column::Note,
            word::Column::CreatedBy,
            word::Column::CreatedAt,
        ])
        .to_owned();
    word::Entity::insert(word::ActiveModel::from(row).reset_all())
        .on_conflict(replace)
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

/// Locks the list until the transaction ends; returns its new version.
async fn lock_list(transaction: &DatabaseTransaction) -> Result<i64, DbErr> {
    let row = word_list::Model {
        id: LIST.to_owned(),
        version: 1,
    };
    db::count_version(row, word_list::Column::Version, transaction).await
}

/// Refuses a list above the limit.
async fn check_length(transaction: &DatabaseTransaction) -> Result<(), ServiceError> {
    if word::Entity::find().count(transaction).await? > MOST_WORDS {
        return Err(BusinessError::new(code::QUOTA, "词语数量已达上限").into());
    }
    Ok(())
}

fn at_row(number: usize, message: &str) -> BusinessError {
    BusinessError::invalid(format!("第 {number} 行：{message}"))
}

impl Personal {
    /// Adds a word, or changes its action. `is_new` refuses one that is listed already.
    pub async fn put_word(
        &self,
        new: &NewWord<'_>,
        is_new: bool,
        actor: &Actor<'_>,
    ) -> Result<(), ServiceError> {
        let row = checked(new, &actor.name(), self.context.clock.now_ms())?;
        let transaction = begin_write(&self.context.db).await?;
        let version = lock_list(&transaction).await?;
        let before = known(&row.word, &transaction).await?;
        if is_new && before.is_some() {
            return Err(BusinessError::new(code::CONFLICT, "这个词语已在列表中").into());
        }
        write(row.clone(), &transaction).await?;
        check_length(&transaction).await?;
        let deed = Deed {
            target: &row.word,
            before: before.as_ref().map_or(Value::Null, audited),
            after: audited(&row),
            ..Deed::default()
        };
        self.listed_anew(transaction, version, deed, actor).await
    }

    pub async fn remove_word(
        &self,
        text: &str,
        reason: &str,
        actor: &Actor<'_>,
    ) -> Result<(), ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let version = lock_list(&transaction).await?;
        let before = known(text, &transaction).await?;
        let before = before.ok_or_else(|| BusinessError::not_found("没有这个词语"))?;
        word::Entity::delete_by_id(&before.id)
            .exec(&transaction)
            .await?;
        let deed = Deed {
            target: text,
            before: audited(&before),
            reason,
            ..Deed::default()
        };
        self.listed_anew(transaction, version, deed, actor).await
    }

    /// Imports many words, all or none.
    pub(super) async fn import_words(
        &self,
        words: &[NewWord<'_>],
        reason: &str,
        actor: &Actor<'_>,
    ) -> Result<Imported, ServiceError> {
        let (by, now) = (actor.name(), self.context.clock.now_ms());
        let mut rows = Vec::with_capacity(words.len());
        let mut names = HashSet::new();
        for (number, new) in (1..).zip(words) {
            let row = checked(new, &by, now).map_err(|error| at_row(number, &error.message))?;
            if !names.insert(row.word.clone()) {
                return Err(at_row(number, "词语重复").into());
            }
            rows.push(row);
        }
        let transaction = begin_write(&self.context.db).await?;
        let version = lock_list(&transaction).await?;
        let changed = word::Entity::find()
            .filter(word::Column::Word.is_in(&names))
            .count(&transaction)
            .await? as usize;
        let first = rows.iter().take(LOGGED);
        let first: Vec<Value> = first
            .map(|row| json!({"word": row.word, "action": row.action}))
            .collect();
        let added = rows.len().saturating_sub(changed);
        for row in rows {
            write(row, &transaction).await?;
        }
        check_length(&transaction).await?;
        let deed = Deed {
            target: LIST,
            after: json!({"added": added, "changed": changed, "first": first}),
            reason,
            ..Deed::default()
        };
        self.listed_anew(transaction, version, deed, actor).await?;
        Ok(Imported { added, changed })
    }

    /// Finishes an edit of the list: audit entry, event, commit.
    async fn listed_anew(
        &self,
        transaction: DatabaseTransaction,
        version: i64,
        deed: Deed<'_>,
        actor: &Actor<'_>,
    ) -> Result<(), ServiceError> {
        self.record(&transaction, actor, deed).await?;
        let words = listed(&transaction).await?;
        let words = words.into_iter().map(|row| ListedWord {
            word: row.word,
            action: row.action.name().to_owned(),
            replacement: row.replacement,
        });
        let event = WordsChanged {
            version,
            words: words.collect(),
        };
        self.outbox.add(&transaction, LIST, &event).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}
