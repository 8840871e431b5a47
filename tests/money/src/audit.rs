//! The audit over the three services: `scripts/auditor`, which reads their tables and shares no code with them.

use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use crate::World;

/// Database URL; `{service}` is replaced by the service's name.
#[derive(Deserialize)]
struct Database {
    url: String,
}

/// Seconds that pending work has to finish.
const PATIENCE: &str = "90";

/// Runs the auditor; returns its findings, one per line. Errors when it cannot run.
pub fn ask(database: &str, options: &[&str]) -> anyhow::Result<Vec<String>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/auditor");
    let output = Command::new("python3")
        .arg(script)
        .args(["--database", database, "--period", "0.1"])
        .args(options)
        .output()?;
    let said = String::from_utf8(output.stdout)?;
    match output.status.code() {
        Some(0) if said == "sound\n" => Ok(Vec::new()),
        Some(1) if !said.is_empty() => Ok(said.lines().map(str::to_owned).collect()),
        _ => anyhow::bail!("auditor: {}", String::from_utf8_lossy(&output.stderr)),
    }
}

impl World {
    /// Waits until all work has finished, then audits; without findings everything holds.
    pub async fn settle(&self) -> anyhow::Result<Vec<String>> {
        self.audit(&["--wait", PATIENCE]).await
    }

    /// Audits the current state, with additional options of the auditor.
    pub async fn audit(&self, options: &[&str]) -> anyhow::Result<Vec<String>> {
        let database: Database = self.parts.settings.section("database")?;
        let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        let asked = tokio::task::spawn_blocking(move || {
            let options: Vec<&str> = options.iter().map(String::as_str).collect();
            ask(&database.url, &options)
        });
        asked.await?
    }
}
