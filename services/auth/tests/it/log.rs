//! Everything that this program logs, from the first [`listen`] on.

use std::io::Write;
use std::sync::{Mutex, Once, PoisonError};

static TEXT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// The captured log.
pub struct Log;

/// Starts to capture, once for all tests.
pub fn listen() -> Log {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::TRACE)
            .with_ansi(false)
            .with_writer(|| Log)
            .finish();
        tracing::subscriber::set_global_default(subscriber).expect("nobody else listens");
    });
    Log
}

impl Log {
    /// Number of lines that contain all of these.
    pub fn lines(&self, parts: &[&str]) -> usize {
        let bytes = TEXT.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&bytes);
        let has_all = |line: &&str| parts.iter().all(|part| line.contains(part));
        text.lines().filter(has_all).count()
    }
}

impl Write for Log {
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        let mut bytes = TEXT.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.extend_from_slice(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
