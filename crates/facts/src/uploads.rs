//! The section `[uploads]`: one for every service that states or checks a limit.

use serde::Deserialize;

use crate::formats::{Family, rows};

/// The commented defaults of the section; part of the defaults of each service that reads it.
pub const UPLOADS: &str = include_str!("uploads.toml");

pub const MB: i64 = 1024 * 1024;

#[derive(Debug, Clone, Deserialize)]
pub struct Uploads {
    pub single_max_mb: i64,
    pub scene_max_mb: i64,
    pub storage_gb: i64,
    pub unlimited_accounts: Vec<String>,
    pub closed_formats: Vec<String>,
}

impl Uploads {
    pub fn is_unlimited(&self, account: &str) -> bool {
        self.unlimited_accounts.iter().any(|known| known == account)
    }

    /// Extensions that are accepted, in the order of the list: oblique photography (`scene`) comes in archives only.
    pub fn accepted(&self, scene: bool) -> impl Iterator<Item = &'static str> {
        rows()
            .iter()
            .filter(move |row| row.uploads && (!scene || row.family == Family::Archive))
            .flat_map(|row| row.extensions.iter().map(String::as_str))
            .filter(|extension| !self.closed_formats.iter().any(|closed| closed == extension))
    }

    /// Largest upload in MB: `usual`, or for an account without limits the largest object that the store accepts.
    pub fn limit_mb(&self, account: &str, usual: i64) -> i64 {
        match self.is_unlimited(account) {
            true => self.scene_max_mb.max(usual),
            false => usual,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uploads() -> Uploads {
        Uploads {
            single_max_mb: 300,
            scene_max_mb: 5120,
            storage_gb: 10,
            unlimited_accounts: vec!["u9".to_owned()],
            closed_formats: vec!["jt".to_owned()],
        }
    }

    #[test]
    fn what_is_accepted_follows_the_list() {
        let single: Vec<&str> = uploads().accepted(false).collect();
        for extension in ["glb", "stp", "step", "rvt", "zip", "rar"] {
            assert!(single.contains(&extension), "{extension}");
        }
        for extension in ["jt", "osgb", "amrt", "7z"] {
            assert!(!single.contains(&extension), "{extension}");
        }
        let scene: Vec<&str> = uploads().accepted(true).collect();
        assert_eq!(scene, ["zip", "rar"]);
    }

    #[test]
    fn an_account_without_limits_gets_the_largest_object() {
        assert_eq!(uploads().limit_mb("u1", 300), 300);
        assert_eq!(uploads().limit_mb("u9", 300), 5120);
    }
}
