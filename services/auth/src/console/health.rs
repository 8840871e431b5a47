//! How all services are, from the reports of their processes ([`chassis::health::report`]), and what consumers have not handled.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use chassis::Context;
use chassis::bus::Retried;
use chassis::dead_letters::DeadLetters;
use chassis::health::report::{self, Report, ServiceReport};
use proto::auth::v1::*;
use proto::catalogue;
use proto::events::{CONSUMERS, ConsumerInfo};

/// Not a service of its own package, and without a database.
const GATEWAY: &str = "gateway";
/// Longest time that the question how much waits for consumers may take.
const LIMIT: Duration = Duration::from_secs(5);
/// In the place of a number that cannot be known now.
const UNKNOWN: i64 = -1;

/// `audited`: number of audit entries.
pub(super) async fn overview(
    context: &Context,
    letters: &DeadLetters,
    audited: i64,
) -> RunningOverviewReply {
    let now_ms = context.clock.now_ms();
    let own = context.parts.report().await;
    let known = report::all(&context.cache, now_ms).await;
    let cache = known.is_ok();
    let mut reports = known.unwrap_or_else(|error| {
        tracing::warn!(%error, "the reports of other processes cannot be read");
        Vec::new()
    });
    // How this process is now, not when it last reported.
    reports.retain(|report| report.process != own.process);
    reports.push(own);
    let services = services(&reports, now_ms);
    RunningOverviewReply {
        unsent: services.iter().map(|service| service.unsent).sum(),
        services,
        queues: queues(letters, retried(&reports, now_ms)).await,
        audited,
        parts: parts(&reports, cache, now_ms),
    }
}

fn services(reports: &[Report], now_ms: i64) -> Vec<RunningService> {
    let mut names: BTreeSet<&str> = catalogue::all_services();
    names.insert(GATEWAY);
    names.extend(
        reports
            .iter()
            .flat_map(|report| report.services.keys().map(String::as_str)),
    );
    names
        .into_iter()
        .map(|name| service(name, reports, now_ms))
        .collect()
}

fn service(name: &str, reports: &[Report], now_ms: i64) -> RunningService {
    let of = |report| Some((report, Report::service(report, name)?));
    let mut shown = RunningService {
        name: name.to_owned(),
        ..Default::default()
    };
    for (report, service) in reports.iter().filter_map(of) {
        let problems = problems(report, service, now_ms);
        let ready = problems.is_empty();
        shown.ready |= ready;
        // Replicas share one outbox.
        if report.is_heard(now_ms) {
            shown.unsent = shown.unsent.max(service.unsent as i64);
            shown.unsent_ms = shown.unsent_ms.max(service.unsent_ms as i64);
        }
        shown.instances.push(RunningInstance {
            name: report.process.clone(),
            version: report.version.clone(),
            started_at: report.started_at_ms,
            reported_at: report.at_ms,
            ready,
            problems: problems.into_iter().map(str::to_owned).collect(),
        });
    }
    shown
}

/// What does not work of a service in a process. What all its services depend on is no problem of one.
fn problems(report: &Report, service: &ServiceReport, now_ms: i64) -> Vec<&'static str> {
    if !report.is_heard(now_ms) {
        return vec!["没有按时报告，可能已停止"];
    }
    let health = service.health;
    [
        (health.database, "数据库没有响应"),
        (health.relay, "事件投递停滞"),
        (health.outbox, "事件没有投递出去"),
    ]
    .into_iter()
    .filter_map(|(works, problem)| (!works).then_some(problem))
    .collect()
}

fn parts(reports: &[Report], cache: bool, now_ms: i64) -> Vec<RunningPart> {
    let failing = |works: fn(&Report) -> bool| -> Vec<String> {
        let heard = reports.iter().filter(|report| report.is_heard(now_ms));
        heard
            .filter(|report| !works(report))
            .map(|report| report.process.clone())
            .collect()
    };
    let part = |name: &str, failing: Vec<String>| RunningPart {
        name: name.to_owned(),
        ready: failing.is_empty(),
        failing,
    };
    vec![
        // Processes report by way of it: only the one that answers can tell.
        RunningPart {
            ready: cache,
            ..part("cache", Vec::new())
        },
        part("bus", failing(|report| report.bus)),
        part("objects", failing(|report| report.objects)),
        part("disk", failing(|report| report.disk)),
    ]
}

/// What consumers try again, by consumer, the last try of each event.
fn retried(reports: &[Report], now_ms: i64) -> BTreeMap<String, Vec<RunningRetry>> {
    let heard = reports.iter().filter(|report| report.is_heard(now_ms));
    let mut last: BTreeMap<(&str, &str), &Retried> = BTreeMap::new();
    for tried in heard.flat_map(|report| &report.retrying) {
        let of = last.entry((&tried.consumer, &tried.id)).or_insert(tried);
        if of.at_ms < tried.at_ms {
            *of = tried;
        }
    }
    let mut by_consumer: BTreeMap<String, Vec<RunningRetry>> = BTreeMap::new();
    for tried in last.into_values() {
        let of = by_consumer.entry(tried.consumer.clone()).or_default();
        of.push(RunningRetry {
            id: tried.id.clone(),
            key: tried.key.clone(),
            error: tried.error.clone(),
            tries: tried.tries as i32,
            at: tried.at_ms,
        });
    }
    by_consumer
}

async fn queues(
    letters: &DeadLetters,
    mut retried: BTreeMap<String, Vec<RunningRetry>>,
) -> Vec<RunningQueue> {
    let mut queue = |name: &str, waiting: i64, dead: i64| RunningQueue {
        name: name.to_owned(),
        dead,
        waiting,
        retrying: retried.remove(name).unwrap_or_default(),
    };
    let backlogs = match tokio::time::timeout(LIMIT, letters.backlogs()).await {
        Ok(Ok(backlogs)) => backlogs,
        Ok(Err(error)) => {
            tracing::warn!(%error, "what waits for consumers cannot be counted");
            Vec::new()
        }
        Err(_) => {
            tracing::warn!("what waits for consumers is not counted in time");
            Vec::new()
        }
    };
    let shown = |consumer: &ConsumerInfo| {
        let known = backlogs.iter().find(|of| of.consumer == consumer.name);
        match known.and_then(|of| of.counts) {
            Some(counts) => queue(consumer.name, counts.waiting as i64, counts.dead as i64),
            None => queue(consumer.name, UNKNOWN, UNKNOWN),
        }
    };
    CONSUMERS.iter().map(shown).collect()
}
