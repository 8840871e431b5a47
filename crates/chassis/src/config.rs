//! Configuration: commented defaults embedded in the program, one file over them, environment variables over that.
//!
//! Every key must be in some default, where an empty table takes any key; unknown keys cause a warning.
//! `XUANLAN__SECTION__KEY=value` sets `section.key`; values are read as TOML where that parses (`true`, `5`, `["a"]`), else as
//! text. Where the default is a text so is the value, digits or not.
//! `{data}` in a text value becomes the data folder, `{environment}` what this installation is.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use toml::{Table, Value};

/// The defaults of the parts every service shares.
pub const DEFAULTS: &str = include_str!("default.toml");

/// Prefix of environment variables that set a key.
const ENV_PREFIX: &str = "XUANLAN__";

#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("cannot read configuration file {path}: {source}")]
    Read {
        path: String,
        source: std::io::Error,
    },
    #[error("{path} is not valid TOML: {message}")]
    Parse { path: String, message: String },
    #[error("configuration section [{section}]: {message}")]
    Section { section: String, message: String },
    #[error("{0} names no setting")]
    Unknown(String),
}

/// All configured values. Clones share them: every round of a background task clones the handle of its service.
#[derive(Debug, Clone)]
pub struct Settings {
    root: Arc<Table>,
    /// As the product comes, before file and environment.
    built_in: Arc<Table>,
}

impl Settings {
    /// Loads the shared defaults, `defaults` (one TOML text per service), an optional file and the environment.
    ///
    /// Unknown keys are reported by a warning, not refused: a newer file may serve an older program.
    pub fn load(defaults: &[&str], file: Option<&Path>) -> Result<Self, ConfigError> {
        let variables = std::env::vars().filter(|(name, _)| name.starts_with(ENV_PREFIX));
        Self::load_from(defaults, file, variables)
    }

    /// As [`Settings::load`], with the environment given: for tests.
    pub fn load_from(
        defaults: &[&str],
        file: Option<&Path>,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let mut root = parse("built-in defaults", DEFAULTS)?;
        for text in defaults {
            merge(&mut root, parse("built-in defaults", text)?, None);
        }
        let known = root.clone();
        if let Some(path) = file {
            let name = path.display().to_string();
            let text = std::fs::read_to_string(path).map_err(|source| ConfigError::Read {
                path: name.clone(),
                source,
            })?;
            merge(&mut root, parse(&name, &text)?, Some(&known));
        }
        for (name, text) in variables {
            if let Some(path) = name.strip_prefix(ENV_PREFIX) {
                let keys: Vec<String> = path.split("__").map(str::to_lowercase).collect();
                let value = match (at(&root, &keys), value_of(&text)) {
                    (Some(Value::String(_)), Value::String(quoted)) => Value::String(quoted),
                    (Some(Value::String(_)), _) => Value::String(text),
                    (_, value) => value,
                };
                if !set(&mut root, &keys, value) && !is_open(&known, &keys) {
                    eprintln!("warning: environment variable {name} names no setting");
                }
            }
        }
        let data = match root.get("data").and_then(|d| d.get("dir")) {
            Some(Value::String(dir)) => dir.clone(),
            _ => "data".to_owned(),
        };
        substitute(&mut root, "{data}", &data);
        let environment = match root.get("site").and_then(|s| s.get("environment")) {
            Some(Value::String(name)) => name.clone(),
            _ => "development".to_owned(),
        };
        substitute(&mut root, "{environment}", &environment);
        Ok(Self {
            root: Arc::new(root),
            built_in: Arc::new(known),
        })
    }

    /// One section as a typed value, for example `settings.section::<GatewayConfig>("gateway")`.
    pub fn section<T: DeserializeOwned>(&self, name: &str) -> Result<T, ConfigError> {
        let value = self
            .root
            .get(name)
            .cloned()
            .unwrap_or(Value::Table(Table::new()));
        value
            .try_into()
            .map_err(|e: toml::de::Error| ConfigError::Section {
                section: name.into(),
                message: e.to_string(),
            })
    }

