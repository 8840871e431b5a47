//! The facts of a model for buyers.

use super::{descriptor, mark, problems};
use crate::progress::Ctx;
use crate::scene::{Bounds, bake, statistics};
use crate::{Result, Scene};
use serde_json::{Value, json};

/// Textures and clips that are listed.
const MOST_LISTED: usize = 200;
/// Characters of a clip's name.
const LONGEST_NAME: usize = 64;

/// The facts; `proxy` describes the stand-in, if there is one.
pub fn of(scene: &Scene, score: Option<u32>, proxy: Option<Value>, ctx: &Ctx) -> Result<Value> {
    let numbers = statistics(scene);
    let mut bounds = Bounds::default();
    bake(scene, &mut |part| {
        let finite = |p: &&[f32; 3]| p.iter().all(|v| v.is_finite());
        for p in part.positions.iter().filter(finite) {
            bounds.add(p.map(f64::from));
        }
        Ok(())
    })?;
    let round = |v: f64| (v * 1e6).round() / 1e6;
    let clips = scene.animations.iter().take(MOST_LISTED).map(|clip| {
        let name: String = clip.name.chars().take(LONGEST_NAME).collect();
        json!({"name": name, "seconds": round(f64::from(clip.seconds()))})
    });
    let descriptor = descriptor::of(scene, ctx)?;
    Ok(json!({
        "format": scene.format,
        "triangles": numbers.triangles,
        "vertices": numbers.vertices,
        "points": numbers.points,
        "lines": numbers.lines,
        "meshes": numbers.meshes,
        "materials": numbers.materials,
        "textures": textures(scene),
        "textureCount": numbers.textures,
        "animations": clips.collect::<Vec<_>>(),
        "animationCount": numbers.animations,
        "skins": numbers.skins,
        "morphTargets": numbers.morph_targets,
        "boundingBox": {
            "size": bounds.size().map(round),
            "unit": "m",
            "sourceUnit": scene.units.source,
            "metersPerUnit": scene.units.meters_per_unit,
        },
        "score": score,
        "problems": problems::of(scene, ctx)?,
        "proxy": proxy,
        "descriptor": descriptor::to_hex(&descriptor),
    }))
}

/// Use and size of every texture in use.
fn textures(scene: &Scene) -> Vec<Value> {
    let all = scene.images.iter().zip(mark::uses(scene));
    all.filter(|(_, uses)| !uses.is_empty())
        .take(MOST_LISTED)
        .map(|(image, uses)| {
            json!({
                "uses": uses,
                "width": image.width,
                "height": image.height,
                "format": image.mime.trim_start_matches("image/"),
                "bytes": image.bytes.len(),
            })
        })
        .collect()
}
