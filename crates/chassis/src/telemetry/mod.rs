//! Logs, metrics and traces of a process.

mod figures;
mod log;
mod trace;

pub use trace::{
    SPANS, begin_trace, continue_trace, is_traceparent, new_traceparent, trace_id, traceparent,
};

use metrics_exporter_prometheus::PrometheusHandle;
use opentelemetry::trace::TracerProvider;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider, TracerProviderBuilder};
use serde::Deserialize;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use crate::Settings;

#[derive(Deserialize)]
struct TelemetryConfig {
    log: String,
    format: String,
    otlp: String,
}

/// Keeps the exporters alive; dropping it sends what is left.
pub struct Telemetry {
    traces: SdkTracerProvider,
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
        if let Err(error) = self.traces.shutdown() {
            tracing::warn!(%error, "traces not sent");
        }
    }
}

/// Starts logging, metrics and (when an endpoint is configured) traces, once per process.
///
/// Spans of the target [`SPANS`] are what traces consist of; they are kept whatever level is logged, so that log lines can name
/// the request and the trace they belong to. Events of the log never become part of a trace.
pub fn init(settings: &Settings, process: &str) -> anyhow::Result<Telemetry> {
    let config: TelemetryConfig = settings.section("telemetry")?;
    let filter = EnvFilter::try_new(&config.log)?.add_directive(format!("{SPANS}=info").parse()?);
    let json = config.format == "json";
    let log = if json {
        tracing_subscriber::fmt::layer()
            .event_format(log::Json::new(process))
            .with_writer(std::io::stderr)
            .boxed()
    } else {
        tracing_subscriber::fmt::layer()
            .with_target(true)
            .with_writer(std::io::stderr)
            .boxed()
    };
    let traces = provider(&config.otlp, process)?;
    let spans = tracing_opentelemetry::layer()
        .with_tracer(traces.tracer(process.to_owned()))
        .with_location(false)
        .with_threads(false)
        .with_tracked_inactivity(false)
        .with_level(false)
        .with_target(false)
        .with_filter(Targets::new().with_target(SPANS, LevelFilter::INFO));
    opentelemetry::global::set_text_map_propagator(
        opentelemetry_sdk::propagation::TraceContextPropagator::new(),
    );
    // A second call in one process (tests) keeps the first subscriber and recorder.
    let first = tracing_subscriber::registry()
        .with(spans)
        .with(log::Fields.with_filter(filter.clone()))
        .with(log.with_filter(filter))
        .try_init()
        .is_ok();
    if first && json {
        log::panics();
    }
    Ok(Telemetry {
        traces,
        metrics: figures::install(),
    })
}

/// Where spans go. Without an endpoint nowhere: then they only carry the numbers of traces from one process to the next.
fn provider(endpoint: &str, process: &str) -> anyhow::Result<SdkTracerProvider> {
    let builder = SdkTracerProvider::builder().with_id_generator(trace::Numbers::default());
    if endpoint.is_empty() {
        return Ok(builder.with_sampler(Sampler::AlwaysOff).build());
    }
    exporting(builder, endpoint, process)
}

#[cfg(feature = "servers")]
fn exporting(
    builder: TracerProviderBuilder,
    endpoint: &str,
    process: &str,
) -> anyhow::Result<SdkTracerProvider> {
    use opentelemetry_otlp::WithExportConfig;

    let exporter = opentelemetry_otlp::SpanExporter::builder()
        .with_tonic()
        .with_endpoint(endpoint)
        .build()?;
    let resource = opentelemetry_sdk::Resource::builder()
        .with_service_name(process.to_owned())
        .build();
    Ok(builder
        .with_batch_exporter(exporter)
        .with_resource(resource)
        .build())
}

#[cfg(not(feature = "servers"))]
fn exporting(
    _: TracerProviderBuilder,
    endpoint: &str,
    _: &str,
) -> anyhow::Result<SdkTracerProvider> {
    Err(crate::servers::NotBuilt::new("telemetry.otlp", endpoint).into())
}
