//! Progress on stderr.

use super::args::ProgressKind;
use crate::progress::{Level, Progress, Stage};
use serde_json::json;
use std::sync::atomic::{AtomicI64, Ordering};

pub struct Listener {
    kind: ProgressKind,
    /// Last percentage reported; a bar never moves backwards.
    last: AtomicI64,
}

impl Listener {
    pub fn new(kind: ProgressKind) -> Listener {
        Listener {
            kind,
            last: AtomicI64::new(-1),
        }
    }
}

impl Progress for Listener {
    fn report(&self, percent: f64, stage: Stage, message: &str) {
        let percent = percent.round() as i64;
        if self.last.fetch_max(percent, Ordering::Relaxed) >= percent {
            return;
        }
        match self.kind {
            ProgressKind::None => {}
            ProgressKind::Json => {
                let line = json!({"type": "progress", "percent": percent, "stage": stage.name(), "message": message});
                eprintln!("{line}");
            }
            ProgressKind::Text => eprintln!("{percent:>3}% {message}"),
        }
    }

    fn log(&self, level: Level, message: &str) {
        let level = match level {
            Level::Info => "info",
            Level::Warn => "warn",
        };
        match self.kind {
            ProgressKind::None => {}
            ProgressKind::Json => eprintln!(
                "{}",
                json!({"type": "log", "level": level, "message": message})
            ),
            ProgressKind::Text => eprintln!("     {message}"),
        }
    }
}
