//! The parts of a running auth, and what several of its calls do: sliders, codes, passwords, sessions.

use std::sync::Arc;

use chassis::db::begin_write;
use chassis::messaging::Outbox;
use chassis::passwords::Passwords;
use chassis::{BusinessError, Context, ServiceError};
use proto::auth::v1::SessionOpened;
use proto::code;
use sea_orm::DatabaseTransaction;
use tokio::sync::Notify;

use crate::certification::vault::Vault;
use crate::closure::refuse_ending;
use crate::config::AuthConfig;
use crate::console::freeze;
use crate::entity::account;
use crate::entity::sign_in::Outcome;
use crate::entity::sms_code::{Lane, Purpose};
use crate::events;
use crate::guesses::{self, Guesser};
use crate::identity::ThirdParty;
use crate::mail::Mailer;
use crate::messages;
use crate::operator::Operators;
use crate::rules;
use crate::session::sign_in;
use crate::session::{self, Issued, Revocation};
use crate::session::{Opening, agent};
use crate::slider::{CodeForm, Slider, Use};
use crate::sms::{self, Recent, RightCode, SmsSender};
use crate::{device, risk, store};

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
    /// Encrypts stored secrets.
    pub vault: Arc<Vault>,
    pub operators: Operators,
    /// Wakes the worker that makes archives of people's data.
    pub exports: Arc<Notify>,
}

pub(crate) fn refused<T>(code: i32, message: impl Into<String>) -> Result<T, ServiceError> {
    Err(BusinessError::new(code, message).into())
}

impl Auth {
    pub(crate) fn now_ms(&self) -> i64 {
        self.context.clock.now_ms()
    }

    /// Writes a code and sends it, or only pretends to; returns its key.
    pub(crate) async fn deliver(
        &self,
        request: &sms::Request<'_>,
        really: bool,
    ) -> Result<String, ServiceError> {
        let db = &self.context.db;
        let written = sms::write(db, &self.config.sms, request, self.now_ms()).await?;
        let key = written.key.clone();
        match written.lane {
            Lane::Pretender => {}
            _ if !really => {}
            // The time of the reply must not tell whether something was sent.
            Lane::Knower => {
                let auth = self.clone();
                self.context.shutdown.spawn(async move {
                    // Reported where it happens.
                    let _ = auth.hand_over(&written).await;
                });
            }
            Lane::Stranger | Lane::Near | Lane::Owner => self.hand_over(&written).await?,
        }
        Ok(key)
    }

    /// Gives a code to the provider.
    async fn hand_over(&self, written: &sms::Written) -> Result<(), ServiceError> {
        if let Err(error) = self.sender.send(&written.sms).await {
            tracing::error!(%error, "sms was not delivered");
            sms::void(&self.context.db, written, self.now_ms()).await?;
            return refused(code::SMS_NOT_SENT, error.message());
        }
        metrics::counter!("auth_sms_sent_total", "purpose" => written.sms.purpose).increment(1);
        Ok(())
    }

    /// Checks the limits of a code before it is written. Where others have used them up, the caller may show the account's
    /// password (`shows_password`): then the request is a pretender's until it has been verified.
    ///
    /// Errors: 60202 with the time to wait; 60208 where a password helps.
    pub(crate) async fn admit_code(
        &self,
        asked: &mut sms::Request<'_>,
        account: Option<&account::Model>,
        shows_password: bool,
    ) -> Result<Recent, ServiceError> {
        let (db, config, now_ms) = (&self.context.db, &self.config.sms, self.now_ms());
        let recent = sms::recent(db, config, asked, now_ms).await?;
        let Err(refusal) = recent.check(config, now_ms) else {
            return Ok(recent);
        };
        let has_password = account.is_some_and(|account| !account.password_hash.is_empty());
        let helps = asked.purpose == Purpose::Login && asked.lane != Lane::Owner && has_password;
        if !helps || recent.is_too_soon(config) {
            return Err(refusal.into());
        }
        if !shows_password {
            let message = format!("{}；如果是本人，可以用登录密码继续获取", refusal.message);
            return refused(code::SHOW_PASSWORD, message);
        }
        asked.lane = Lane::Pretender;
        sms::check_limits(db, config, asked, now_ms).await
    }

    /// A given ticket must be valid; without one, a demanded slider may have been passed just now.
    pub(crate) async fn slider_is_passed(
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

    /// Whether a question that found no account is one of many, and comes without the slider that these need.
    pub(crate) async fn is_probe(
        &self,
        many: bool,
        ticket: &str,
        remote_addr: &str,
        what: &Use<'_>,
    ) -> Result<bool, ServiceError> {
        Ok(many
            && !self
                .slider_is_passed(ticket, true, remote_addr, what)
                .await?)
    }

    /// Whether the password is the account's; a wrong one is recorded and counts against the limits. Without `slider` (its
    /// ticket, which may be empty) only the limits are checked: the caller has been identified in another way.
    pub(crate) async fn try_password(
        &self,
        account: &account::Model,
        password: &str,
        guesser: &Guesser<'_>,
        slider: Option<&str>,
    ) -> Result<bool, ServiceError> {
        let db = &self.context.db;
        // Recorded before any check, so that concurrent tries see each other.
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
            guesses::withdraw(db, guesser, &attempt).await?;
        }
        right
    }

