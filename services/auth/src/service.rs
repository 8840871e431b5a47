//! What auth does for people: codes, sign-in, registration, recovery, sessions. Each call checks in the order of the
//! contract, whatever the client has checked already.

use std::sync::Arc;

use chassis::db::begin_write;
use chassis::messaging::Outbox;
use chassis::passwords::Passwords;
use chassis::{BusinessError, Context, ServiceError};
use proto::auth::v1::SessionOpened;
use proto::code;
use sea_orm::DatabaseTransaction;

use crate::certification::vault::Vault;
use crate::config::AuthConfig;
use crate::console::freeze;
use crate::entity::account;
use crate::events::{self, Revocation};
use crate::guesses::{self, Guesser};
use crate::identity::ThirdParty;
use crate::mail::Mailer;
use crate::operator::Operators;
use crate::risk::Lookups;
use crate::rules;
use crate::security::{Change, Changer};
use crate::session::sign_in::{self, Outcome};
use crate::session::{self, Issued};
use crate::session::{Opening, agent};
use crate::slider::{Slider, Use};
use crate::sms::{self, Purpose, RightCode, SmsSender};
use crate::{closure, device, risk, store};

/// The parts of a running auth; clones share them.
#[derive(Clone)]
pub struct Auth {
    pub context: Context,
    pub config: Arc<AuthConfig>,
    pub outbox: Outbox,
    pub passwords: Passwords,
    pub slider: Slider,
    pub sender: Arc<dyn SmsSender>,
    pub third_party: Arc<ThirdParty>,
    pub mailer: Arc<dyn Mailer>,
    /// What keeps secrets that are read again.
    pub vault: Arc<Vault>,
    pub operators: Operators,
}

/// A sign-in by password.
pub struct PasswordSignIn<'a> {
    pub username: &'a str,
    pub password: &'a str,
    pub ticket: &'a str,
    /// Code of the second factor, and the ticket that an answer 60206 held; empty without.
    pub totp: &'a str,
    pub factor_ticket: &'a str,
    pub opening: Opening<'a>,
}

/// A phone number and the code that was sent to it.
pub struct PhoneAndCode<'a> {
    pub phone: &'a str,
    pub key: &'a str,
    pub code: &'a str,
    /// Code of the second factor; empty without.
    pub totp: &'a str,
    pub opening: Opening<'a>,
}

pub(crate) fn refused<T>(code: i32, message: impl Into<String>) -> Result<T, ServiceError> {
    Err(BusinessError::new(code, message).into())
}

impl Auth {
    pub(crate) fn now_ms(&self) -> i64 {
        self.context.clock.now_ms()
    }

    /// Whether nobody has this phone number or e-mail address. Whoever asks for many that nobody has is trying out numbers,
    /// and has to pass the slider for each further one, whether it exists or not.
    pub async fn is_absent(
        &self,
        username: &str,
        ticket: &str,
        remote_addr: &str,
    ) -> Result<bool, ServiceError> {
        let name = rules::account_name(username)?;
        let lookups = Lookups::new(&self.context.cache, &self.config.risk, remote_addr);
        let passed = self
            .slider_is_passed(ticket, lookups.are_many().await?, remote_addr, &Use::Lookup)
            .await?;
        if !passed {
            return refused(code::SLIDER_DEMANDED, rules::SLIDER_REQUIRED);
        }
        let absent = store::by_name(&self.context.db, &name).await?.is_none();
        if absent {
            lookups.note().await?;
        }
        Ok(absent)
    }

    /// Sends a code and answers its key.
    pub async fn send_sms(
        &self,
        phone: &str,
        purpose: &str,
        ticket: &str,
        remote_addr: &str,
    ) -> Result<String, ServiceError> {
        let phone = rules::phone(phone)?;
        let purpose = Purpose::parse(purpose)?;
        if !self.sender.is_configured() {
            return refused(code::SMS_NOT_SENT, "短信服务未配置，请联系管理员");
        }
        let db = &self.context.db;
        let exists = store::by_phone(db, phone).await?.is_some();
        purpose.check_existence(exists)?;
        let request = sms::Request {
            phone,
            purpose,
            remote_addr,
        };
        // Before the slider: nobody solves a puzzle to hear that it is too soon.
        let recent = sms::check_limits(db, &self.config.sms, &request, self.now_ms()).await?;
        let demanded = risk::sms_needs_slider(self.config.risk.slider, &self.config.sms, &recent);
        let what = Use::Code { purpose, phone };
        if !self
            .slider_is_passed(ticket, demanded, remote_addr, &what)
            .await?
        {
            return refused(code::SMS_NOT_SENT, rules::SLIDER_REQUIRED);
        }
        self.deliver(&request, purpose != Purpose::Rebuild || exists)
            .await
    }

