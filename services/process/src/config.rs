//! The section `[process]`.

use serde::Deserialize;

use crate::entity::job::Priority;

#[derive(Debug, Clone, Deserialize)]
pub struct ProcessConfig {
    pub listen: String,
    pub workers: usize,
    pub open_jobs_per_user: u64,
    pub prompt_checks: u64,
    pub results_per_storage: i64,
    pub thumbnail_wait_seconds: i64,
    pub turntable_frames: u32,
    pub engine: String,
    pub job_memory_mb: u64,
    pub job_cpu_seconds: u64,
    pub job_wall_seconds: u64,
    pub job_unpack_seconds: u64,
    pub check_cpu_seconds: u64,
    pub check_cpu_seconds_per_mb: u64,
    pub picture_cpu_seconds: u64,
    pub showcase_mark: String,
    pub scene_cpu_seconds: u64,
    pub scene_wall_seconds: u64,
    pub scene_unpack_seconds: u64,
    pub job_output_mb: u64,
    pub temp_dir: String,
    pub lease_seconds: i64,
    pub max_attempts: i32,
    pub words_file: String,
    pub unclaimed_hours: i64,
    pub most_nice: i32,
}

/// Time limits of one engine run in seconds, and its niceness.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeLimits {
    pub cpu: u64,
    pub wall: u64,
    /// Part of the wall time that unpacking archives may take.
    pub unpack: u64,
    pub nice: i32,
}

/// Niceness of runs that the user watches, of runs the user waits for, and of runs no user waits for.
const WATCHED: i32 = 5;
const WAITED_FOR: i32 = 10;
pub const ORNAMENT: i32 = 19;

impl TimeLimits {
    /// The limits of a job of this priority: those of owners who give way use what all others leave of the processor.
    pub fn at(self, priority: Priority) -> Self {
        match priority.is_last() {
            true => Self {
                nice: ORNAMENT,
                ..self
            },
            false => self,
        }
    }
}

impl ProcessConfig {
    /// Limits of a check-up. For a single model the CPU time grows with the file's size: packed content gets no more.
    pub fn check_limits(&self, is_scene: bool, file_bytes: i64) -> TimeLimits {
        let limits = TimeLimits {
            nice: WATCHED,
            ..self.service_limits(is_scene)
        };
        if is_scene {
            return limits;
        }
        let megabytes = u64::try_from(file_bytes).unwrap_or(0) >> 20;
        let more = megabytes.saturating_mul(self.check_cpu_seconds_per_mb);
        TimeLimits {
            cpu: limits.cpu.min(self.check_cpu_seconds.saturating_add(more)),
            ..limits
        }
    }

    /// Scenes (oblique photography) may take longer than single models.
    pub fn service_limits(&self, is_scene: bool) -> TimeLimits {
        match is_scene {
            true => TimeLimits {
                cpu: self.scene_cpu_seconds,
                wall: self.scene_wall_seconds,
                unpack: self.scene_unpack_seconds,
                nice: WAITED_FOR,
            },
            false => TimeLimits {
                cpu: self.job_cpu_seconds,
                wall: self.job_wall_seconds,
                unpack: self.job_unpack_seconds,
                nice: WAITED_FOR,
            },
        }
    }

    /// Drawing a thumbnail.
    pub fn thumbnail_limits(&self) -> TimeLimits {
        let limits = self.service_limits(false);
        TimeLimits {
            cpu: limits.cpu.min(self.picture_cpu_seconds),
            ..limits
        }
    }

    /// Drawing a turned preview.
    pub fn turntable_limits(&self) -> TimeLimits {
        TimeLimits {
            nice: ORNAMENT,
            ..self.thumbnail_limits()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defaults() -> ProcessConfig {
        let settings = chassis::Settings::load_from(&[crate::DEFAULTS], None, Vec::new()).unwrap();
        settings.section("process").unwrap()
    }

    #[test]
    fn a_small_file_gets_little_time_for_its_check_up_and_a_large_one_all() {
        let config = defaults();
        let small = config.check_limits(false, 747 << 10);
        assert_eq!(small.cpu, config.check_cpu_seconds);
        assert!(small.cpu < 81);
        assert_eq!(
            config.check_limits(false, 2 << 30).cpu,
            config.job_cpu_seconds
        );
        assert!(small.nice < config.service_limits(false).nice);
        assert!(config.turntable_limits().cpu < config.job_cpu_seconds);
    }

    #[test]
    fn jobs_of_owners_who_give_way_use_what_others_leave() {
        let config = defaults();
        let check = config.check_limits(false, 1 << 20);
        let waited_for = config.service_limits(false);
        for limits in [check, waited_for] {
            assert_eq!(limits.at(Priority::Check), limits);
            assert_eq!(limits.at(Priority::Service), limits);
            let last = limits.at(Priority::Last);
            assert!(last.nice > waited_for.nice, "{last:?}");
            assert_eq!(last, limits.at(Priority::LastPicture));
            assert_eq!((last.cpu, last.wall), (limits.cpu, limits.wall));
        }
    }

    /// CK018: unpacking has the limit that the wizard shows, and the job's limits are longer.
    #[test]
    fn unpacking_oblique_photography_may_take_an_hour() {
        let limits = defaults().service_limits(true);
        assert_eq!(limits.unpack, 3600);
        assert!(limits.wall > limits.unpack && limits.cpu > limits.unpack);
        assert_eq!(defaults().check_limits(true, 1).unpack, 3600);
    }
}