    /// Whether the password may be verified: wait and slider.
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
            return refused(code::SLIDER_DEMANDED, messages::SLIDER_REQUIRED);
        }
        Ok(())
    }

    /// Whether the next password demands the slider.
    ///
    /// Errors: 60203 with the time to wait, before a user solves a puzzle in vain.
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

    /// Before a password is sent: whether it needs the slider.
    pub async fn assess_password(
        &self,
        username: &str,
        device: &str,
        remote_addr: &str,
    ) -> Result<bool, ServiceError> {
        let db = &self.context.db;
        let account = store::by_name(db, &rules::account_name(username)?).await?;
        let login_id = account.map_or_else(String::new, |account| account.id);
        let known = self.known_lane(&login_id, device, remote_addr).await?;
        let guesser = Guesser {
            login_id: &login_id,
            remote_addr,
            device: &known,
        };
        self.password_needs_slider(&guesser, "").await
    }

    /// Before a code is requested: whether the slider must be passed first. A ticket of the same registration or recovery
    /// is checked, not used up.
    pub(crate) async fn assess_code(
        &self,
        form: &CodeForm,
        remote_addr: &str,
    ) -> Result<bool, ServiceError> {
        let phone = rules::phone(&form.phone)?;
        let purpose = Purpose::parse(&form.r#type)?;
        let account = store::by_phone(&self.context.db, phone).await?;
        let lane = self.lane(account.as_ref(), &form.device, remote_addr);
        let mut request = sms::Request {
            phone,
            purpose,
            remote_addr,
            lane: lane.await?,
        };
        self.admit_code(&mut request, account.as_ref(), form.shows_password)
            .await?;
        let what = Use::Code { purpose, phone };
        Ok(!self.slider.serves(&form.ticket, remote_addr, &what).await?)
    }

    /// What the account, if there is one, knows of the device and the address that a code is requested from.
    pub(crate) async fn lane(
        &self,
        account: Option<&account::Model>,
        device: &str,
        remote_addr: &str,
    ) -> Result<Lane, ServiceError> {
        let (db, now_ms) = (&self.context.db, self.now_ms());
        let Some(account) = account else {
            return Ok(Lane::Stranger);
        };
        if !device::known(db, device, &account.id, now_ms)
            .await?
            .is_empty()
        {
            return Ok(Lane::Owner);
        }
        Ok(
            match sign_in::is_near(db, &account.id, remote_addr, now_ms).await? {
                true => Lane::Near,
                false => Lane::Stranger,
            },
        )
    }

    /// What a [`Guesser`] has in place of a device: its id, or what stands for a known address; empty for a stranger.
    pub(crate) async fn known_lane(
        &self,
        login_id: &str,
        device: &str,
        remote_addr: &str,
    ) -> Result<String, ServiceError> {
        let (db, now_ms) = (&self.context.db, self.now_ms());
        let known = device::known(db, device, login_id, now_ms).await?;
        if known.is_empty() && sign_in::is_near(db, login_id, remote_addr, now_ms).await? {
            return Ok(guesses::near(remote_addr));
        }
        Ok(known)
    }

    pub(crate) async fn open_after_password(
        &self,
        account: &account::Model,
        guesser: &Guesser<'_>,
        opening: &Opening<'_>,
    ) -> Result<Issued, ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        if !store::hold_with_password(&transaction, account).await? {
            // Changed while it was being verified.
            return refused(code::WRONG_PASSWORD, messages::WRONG_PASSWORD);
        }
        guesses::forgive(&transaction, guesser).await?;
        self.open_session(transaction, &account.id, opening).await
    }

    pub(crate) async fn wrong_password<T>(&self, guesser: &Guesser<'_>) -> Result<T, ServiceError> {
        metrics::counter!("auth_wrong_passwords_total").increment(1);
        let (db, config) = (&self.context.db, &self.config.password);
        let late = guesses::of_late(db, config, guesser, "", self.now_ms()).await?;
        // The next try needs the slider: the code makes the client show it.
        if risk::password_needs_slider(self.config.risk.slider, &late) {
            return refused(code::SLIDER_DEMANDED, messages::WRONG_PASSWORD);
        }
        refused(code::WRONG_PASSWORD, messages::WRONG_PASSWORD)
    }

    /// Opens a session in the transaction, records and publishes the sign-in, commits, and notifies gateways of ended sessions.
    pub(crate) async fn open_session(
        &self,
        transaction: DatabaseTransaction,
        login_id: &str,
        opening: &Opening<'_>,
    ) -> Result<Issued, ServiceError> {
        let now_ms = self.now_ms();
        freeze::refuse_frozen(&transaction, login_id, now_ms).await?;
        refuse_ending(&transaction, login_id).await?;
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
        self.outbox.add(&transaction, login_id, &event).await?;
        self.commit_revocation(transaction, &ended).await?;
        Ok(issued.on(key))
    }

    pub(crate) async fn commit_revocation(
        &self,
        transaction: DatabaseTransaction,
        ended: &Revocation,
    ) -> Result<(), ServiceError> {
        events::revoked(&self.outbox, &transaction, ended).await?;
        transaction.commit().await?;
        self.outbox.wake();
        ended.push(&self.context.bus);
        Ok(())
    }

    pub(crate) async fn check_code(
        &self,
        answer: &sms::Answer<'_>,
    ) -> Result<RightCode, ServiceError> {
        sms::check(&self.context.db, &self.config.sms, answer, self.now_ms()).await
    }
}
