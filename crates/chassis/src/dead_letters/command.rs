//! What the command line asks for.

use anyhow::Context as _;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::{Backlog, Command, DeadLetter, DeadLetters, Verdict};

/// Most letters that are shown, or gone through, in one call.
const MOST: u32 = 10_000;

pub(super) async fn run(letters: &DeadLetters, command: Command) -> anyhow::Result<()> {
    match command {
        Command::List { queue: None, json } => {
            let all = letters.backlogs().await?;
            if json {
                let dead = |of: Backlog| of.counts.map(|counts| counts.dead);
                let all = all.into_iter().map(|of| (of.consumer, dead(of).into()));
                let all: serde_json::Map<String, serde_json::Value> =
                    all.map(|(name, count)| (name.to_owned(), count)).collect();
                println!("{}", serde_json::Value::Object(all));
                return Ok(());
            }
            for Backlog { consumer, counts } in all {
                let dead = counts.map_or("?".to_owned(), |counts| counts.dead.to_string());
                println!("{consumer:<10} {dead:>6}");
            }
        }
        Command::List {
            queue: Some(queue),
            json,
        } => list(letters, known(letters, &queue)?, json).await?,
        Command::Replay { queue, id } => {
            let consumer = known(letters, &queue)?;
            let done = judged(letters, consumer, &id, Verdict::Replay).await?;
            println!("{done} delivered again");
        }
        Command::Drop { queue, id, .. } => {
            let consumer = known(letters, &queue)?;
            let done = judged(letters, consumer, &id, Verdict::Drop).await?;
            println!("{done} dropped");
        }
    }
    Ok(())
}

fn known(letters: &DeadLetters, queue: &str) -> anyhow::Result<&'static str> {
    let found = letters.consumer(queue);
    found.with_context(|| format!("{queue} is no consumer: `dead list` names them"))
}

/// Judges the letters named, or all where none is; answers how many it were.
async fn judged(
    letters: &DeadLetters,
    consumer: &str,
    ids: &[String],
    verdict: Verdict,
) -> anyhow::Result<usize> {
    let mut missing: std::collections::BTreeSet<&str> = ids.iter().map(String::as_str).collect();
    let mut done = 0;
    let judge = |letter: &DeadLetter| {
        let meant = ids.is_empty() || ids.contains(&letter.id);
        if !meant {
            return Verdict::Keep;
        }
        missing.remove(letter.id.as_str());
        done += 1;
        verdict
    };
    letters.go_through(consumer, MOST, judge).await?;
    anyhow::ensure!(
        missing.is_empty(),
        "{done} done; not there: {}",
        missing.into_iter().collect::<Vec<_>>().join(", ")
    );
    Ok(done)
}

async fn list(letters: &DeadLetters, consumer: &str, json: bool) -> anyhow::Result<()> {
    let mut found = Vec::new();
    let look = |letter: &DeadLetter| {
        found.push(letter.clone());
        Verdict::Keep
    };
    letters.go_through(consumer, MOST, look).await?;
    if json {
        println!("{}", serde_json::to_string_pretty(&found)?);
        return Ok(());
    }
    println!(
        "{:<36}  {:<28}  {:<32}  {:<20}  {:<20}  {:<55}  reason",
        "message", "event", "of", "happened", "given up", "trace"
    );
    for letter in &found {
        println!(
            "{:<36}  {:<28}  {:<32}  {:<20}  {:<20}  {:<55}  {}",
            letter.id,
            letter.key,
            letter.aggregate,
            moment(letter.time_ms),
            moment(letter.died_at_ms),
            letter.traceparent,
            letter.reason
        );
    }
    println!("{} dead letters", found.len());
    Ok(())
}

fn moment(ms: i64) -> String {
    let at = OffsetDateTime::from_unix_timestamp(ms.div_euclid(1000)).ok();
    let text = at
        .filter(|_| ms > 0)
        .and_then(|at| at.format(&Rfc3339).ok());
    text.unwrap_or_else(|| "unknown".to_owned())
}
