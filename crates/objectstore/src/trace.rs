//! Trace context of requests, on both sides: W3C `traceparent` through OpenTelemetry's API alone, so that the process
//! decides where spans are exported.

use http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::propagation::{Extractor, Injector};
use opentelemetry::{Context, global};
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// Target of trace spans, the same everywhere in the product.
pub(crate) const SPANS: &str = "spans";

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.to_str().ok()
    }
    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}

struct Added<'a>(&'a mut HeaderMap);

impl Injector for Added<'_> {
    fn set(&mut self, name: &str, value: String) {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            self.0.insert(name, value);
        }
    }
}

/// Makes `span` part of the trace that a request's `traceparent` names, if any.
pub(crate) fn continue_trace(span: &tracing::Span, headers: &HeaderMap) {
    if headers.contains_key("traceparent") {
        let context = global::get_text_map_propagator(|p| p.extract(&Headers(headers)));
        // The error only means that this span is not recorded.
        let _ = span.set_parent(context);
    }
}

/// Adds the current trace context to a request's headers.
pub(crate) fn pass_on(headers: &mut HeaderMap) {
    global::get_text_map_propagator(|p| p.inject_context(&Context::current(), &mut Added(headers)));
}
