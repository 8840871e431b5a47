//! The section `[process]`.

use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
pub struct ProcessConfig {
    pub listen: String,
    pub workers: usize,
    pub engine: String,
    pub job_memory_mb: u64,
    pub job_cpu_seconds: u64,
    pub job_wall_seconds: u64,
    pub job_output_mb: u64,
    pub temp_dir: String,
    pub lease_seconds: i64,
    pub max_attempts: i32,
    pub single_formats: Vec<String>,
    pub archive_formats: Vec<String>,
    pub single_max_mb: i64,
    pub storage_gb: i64,
    pub unlimited_accounts: Vec<String>,
    pub words_file: String,
}

pub const MB: i64 = 1024 * 1024;

impl ProcessConfig {
    /// Whether a single model of this format is taken.
    pub fn takes(&self, format: &str) -> bool {
        self.single_formats
            .iter()
            .chain(&self.archive_formats)
            .any(|known| known == format)
    }

    /// Largest single model of a user in bytes.
    pub fn size_limit(&self, owner: &str) -> i64 {
        if self
            .unlimited_accounts
            .iter()
            .any(|account| account == owner)
        {
            return i64::MAX;
        }
        self.single_max_mb * MB
    }
}
