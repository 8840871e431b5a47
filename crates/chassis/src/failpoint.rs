//! Places where a step can be made to fail or the process to die, to see that what follows is put right by itself.
//!
//! Nothing happens unless a test arms a place or `XUANLAN_FAILPOINTS` names one (`payment.coin.committed=abort`, several
//! separated by commas); the variable is refused outside development and test.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, bail};

use crate::Settings;

const VARIABLE: &str = "XUANLAN_FAILPOINTS";

/// What happens at an armed place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The step ends with an error, as if its answer had been lost.
    Error,
    /// The process dies at once, as by `kill -9`.
    Abort,
}

/// The armed places of one process; clones share them.
#[derive(Clone, Default)]
pub struct FailPoints {
    any: Arc<AtomicBool>,
    /// Name → what happens, and how often still.
    armed: Arc<Mutex<HashMap<String, (Failure, u32)>>>,
}

impl FailPoints {
    /// What the environment names.
    pub fn from_environment(settings: &Settings) -> anyhow::Result<Self> {
        let points = Self::default();
        let Ok(text) = std::env::var(VARIABLE) else {
            return Ok(points);
        };
        crate::environment::refuse_outside_development(settings, VARIABLE, "nothing", false)?;
        for entry in text.split(',').filter(|entry| !entry.is_empty()) {
            let (name, failure) = entry.split_once('=').context("name=abort or name=error")?;
            let failure = match failure {
                "abort" => Failure::Abort,
                "error" => Failure::Error,
                other => bail!("{VARIABLE}: {other} is neither abort nor error"),
            };
            points.arm(name, failure, u32::MAX);
        }
        Ok(points)
    }

    /// Lets a place fail the next `times` times it is passed.
    pub fn arm(&self, name: &str, failure: Failure, times: u32) {
        self.lock().insert(name.to_owned(), (failure, times));
        self.any.store(true, Ordering::SeqCst);
    }

    /// How often an armed place will still fail; 0 when it was passed as often as was asked.
    pub fn left(&self, name: &str) -> u32 {
        self.lock().get(name).map_or(0, |(_, times)| *times)
    }

    /// A place: fails when it is armed.
    pub fn at(&self, name: &str) -> anyhow::Result<()> {
        if !self.any.load(Ordering::Relaxed) {
            return Ok(());
        }
        let failure = match self.lock().get_mut(name) {
            Some((failure, times)) if *times > 0 => {
                *times -= 1;
                *failure
            }
            _ => return Ok(()),
        };
        match failure {
            Failure::Error => bail!("fail point {name}"),
            Failure::Abort => std::process::abort(),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, (Failure, u32)>> {
        self.armed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_armed_place_fails_as_often_as_asked() {
        let points = FailPoints::default();
        assert!(points.at("a").is_ok());
        points.clone().arm("a", Failure::Error, 2);
        assert!(points.at("a").is_err() && points.at("b").is_ok());
        assert_eq!(points.left("a"), 1);
        assert!(points.at("a").is_err() && points.at("a").is_ok());
    }
}