    /// Every setting: its full name, its kind (text, number, flag or list), its value and the value that the product comes with,
    /// as texts. Secrets included.
    pub fn values(&self) -> Vec<(String, &'static str, String, String)> {
        let (mut all, mut built_in) = (Vec::new(), Vec::new());
        flatten("", &self.root, &mut all);
        flatten("", &self.built_in, &mut built_in);
        let built_in: BTreeMap<String, String> = built_in
            .into_iter()
            .map(|(name, _, value)| (name, value))
            .collect();
        all.into_iter()
            .map(|(name, kind, value)| {
                let own = built_in.get(&name).cloned().unwrap_or_default();
                (name, kind, value, own)
            })
            .collect()
    }

    /// Sets one value in code, for example a port that the command line names.
    pub fn set(&mut self, section: &str, key: &str, value: impl Into<Value>) {
        set(
            Arc::make_mut(&mut self.root),
            &[section.to_owned(), key.to_owned()],
            value.into(),
        );
    }

    /// Replaces the value at a path of keys, for example `auth.sms.sender`. Errors: there is no such path.
    pub fn put(&mut self, path: &str, value: impl Into<Value>) -> Result<(), ConfigError> {
        let keys: Vec<String> = path.split('.').map(str::to_owned).collect();
        if at(&self.root, &keys).is_none() {
            return Err(ConfigError::Unknown(path.to_owned()));
        }
        set(Arc::make_mut(&mut self.root), &keys, value.into());
        Ok(())
    }
}

fn parse(name: &str, text: &str) -> Result<Table, ConfigError> {
    text.parse::<Table>().map_err(|e| ConfigError::Parse {
        path: name.into(),
        message: e.to_string(),
    })
}

