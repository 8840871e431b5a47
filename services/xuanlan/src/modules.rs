//! The services of the program. Adding one is a line here and a row in services.toml: docs/adding-a-service.md.

use chassis::Module;

/// Every service, in the order in which `xuanlan run` starts them.
pub const MODULES: &[&dyn Module] = &[
    &xl_auth::Module,
    &xl_personal::Module,
    &xl_process::Module,
    &xl_order::Module,
    &xl_payment::Module,
    &xl_analytics::Module,
    &xl_transaction::Module,
    &xl_works::Module,
    &xl_content::Module,
    &xl_matchup::Module,
];

/// The service of a name.
pub fn find(name: &str) -> Option<&'static dyn Module> {
    MODULES.iter().copied().find(|module| module.name() == name)
}

/// The defaults of everything that runs in one process.
pub fn defaults() -> Vec<&'static str> {
    let around = [
        gateway::DEFAULTS,
        sandbox::DEFAULTS,
        include_str!("default.toml"),
    ];
    let services = MODULES.iter().map(|module| module.defaults());
    around.into_iter().chain(services).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use chassis::testing::{SitePage, site_pages};
    use toml::{Table, Value};

    use super::*;

    fn register() -> Table {
        include_str!("../../../services.toml").parse().unwrap()
    }

    fn all_defaults() -> Table {
        let mut all = Table::new();
        for text in defaults().into_iter().chain([chassis::config::DEFAULTS]) {
            for (section, value) in text.parse::<Table>().unwrap() {
                all.entry(section).or_insert(value);
            }
        }
        all
    }

    fn is(row: &Value, key: &str) -> bool {
        row.get(key).and_then(Value::as_bool).unwrap_or(false)
    }

    /// Names of the rows of services that `chosen` holds for.
    fn rows(chosen: impl Fn(&Value) -> bool) -> BTreeSet<String> {
        let rows = register().into_iter();
        rows.filter(|(_, row)| row.get("role").is_none() && chosen(row))
            .map(|(name, _)| name)
            .collect()
    }

    #[test]
    fn the_register_and_the_program_know_the_same_services() {
        let known: BTreeSet<String> = MODULES.iter().map(|m| m.name().to_owned()).collect();
        assert_eq!(known.len(), MODULES.len(), "a name stands twice");
        assert_eq!(rows(|_| true), known);
    }

    #[test]
    fn defaults_listen_on_the_ports_of_the_register() {
        let defaults = all_defaults();
        for (name, row) in register() {
            let listen = defaults[&name]["listen"].as_str().unwrap();
            let port = row["port"].as_integer().unwrap();
            assert_eq!(listen, format!("127.0.0.1:{port}"), "{name}");
        }
    }

    /// A service without Kafka's address would delete its events for topics after a day, unsent.
    #[test]
    fn services_with_events_for_topics_use_the_stream() {
        let uses_stream = |row: &Value| {
            let uses = row.get("uses").and_then(Value::as_array);
            uses.is_some_and(|uses| uses.iter().any(|part| part.as_str() == Some("stream")))
        };
        let streaming = proto::events::EVENTS
            .iter()
            .filter(|event| event.topic.is_some());
        let streaming: BTreeSet<String> =
            streaming.map(|event| event.publisher.to_owned()).collect();
        assert_eq!(streaming, rows(uses_stream), "uses of services.toml");
    }

    #[test]
    fn databases_with_what_was_paid_commit_to_the_disk() {
        let defaults = all_defaults();
        let synced = defaults["database"]["full_sync"].as_array().unwrap();
        let synced: BTreeSet<String> = synced
            .iter()
            .map(|name| name.as_str().unwrap().to_owned())
            .collect();
        assert_eq!(synced, rows(|row| is(row, "money") || is(row, "lasting")));
    }

    /// Columns that hold the login id of the user whose row it is.
    const OWNERS: [&str; 3] = ["owner", "login_id", "seller"];

    /// Whether a table's rows belong to users and are not identified by the user alone: the primary key is more than that column.
    /// `columns` are those of its `Model`.
    fn is_owned(columns: &str) -> bool {
        let (mut names, mut keys) = (Vec::new(), Vec::new());
        let mut key = false;
        for line in columns.lines().map(str::trim) {
            key |= line.starts_with("#[") && line.contains("primary_key");
            let column = line
                .strip_prefix("pub ")
                .and_then(|line| line.split_once(": "));
            let Some((name, of)) = column else { continue };
            if std::mem::take(&mut key) {
                keys.push(name);
            }
            // Rows whose owner is optional are found by another column.
            if of == "String," && OWNERS.contains(&name) {
                names.push(name);
            }
        }
        names.first().is_some_and(|owner| keys != [*owner])
    }

    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }

    /// Sources of all services but this program's own.
    fn of_services() -> Vec<PathBuf> {
        let services = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let own = services.join("xuanlan");
        let mut files = Vec::new();
        for service in fs::read_dir(services).unwrap() {
            let service = service.unwrap().path();
            if service != own {
                sources(&service.join("src"), &mut files);
            }
        }
        files
    }

    /// Paths in string literals that begin like a page's, without queries.
    fn addresses<'a>(text: &'a str, beginnings: &BTreeSet<String>) -> Vec<&'a str> {
        let quoted = text.split("\"/").skip(1);
        let paths = quoted.filter_map(|rest| rest.split(['"', '?', '#', '{']).next());
        paths
            .filter(|path| {
                let first = path.split('/').next().unwrap_or_default();
                beginnings.contains(&first.to_lowercase())
            })
            .collect()
    }

    #[test]
    fn what_services_link_to_is_a_page_of_the_site() {
        let pages = site_pages();
        let there: BTreeSet<String> = pages
            .iter()
            .filter(|page| page.state != "gone")
            .map(SitePage::address)
            .collect();
        let beginnings = there
            .iter()
            .filter_map(|path| path.split('/').nth(1))
            .filter(|first| !first.is_empty())
            .map(str::to_owned)
            .collect();
        let mut links = 0;
        for path in of_services() {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for address in addresses(code, &beginnings) {
                let known = there.contains(&format!("/{}", address.to_lowercase()));
                assert!(known, "{}: /{address} is no page", path.display());
                links += 1;
            }
        }
        assert!(links > 30, "{links} links");
    }

    #[test]
    fn a_table_of_users_rows_has_no_query_without_an_owner() {
        let mut owned = 0;
        for path in of_services() {
            let text = fs::read_to_string(&path).unwrap();
            for entity in text.split("pub struct Model {").skip(1) {
                let columns = entity
                    .split_once("}\n")
                    .map_or(entity, |(columns, _)| columns);
                let declared = entity.contains("chassis::owned!(");
                assert_eq!(
                    declared,
                    is_owned(columns),
                    "{}: chassis::owned! belongs beside a table with one of the columns {OWNERS:?}",
                    path.display()
                );
                owned += usize::from(declared);
            }
        }
        assert!(owned >= 51, "{owned} tables were found");
    }
}
