//! The step after registration: the user's interests, and the purpose of registering.

use chassis::{BusinessError, ServiceError};
use sea_orm::Set;
use sea_orm::entity::prelude::*;

use crate::entity::account;
use crate::service::Auth;

const INTERESTS: [&str; 9] = [
    "design",
    "building",
    "game",
    "film",
    "print",
    "map",
    "education",
    "commerce",
    "other",
];
const PURPOSES: [&str; 5] = ["personal", "work", "study", "business", "other"];

/// The interests to store: known, each once, in the order of the list; none for an empty text.
fn interests(text: &str) -> Result<Option<String>, BusinessError> {
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = || BusinessError::invalid("请选择正确的兴趣");
    // Longer than all of them together: refused unread.
    if text.len() > 128 {
        return Err(wrong());
    }
    let stated: Vec<&str> = text.split(',').collect();
    if stated.iter().any(|one| !INTERESTS.contains(one)) {
        return Err(wrong());
    }
    let kept = INTERESTS.into_iter().filter(|one| stated.contains(one));
    Ok(Some(kept.collect::<Vec<_>>().join(",")))
}

fn purpose(text: &str) -> Result<Option<String>, BusinessError> {
    if text.is_empty() {
        return Ok(None);
    }
    let known = PURPOSES.contains(&text);
    let known = known.then(|| Some(text.to_owned()));
    known.ok_or_else(|| BusinessError::invalid("请选择正确的注册目的"))
}

impl Auth {
    /// Stores the answers; an absent one leaves the old one.
    pub(super) async fn answer(
        &self,
        login_id: &str,
        interest: Option<&str>,
        register_purpose: Option<&str>,
    ) -> Result<(), ServiceError> {
        let mut change = account::ActiveModel {
            updated_at: Set(self.now_ms()),
            ..Default::default()
        };
        if let Some(text) = interest {
            change.interest = Set(interests(text)?);
        }
        if let Some(text) = register_purpose {
            change.register_purpose = Set(purpose(text)?);
        }
        account::Entity::update_many()
            .set(change)
            .filter(account::Column::Id.eq(login_id))
            .exec(&self.context.db)
            .await?;
        Ok(())
    }
}
