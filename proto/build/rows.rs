//! Rows of the catalogues as needed for code generation: a call without a row fails the build.

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

/// Ids by catalogue.
pub struct Rows {
    public: BTreeSet<String>,
    console: BTreeSet<String>,
}

impl Rows {
    pub fn read(root: &Path) -> io::Result<Self> {
        let ids = |file: &str| -> io::Result<BTreeSet<String>> {
            println!("cargo:rerun-if-changed={file}");
            let table = fs::read_to_string(root.join(file))?;
            let first = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
            Ok(table.lines().skip(1).map(first).collect())
        };
        Ok(Self {
            public: ids("catalogue.tsv")?,
            console: ids("catalogue-console.tsv")?,
        })
    }

    /// Whether a call belongs to the operators' console. Error: it has no row in either catalogue.
    pub fn is_console(&self, id: &str, call: &str) -> Result<bool, String> {
        match (self.public.contains(id), self.console.contains(id)) {
            (false, false) => Err(format!("{call}: {id:?} has no row in a catalogue")),
            (_, console) => Ok(console),
        }
    }
}
