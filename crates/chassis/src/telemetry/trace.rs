//! One trace through everything: W3C trace context taken up, passed on, and begun.

use std::cell::Cell;
use std::collections::HashMap;

use opentelemetry::Context;
use opentelemetry::trace::{SpanId, TraceContextExt, TraceId};
use opentelemetry_sdk::trace::{IdGenerator, RandomIdGenerator};
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// Target of the spans that traces consist of.
pub const SPANS: &str = "spans";

const HEADER: &str = "traceparent";

thread_local! {
    /// The number that the next trace begun on this thread gets.
    static NEXT: Cell<Option<TraceId>> = const { Cell::new(None) };
}

/// Random numbers, but for traces that are to have the number of their request.
#[derive(Debug, Default)]
pub(super) struct Numbers(RandomIdGenerator);

impl IdGenerator for Numbers {
    fn new_trace_id(&self) -> TraceId {
        NEXT.take().unwrap_or_else(|| self.0.new_trace_id())
    }

    fn new_span_id(&self) -> SpanId {
        self.0.new_span_id()
    }
}

/// The W3C `traceparent` of what runs now; empty outside of any trace.
pub fn traceparent() -> String {
    let mut carrier = HashMap::new();
    opentelemetry::global::get_text_map_propagator(|propagator| {
        propagator.inject_context(&Context::current(), &mut carrier);
    });
    carrier.remove(HEADER).unwrap_or_default()
}

/// The number of the trace that runs now, 32 hex digits; none outside of any.
pub fn trace_id() -> Option<String> {
    let context = Context::current();
    let span = context.span();
    let span = span.span_context();
    span.is_valid().then(|| span.trace_id().to_string())
}

/// Makes `span` a child of the span that `traceparent` names, if it names one. Before the span is entered.
pub fn continue_trace(span: &tracing::Span, traceparent: &str) {
    if traceparent.is_empty() {
        return;
    }
    let carrier = HashMap::from([(HEADER.to_owned(), traceparent.to_owned())]);
    let context =
        opentelemetry::global::get_text_map_propagator(|propagator| propagator.extract(&carrier));
    // An error only says that this span is not recorded.
    let _ = span.set_parent(context);
}

/// Lets `span` begin a trace that has the number of its request, where that is 32 hex digits.
pub fn begin_trace(span: &tracing::Span, request_id: &str) {
    let number = TraceId::from_hex(request_id).ok();
    NEXT.set(number.filter(|number| request_id.len() == 32 && *number != TraceId::INVALID));
    // Builds the span, which asks for the number.
    let _ = span.context();
    NEXT.set(None);
}

/// A trace context for a process that records nothing itself: of the trace with that number, not sampled.
pub fn new_traceparent(trace_id: &str) -> String {
    let span = rand::random_range(1..=u64::MAX);
    format!("00-{trace_id}-{span:016x}-00")
}

/// Whether a text from outside is a trace context of version 0: lower-case hex digits, neither number zero.
pub fn is_traceparent(text: &str) -> bool {
    let hex = |part: &str, length: usize| {
        part.len() == length && part.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    let some = |part: &str| part.bytes().any(|b| b != b'0');
    let mut parts = text.split('-');
    let (Some(version), Some(trace), Some(span), Some(flags), None) = (
        parts.next(),
        parts.next(),
        parts.next(),
        parts.next(),
        parts.next(),
    ) else {
        return false;
    };
    version == "00" && hex(trace, 32) && some(trace) && hex(span, 16) && some(span) && hex(flags, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_trace_contexts_are_taken() {
        let good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        assert!(is_traceparent(good));
        assert!(is_traceparent(&new_traceparent(
            "0af7651916cd43dd8448eb211c80319c"
        )));
        for wrong in [
            "",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
            "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
            "00-0af7651916cd43dd8448eb211c8031-b7ad6b7169203331-01",
        ] {
            assert!(!is_traceparent(wrong), "{wrong}");
        }
        assert!(!is_traceparent(&format!("{good}\n")));
    }
}
