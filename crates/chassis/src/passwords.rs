//! Passwords: Argon2id, 19 MiB, 2 passes (OWASP's minimum), computed a few at a time.

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::{Semaphore, oneshot};

use crate::ServiceError;

const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Hashes and verifies. A flood of sign-ins waits in line, and beyond the line is refused, so that neither memory nor
/// processor is used up.
#[derive(Clone)]
pub struct Passwords {
    /// Threads of their own, as many as passwords are worked on at a time: the allocator keeps the memory of the last
    /// password for each thread that has ever hashed one.
    workers: Arc<ThreadPool>,
    in_line: Arc<Semaphore>,
}

impl Passwords {
    /// `concurrent` are worked on at a time, `waiting` more are queued. Errors: the threads cannot be started.
    pub fn new(concurrent: usize, waiting: usize) -> anyhow::Result<Self> {
        let running = concurrent.clamp(1, 64);
        let workers = ThreadPoolBuilder::new()
            .num_threads(running)
            .thread_name(|number| format!("password-{number}"))
            // The caller gets an error, since no answer comes; without this the process would end.
            .panic_handler(|_| {})
            .build()?;
        Ok(Self {
            workers: Arc::new(workers),
            in_line: Arc::new(Semaphore::new(running + waiting.min(10_000))),
        })
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
        let place = self
            .in_line
            .clone()
            .try_acquire_owned()
            .map_err(|_| ServiceError::Unavailable("password check"))?;
        let (reply, answer) = oneshot::channel();
        self.workers.spawn(move || {
            // Released by the work itself: a caller who went away does not let another one in early.
            let _place = place;
            if !reply.is_closed() {
                let _ = reply.send(work());
            }
        });
        answer
            .await
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
    if phc.is_empty() {
        // An account without a password: no password is right, and finding that out takes as long as for any other.
        hash(password)?;
        return Ok(false);
    }
    let parsed = PasswordHash::new(phc)
        .map_err(|error| ServiceError::Internal(anyhow::anyhow!("stored hash: {error}")))?;
    Ok(hasher()?
        .verify_password(password.as_bytes(), &parsed)
        .is_ok())
}
