//! What is done after a commit, and not without it: pushes, which may not announce what is rolled back.

use std::sync::{Mutex, PoisonError};

type Work = Box<dyn FnOnce() + Send>;

tokio::task_local! {
    static WAITING: Mutex<Vec<Work>>;
}

/// Runs `work`, which ends with a commit. What it has put off by [`after_commit`] is done when it succeeds, and dropped when it does
/// not. Events are handled within this; a caller that commits by itself and calls what puts off has to use it.
pub async fn committing<T, E>(work: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    let observed = async {
        let outcome = work.await;
        let waiting = WAITING.with(|waiting| {
            let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *waiting)
        });
        (outcome, waiting)
    };
    let (outcome, waiting) = WAITING.scope(Mutex::default(), observed).await;
    if outcome.is_ok() {
        for work in waiting {
            work();
        }
    }
    outcome
}

/// Puts off work until the [`committing`] around the caller has succeeded.
pub fn after_commit(work: impl FnOnce() + Send + 'static) {
    let mut work: Option<Work> = Some(Box::new(work));
    let put_off = WAITING.try_with(|waiting| {
        let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.extend(work.take());
    });
    if put_off.is_err() {
        debug_assert!(false, "after_commit outside of committing");
        tracing::error!("after_commit outside of committing: done at once");
        if let Some(work) = work.take() {
            work();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test]
    async fn what_is_put_off_follows_success_and_nothing_else() {
        let done = Arc::new(AtomicU32::new(0));
        let put_off = |outcome: Result<(), ()>| {
            let done = done.clone();
            async move {
                after_commit({
                    let done = done.clone();
                    move || {
                        done.fetch_add(1, Ordering::SeqCst);
                    }
                });
                tokio::task::yield_now().await;
                assert_eq!(done.load(Ordering::SeqCst), 0, "not before");
                outcome
            }
        };
        assert!(committing(put_off(Err(()))).await.is_err());
        assert_eq!(done.load(Ordering::SeqCst), 0);
        assert!(committing(put_off(Ok(()))).await.is_ok());
        assert_eq!(done.load(Ordering::SeqCst), 1);
    }
}
