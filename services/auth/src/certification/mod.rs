//! Certification of persons, enterprises and developers: requested with numbers and pictures that are stored encrypted, decided
//! by an operator, and published as the account's state.

mod console;
mod decide;
mod form;
pub(crate) mod look;
pub mod operate;
pub(crate) mod pictures;
mod queue;
pub(crate) mod rules;
pub(crate) mod stamp;
mod standing;
mod submit;
mod sweep;
pub(crate) mod vault;

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chassis::messaging::Outbox;
use chassis::{Context, ServiceError, SignedIn};
use proto::auth::v1::{
    AuthDeveloperRequest, AuthEnterpriseRequest, AuthPersonalRequest, CertificationCalls,
    CertificationSubmitted, MyCertificationReply, MyCertificationRequest,
    WithdrawCertificationRequest,
};
use tokio::sync::Semaphore;

pub use decide::Decision;
pub use sweep::{spawn, sweep};

use self::form::Form;
use self::vault::{RecordKey, Vault, Wrapped};
use crate::config::{AuthConfig, CertificationConfig};
use crate::entity::certification::Model;

/// The part of a record that is no picture.
pub(crate) const DETAILS: &str = "details";
/// Pictures drawn anew concurrently: each may take 200 MB.
const DRAWING: usize = 1;

/// Handle of certification; clones share it.
#[derive(Clone)]
pub struct Certifications {
    pub(crate) context: Context,
    outbox: Outbox,
    config: Arc<CertificationConfig>,
    vault: Arc<Vault>,
    drawing: Arc<Semaphore>,
}

impl Certifications {
    /// Errors: keys are missing or invalid.
    pub fn new(context: &Context, outbox: &Outbox) -> anyhow::Result<Self> {
        let AuthConfig { certification, .. } = context.settings.section("auth")?;
        Ok(Self {
            vault: Arc::new(vault::load(&context.settings, &certification)?),
            config: Arc::new(certification),
            context: context.clone(),
            outbox: outbox.clone(),
            drawing: Arc::new(Semaphore::new(DRAWING)),
        })
    }

    fn now_ms(&self) -> i64 {
        self.context.clock.now_ms()
    }

    fn key_of(&self, record: &Model) -> Result<RecordKey, ServiceError> {
        let wrapped = wrapped(record);
        Ok(self
            .vault
            .open_record(&wrapped, &record.login_id, &record.id)?)
    }
}

impl CertificationCalls<ServiceError> for Certifications {
    async fn auth_personal(
        &self,
        caller: &SignedIn,
        request: AuthPersonalRequest,
    ) -> Result<CertificationSubmitted, ServiceError> {
        let form = Form::personal(&request, self.now_ms())?;
        let check_status = self.submit(caller.login_id(), form).await?;
        Ok(CertificationSubmitted { check_status })
    }

    async fn auth_enterprise(
        &self,
        caller: &SignedIn,
        request: AuthEnterpriseRequest,
    ) -> Result<CertificationSubmitted, ServiceError> {
        let form = Form::enterprise(&request)?;
        let check_status = self.submit(caller.login_id(), form).await?;
        Ok(CertificationSubmitted { check_status })
    }

    async fn auth_developer(
        &self,
        caller: &SignedIn,
        request: AuthDeveloperRequest,
    ) -> Result<CertificationSubmitted, ServiceError> {
        let form = Form::developer(&request)?;
        let check_status = self.submit(caller.login_id(), form).await?;
        Ok(CertificationSubmitted { check_status })
    }

    async fn my_certification(
        &self,
        caller: &SignedIn,
        _: MyCertificationRequest,
    ) -> Result<MyCertificationReply, ServiceError> {
        self.mine(caller.login_id()).await
    }

    async fn withdraw_certification(
        &self,
        caller: &SignedIn,
        request: WithdrawCertificationRequest,
    ) -> Result<CertificationSubmitted, ServiceError> {
        let check_status = self.withdraw(caller.login_id(), &request.id).await?;
        Ok(CertificationSubmitted { check_status })
    }
}

fn wrapped(record: &Model) -> Wrapped {
    Wrapped {
        key_id: record.key_id.clone(),
        wrapped_key: record.wrapped_key.clone(),
    }
}

fn of_base64(text: &str) -> Result<Vec<u8>, ServiceError> {
    STANDARD_NO_PAD
        .decode(text)
        .map_err(|error| ServiceError::Internal(error.into()))
}

/// Names only the record: the content that was read may be confidential.
fn unreadable(record: &Model) -> ServiceError {
    ServiceError::Internal(anyhow::anyhow!(
        "certification {} cannot be read",
        record.id
    ))
}
