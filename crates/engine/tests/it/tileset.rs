//! Reads tilesets back and checks what holds for every one.

use modelkit::scene::math::{self, Mat4};
use modelkit::{Ctx, Scene, Silent, open};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A tile found in the files, in Earth-centred (or the model's) coordinates.
pub struct Found {
    pub content: Option<PathBuf>,
    pub error: f64,
    pub leaf: bool,
    pub to_world: Mat4,
    volume: [f64; 12],
    /// Bounding volumes of the ancestors, with their matrices.
    above: Vec<(Mat4, [f64; 12])>,
}

/// All tiles of `tileset`, following external tilesets; checks what holds for every tile.
pub fn walk(tileset: &Path) -> Vec<Found> {
    let mut out = Vec::new();
    external(tileset, &math::IDENTITY, &[], f64::INFINITY, &mut out);
    out
}

fn external(
    path: &Path,
    parent: &Mat4,
    above: &[(Mat4, [f64; 12])],
    most: f64,
    out: &mut Vec<Found>,
) {
    let json: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert_eq!(json["asset"]["version"], "1.1");
    let root = &json["root"];
    assert!(json["geometricError"].as_f64().unwrap() >= root["geometricError"].as_f64().unwrap());
    visit(root, path.parent().unwrap(), parent, above, most, out);
}

fn visit(
    tile: &Value,
    folder: &Path,
    parent: &Mat4,
    above: &[(Mat4, [f64; 12])],
    most: f64,
    out: &mut Vec<Found>,
) {
    let numbers = |v: &Value| -> Vec<f64> {
        v.as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_f64().unwrap())
            .collect()
    };
    let matrix = match tile.get("transform") {
        Some(transform) => {
            let own: Mat4 = numbers(transform).try_into().unwrap();
            math::mul(parent, &own)
        }
        None => *parent,
    };
    let volume: [f64; 12] = numbers(&tile["boundingVolume"]["box"]).try_into().unwrap();
    assert!(matrix.iter().chain(&volume).all(|v| v.is_finite()));
    let error = tile["geometricError"].as_f64().unwrap();
    assert!(
        error.is_finite() && error >= 0.0 && error <= most,
        "{error} below {most}"
    );
    assert_eq!(tile["refine"], "REPLACE");
    let uri = tile["content"]["uri"].as_str();
    let children = tile.get("children").and_then(Value::as_array);
    assert!(children.is_none_or(|c| !c.is_empty()));
    let mut volumes = above.to_vec();
    volumes.push((matrix, volume));
    if let Some(uri) = uri {
        assert!(
            uri.bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"_-./".contains(&b)),
            "{uri}"
        );
        let path = folder.join(uri);
        if uri.ends_with(".json") {
            return external(&path, &matrix, &volumes, error, out);
        }
    }
    out.push(Found {
        content: uri.map(|uri| folder.join(uri)),
        error,
        leaf: children.is_none(),
        to_world: matrix,
        volume,
        above: above.to_vec(),
    });
    for child in children.into_iter().flatten() {
        visit(child, folder, &matrix, &volumes, error, out);
    }
}

fn contains(volume: &[f64; 12], p: [f64; 3]) -> bool {
    (0..3).all(|k| (p[k] - volume[k]).abs() <= volume[3 + 4 * k])
}

pub fn content(path: &Path) -> Scene {
    open::read_path(path, None, &Ctx::new(&Silent)).unwrap()
}

/// Content's vertices in the tile's frame: Y up becomes Z up.
pub fn vertices(scene: &Scene) -> Vec<[f32; 3]> {
    let mut list = Vec::new();
    modelkit::scene::bake(scene, &mut |part| {
        list.extend(part.positions.iter().map(|&[x, y, z]| [x, -z, y]));
        Ok(())
    })
    .unwrap();
    assert!(list.iter().flatten().all(|v| v.is_finite()));
    list
}

pub fn inside_all(found: &Found, points: &[[f32; 3]]) {
    for &p in points {
        assert!(
            contains(&found.volume, p.map(f64::from)),
            "outside of its own volume"
        );
        let world = math::point(&found.to_world, p);
        for (matrix, volume) in &found.above {
            // Rotation and translation: the transpose is the inverse.
            let d = math::sub(world, [matrix[12], matrix[13], matrix[14]]);
            let back = [0, 4, 8].map(|k| math::dot(d, [matrix[k], matrix[k + 1], matrix[k + 2]]));
            assert!(contains(volume, back), "outside of a volume above");
        }
    }
}
