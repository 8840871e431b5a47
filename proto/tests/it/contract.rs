//! The implemented calls against the table of all calls.

use std::collections::HashMap;

use proto::catalogue::calls;
use proto::contract::{Row, console_rows, rows};

#[test]
fn every_open_call_stands_in_the_catalogue() {
    let of = |rows: &mut dyn Iterator<Item = Row>| -> HashMap<&str, &str> {
        rows.map(|row| (row.id, row.path)).collect()
    };
    let (public, console) = (of(&mut rows()), of(&mut console_rows()));
    for call in calls() {
        let rows = if call.is_console() { &console } else { &public };
        let row = rows.get(call.id.as_str());
        assert_eq!(row, Some(&call.path.as_str()), "{}", call.id);
    }
}

#[test]
fn ids_and_paths_stand_once() {
    let (mut ids, mut paths) = (HashMap::new(), HashMap::new());
    for row in rows().chain(console_rows()) {
        assert!(ids.insert(row.id, row.path).is_none(), "{}", row.id);
        assert!(paths.insert(row.path, row.id).is_none(), "{}", row.path);
    }
    assert!(ids.len() > 100);
}
