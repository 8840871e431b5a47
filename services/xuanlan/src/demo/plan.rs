//! The works of a new site, as they are written down.

use std::collections::HashMap;

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::json;

const BUILT_IN: &str = include_str!("../../demo/works.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    work: Vec<Plan>,
}

/// A work to be made.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub(super) listing: String,
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) work_type: i32,
    pub(super) category: String,
    #[serde(default)]
    pub(super) industry: String,
    pub(super) labels: Vec<String>,
    pub(super) background: String,
    #[serde(default = "plain")]
    pub(super) exposure: f32,
    pub(super) text: String,
}

fn plain() -> f32 {
    1.0
}

impl Plan {
    /// All plans, by the name of their listing.
    pub fn all() -> anyhow::Result<HashMap<String, Self>> {
        let manifest: Manifest = toml::from_str(BUILT_IN).context("the works of the demo")?;
        let plans = manifest.work.into_iter();
        Ok(plans.map(|one| (one.listing.clone(), one)).collect())
    }

    pub(super) fn scene(&self) -> String {
        json!({
            "format": "xlscene",
            "version": 1,
            "background": {"color": self.background},
            "environment": {"exposure": self.exposure},
        })
        .to_string()
    }
}
