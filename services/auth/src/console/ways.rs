//! The ways into a user's account as operators see them, and remove for a user who has lost one or had one added by an intruder.

use chassis::audit::Deed;
use chassis::db::begin_write;
use chassis::{BusinessError, Operator, ServiceError};
use proto::auth::v1::UserLink;
use sea_orm::DatabaseTransaction;
use serde_json::json;

use crate::entity::identity;
use crate::identity::store as links;
use crate::operator::{Operators, conflict};
use crate::security::{self, Change, Changer, factor};
use crate::{device, session, store};

pub(super) fn link(row: identity::Model) -> UserLink {
    UserLink {
        id: row.id,
        provider: row.provider.to_string(),
        nickname: row.nickname,
        linked_at: row.created_at,
    }
}

impl Operators {
    pub(super) async fn reset_factor(
        &self,
        operator: &Operator,
        login_id: &str,
        reason: &str,
    ) -> Result<(), ServiceError> {
        let account = self.account(login_id).await?;
        let transaction = begin_write(&self.context.db).await?;
        let Some(before) = factor::enrolled(&transaction, &account.id).await? else {
            return conflict("该用户没有开启两步验证");
        };
        factor::remove(&transaction, &account.id).await?;
        let deed = Deed {
            target: &account.id,
            before: json!({"secondFactorAt": before.confirmed_at}),
            reason,
            ..Deed::default()
        };
        self.changed(transaction, operator, deed, Change::SecondFactorReset)
            .await
    }

    pub(super) async fn unlink(
        &self,
        operator: &Operator,
        login_id: &str,
        id: &str,
        reason: &str,
    ) -> Result<(), ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let identities = links::lock(&transaction, login_id).await?;
        let account = store::by_id(&transaction, login_id).await?;
        let account =
            account.ok_or_else(|| BusinessError::not_found(crate::messages::USER_MISSING))?;
        let Some(leaving) = identities.iter().find(|identity| identity.id == id) else {
            return Err(BusinessError::not_found("没有找到这个绑定").into());
        };
        if links::is_last_way(&account, &identities) {
            return conflict("这是该用户唯一的登录方式");
        }
        links::unlink(&transaction, login_id, id).await?;
        let deed = Deed {
            target: &account.id,
            before: json!({"provider": leaving.provider.to_string(), "linkedAt": leaving.created_at}),
            reason,
            ..Deed::default()
        };
        self.changed(transaction, operator, deed, Change::IdentityRemoved)
            .await
    }

    /// Commits a change of a way in: whoever is signed in has to come back by one that is left, and the owner is told. The message
    /// does not reveal where the operator works.
    async fn changed(
        &self,
        transaction: DatabaseTransaction,
        operator: &Operator,
        deed: Deed<'_>,
        change: Change,
    ) -> Result<(), ServiceError> {
        let login_id = deed.target;
        let ended = session::close_all(&transaction, login_id).await?;
        device::forget(&transaction, login_id).await?;
        let nowhere = Changer {
            remote_addr: "",
            user_agent: "",
        };
        security::tell(&self.outbox, &transaction, login_id, change, &nowhere).await?;
        self.decided(transaction, operator, deed, ended).await
    }
}
