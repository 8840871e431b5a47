//! Tilesets of one large model.

use crate::tileset::{content, inside_all, vertices, walk};
use modelkit::limits::Limits;
use modelkit::scene::{Custom, Image, Material, Node, Primitive, Sampler, TextureRef, decode};
use modelkit::tiles::{self, Georeference, Options};
use modelkit::{Ctx, Scene, Silent, sample};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;

fn terrain() -> Scene {
    sample::generate("terrain", Some(60_000), 1).unwrap()
}

#[test]
fn a_large_model_becomes_levels() {
    let dir = tempfile::tempdir().unwrap();
    let scene = terrain();
    let triangles = scene.triangle_count();
    let options = Options {
        tile_triangles: 4_000,
        ..Options::default()
    };
    let bounds = scene.bounds();
    let report = tiles::tile_scene(scene, dir.path(), &options, &Ctx::new(&Silent)).unwrap();
    assert_eq!(report.triangles, triangles as u64);
    assert!(report.depth >= 3, "{}", report.depth);
    let all = walk(&dir.path().join("tileset.json"));
    assert_eq!(all.len(), report.tiles);
    let mut leaves = 0;
    for found in &all {
        let scene = content(found.content.as_ref().unwrap());
        inside_all(found, &vertices(&scene));
        assert!(
            scene.triangle_count() <= 8_000,
            "{}",
            scene.triangle_count()
        );
        leaves += if found.leaf {
            scene.triangle_count()
        } else {
            0
        };
    }
    assert_eq!(leaves, triangles);
    let [x, y, z] = bounds.center();
    let m = &all[0].to_world;
    assert_eq!([m[12], m[13], m[14]], [x, -z, y]);
}

/// Edges that only one triangle uses, by the bits of their end points.
fn borders(scenes: &[&Scene]) -> HashMap<[[u32; 3]; 2], i32> {
    let mut edges = HashMap::new();
    for scene in scenes {
        modelkit::scene::bake(scene, &mut |part| {
            let key = |i: u32| part.positions[i as usize].map(|v| (v + 0.0).to_bits());
            for t in part.primitive.indices.chunks_exact(3) {
                for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                    let (a, b) = (key(a), key(b));
                    if a != b {
                        let (edge, way) = if a < b { ([a, b], 1) } else { ([b, a], -1) };
                        *edges.entry(edge).or_insert(0) += way;
                    }
                }
            }
            Ok(())
        })
        .unwrap();
    }
    edges.retain(|_, ways| *ways != 0);
    edges
}

/// A closed surface stays closed whatever levels are side by side: every edge of one tile is matched by the opposite
/// edge of a neighbour, at exactly the same points.
#[test]
fn no_cracks_between_any_levels() {
    let dir = tempfile::tempdir().unwrap();
    let mut scene = sample::generate("vase", Some(20_000), 1).unwrap();
    // Positions only: cracks depend on the shape alone.
    for p in scene.meshes.iter_mut().flat_map(|m| &mut m.primitives) {
        p.normals.clear();
        p.uvs.clear();
        p.tangents.clear();
    }
    let options = Options {
        tile_triangles: 1_500,
        ..Options::default()
    };
    let start = dir.path().join("all");
    tiles::tile_scene(scene, &start, &options, &Ctx::new(&Silent)).unwrap();
    let json: Value =
        serde_json::from_slice(&fs::read(start.join("tileset.json")).unwrap()).unwrap();
    let load = |tile: &Value| content(&start.join(tile["content"]["uri"].as_str().unwrap()));
    let root = &json["root"];
    let children = root["children"].as_array().unwrap();
    let finest = {
        let mut list = Vec::new();
        leaves(root, &mut list);
        let scenes: Vec<Scene> = list.iter().map(|t| load(t)).collect();
        borders(&scenes.iter().collect::<Vec<_>>())
    };
    // Each child once at its coarsest, all others at their finest.
    for coarse in 0..children.len() {
        let mut scenes = vec![load(&children[coarse])];
        for (i, child) in children.iter().enumerate() {
            if i != coarse {
                let mut list = Vec::new();
                leaves(child, &mut list);
                scenes.extend(list.iter().map(|t| load(t)));
            }
        }
        let mixed = borders(&scenes.iter().collect::<Vec<_>>());
        // Open edges may only be those of the model itself, which may be simplified.
        assert!(
            mixed.len() <= finest.len(),
            "{} cracks, {} open edges",
            mixed.len(),
            finest.len()
        );
    }
}

