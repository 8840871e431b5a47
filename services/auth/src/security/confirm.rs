//! Confirming that a session is used by its owner.

use chassis::{BusinessError, ServiceError};
use proto::auth::v1::ConfirmIdentityRequest;
use proto::code;

use super::Own;
use super::factor::{self, Counted};
use crate::entity::sms_code::Purpose;
use crate::service::{Auth, refused};
use crate::sms;
use crate::{messages, rules, session};

impl Auth {
    /// Checks the proof; returns until when it counts. With a second factor, only that is accepted: a stolen password or phone
    /// does not remove it.
    pub(super) async fn confirm(
        &self,
        own: &Own<'_>,
        form: &ConfirmIdentityRequest,
    ) -> Result<i64, ServiceError> {
        let db = &self.context.db;
        let has_factor = factor::enrolled(db, &own.account.id).await?.is_some();
        match form.method.as_str() {
            "totp" | "recovery" => self.confirm_by_factor(own, form).await?,
            "password" | "sms" if has_factor => {
                return refused(code::SECOND_FACTOR, "请用动态验证码或恢复码确认身份");
            }
            "password" => self.confirm_by_password(own, &form.password).await?,
            "sms" => self.confirm_by_sms(own, form).await?,
            _ => return Err(BusinessError::invalid("确认方式不正确").into()),
        }
        Ok(session::confirm(db, &own.session, self.now_ms()).await?)
    }

    async fn confirm_by_factor(
        &self,
        own: &Own<'_>,
        form: &ConfirmIdentityRequest,
    ) -> Result<(), ServiceError> {
        if form.verifycode.is_empty() {
            return Err(BusinessError::invalid(messages::CODE_REQUIRED).into());
        }
        let counted = Counted::Own(own.session.id.clone());
        let (login_id, given) = (&own.account.id, &form.verifycode);
        if self.is_second_factor(login_id, given, counted).await? {
            return Ok(());
        }
        refused(code::SECOND_FACTOR, factor::WRONG)
    }

    async fn confirm_by_password(&self, own: &Own<'_>, password: &str) -> Result<(), ServiceError> {
        let password = rules::password(password)?;
        let guesser = own.guesser();
        if self
            .try_password(&own.account, password, &guesser, None)
            .await?
        {
            return Ok(());
        }
        refused(code::WRONG_PASSWORD, "密码错误")
    }

    async fn confirm_by_sms(
        &self,
        own: &Own<'_>,
        form: &ConfirmIdentityRequest,
    ) -> Result<(), ServiceError> {
        rules::code(&form.sms_key, &form.verifycode)?;
        let answer = sms::Answer {
            phone: &own.account.phone,
            purpose: Purpose::Confirm,
            key: &form.sms_key,
            code: &form.verifycode,
        };
        let right = self.check_code(&answer).await?;
        sms::consume(&self.context.db, &right, self.now_ms()).await
    }
}
