//! The table of events against its users: versions running side by side, readers of topics, scripts that name keys.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proto::events::{EVENTS, consumer, of_key, streamed_by};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Broker names that other versions use: those running beside this one would lose events if they changed.
#[test]
fn names_on_brokers_stay() {
    let bindings = [
        ("order", "payment.attempt.succeeded"),
        ("order", "payment.attempt.failed"),
        ("order", "payment.order.fulfilled"),
        ("order", "personal.order.fulfilled"),
        ("order", "personal.membership.changed"),
        ("payment", "order.order.paid"),
        ("payment", "order.payment.refused"),
        ("personal", "auth.account.registered"),
        ("personal", "process.statistics.changed"),
        ("personal", "order.order.paid"),
        ("process", "personal.membership.changed"),
    ];
    for (name, key) in bindings {
        let keys = consumer(name).map_or(&[][..], |known| known.keys);
        assert!(keys.contains(&key), "{name} does not consume {key}");
    }
    let topics = [
        ("order.order.paid", "orders"),
        ("order.order.ended", "orders"),
        ("order.payment.refused", "orders"),
        ("order.refund.approved", "orders"),
        ("payment.attempt.succeeded", "payments"),
        ("payment.attempt.failed", "payments"),
        ("payment.refund.succeeded", "payments"),
        ("payment.order.fulfilled", "payments"),
        ("process.check.finished", "checks"),
    ];
    for (key, topic) in topics {
        assert_eq!(
            of_key(key).and_then(|event| event.topic),
            Some(topic),
            "{key}"
        );
    }
}

#[test]
fn every_message_of_a_topic_has_json() {
    for event in EVENTS.iter().filter(|event| event.topic.is_some()) {
        assert!(proto::json::of(event.message, &[]).is_ok(), "{}", event.key);
    }
    assert_eq!(streamed_by("order").count(), 4);
    assert_eq!(streamed_by("auth").count(), 0);
    assert!(of_key("auth.account.registered").unwrap().topic.is_none());
    assert!(of_key("auth.account.registred").is_none());
}

/// docs/events.md must have a row for each exported event below its topic, and no other rows.
#[test]
fn the_page_for_readers_is_true() {
    let page = fs::read_to_string(root().join("docs/events.md")).unwrap();
    let mut rows = BTreeSet::new();
    let mut topic = String::new();
    for line in page.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line
            .split('|')
            .map(|cell| cell.trim().trim_matches('`'))
            .collect();
        if let Some(name) = cells[1].strip_prefix("xuanlan.") {
            topic = name.to_owned();
        }
        if cells[2].split('.').count() == 3 && !cells[2].contains(' ') && cells.len() == 6 {
            rows.insert((topic.clone(), cells[2].to_owned()));
        }
    }
    let streamed = |event: &proto::events::EventInfo| {
        event
            .topic
            .map(|topic| (topic.to_owned(), event.key.to_owned()))
    };
    let due: BTreeSet<(String, String)> = EVENTS.iter().filter_map(streamed).collect();
    assert_eq!(rows, due);
}

/// Scripts, tests in other languages and documents name keys as text: everything that looks like a key must be one.
#[test]
fn every_key_that_scripts_and_documents_name_exists() {
    let mut unknown = Vec::new();
    let mut found = 0;
    for folder in [
        "scripts",
        "deploy",
        "tests/chaos",
        "tests/operations",
        "docs",
    ] {
        for path in files(&root().join(folder)) {
            let Ok(text) = fs::read_to_string(&path) else {
                continue;
            };
            for name in keys_in(&text) {
                found += 1;
                if of_key(name).is_none() {
                    unknown.push(format!("{}: {name}", path.display()));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    assert!(found > 20, "only {found} keys found");
}

#[test]
fn a_misspelt_key_is_seen() {
    let text = "say('order.order.payd', \"order.ordre.paid\", `auth.sms.sender`)";
    let seen: Vec<&str> = keys_in(text).collect();
    assert_eq!(seen, ["order.order.payd", "order.ordre.paid"]);
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("node_modules") {
            all.extend(files(&path));
        } else if path.is_file() {
            all.push(path);
        }
    }
    all
}

/// Quoted texts of three words that share the publisher, and the thing or the fact, with an event.
fn keys_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(['"', '\'', '`', '\n']).filter(|word| {
        let parts: Vec<&str> = word.split('.').collect();
        let plain = |part: &&str| part.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        parts.len() == 3
            && parts.iter().all(|part| !part.is_empty() && plain(part))
            && EVENTS.iter().any(|event| {
                let known: Vec<&str> = event.key.split('.').collect();
                known[0] == parts[0] && (known[1] == parts[1] || known[2] == parts[2])
            })
    })
}
