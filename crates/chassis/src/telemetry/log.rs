//! The log for machines: one JSON object a line, with the service, and with the request and the trace where there is one.

use std::fmt;

use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// What OpenTelemetry alone reads of a span.
const RESERVED: &str = "otel.";
/// What every line says; no field takes its place.
const OWN: [&str; 4] = ["timestamp", "level", "service", "target"];

/// Writes a line: `timestamp`, `level`, `service`, `target`, `trace`, the fields of the spans around it (`request`, `job`
/// …) and its own, which come first where names meet. The text is `message`.
pub(super) struct Json {
    service: String,
}

impl Json {
    pub(super) fn new(service: &str) -> Self {
        Self {
            service: service.to_owned(),
        }
    }
}

impl<S, N> FormatEvent<S, N> for Json
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut line = Map::new();
        let now = time::OffsetDateTime::now_utc();
        let stamp = now.format(&time::format_description::well_known::Rfc3339);
        line.insert("timestamp".into(), stamp.unwrap_or_default().into());
        line.insert("level".into(), event.metadata().level().as_str().into());
        line.insert("service".into(), self.service.as_str().into());
        line.insert("target".into(), event.metadata().target().into());
        if let Some(trace) = super::trace_id() {
            line.insert("trace".into(), trace.into());
        }
        if let Some(scope) = context.event_scope() {
            for span in scope.from_root() {
                if let Some(Known(fields)) = span.extensions().get::<Known>() {
                    line.extend(fields.clone());
                }
            }
        }
        let mut own = Map::new();
        event.record(&mut Collect(&mut own));
        line.extend(own);
        let text = serde_json::to_string(&line).map_err(|_| fmt::Error)?;
        writeln!(writer, "{text}")
    }
}

/// The fields of a span, kept for the lines inside it.
struct Known(Map<String, Value>);

/// Keeps the fields of spans.
pub(super) struct Fields;

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Fields {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = Map::new();
        attributes.record(&mut Collect(&mut fields));
        if let Some(span) = context.span(id) {
            span.extensions_mut().replace(Known(fields));
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut extensions = span.extensions_mut();
        if let Some(Known(fields)) = extensions.get_mut::<Known>() {
            values.record(&mut Collect(fields));
        }
    }
}

struct Collect<'a>(&'a mut Map<String, Value>);

impl Collect<'_> {
    fn put(&mut self, field: &Field, value: impl Into<Value>) {
        if !field.name().starts_with(RESERVED) && !OWN.contains(&field.name()) {
            self.0.insert(field.name().to_owned(), value.into());
        }
    }
}

impl Visit for Collect<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, format!("{value:?}"));
    }
    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value);
    }
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value);
    }
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value);
    }
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value);
    }
    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value);
    }
}

/// Lets a panic be a line like every other.
pub(super) fn panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        let message = panic.payload_as_str().unwrap_or("panic");
        tracing::error!(place, "{message}");
    }));
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_has_the_fields_of_its_spans_and_its_own() {
        let sink = Sink::default();
        let writer = sink.clone();
        let log = tracing_subscriber::fmt::layer()
            .event_format(Json::new("auth"))
            .with_writer(move || writer.clone());
        let subscriber = tracing_subscriber::registry().with(Fields).with(log);
        tracing::subscriber::with_default(subscriber, || {
            let outer = tracing::info_span!(
                "rpc",
                request = "r1",
                service = "x",
                otel.kind = "server",
                code = 1
            );
            let _outer = outer.enter();
            let inner = tracing::info_span!("job", job = "j1", user = tracing::field::Empty);
            inner.record("user", "u1");
            let _inner = inner.enter();
            tracing::warn!(code = 2, error = %"a \"quoted\"\nline", "not done");
        });
        let written = sink.0.lock().unwrap().clone();
        let text = String::from_utf8(written).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        let line: Value = serde_json::from_str(&text).unwrap();
        for (name, value) in [
            ("service", "auth"),
            ("level", "WARN"),
            ("request", "r1"),
            ("job", "j1"),
            ("user", "u1"),
            ("message", "not done"),
            ("error", "a \"quoted\"\nline"),
        ] {
            assert_eq!(line[name], value, "{text}");
        }
        assert_eq!(line["code"], 2);
        assert!(line.get("otel.kind").is_none());
    }
}
