//! Passwords: Argon2id, 19 MiB, 2 passes (OWASP's minimum), computed a few at a time.

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use chassis::ServiceError;
use tokio::sync::Semaphore;

use crate::config::PasswordConfig;

const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Hashes and verifies. A flood of sign-ins waits in line, and beyond the line is refused, so that neither memory nor
/// processor is used up.
#[derive(Clone)]
pub struct Passwords {
    running: Arc<Semaphore>,
    in_line: Arc<Semaphore>,
}

impl Passwords {
    pub fn new(config: &PasswordConfig) -> Self {
        let running = config.concurrent.clamp(1, 64);
        Self {
            running: Arc::new(Semaphore::new(running)),
            in_line: Arc::new(Semaphore::new(running + config.waiting.min(10_000))),
        }
    }

    /// The PHC string of a password, with a fresh salt.
    pub async fn hash(&self, password: &str) -> Result<String, ServiceError> {
        let password = password.to_owned();
        self.run(move || hash(&password)).await?
    }

    /// Whether the password is the one behind the PHC string.
    pub async fn verify(&self, password: &str, phc: &str) -> Result<bool, ServiceError> {
        let (password, phc) = (password.to_owned(), phc.to_owned());
        self.run(move || verify(&password, &phc)).await?
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        let away = || ServiceError::Unavailable("password check");
        let _place = self.in_line.try_acquire().map_err(|_| away())?;
        let turn = self
            .running
            .clone()
            .acquire_owned()
            .await
            .map_err(|_| away())?;
        let task = tokio::task::spawn_blocking(move || {
            // Given back by the work itself: a caller who went away does not let another one in early.
            let _turn = turn;
            work()
        });
        task.await
            .map_err(|error| ServiceError::Internal(error.into()))
    }
}

fn hasher() -> Result<Argon2<'static>, ServiceError> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None)
        .map_err(|error| ServiceError::Internal(anyhow::anyhow!("argon2 parameters: {error}")))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash(password: &str) -> Result<String, ServiceError> {
    let hashed = hasher()?
        .hash_password(password.as_bytes())
        .map_err(|error| ServiceError::Internal(anyhow::anyhow!("hashing: {error}")))?;
    Ok(hashed.to_string())
}

fn verify(password: &str, phc: &str) -> Result<bool, ServiceError> {
    let parsed = PasswordHash::new(phc)
        .map_err(|error| ServiceError::Internal(anyhow::anyhow!("stored hash: {error}")))?;
    Ok(hasher()?
        .verify_password(password.as_bytes(), &parsed)
        .is_ok())
}
