//! A channel that does not answer is left alone for a while: its callers would wait in vain, and one question now and then
//! finds out when it is back.

use std::sync::{Mutex, MutexGuard, PoisonError};

use chassis::Clock;

use crate::provider::ProviderError;

/// Questions in a row without an answer until the channel is left alone.
pub const PATIENCE: u32 = 3;
/// First pause; it doubles with each question that stays without an answer.
pub const PAUSE_MS: i64 = 5_000;
pub const LONGEST_PAUSE_MS: i64 = 60_000;

#[derive(Default)]
struct State {
    /// Questions without an answer since the last one that had one.
    silent: u32,
    /// No question is asked before.
    until_ms: i64,
    pause_ms: i64,
}

impl State {
    fn is_open(&self) -> bool {
        self.silent >= PATIENCE
    }
}

pub struct Breaker {
    channel: &'static str,
    clock: Clock,
    state: Mutex<State>,
}

impl Breaker {
    pub fn new(channel: &'static str, clock: Clock) -> Self {
        let breaker = Self {
            channel,
            clock,
            state: Mutex::default(),
        };
        breaker.publish(false);
        breaker
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn publish(&self, paused: bool) {
        metrics::gauge!("payment_channel_paused", "channel" => self.channel)
            .set(f64::from(u8::from(paused)));
    }

    /// How many of so many questions may be asked now.
    pub fn allows(&self, wanted: usize) -> usize {
        let state = self.state();
        match state.is_open() {
            false => wanted,
            true if self.clock.now_ms() < state.until_ms => 0,
            true => wanted.min(1),
        }
    }

    /// Asks, unless the channel is left alone. After a pause the first question goes out by itself.
    pub async fn ask<T>(
        &self,
        question: impl Future<Output = Result<T, ProviderError>>,
    ) -> Result<T, ProviderError> {
        if !self.admits() {
            return Err(ProviderError::Paused);
        }
        let answer = question.await;
        match &answer {
            Err(ProviderError::Silent(_)) => self.stayed_silent(),
            _ => self.answered(),
        }
        answer
    }

    fn admits(&self) -> bool {
        let now = self.clock.now_ms();
        let mut state = self.state();
        if !state.is_open() {
            return true;
        }
        if now < state.until_ms {
            return false;
        }
        // The others wait for what this one finds out, but not for ever: it may be dropped.
        state.until_ms = now + state.pause_ms;
        true
    }

    fn stayed_silent(&self) {
        let mut state = self.state();
        state.silent = state.silent.saturating_add(1);
        if !state.is_open() {
            return;
        }
        state.pause_ms = (state.pause_ms * 2).clamp(PAUSE_MS, LONGEST_PAUSE_MS);
        state.until_ms = self.clock.now_ms() + state.pause_ms;
        let pause_ms = state.pause_ms;
        drop(state);
        tracing::error!(
            channel = self.channel,
            pause_ms,
            "channel does not answer: it is left alone for a while"
        );
        self.publish(true);
    }

    fn answered(&self) {
        let was_open = std::mem::take(&mut *self.state()).is_open();
        if was_open {
            tracing::info!(channel = self.channel, "channel answers again");
            self.publish(false);
        }
    }
}