fn leaves<'v>(tile: &'v Value, out: &mut Vec<&'v Value>) {
    match tile.get("children").and_then(Value::as_array) {
        Some(children) => children.iter().for_each(|c| leaves(c, out)),
        None => out.push(tile),
    }
}

#[test]
fn a_model_can_be_put_on_earth() {
    let dir = tempfile::tempdir().unwrap();
    let options = Options {
        georeference: Some(Georeference::local(39.907_5, 116.391_38, 44.0).unwrap()),
        ..Options::default()
    };
    let scene = sample::generate("lens-cube", None, 1).unwrap();
    let center = scene.bounds().center();
    let report = tiles::tile_scene(scene, dir.path(), &options, &Ctx::new(&Silent)).unwrap();
    let place = report.georeference.unwrap();
    assert!(
        (place.latitude - 39.907_5).abs() < 1e-4 && (place.longitude - 116.391_38).abs() < 1e-4
    );
    assert!((place.height - 44.0 - center[1]).abs() < 1e-3);
}

/// A flat sheet of `side`² squares whose texture encodes each pixel's position.
fn chart(side: u32, pixels: u32) -> Scene {
    let mut scene = Scene::default();
    let shade = |v: u32| (v * 256 / pixels) as u8;
    let picture =
        image::RgbImage::from_fn(pixels, pixels, |x, y| image::Rgb([shade(x), shade(y), 7]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    let image = Image::from_encoded("chart", bytes.get_ref(), &Limits::default()).unwrap();
    let texture = scene.add_texture(image, Sampler::default());
    let mut material = Material::plain("chart", [1.0; 4]);
    material.base_color_texture = Some(TextureRef {
        texture,
        ..TextureRef::default()
    });
    scene.materials.push(material);
    let mut p = Primitive {
        material: Some(0),
        uvs: vec![Vec::new()],
        ..Primitive::default()
    };
    for j in 0..=side {
        for i in 0..=side {
            let [u, v] = [i, j].map(|n| n as f32 / side as f32);
            p.positions.push([u * 10.0, 0.0, v * 10.0]);
            p.uvs[0].push([u, v]);
            if i < side && j < side {
                let a = j * (side + 1) + i;
                p.indices
                    .extend([a, a + side + 1, a + 1, a + 1, a + side + 1, a + side + 2]);
            }
        }
    }
    let mesh = scene.add_mesh("", vec![p]);
    scene.add_node(
        modelkit::scene::Node {
            mesh: Some(mesh),
            ..modelkit::scene::Node::default()
        },
        None,
    );
    scene
}

/// Each tile contains the part of the texture that it uses, and shows at every point what the whole showed there.
#[test]
fn tiles_carry_their_part_of_the_texture() {
    let dir = tempfile::tempdir().unwrap();
    let (side, pixels) = (64, 1024);
    let options = Options {
        tile_triangles: 1_000,
        ..Options::default()
    };
    tiles::tile_scene(
        chart(side, pixels),
        dir.path(),
        &options,
        &Ctx::new(&Silent),
    )
    .unwrap();
    let all = walk(&dir.path().join("tileset.json"));
    let mut leaf_pixels = 0;
    let mut leaves = 0;
    for found in &all {
        let scene = content(found.content.as_ref().unwrap());
        let picture = decode(&scene.images[0].bytes, &Limits::default())
            .unwrap()
            .to_rgb8();
        if found.leaf {
            leaves += 1;
            leaf_pixels += picture.width() * picture.height();
        }
        let uvs = &scene.meshes[0].primitives[0].uvs[0];
        for (p, uv) in vertices(&scene).iter().zip(uvs) {
            let at = |v: f32, size: u32| ((v * size as f32) as u32).min(size - 1);
            let shown = picture.get_pixel(at(uv[0], picture.width()), at(uv[1], picture.height()));
            let world = modelkit::scene::math::point(&found.to_world, *p);
            let wanted = [world[0] / 10.0 * 256.0, -world[1] / 10.0 * 256.0];
            for k in 0..2 {
                let off = (f64::from(shown[k]) - wanted[k]).abs();
                assert!(off < 4.0, "{shown:?} where {wanted:?} was");
            }
        }
    }
    assert!(leaves >= 8);
    // The margins cost something; whole textures would be `leaves` times the image.
    assert!(leaf_pixels < pixels * pixels * 2, "{leaf_pixels}");
}

#[test]
fn attributes_of_applications_stay_in_tiles() {
    let mut p = Primitive::default();
    let side = 100u32;
    for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
        let (x, z) = (i as f32, j as f32);
        p.positions.push([x, (x * 0.3).sin() + (z * 0.2).cos(), z]);
        let a = i * side + j;
        if i + 1 < side && j + 1 < side {
            p.indices
                .extend([a, a + 1, a + side, a + 1, a + side + 1, a + side]);
        }
    }
    // The place, so that it can be told after the vertices have been sorted anew.
    p.custom.push(Custom {
        name: "_FEATURE_ID_0".to_owned(),
        width: 2,
        values: p.positions.iter().flat_map(|[x, _, z]| [*x, *z]).collect(),
    });
    let mut scene = Scene::default();
    let mesh = Some(scene.add_mesh("", vec![p]));
    let node = Node {
        mesh,
        ..Node::default()
    };
    scene.add_node(node, None);
    scene
        .cameras
        .push(serde_json::json!({"type": "perspective"}));
    scene.nodes[0].extras = Some(serde_json::json!({"楼": 1}));
    let center = scene.bounds().center();
    let dir = tempfile::tempdir().unwrap();
    let options = Options {
        tile_triangles: 4_000,
        ..Options::default()
    };
    let report = tiles::tile_scene(scene, dir.path(), &options, &Ctx::new(&Silent)).unwrap();
    let told = report
        .problems
        .iter()
        .find(|p| p.code == "not-kept")
        .unwrap();
    for what in ["相机", "extras"] {
        assert!(told.message.contains(what), "{told:?}");
    }
    assert!(!told.message.contains("灯光"), "{told:?}");
    let mut levels = [0, 0];
    for found in walk(&dir.path().join("tileset.json")) {
        let scene = content(found.content.as_ref().unwrap());
        levels[usize::from(found.leaf)] += 1;
        modelkit::scene::bake(&scene, &mut |part| {
            let custom = &part.primitive.custom[0];
            assert_eq!((custom.name.as_str(), custom.width), ("_FEATURE_ID_0", 2));
            assert_eq!(custom.values.len(), 2 * part.positions.len());
            for (p, own) in part.positions.iter().zip(custom.values.chunks_exact(2)) {
                let place = part.place(*p);
                for (axis, own) in [(0, own[0]), (2, own[1])] {
                    let off = place[axis] + center[axis] - f64::from(own);
                    // On coarse levels vertices move to where the surface needs them.
                    let most = if found.leaf { 0.05 } else { 5.0 };
                    assert!(off.abs() < most, "{place:?} {center:?} {own}");
                }
            }
            Ok(())
        })
        .unwrap();
    }
    assert!(levels.iter().all(|count| *count > 0), "{levels:?}");
}