    /// Writes a code and sends it, unless it is only to look as if; answers its key.
    pub(crate) async fn deliver(
        &self,
        request: &sms::Request<'_>,
        really: bool,
    ) -> Result<String, ServiceError> {
        let db = &self.context.db;
        let written = sms::write(db, &self.config.sms, request, self.now_ms()).await?;
        if !really {
            return Ok(written.key);
        }
        if let Err(error) = self.sender.send(&written.sms).await {
            tracing::error!(%error, "sms was not delivered");
            sms::void(db, &written, self.now_ms()).await?;
            return refused(code::SMS_NOT_SENT, error.told());
        }
        metrics::counter!("auth_sms_sent_total", "purpose" => request.purpose.name()).increment(1);
        Ok(written.key)
    }

    /// A ticket that is given has to be good; without one, a demanded slider may have been passed just now.
    async fn slider_is_passed(
        &self,
        ticket: &str,
        demanded: bool,
        remote_addr: &str,
        what: &Use<'_>,
    ) -> Result<bool, ServiceError> {
        if !ticket.is_empty() {
            return self.slider.redeem(ticket, remote_addr, what).await;
        }
        if !demanded {
            return Ok(true);
        }
        self.slider.redeem_pass(remote_addr, what).await
    }

    /// Signs in by password.
    pub async fn sign_in(&self, form: &PasswordSignIn<'_>) -> Result<Issued, ServiceError> {
        let name = rules::account_name(form.username)?;
        let password = rules::password(form.password)?;
        let db = &self.context.db;
        let Some(account) = store::by_name(db, &name).await? else {
            return refused(code::NOT_REGISTERED, rules::NOT_REGISTERED);
        };
        let opening = &form.opening;
        let known = device::known(db, opening.device, &account.id, self.now_ms()).await?;
        let guesser = Guesser {
            login_id: &account.id,
            remote_addr: opening.remote_addr,
            device: &known,
        };
        let resumed = self.is_resumed(form.factor_ticket, &account.id, opening);
        let ticket = (!resumed.await?).then_some(form.ticket);
        if !self
            .try_password(&account, password, &guesser, ticket)
            .await?
        {
            let wrong = Outcome::WrongPassword;
            sign_in::note(db, &account.id, opening, wrong, false, self.now_ms()).await?;
            return self.wrong_password(&guesser).await;
        }
        self.pass_second_factor(&account.id, form.totp, opening)
            .await?;
        self.open_after_password(&account, &guesser, opening).await
    }

    /// Whether the password is the account's; a wrong one is noted and counts against the limits. Without `slider` (its
    /// ticket, which may be empty) only the limits are looked at: the caller has shown in another way who it is.
    pub(crate) async fn try_password(
        &self,
        account: &account::Model,
        password: &str,
        guesser: &Guesser<'_>,
        slider: Option<&str>,
    ) -> Result<bool, ServiceError> {
        let db = &self.context.db;
        // Noted before anything is looked at, so that of many tries at once each sees the others.
        let attempt = guesses::note(db, guesser, self.now_ms()).await?;
        let right = match self.admit(guesser, slider, &attempt).await {
            Ok(()) => {
                self.passwords
                    .verify(password, &account.password_hash)
                    .await
            }
            Err(error) => Err(error),
        };
        if !matches!(right, Ok(false)) {
            guesses::withdraw(db, &attempt).await?;
        }
        right
    }

    /// Whether the password may be looked at: wait and slider.
    async fn admit(
        &self,
        guesser: &Guesser<'_>,
        slider: Option<&str>,
        attempt: &str,
    ) -> Result<(), ServiceError> {
        let demanded = self.password_needs_slider(guesser, attempt).await?;
        let Some(ticket) = slider else {
            return Ok(());
        };
        let passed = self.slider_is_passed(ticket, demanded, guesser.remote_addr, &Use::Password);
        if !passed.await? {
            return refused(code::SLIDER_DEMANDED, rules::SLIDER_REQUIRED);
        }
        Ok(())
    }

    /// Whether the next password demands the slider.
    ///
    /// Errors: 60203 with the time to wait, before anybody solves a puzzle in vain.
    async fn password_needs_slider(
        &self,
        guesser: &Guesser<'_>,
        attempt: &str,
    ) -> Result<bool, ServiceError> {
        let (db, config) = (&self.context.db, &self.config.password);
        let late = guesses::of_late(db, config, guesser, attempt, self.now_ms()).await?;
        if let Some(left) = late.wait_ms {
            let wait = rules::span(left);
            let message = format!("密码错误次数过多，请{wait}后再试，或使用短信登录");
            return refused(code::WRONG_PASSWORD, message);
        }
        Ok(risk::password_needs_slider(self.config.risk.slider, &late))
    }

