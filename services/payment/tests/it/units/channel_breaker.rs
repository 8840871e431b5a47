//! Unit tests of `channel::breaker`.

use chassis::Clock;
use xl_payment::internals::{Breaker, LONGEST_PAUSE_MS, PATIENCE, PAUSE_MS, ProviderError};

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
