//! The calls of `SecurityApi`.

use chassis::db::begin_write;
use chassis::{BusinessError, ServiceError, SignedIn};
use proto::auth::v1::{
    AccountSecurityReply, AccountSecurityRequest, BeginSecondFactorReply, BeginSecondFactorRequest,
    BindEmailRequest, ConfirmIdentityReply, ConfirmIdentityRequest, ConfirmSecondFactorRequest,
    InterestRequest, ModifyPhoneRequest, ModifyUserPasswordRequest, RecoveryCodes,
    RemoveSecondFactorRequest, RenewRecoveryCodesRequest, SecurityCalls, SendMailCodeRequest,
    SendOwnCodeRequest,
};
use proto::code;

use super::{Change, factor};
use crate::entity::sms_code::{Lane, Purpose};
use crate::service::{Auth, refused};
use crate::sms;
use crate::{device, guesses, messages, rules, store};

impl SecurityCalls<ServiceError> for Auth {
    /// Gives the account another phone number, to which a code was sent.
    async fn modify_phone(
        &self,
        caller: &SignedIn,
        request: ModifyPhoneRequest,
    ) -> Result<(), ServiceError> {
        let own = self.own(caller).await?;
        let phone = rules::phone(&request.phone)?;
        rules::code(&request.sms_key, &request.verifycode)?;
        own.must_be_confirmed(self.now_ms())?;
        let db = &self.context.db;
        if store::by_phone(db, phone).await?.is_some() {
            return refused(code::ACCOUNT_EXISTS, messages::PHONE_EXISTS);
        }
        let answer = sms::Answer {
            phone,
            purpose: Purpose::BindPhone,
            key: &request.sms_key,
            code: &request.verifycode,
        };
        let right = self.check_code(&answer).await?;
        let transaction = begin_write(db).await?;
        sms::consume(&transaction, &right, self.now_ms()).await?;
        store::set_phone(&transaction, &own.account.id, phone, self.now_ms()).await?;
        self.secured(transaction, &own, Change::Phone).await
    }

    /// Sets a new password: with the old one, or by a confirmed session.
    async fn modify_user_password(
        &self,
        caller: &SignedIn,
        request: ModifyUserPasswordRequest,
    ) -> Result<(), ServiceError> {
        let own = self.own(caller).await?;
        let (account, old) = (&own.account, request.old_password.as_str());
        let new = rules::new_password(&request.password, &account.phone)?;
        if old.is_empty() {
            own.must_be_confirmed(self.now_ms())?;
        } else {
            rules::password(old)?;
            if !self
                .try_password(account, old, &own.guesser(), None)
                .await?
            {
                return refused(code::WRONG_PASSWORD, "原密码错误");
            }
            if old == new {
                return Err(BusinessError::invalid("新密码不能与原密码相同").into());
            }
        }
        let password_hash = self.passwords.hash(new).await?;
        let transaction = begin_write(&self.context.db).await?;
        if !store::hold_with_password(&transaction, account).await? {
            return refused(code::CONFLICT, "密码刚刚被修改过，请重试");
        }
        store::set_password(&transaction, &account.id, &password_hash, self.now_ms()).await?;
        guesses::forget(&transaction, &account.id).await?;
        device::forget_others(&transaction, &account.id, &own.session.device).await?;
        self.secured(transaction, &own, Change::Password).await
    }

    async fn set_interest_and_register_purpose(
        &self,
        caller: &SignedIn,
        request: InterestRequest,
    ) -> Result<(), ServiceError> {
        let interest = request.interest.as_deref();
        let purpose = request.register_purpose.as_deref();
        self.answer(caller.login_id(), interest, purpose).await
    }

