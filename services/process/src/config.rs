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
    pub words_file: String,
}

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
}
