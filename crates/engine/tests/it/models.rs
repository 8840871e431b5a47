//! Small models for the tests.

use modelkit::limits::Limits;
use modelkit::read::{Input, NoSideFiles};
use modelkit::scene::{
    Animation, AnimationPath, AnimationSampler, Channel, Image, Interpolation, Material,
    MorphTarget, Node, Primitive, Sampler, Skin, SkinSet, TextureRef, Transform,
};
use modelkit::write::{self, Compression, Options, OutFormat};
use modelkit::{Ctx, Error, Scene, Silent, open};
use std::path::Path;

/// A sphere of `rows` × `2 rows` quads with normals and UVs; the seam has two vertices per position.
pub fn sphere(rows: u32, radius: f32) -> Primitive {
    let columns = rows * 2;
    let mut p = Primitive {
        uvs: vec![Vec::new()],
        ..Primitive::default()
    };
    for row in 0..=rows {
        for column in 0..=columns {
            let (u, v) = (column as f32 / columns as f32, row as f32 / rows as f32);
            // The last column repeats the first, bit for bit.
            let around = (column % columns) as f32 / columns as f32 * std::f32::consts::TAU;
            let down = v * std::f32::consts::PI;
            let n = [
                down.sin() * around.cos(),
                down.cos(),
                down.sin() * around.sin(),
            ];
            p.positions.push(n.map(|c| c * radius));
            p.normals.push(n);
            p.uvs[0].push([u, v]);
        }
    }
    for row in 0..rows {
        for column in 0..columns {
            let a = row * (columns + 1) + column;
            let b = a + columns + 1;
            if row > 0 {
                p.indices.extend([a, a + 1, b]);
            }
            if row < rows - 1 {
                p.indices.extend([a + 1, b + 1, b]);
            }
        }
    }
    p
}

/// A PNG of one colour gradient, `side` pixels wide and high.
pub fn png(side: u32) -> Vec<u8> {
    let picture = image::RgbImage::from_fn(side, side, |x, y| {
        image::Rgb([(x % 256) as u8, (y % 256) as u8, 90])
    });
    let mut out = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut out, image::ImageFormat::Png).unwrap();
    out.into_inner()
}

/// A textured sphere under a translated and scaled node.
pub fn textured(rows: u32) -> Scene {
    let mut scene = Scene {
        name: "测试".into(),
        ..Scene::default()
    };
    let image = Image::from_encoded("wood.png", &png(64), &Limits::default()).unwrap();
    let texture = scene.add_texture(image, Sampler::default());
    scene.materials.push(Material {
        base_color_texture: Some(TextureRef {
            texture,
            ..TextureRef::default()
        }),
        extras: Some(serde_json::json!({"note": "保留"})),
        ..Material::plain("木头", [1.0, 0.5, 0.25, 1.0])
    });
    let mesh = scene.add_mesh(
        "ball",
        vec![Primitive {
            material: Some(0),
            ..sphere(rows, 1.0)
        }],
    );
    let transform = Transform::Trs {
        translation: [10.0, 2.0, -3.0],
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: [2.0, 1.0, 1.0],
    };
    let extras = Some(serde_json::json!({"id": 7}));
    scene.add_node(
        Node {
            name: "root".into(),
            mesh: Some(mesh),
            transform,
            extras,
            ..Node::default()
        },
        None,
    );
    scene
}

/// A skinned, morphing sphere with a clip of rotation and weights.
pub fn animated(rows: u32) -> Scene {
    let mut scene = Scene::default();
    let mut p = sphere(rows, 1.0);
    let mut set = SkinSet::default();
    for position in &p.positions {
        let upper = (position[1] + 1.0) / 2.0;
        set.joints.push([0, 1, 0, 0]);
        set.weights.push([1.0 - upper, upper, 0.0, 0.0]);
    }
    p.skin_sets.push(set);
    let positions = p
        .positions
        .iter()
        .map(|v| [v[0] * 0.25, 0.0, 0.0])
        .collect();
    p.targets.push(MorphTarget {
        positions,
        ..MorphTarget::default()
    });
    let mesh = scene.add_mesh("body", vec![p]);
    scene.meshes[0].weights = vec![0.0];
    scene.meshes[0].target_names = vec!["wide".into()];
    let body = Node {
        name: "body".into(),
        mesh: Some(mesh),
        skin: Some(0),
        ..Node::default()
    };
    let body = scene.add_node(body, None);
    let hip = scene.add_node(
        Node {
            name: "hip".into(),
            ..Node::default()
        },
        None,
    );
    let head = Node {
        name: "head".into(),
        transform: Transform::translation([0.0, 0.5, 0.0]),
        ..Node::default()
    };
    let head = scene.add_node(head, Some(hip));
    let mut inverse = [0.0; 16];
    for k in 0..4 {
        inverse[k * 5] = 1.0;
    }
    let mut lowered = inverse;
    lowered[13] = -0.5;
    scene.skins.push(Skin {
        name: "rig".into(),
        joints: vec![hip, head],
        inverse_bind: vec![inverse, lowered],
        ..Skin::default()
    });
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let turn = AnimationSampler {
        interpolation: Interpolation::Linear,
        times: vec![0.0, 1.5],
        values: vec![0.0, 0.0, 0.0, 1.0, 0.0, half, 0.0, half],
    };
    let grow = AnimationSampler {
        interpolation: Interpolation::Linear,
        times: vec![0.0, 1.0],
        values: vec![0.0, 1.0],
    };
    scene.animations.push(Animation {
        name: "Run".into(),
        channels: vec![
            Channel {
                node: head,
                path: AnimationPath::Rotation,
                sampler: 0,
            },
            Channel {
                node: body,
                path: AnimationPath::Weights,
                sampler: 1,
            },
        ],
        samplers: vec![turn, grow],
        extras: None,
    });
    scene
}

pub fn read_bytes(bytes: &[u8], name: &str) -> Result<Scene, Error> {
    read_with(bytes, name, &Ctx::new(&Silent))
}

pub fn read_with(bytes: &[u8], name: &str, ctx: &Ctx) -> Result<Scene, Error> {
    open::read(
        &Input {
            bytes,
            name,
            side: &NoSideFiles,
        },
        ctx,
    )
}

pub fn write_bytes(scene: &Scene, name: &str, compress: bool) -> Vec<u8> {
    let compression = match compress {
        true => Compression::Meshopt,
        false => Compression::None,
    };
    write_packed(scene, name, compression)
}

pub fn write_packed(scene: &Scene, name: &str, compression: Compression) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    let format = OutFormat::of(Path::new(name)).unwrap();
    let options = Options {
        compression,
        ..Options::default()
    };
    write::write(scene, &path, format, &options, &Ctx::new(&Silent)).unwrap();
    std::fs::read(path).unwrap()
}

/// The JSON of a GLB.
pub fn json_of(glb: &[u8]) -> serde_json::Value {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&glb[20..20 + length]).unwrap()
}

/// A GLB of a JSON text and a binary chunk.
pub fn glb(json: &str, bin: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    while !json.len().is_multiple_of(4) {
        json.push(b' ');
    }
    let mut out = b"glTF\x02\0\0\0".to_vec();
    out.extend((28 + json.len() as u32 + bin.len() as u32).to_le_bytes());
    out.extend((json.len() as u32).to_le_bytes());
    out.extend(b"JSON");
    out.extend(json);
    out.extend((bin.len() as u32).to_le_bytes());
    out.extend(b"BIN\0");
    out.extend(bin);
    out
}
