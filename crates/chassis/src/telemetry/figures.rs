//! Metrics: histograms with fixed buckets, so that quantiles of several processes can be put together, and what each
//! process takes of its machine.

use std::time::Duration;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// Upper ends of buckets in seconds: for calls and events.
const CALLS: &[f64] = &[
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
];
/// For jobs, which may take an hour, and wait for as long.
const JOBS: &[f64] = &[
    0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 1800.0, 3600.0, 7200.0,
];
/// What histograms of jobs begin with.
const OF_JOBS: &str = "process_job_";

/// How often histograms are summed up and the machine is asked.
const UPKEEP: Duration = Duration::from_secs(5);

/// Installs the recorder of the process; none when there is one already (tests).
pub(super) fn install() -> Option<PrometheusHandle> {
    let handle = PrometheusBuilder::new()
        .set_buckets(CALLS)
        .and_then(|builder| {
            builder.set_buckets_for_metric(Matcher::Prefix(OF_JOBS.to_owned()), JOBS)
        })
        .and_then(PrometheusBuilder::install_recorder)
        .ok()?;
    let machine = metrics_process::Collector::default();
    machine.describe();
    machine.collect();
    keep_up(handle.clone(), machine);
    Some(handle)
}

/// Without it histograms grow until the metrics are scraped. A thread and not a task, as the recorder lives as long as the
/// process, whatever runtimes come and go.
fn keep_up(handle: PrometheusHandle, machine: metrics_process::Collector) {
    let upkeep = std::thread::Builder::new()
        .name("metrics".into())
        .stack_size(256 * 1024);
    let started = upkeep.spawn(move || {
        loop {
            std::thread::sleep(UPKEEP);
            machine.collect();
            handle.run_upkeep();
        }
    });
    if let Err(error) = started {
        tracing::warn!(%error, "histograms are summed up only when metrics are asked for");
    }
}
