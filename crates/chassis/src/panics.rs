//! A panic in one piece of work must not end the loop that does the next ones.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use futures::FutureExt;

/// The work panicked, with this message.
#[derive(Debug, thiserror::Error)]
#[error("panicked: {0}")]
pub(crate) struct Panicked(String);

/// Does `work`; a panic is an error. What the work held is dropped: a transaction is rolled back.
///
/// It is put on the heap: such work is large, and nested in more work, whose copies would fill the stack of a thread.
pub(crate) fn caught<T>(
    work: impl Future<Output = T>,
) -> impl Future<Output = Result<T, Panicked>> {
    let done = AssertUnwindSafe(Box::pin(work)).catch_unwind();
    done.map(|done| done.map_err(|payload| Panicked(message_of(payload.as_ref()))))
}

fn message_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a message").to_owned()
}
