//! The section `[process]`.

use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
pub struct ProcessConfig {
    pub listen: String,
    pub workers: usize,
    pub turntable_frames: u32,
    pub engine: String,
    pub job_memory_mb: u64,
    pub job_cpu_seconds: u64,
    pub job_wall_seconds: u64,
    pub job_unpack_seconds: u64,
    pub scene_cpu_seconds: u64,
    pub scene_wall_seconds: u64,
    pub job_output_mb: u64,
    pub temp_dir: String,
    pub lease_seconds: i64,
    pub max_attempts: i32,
    pub single_formats: Vec<String>,
    pub archive_formats: Vec<String>,
    pub single_max_mb: i64,
    pub scene_max_mb: i64,
    pub storage_gb: i64,
    pub unlimited_accounts: Vec<String>,
    pub words_file: String,
}

pub const MB: i64 = 1024 * 1024;

/// Time that one run of the engine may take, in seconds.
#[derive(Debug, Clone, Copy)]
pub struct TimeLimits {
    pub cpu: u64,
    pub wall: u64,
}

impl ProcessConfig {
    /// A scene (oblique photography) may take longer than a single model.
    pub fn time_limits(&self, is_scene: bool) -> TimeLimits {
        match is_scene {
            true => TimeLimits {
                cpu: self.scene_cpu_seconds,
                wall: self.scene_wall_seconds,
            },
            false => TimeLimits {
                cpu: self.job_cpu_seconds,
                wall: self.job_wall_seconds,
            },
        }
    }

    /// Whether a format is taken: oblique photography (`scene`) comes in archives only.
    pub fn takes(&self, format: &str, scene: bool) -> bool {
        let single: &[String] = if scene { &[] } else { &self.single_formats };
        single
            .iter()
            .chain(&self.archive_formats)
            .any(|known| known == format)
    }

    /// Largest upload of a user in bytes.
    pub fn size_limit(&self, owner: &str, scene: bool) -> i64 {
        if self
            .unlimited_accounts
            .iter()
            .any(|account| account == owner)
        {
            // The largest object that the store takes.
            return self.scene_max_mb.max(self.single_max_mb) * MB;
        }
        let most = if scene {
            self.scene_max_mb
        } else {
            self.single_max_mb
        };
        most * MB
    }
}