    /// Before a password is sent: whether it has to come with the slider.
    pub async fn assess_password(
        &self,
        username: &str,
        device: &str,
        remote_addr: &str,
    ) -> Result<bool, ServiceError> {
        let db = &self.context.db;
        let account = store::by_name(db, &rules::account_name(username)?).await?;
        let login_id = account.map_or_else(String::new, |account| account.id);
        let known = device::known(db, device, &login_id, self.now_ms()).await?;
        let guesser = Guesser {
            login_id: &login_id,
            remote_addr,
            device: &known,
        };
        self.password_needs_slider(&guesser, "").await
    }

    /// Before a code is asked for: whether the slider has to be passed first. A ticket of the same registration or
    /// recovery is looked at and stays.
    pub async fn assess_code(
        &self,
        phone: &str,
        purpose: &str,
        ticket: &str,
        remote_addr: &str,
    ) -> Result<bool, ServiceError> {
        let phone = rules::phone(phone)?;
        let purpose = Purpose::parse(purpose)?;
        let request = sms::Request {
            phone,
            purpose,
            remote_addr,
        };
        sms::check_limits(&self.context.db, &self.config.sms, &request, self.now_ms()).await?;
        let what = Use::Code { purpose, phone };
        Ok(!self.slider.serves(ticket, remote_addr, &what).await?)
    }

