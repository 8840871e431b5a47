//! Logs, metrics and traces of a process.

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::WithExportConfig;
use serde::Deserialize;
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use crate::Settings;

const UPKEEP: std::time::Duration = std::time::Duration::from_secs(5);

#[derive(Deserialize)]
struct TelemetryConfig {
    log: String,
    format: String,
    otlp: String,
}

/// Keeps the exporters alive; dropping it sends what is left.
pub struct Telemetry {
    traces: Option<opentelemetry_sdk::trace::SdkTracerProvider>,
    metrics: Option<PrometheusHandle>,
}

impl Telemetry {
    /// Metrics in Prometheus' text format.
    pub fn metrics_handle(&self) -> Option<PrometheusHandle> {
        self.metrics.clone()
    }
}

impl Drop for Telemetry {
    fn drop(&mut self) {
        if let Some(provider) = self.traces.take()
            && let Err(error) = provider.shutdown()
        {
            eprintln!("traces not sent: {error}");
        }
    }
}

/// Starts logging, metrics and (when an endpoint is configured) traces, once per process.
pub fn init(settings: &Settings, process: &str) -> anyhow::Result<Telemetry> {
    let config: TelemetryConfig = settings.section("telemetry")?;
    let filter = EnvFilter::try_new(&config.log)?;
    let log = if config.format == "json" {
        tracing_subscriber::fmt::layer()
            .json()
            .with_writer(std::io::stderr)
            .boxed()
    } else {
        tracing_subscriber::fmt::layer()
            .with_target(true)
            .with_writer(std::io::stderr)
            .boxed()
    };
    let mut traces = None;
    let mut span_layer = None;
    if !config.otlp.is_empty() {
        let exporter = opentelemetry_otlp::SpanExporter::builder()
            .with_tonic()
            .with_endpoint(config.otlp)
            .build()?;
        let resource = opentelemetry_sdk::Resource::builder()
            .with_service_name(process.to_owned())
            .build();
        let provider = opentelemetry_sdk::trace::SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource)
            .build();
        span_layer =
            Some(tracing_opentelemetry::layer().with_tracer(provider.tracer(process.to_owned())));
        traces = Some(provider);
    }
    opentelemetry::global::set_text_map_propagator(
        opentelemetry_sdk::propagation::TraceContextPropagator::new(),
    );
    // A second call in one process (tests) keeps the first subscriber and recorder.
    let _ = tracing_subscriber::registry()
        .with(filter)
        .with(log)
        .with(span_layer)
        .try_init();
    let metrics = PrometheusBuilder::new().install_recorder().ok();
    if let Some(handle) = metrics.clone() {
        keep_up(handle);
    }
    Ok(Telemetry { traces, metrics })
}

/// Sums up what histograms have gathered; without it they grow for as long as nobody asks for the metrics. A thread and
/// not a task, as the recorder lives as long as the process, whatever runtimes come and go.
fn keep_up(handle: PrometheusHandle) {
    let upkeep = std::thread::Builder::new().name("metrics".into());
    let started = upkeep.spawn(move || {
        loop {
            std::thread::sleep(UPKEEP);
            handle.run_upkeep();
        }
    });
    if let Err(error) = started {
        tracing::warn!(%error, "histograms are summed up only when metrics are asked for");
    }
}

/// The W3C `traceparent` of the current span; empty when it is not traced.
pub fn traceparent() -> String {
    let context = tracing::Span::current().context();
    let mut carrier = std::collections::HashMap::new();
    opentelemetry::global::get_text_map_propagator(|propagator| {
        propagator.inject_context(&context, &mut carrier);
    });
    carrier.remove("traceparent").unwrap_or_default()
}

/// Makes `span` a child of the trace that `traceparent` names, if it names one.
pub fn continue_trace(span: &tracing::Span, traceparent: &str) {
    if traceparent.is_empty() {
        return;
    }
    let carrier =
        std::collections::HashMap::from([("traceparent".to_owned(), traceparent.to_owned())]);
    let context =
        opentelemetry::global::get_text_map_propagator(|propagator| propagator.extract(&carrier));
    // An error only says that this span is not recorded.
    let _ = span.set_parent(context);
}