/// Merges `over` into `base`; with `known`, warns of keys that no default has.
fn merge(base: &mut Table, over: Table, known: Option<&Table>) {
    for (key, value) in over {
        let known_value = known.and_then(|k| k.get(&key));
        if known.is_some() && known_value.is_none() {
            eprintln!("warning: configuration key {key} is not known");
        }
        match (base.get_mut(&key), value) {
            (Some(Value::Table(inner)), Value::Table(table)) => {
                // An empty table takes any key.
                let known = known_value.and_then(Value::as_table);
                merge(inner, table, known.filter(|table| !table.is_empty()));
            }
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

/// Whether the key belongs to a table that is empty in the defaults, and so takes any.
fn is_open(known: &Table, keys: &[String]) -> bool {
    let table = keys.split_last().and_then(|(_, table)| at(known, table));
    table.is_some_and(|table| table.as_table().is_some_and(Table::is_empty))
}

/// The value a path of keys leads to.
fn at<'t>(table: &'t Table, keys: &[String]) -> Option<&'t Value> {
    let (first, rest) = keys.split_first()?;
    match (table.get(first)?, rest) {
        (value, []) => Some(value),
        (Value::Table(inner), rest) => at(inner, rest),
        _ => None,
    }
}

fn set(table: &mut Table, keys: &[String], value: Value) -> bool {
    let Some((first, rest)) = keys.split_first() else {
        return false;
    };
    if rest.is_empty() {
        let known = table.contains_key(first);
        table.insert(first.clone(), value);
        return known;
    }
    let known = table.contains_key(first);
    let inner = table
        .entry(first.clone())
        .or_insert_with(|| Value::Table(Table::new()));
    match inner {
        Value::Table(inner) => set(inner, rest, value) && known,
        _ => false,
    }
}

fn value_of(text: &str) -> Value {
    // A bare word is text; only what parses as a TOML value other than text is taken as such.
    let parsed = format!("v = {text}")
        .parse::<Table>()
        .ok()
        .and_then(|mut t| t.remove("v"));
    match parsed {
        Some(value) => value,
        None => Value::String(text.to_owned()),
    }
}

fn substitute(table: &mut Table, from: &str, to: &str) {
    for (_, value) in table.iter_mut() {
        substitute_value(value, from, to);
    }
}

fn substitute_value(value: &mut Value, from: &str, to: &str) {
    match value {
        Value::String(text) if text.contains(from) => *text = text.replace(from, to),
        Value::Table(inner) => substitute(inner, from, to),
        Value::Array(items) => {
            for item in items {
                substitute_value(item, from, to);
            }
        }
        _ => {}
    }
}

fn flatten(prefix: &str, table: &Table, all: &mut Vec<(String, &'static str, String)>) {
    for (key, value) in table {
        let name = match prefix {
            "" => key.clone(),
            prefix => format!("{prefix}.{key}"),
        };
        match value {
            Value::Table(table) => flatten(&name, table, all),
            Value::String(text) => all.push((name, "text", text.clone())),
            Value::Boolean(flag) => all.push((name, "flag", flag.to_string())),
            Value::Array(list) if list.is_empty() => all.push((name, "list", String::new())),
            Value::Array(_) => all.push((name, "list", value.to_string())),
            _ => all.push((name, "number", value.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Thing {
        port: u16,
        name: String,
        path: String,
    }

    const THING: &str = "[thing]\nport = 1\nname = \"a\"\npath = \"{data}/x\"\n";

    #[test]
    fn a_text_stays_one_whatever_it_looks_like() {
        let read = |text: &str| {
            let variables = [("XUANLAN__THING__NAME".to_owned(), text.to_owned())];
            let settings = Settings::load_from(&[THING], None, variables).unwrap();
            settings.section::<Thing>("thing").unwrap().name
        };
        assert_eq!(read("1900000109"), "1900000109");
        assert_eq!(read("true"), "true");
        assert_eq!(read("\"1900\""), "1900");
        assert_eq!(read("plain"), "plain");
    }

    #[test]
    fn environment_beats_file_beats_default() {
        let folder = std::env::temp_dir().join(format!("xuanlan-config-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("a.toml");
        std::fs::write(
            &file,
            "[thing]\nport = 2\nname = \"b\"\n[data]\ndir = \"/d\"\n",
        )
        .unwrap();
        let variables = vec![("XUANLAN__THING__PORT".to_owned(), "3".to_owned())];
        let settings = Settings::load_from(&[THING], Some(&file), variables).unwrap();
        let thing: Thing = settings.section("thing").unwrap();
        assert_eq!(
            (thing.port, thing.name.as_str(), thing.path.as_str()),
            (3, "b", "/d/x")
        );
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_value_is_put_only_where_one_stands() {
        const NESTED: &str = "[thing]\nport = 1\n[thing.inner]\na = 1\nb = 2\n";
        let mut settings = Settings::load_from(&[NESTED], None, Vec::new()).unwrap();
        settings.put("thing.inner.a", 5).unwrap();
        let thing: Table = settings.section("thing").unwrap();
        let inner = thing["inner"].as_table().unwrap();
        assert_eq!(inner["a"].as_integer(), Some(5));
        assert_eq!(inner["b"].as_integer(), Some(2));
        for wrong in ["thing.inner.c", "thing.port.a", "other.a"] {
            let error = settings.put(wrong, 1).unwrap_err();
            assert!(error.to_string().contains(wrong), "{error}");
        }
    }

    #[test]
    fn test_and_production_have_buckets_of_their_own() {
        #[derive(serde::Deserialize)]
        struct Objects {
            bucket: String,
        }
        let bucket = |environment: &str| {
            let variables = vec![(
                "XUANLAN__SITE__ENVIRONMENT".to_owned(),
                environment.to_owned(),
            )];
            let settings = Settings::load_from(&[], None, variables).unwrap();
            settings.section::<Objects>("objects").unwrap().bucket
        };
        assert_eq!(bucket("production"), "xuanlan-production");
        assert_eq!(bucket("test"), "xuanlan-test");
    }

    #[test]
    fn a_wrong_type_names_its_section() {
        let variables = vec![("XUANLAN__THING__PORT".to_owned(), "many".to_owned())];
        let settings = Settings::load_from(&[THING], None, variables).unwrap();
        let error = settings.section::<Thing>("thing").err().unwrap();
        assert!(error.to_string().contains("[thing]"), "{error}");
    }
}
