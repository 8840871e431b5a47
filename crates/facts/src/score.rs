//! What the score of a check-up is counted by; the help explains it with the same figures.

use std::sync::LazyLock;

use serde::Deserialize;

/// `score.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// Up to here triangles cost nothing.
    pub triangles: f64,
    /// The same for the pixels of all textures.
    pub texture_pixels: f64,
    /// The same for draws.
    pub draws: f64,
    /// What all findings together cost at most.
    pub faults_most: f64,
}

static SCORE: LazyLock<Score> = LazyLock::new(|| {
    serde_json::from_str(include_str!("score.json")).expect("score.json is valid: a test reads it")
});

pub fn score() -> &'static Score {
    &SCORE
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_figure_is_there() {
        let score = super::score();
        assert!(score.triangles > 0.0 && score.texture_pixels > 0.0 && score.draws > 0.0);
        assert!((1.0..100.0).contains(&score.faults_most));
    }
}
