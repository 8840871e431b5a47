//! A channel that does not answer is left alone for a while: whoever waits for it would wait in vain, and one question
//! now and then finds out when it is back.

use std::sync::{Mutex, MutexGuard, PoisonError};

use chassis::Clock;

use crate::provider::ProviderError;

/// Questions in a row without an answer until the channel is left alone.
const PATIENCE: u32 = 3;
/// First pause; it doubles with each question that stays without an answer.
const PAUSE_MS: i64 = 5_000;
const LONGEST_PAUSE_MS: i64 = 60_000;

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

pub(crate) struct Breaker {
    channel: &'static str,
    clock: Clock,
    state: Mutex<State>,
}

impl Breaker {
    pub(crate) fn new(channel: &'static str, clock: Clock) -> Self {
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
    pub(crate) fn allows(&self, wanted: usize) -> usize {
        let state = self.state();
        match state.is_open() {
            false => wanted,
            true if self.clock.now_ms() < state.until_ms => 0,
            true => wanted.min(1),
        }
    }

    /// Asks, unless the channel is left alone. After a pause the first question goes out by itself.
    pub(crate) async fn ask<T>(
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

#[cfg(test)]
mod tests {
    use super::*;

    async fn silent(breaker: &Breaker) -> Result<(), ProviderError> {
        let lost = async { Err(ProviderError::Silent("no answer".to_owned())) };
        breaker.ask(lost).await
    }

    #[tokio::test]
    async fn a_silent_channel_is_left_alone_and_asked_now_and_then() {
        let clock = Clock::system();
        let breaker = Breaker::new("alipay", clock.clone());
        for _ in 0..PATIENCE {
            assert_eq!(breaker.allows(8), 8);
            assert!(matches!(
                silent(&breaker).await,
                Err(ProviderError::Silent(_))
            ));
        }
        assert_eq!(breaker.allows(8), 0);
        assert!(matches!(silent(&breaker).await, Err(ProviderError::Paused)));
        clock.advance_ms(PAUSE_MS);
        assert_eq!(breaker.allows(8), 1);
        assert!(matches!(
            silent(&breaker).await,
            Err(ProviderError::Silent(_))
        ));
        // The pause has doubled.
        clock.advance_ms(PAUSE_MS + 1000);
        assert_eq!(breaker.allows(8), 0);
        clock.advance_ms(PAUSE_MS);
        assert!(breaker.ask(async { Ok(()) }).await.is_ok());
        assert_eq!(breaker.allows(8), 8);
    }

    #[tokio::test]
    async fn a_channel_that_refuses_answers() {
        let breaker = Breaker::new("wechat", Clock::system());
        for _ in 0..2 * PATIENCE {
            let refused = async { Err(ProviderError::Refused("no".to_owned())) };
            let answer: Result<(), _> = breaker.ask(refused).await;
            assert!(matches!(answer, Err(ProviderError::Refused(_))));
        }
        assert_eq!(breaker.allows(8), 8);
    }

    #[tokio::test]
    async fn while_one_finds_out_the_others_are_not_asked() {
        let clock = Clock::system();
        let breaker = Breaker::new("alipay", clock.clone());
        for _ in 0..PATIENCE {
            let _ = silent(&breaker).await;
        }
        clock.advance_ms(LONGEST_PAUSE_MS);
        let first = breaker.ask(async {
            assert!(matches!(silent(&breaker).await, Err(ProviderError::Paused)));
            Ok(())
        });
        assert!(first.await.is_ok());
    }
}