    async fn open_after_password(
        &self,
        account: &account::Model,
        guesser: &Guesser<'_>,
        opening: &Opening<'_>,
    ) -> Result<Issued, ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        if !store::hold_with_password(&transaction, account).await? {
            // It was changed while it was being verified.
            return refused(code::WRONG_PASSWORD, rules::WRONG_PASSWORD);
        }
        guesses::forgive(&transaction, guesser).await?;
        self.open_session(transaction, &account.id, opening).await
    }

    async fn wrong_password<T>(&self, guesser: &Guesser<'_>) -> Result<T, ServiceError> {
        metrics::counter!("auth_wrong_passwords_total").increment(1);
        let (db, config) = (&self.context.db, &self.config.password);
        let late = guesses::of_late(db, config, guesser, "", self.now_ms()).await?;
        // The next try needs the slider: the client is told so that it can show it.
        if risk::password_needs_slider(self.config.risk.slider, &late) {
            return refused(code::SLIDER_DEMANDED, rules::WRONG_PASSWORD);
        }
        refused(code::WRONG_PASSWORD, rules::WRONG_PASSWORD)
    }

    /// Opens a session in the transaction, notes and publishes the sign-in, commits, and tells whose sessions ended.
    pub(crate) async fn open_session(
        &self,
        transaction: DatabaseTransaction,
        login_id: &str,
        opening: &Opening<'_>,
    ) -> Result<Issued, ServiceError> {
        let now_ms = self.now_ms();
        freeze::refuse_frozen(&transaction, login_id, now_ms).await?;
        closure::refuse_ending(&transaction, login_id).await?;
        let known = device::known(&transaction, opening.device, login_id, now_ms).await?;
        let new_device = known.is_empty() && device::any(&transaction, login_id).await?;
        let (key, device) =
            device::remember(&transaction, opening.device, login_id, now_ms).await?;
        let token = &self.config.token;
        let opened = session::open(&transaction, token, login_id, opening, &device, now_ms).await?;
        let (issued, session_id, ended) = opened;
        let done = Outcome::Opened;
        sign_in::note(&transaction, login_id, opening, done, new_device, now_ms).await?;
        let event = SessionOpened {
            login_id: login_id.to_owned(),
            session_id,
            method: opening.method.name().to_owned(),
            device: agent::read(opening.user_agent).1,
            remote_addr: store::address(opening.remote_addr),
            at_ms: now_ms,
            new_device,
        };
        self.outbox
            .add(&transaction, login_id, now_ms, &event)
            .await?;
        self.commit_revocation(transaction, &ended).await?;
        Ok(issued.on(key))
    }

    pub(crate) async fn commit_revocation(
        &self,
        transaction: DatabaseTransaction,
        ended: &Revocation,
    ) -> Result<(), ServiceError> {
        events::revoked(&self.outbox, &transaction, ended, self.now_ms()).await?;
        transaction.commit().await?;
        self.outbox.wake();
        ended.push(&self.context.bus);
        Ok(())
    }

    pub(crate) async fn check_code(
        &self,
        form: &PhoneAndCode<'_>,
        purpose: Purpose,
    ) -> Result<RightCode, ServiceError> {
        let answer = sms::Answer {
            phone: form.phone,
            purpose,
            key: form.key,
            code: form.code,
        };
        sms::check(&self.context.db, &self.config.sms, &answer, self.now_ms()).await
    }

    /// Signs in by SMS code.
    pub async fn sign_in_by_phone(&self, form: &PhoneAndCode<'_>) -> Result<Issued, ServiceError> {
        rules::phone(form.phone)?;
        rules::code(form.key, form.code)?;
        let db = &self.context.db;
        let Some(account) = store::by_phone(db, form.phone).await? else {
            return refused(code::NOT_REGISTERED, rules::NOT_REGISTERED);
        };
        let right = self.check_code(form, Purpose::Login).await?;
        // Before the code is used up: whoever is asked for the second factor comes again with the same one.
        self.pass_second_factor(&account.id, form.totp, &form.opening)
            .await?;
        let transaction = begin_write(db).await?;
        sms::consume(&transaction, &right, self.now_ms()).await?;
        self.open_session(transaction, &account.id, &form.opening)
            .await
    }

    /// Registers by SMS code and signs in.
    pub async fn register(
        &self,
        form: &PhoneAndCode<'_>,
        password: &str,
        profession: &str,
    ) -> Result<Issued, ServiceError> {
        rules::phone(form.phone)?;
        let password = rules::new_password(password, form.phone)?;
        rules::code(form.key, form.code)?;
        let profession = rules::profession(profession)?;
        let db = &self.context.db;
        if store::by_phone(db, form.phone).await?.is_some() {
            return refused(code::ACCOUNT_EXISTS, rules::USER_EXISTS);
        }
        let right = self.check_code(form, Purpose::Register).await?;
        let password_hash = self.passwords.hash(password).await?;
        let transaction = begin_write(db).await?;
        sms::consume(&transaction, &right, self.now_ms()).await?;
        let new = store::NewAccount {
            phone: form.phone,
            email: None,
            password_hash,
            profession,
        };
        let account = store::add(&transaction, new, self.now_ms()).await?;
        events::registered(&self.outbox, &transaction, &account).await?;
        metrics::counter!("auth_registrations_total").increment(1);
        self.open_session(transaction, &account.id, &form.opening)
            .await
    }

    /// Sets a new password by SMS code; every session of the account ends.
    pub async fn recover(
        &self,
        form: &PhoneAndCode<'_>,
        password: &str,
        ticket: &str,
    ) -> Result<(), ServiceError> {
        rules::phone(form.phone)?;
        let password = rules::new_password(password, form.phone)?;
        rules::code(form.key, form.code)?;
        let db = &self.context.db;
        let demanded = self.config.risk.slider == crate::config::SliderRule::Always;
        let what = Use::Rebuild { phone: form.phone };
        if !self
            .slider_is_passed(ticket, demanded, form.opening.remote_addr, &what)
            .await?
        {
            return refused(code::SLIDER_DEMANDED, rules::SLIDER_REQUIRED);
        }
        let right = self.check_code(form, Purpose::Rebuild).await?;
        let Some(account) = store::by_phone(db, form.phone).await? else {
            return refused(code::WRONG_CODE, rules::CODE_EXPIRED);
        };
        let password_hash = self.passwords.hash(password).await?;
        let transaction = begin_write(db).await?;
        sms::consume(&transaction, &right, self.now_ms()).await?;
        store::set_password(&transaction, &account.id, &password_hash, self.now_ms()).await?;
        guesses::forget(&transaction, &account.id).await?;
        device::forget(&transaction, &account.id).await?;
        let ended = session::close_all(&transaction, &account.id).await?;
        let by = Changer {
            remote_addr: form.opening.remote_addr,
            user_agent: form.opening.user_agent,
        };
        self.tell_change(&transaction, &account.id, Change::Password, &by)
            .await?;
        self.commit_revocation(transaction, &ended).await
    }

    /// Gives the calling session a new token. `token` may name the caller's own token and no other.
    pub async fn refresh(
        &self,
        login_id: &str,
        token_hash: &str,
        token: &str,
    ) -> Result<Issued, ServiceError> {
        if !token.is_empty() && crate::secret::sha256(token) != token_hash {
            return refused(code::FOREIGN, "只能刷新当前登录的凭证");
        }
        let now_ms = self.now_ms();
        let transaction = begin_write(&self.context.db).await?;
        let (issued, ended) = session::rotate(
            &transaction,
            &self.config.token,
            login_id,
            token_hash,
            now_ms,
        )
        .await?;
        self.commit_revocation(transaction, &ended).await?;
        Ok(issued)
    }

    /// Ends the calling session.
    pub async fn sign_out(&self, login_id: &str, token_hash: &str) -> Result<(), ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let ended = session::close(&transaction, login_id, token_hash).await?;
        self.commit_revocation(transaction, &ended).await
    }
}