    /// Sends a code to the account's own number. It needs no slider: only the owner of a session can request it, and the limits
    /// of the number apply.
    async fn send_own_code(
        &self,
        caller: &SignedIn,
        _: SendOwnCodeRequest,
    ) -> Result<String, ServiceError> {
        let own = self.own(caller).await?;
        if !self.sender.is_configured() {
            return refused(code::SMS_NOT_SENT, "短信服务未配置，请联系管理员");
        }
        let asked = sms::Request {
            phone: &own.account.phone,
            purpose: Purpose::Confirm,
            remote_addr: caller.remote_addr(),
            lane: Lane::Owner,
        };
        self.deliver(&asked, true).await
    }

    async fn confirm_identity(
        &self,
        caller: &SignedIn,
        request: ConfirmIdentityRequest,
    ) -> Result<ConfirmIdentityReply, ServiceError> {
        let own = self.own(caller).await?;
        let confirmed_until = self.confirm(&own, &request).await?;
        Ok(ConfirmIdentityReply { confirmed_until })
    }

    /// How the account is protected.
    async fn account_security(
        &self,
        caller: &SignedIn,
        _: AccountSecurityRequest,
    ) -> Result<AccountSecurityReply, ServiceError> {
        let own = self.own(caller).await?;
        let db = &self.context.db;
        let account = &own.account;
        let has_factor = factor::enrolled(db, &account.id).await?.is_some();
        let has_password = !account.password_hash.is_empty();
        let methods: &[&str] = match (has_factor, has_password) {
            (true, _) => &["totp", "recovery"],
            (false, true) => &["password", "sms"],
            (false, false) => &["sms"],
        };
        let confirmed_until = own.session.confirmed_until;
        Ok(AccountSecurityReply {
            phone: rules::masked(&account.phone),
            email: account.email.as_deref().map(rules::masked_email),
            email_verified: account.email_verified_at.is_some(),
            has_password,
            second_factor: has_factor,
            recovery_codes_left: factor::codes_left(db, &account.id).await?,
            confirmed_until: match confirmed_until > self.now_ms() {
                true => confirmed_until,
                false => 0,
            },
            confirm_methods: methods.iter().map(|method| (*method).to_owned()).collect(),
            interest: own.account.interest,
            register_purpose: own.account.register_purpose,
            mail_available: self.mailer.is_configured(),
        })
    }

    async fn send_mail_code(
        &self,
        caller: &SignedIn,
        request: SendMailCodeRequest,
    ) -> Result<String, ServiceError> {
        let own = self.own(caller).await?;
        Auth::send_mail_code(self, &own, &request.email).await
    }

    async fn bind_email(
        &self,
        caller: &SignedIn,
        request: BindEmailRequest,
    ) -> Result<(), ServiceError> {
        let own = self.own(caller).await?;
        let (key, code) = (&request.mail_key, &request.verifycode);
        Auth::bind_email(self, &own, &request.email, key, code).await
    }

    async fn begin_second_factor(
        &self,
        caller: &SignedIn,
        _: BeginSecondFactorRequest,
    ) -> Result<BeginSecondFactorReply, ServiceError> {
        let own = self.own(caller).await?;
        self.begin_factor(&own).await
    }

    async fn confirm_second_factor(
        &self,
        caller: &SignedIn,
        request: ConfirmSecondFactorRequest,
    ) -> Result<RecoveryCodes, ServiceError> {
        let own = self.own(caller).await?;
        let codes = self.confirm_factor(&own, &request.verifycode).await?;
        Ok(RecoveryCodes { codes })
    }

    async fn remove_second_factor(
        &self,
        caller: &SignedIn,
        _: RemoveSecondFactorRequest,
    ) -> Result<(), ServiceError> {
        let own = self.own(caller).await?;
        self.remove_factor(&own).await
    }

    async fn renew_recovery_codes(
        &self,
        caller: &SignedIn,
        _: RenewRecoveryCodesRequest,
    ) -> Result<RecoveryCodes, ServiceError> {
        let own = self.own(caller).await?;
        let codes = self.renew_codes(&own).await?;
        Ok(RecoveryCodes { codes })
    }
}
