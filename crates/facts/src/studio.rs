//! The studio in which a model is shown: the engine draws the picture of a model in it, and the browser's viewer starts
//! with the same camera and the same light, so that the picture can give way to the model without a jump.

use std::sync::LazyLock;

use serde::Deserialize;

/// `studio.json`. Angles are in degrees; directions are the camera's, a yaw goes to its right.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Studio {
    /// Radius of the model's bounding box by the eye's distance from its centre.
    pub eye: f32,
    /// Share of a picture that the model fills.
    pub fill: f32,
    pub view: StudioView,
    pub exposure: Exposure,
    pub room: Room,
    pub lamps: Vec<StudioLamp>,
}

/// The direction of the first look, by the shape of the model's bounding box.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudioView {
    /// Above the horizon, of flat and of tall models; between them where height by width is in `flat`.
    pub pitch_flat: f32,
    pub pitch_tall: f32,
    pub flat: [f32; 2],
    pub yaw: f32,
    /// Of models whose depth is less than `thin` of their width, and the other way round.
    pub yaw_broad: f32,
    pub yaw_deep: f32,
    pub thin: f32,
}

/// A white surface that faces this direction gets this brightness.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exposure {
    pub yaw: f32,
    pub elevation: f32,
    pub white: f32,
}

/// Walls, sky and floor. Pairs are the bounds of a soft transition.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Room {
    pub wall: f32,
    /// How much darker the wall is behind the camera, so that metals reflect something dark.
    pub front_darker: f32,
    pub front: [f32; 2],
    pub front_height: [f32; 2],
    pub sky: [f32; 3],
    pub sky_from: [f32; 2],
    pub floor: [f32; 3],
    pub floor_below: [f32; 3],
    pub floor_from: [f32; 2],
    pub horizon: [f32; 2],
}

/// A lamp with a soft edge.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudioLamp {
    pub name: String,
    pub yaw: f32,
    pub elevation: f32,
    /// Half width, half height and half the edge's width as tangents.
    pub size: [f32; 2],
    pub edge: f32,
    pub radiance: [f32; 3],
}

static STUDIO: LazyLock<Studio> = LazyLock::new(|| {
    serde_json::from_str(include_str!("studio.json"))
        .expect("studio.json is valid: a test reads it")
});

pub fn studio() -> &'static Studio {
    &STUDIO
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_figure_is_there() {
        let studio = super::studio();
        assert!((0.0..1.0).contains(&studio.fill) && studio.eye > 0.0);
        assert_eq!(
            studio.lamps.first().map(|lamp| lamp.name.as_str()),
            Some("key"),
            "the first lamp is the one that casts the shadow"
        );
        assert!(
            studio
                .lamps
                .iter()
                .all(|l| l.edge > 0.0 && l.radiance.iter().all(|r| *r > 0.0))
        );
    }
}
