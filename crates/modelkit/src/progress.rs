//! Progress, log lines and cancellation.

use crate::limits::Limits;
use crate::{Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Read,
    Check,
    Simplify,
    Textures,
    Write,
}

impl Stage {
    pub fn name(self) -> &'static str {
        match self {
            Stage::Read => "read",
            Stage::Check => "check",
            Stage::Simplify => "simplify",
            Stage::Textures => "textures",
            Stage::Write => "write",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Info,
    Warn,
}

/// A listener for progress. Messages are Chinese and shown to the user.
pub trait Progress: Sync {
    /// `percent` 0…100 of the whole command.
    fn report(&self, _percent: f64, _stage: Stage, _message: &str) {}
    fn log(&self, _level: Level, _message: &str) {}
    fn cancelled(&self) -> bool {
        false
    }
}

/// Ignores all progress.
pub struct Silent;
impl Progress for Silent {}

/// Only passes cancellation on, for steps of a task that reports progress itself.
pub struct Unheard<'a>(pub &'a dyn Progress);

impl Progress for Unheard<'_> {
    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}

/// Limits and listener, passed to every reader, step and writer.
pub struct Ctx<'a> {
    pub limits: Limits,
    pub progress: &'a dyn Progress,
    /// The part of the whole command that this context covers, in percent.
    pub span: (f64, f64),
}

impl<'a> Ctx<'a> {
    pub fn new(progress: &'a dyn Progress) -> Ctx<'a> {
        Ctx {
            limits: Limits::default(),
            progress,
            span: (0.0, 100.0),
        }
    }

    /// The same context for the part `from`…`to` (fractions of this one's span).
    pub fn part(&self, from: f64, to: f64) -> Ctx<'a> {
        let width = self.span.1 - self.span.0;
        let span = (self.span.0 + width * from, self.span.0 + width * to);
        Ctx {
            limits: self.limits.clone(),
            progress: self.progress,
            span,
        }
    }

    /// Reports `fraction` (0…1) of this part; fails if the task was cancelled.
    pub fn report(&self, stage: Stage, fraction: f64, message: &str) -> Result<()> {
        if self.progress.cancelled() {
            return Err(Error::Cancelled);
        }
        let (from, to) = self.span;
        self.progress.report(
            from + (to - from) * fraction.clamp(0.0, 1.0),
            stage,
            message,
        );
        Ok(())
    }

    pub fn info(&self, message: &str) {
        self.progress.log(Level::Info, message);
    }

    pub fn warn(&self, message: &str) {
        self.progress.log(Level::Warn, message);
    }
}
