//! Rendering: properties that hold for any image, on small scenes.

mod film;

use image::RgbaImage;
use modelkit::render::{Backdrop, Options, picture, turntable};
use modelkit::scene::{
    AlphaMode, Image, Material, Mode, Node, Primitive, Sampler, TextureRef, Transform,
};
use modelkit::{Ctx, Error, Progress, Scene, Silent};
use std::io::Cursor;

/// A ball of radius 1 about the origin with smooth normals and texture coordinates.
fn ball() -> Primitive {
    let (around, up) = (48u32, 24u32);
    let mut p = Primitive {
        material: Some(0),
        ..Primitive::default()
    };
    let mut uvs = Vec::new();
    for j in 0..=up {
        for i in 0..=around {
            let (u, v) = (i as f32 / around as f32, j as f32 / up as f32);
            let (a, b) = (u * std::f32::consts::TAU, v * std::f32::consts::PI);
            let n = [b.sin() * a.sin(), b.cos(), b.sin() * a.cos()];
            p.positions.push(n);
            p.normals.push(n);
            uvs.push([u, v]);
        }
    }
    for j in 0..up {
        for i in 0..around {
            let at = |i: u32, j: u32| j * (around + 1) + i;
            let (a, b, c, d) = (at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
            p.indices.extend([a, b, c, a, c, d]);
        }
    }
    p.uvs.push(uvs);
    p
}

/// A square of side 2 that faces +z.
fn pane(z: f32, material: u32) -> Primitive {
    Primitive {
        positions: vec![
            [-1.0, -1.0, z],
            [1.0, -1.0, z],
            [1.0, 1.0, z],
            [-1.0, 1.0, z],
        ],
        normals: vec![[0.0, 0.0, 1.0]; 4],
        uvs: vec![vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]],
        indices: vec![0, 1, 2, 0, 2, 3],
        material: Some(material),
        ..Primitive::default()
    }
}

fn scene(primitives: Vec<Primitive>, materials: Vec<Material>) -> Scene {
    let mut scene = Scene {
        materials,
        ..Scene::default()
    };
    let mesh = Some(scene.add_mesh("m", primitives));
    let node = Node {
        mesh,
        ..Node::default()
    };
    scene.add_node(node, None);
    scene
}

fn matte(color: [f32; 4]) -> Material {
    Material {
        metallic: 0.0,
        roughness: 0.6,
        ..Material::plain("matte", color)
    }
}

fn shot(scene: &Scene, options: &Options) -> RgbaImage {
    picture(scene, options, &Ctx::new(&Silent)).unwrap()
}

/// From the front, 96 pixels per side.
fn front() -> Options {
    Options {
        yaw: Some(0.0),
        pitch: Some(0.0),
        ..Options::square(96)
    }
}

fn white(options: Options) -> Options {
    Options {
        backdrop: Backdrop::Color([255; 3]),
        ..options
    }
}

fn middle(picture: &RgbaImage) -> [u8; 4] {
    picture
        .get_pixel(picture.width() / 2, picture.height() / 2)
        .0
}

fn bright(picture: &RgbaImage) -> f64 {
    let sum: u64 = picture
        .pixels()
        .map(|p| p.0[..3].iter().map(|&c| u64::from(c)).sum::<u64>())
        .sum();
    sum as f64 / f64::from(picture.width() * picture.height())
}

#[test]
fn the_ground_is_clear_away_from_the_model_and_outlines_are_smooth() {
    let scene = scene(vec![ball()], vec![matte([0.8, 0.2, 0.2, 1.0])]);
    let seen = shot(
        &scene,
        &Options {
            shadow: false,
            ..Options::square(96)
        },
    );
    for (x, y) in [(0, 0), (95, 0), (0, 95), (95, 95), (4, 48)] {
        assert_eq!(seen.get_pixel(x, y).0, [0; 4], "{x} {y}");
    }
    assert_eq!(middle(&seen)[3], 255);
    let alphas: std::collections::BTreeSet<u8> = seen.pixels().map(|p| p.0[3]).collect();
    assert!(alphas.len() > 10, "{alphas:?}");
    // No halo: a half-covered pixel of a red ball is as red as the ball.
    for p in seen.pixels().filter(|p| p.0[3] > 40 && p.0[3] < 215) {
        assert!(p.0[0] > p.0[1] + 30, "{:?}", p.0);
    }
    let covered: f64 = seen.pixels().map(|p| f64::from(p.0[3]) / 255.0).sum();
    let disc = std::f64::consts::PI * (96.0f64 * 0.86 / 2.0).powi(2);
    assert!((covered / disc - 1.0).abs() < 0.02, "{covered} {disc}");
}

#[test]
fn white_ground_is_white_and_darker_only_below_the_model() {
    let scene = scene(vec![ball()], vec![matte([0.2, 0.4, 0.8, 1.0])]);
    let options = white(Options {
        pitch: Some(20.0),
        yaw: Some(0.0),
        ..Options::square(128)
    });
    let seen = shot(&scene, &options);
    for x in 0..128 {
        assert_eq!(seen.get_pixel(x, 2).0, [255; 4], "{x}");
    }
    let plain = shot(
        &scene,
        &Options {
            shadow: false,
            ..options
        },
    );
    let dark = |x, y| 255 - i32::from(seen.get_pixel(x, y).0[1]);
    let lowest = (0..128)
        .rev()
        .find(|&y| plain.get_pixel(64, y).0[1] < 250)
        .unwrap();
    // The contact point is in front of the ball, above its lower outline; just below it the shadow is still visible.
    assert!(dark(64, lowest + 2) > 12, "{}", dark(64, lowest + 2));
    assert!(dark(64, lowest + 2) > dark(10, lowest + 2) + 10);
    assert_eq!(plain.get_pixel(64, lowest + 3).0, [255; 4]);
}

#[test]
fn white_over_a_transparent_ground_is_the_white_ground() {
    let glass = Material {
        alpha_mode: AlphaMode::Blend,
        ..matte([0.1, 0.5, 0.3, 0.4])
    };
    let scene = scene(vec![ball()], vec![glass]);
    let clear = shot(&scene, &front());
    let on_white = shot(&scene, &white(front()));
    // Far inside, where no edge mixes linear and encoded values.
    let [r, g, b, a] = middle(&clear);
    assert!(a > 60 && a < 255, "{a}");
    for (k, c) in [r, g, b].into_iter().enumerate() {
        let linear = |v: u8| {
            let v = f64::from(v) / 255.0;
            if v <= 0.04045 {
                v / 12.92
            } else {
                ((v + 0.055) / 1.055).powf(2.4)
            }
        };
        let a = f64::from(a) / 255.0;
        let over = linear(c) * a + 1.0 - a;
        assert!((over - linear(middle(&on_white)[k])).abs() < 0.02);
    }
}

#[test]
fn materials_look_different() {
    let of = |material: Material| shot(&scene(vec![ball()], vec![material]), &front());
    let base = [0.7, 0.5, 0.2, 1.0];
    let dull = of(matte(base));
    let metal = of(Material {
        metallic: 1.0,
        roughness: 0.15,
        ..matte(base)
    });
    let coated = of({
        let mut m = matte(base);
        let coat = serde_json::json!({"clearcoatFactor": 1.0, "clearcoatRoughnessFactor": 0.05});
        m.extensions.insert("KHR_materials_clearcoat".into(), coat);
        m
    });
    let glowing = of(Material {
        emissive: [0.0, 0.6, 0.0],
        ..matte(base)
    });
    let apart = |a: &RgbaImage, b: &RgbaImage| {
        let pairs = a.pixels().zip(b.pixels());
        let sum: u64 = pairs
            .map(|(p, q)| {
                (0..3)
                    .map(|k| u64::from(p.0[k].abs_diff(q.0[k])))
                    .sum::<u64>()
            })
            .sum();
        sum as f64 / f64::from(a.width() * a.height())
    };
    assert!(apart(&dull, &metal) > 20.0, "{}", apart(&dull, &metal));
    assert!(apart(&dull, &coated) > 4.0, "{}", apart(&dull, &coated));
    assert!(middle(&glowing)[1] > middle(&dull)[1] + 30);
    // A metal reflects light and dark, a matte surface neither.
    let spread = |p: &RgbaImage| {
        let inside = |(x, y): (u32, u32)| p.get_pixel(x, y).0[0];
        let all: Vec<u8> = (30..66)
            .flat_map(|x| (30..66).map(move |y| (x, y)))
            .map(inside)
            .collect();
        all.iter().max().unwrap() - all.iter().min().unwrap()
    };
    assert!(spread(&metal) > spread(&dull));
}

#[test]
fn what_is_translucent_shows_what_is_behind() {
    let red = matte([0.8, 0.02, 0.02, 1.0]);
    let green = |mode| Material {
        alpha_mode: mode,
        ..matte([0.02, 0.8, 0.02, 0.5])
    };
    let panes = || vec![pane(-0.5, 0), pane(0.5, 1)];
    let options = Options {
        shadow: false,
        ..front()
    };
    let through = middle(&shot(
        &scene(panes(), vec![red.clone(), green(AlphaMode::Blend)]),
        &options,
    ));
    let closed = middle(&shot(
        &scene(panes(), vec![red.clone(), green(AlphaMode::Opaque)]),
        &options,
    ));
    assert!(
        through[0] > closed[0] + 60 && through[1] > 100,
        "{through:?} {closed:?}"
    );
    assert_eq!(through[3], 255);
    // The order in the file does not matter.
    let turned = vec![pane(0.5, 1), pane(-0.5, 0)];
    let other = middle(&shot(
        &scene(turned, vec![red, green(AlphaMode::Blend)]),
        &options,
    ));
    assert_eq!(through, other);
}

#[test]
fn textures_cut_out_and_repeat() {
    let mut made = scene(vec![pane(0.0, 0)], vec![matte([1.0; 4])]);
    let pixels = RgbaImage::from_fn(64, 64, |x, _| match x < 32 {
        true => image::Rgba([255, 0, 0, 255]),
        false => image::Rgba([0, 0, 255, 0]),
    });
    let mut png = Cursor::new(Vec::new());
    pixels.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let limits = modelkit::limits::Limits::default();
    let image = Image::from_encoded("t", &png.into_inner(), &limits).unwrap();
    let texture = made.add_texture(image, Sampler::default());
    let slot = TextureRef {
        texture,
        ..TextureRef::default()
    };
    made.materials[0].base_color_texture = Some(slot);
    made.materials[0].alpha_mode = AlphaMode::Mask;
    let seen = shot(
        &made,
        &Options {
            shadow: false,
            ..front()
        },
    );
    let left = seen.get_pixel(30, 48).0;
    assert!(left[0] > 120 && left[2] < 60 && left[3] == 255, "{left:?}");
    assert_eq!(seen.get_pixel(66, 48).0, [0; 4]);
    made.materials[0].alpha_mode = AlphaMode::Opaque;
    let right = shot(
        &made,
        &Options {
            shadow: false,
            ..front()
        },
    )
    .get_pixel(66, 48)
    .0;
    assert!(
        right[2] > 120 && right[0] < 60 && right[3] == 255,
        "{right:?}"
    );
}

#[test]
fn unlit_colours_and_vertex_colours_stay_what_they_are() {
    let mut made = scene(vec![pane(0.0, 0)], vec![matte([1.0; 4])]);
    made.meshes[0].primitives[0].colors = vec![[0.0, 0.212_231, 1.0, 1.0]; 4];
    let nothing = serde_json::json!({});
    made.materials[0]
        .extensions
        .insert("KHR_materials_unlit".into(), nothing);
    assert_eq!(middle(&shot(&made, &front())), [0, 127, 255, 255]);
}

#[test]
fn the_order_of_triangles_does_not_matter() {
    let parts = || {
        let mut parts: Vec<Primitive> = (0..6u32)
            .map(|i| pane(-0.9 + i as f32 * 0.3, i % 3))
            .collect();
        for (i, part) in parts.iter_mut().enumerate() {
            // Each leaves a part of the one behind it open.
            part.positions[1][0] = 1.0 - i as f32 * 0.3;
            part.positions[2][0] = 1.0 - i as f32 * 0.3;
        }
        let mut ball = ball();
        ball.material = Some(2);
        parts.push(ball);
        parts
    };
    let colors = [
        [0.8, 0.2, 0.1, 1.0],
        [0.1, 0.3, 0.8, 1.0],
        [0.2, 0.7, 0.2, 0.4],
    ];
    let mut materials: Vec<Material> = colors.map(matte).to_vec();
    materials[2].alpha_mode = AlphaMode::Blend;
    let first = shot(&scene(parts(), materials.clone()), &front());
    let mut turned = parts();
    turned.reverse();
    for part in &mut turned {
        let corners = part.indices.as_chunks::<3>().0.iter().rev();
        part.indices = corners.flatten().copied().collect();
    }
    let second = shot(&scene(turned, materials), &front());
    let pairs = first.as_raw().iter().zip(second.as_raw());
    let most = pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap();
    assert!(most <= 3, "{most}");
}

#[test]
fn size_and_place_of_a_model_do_not_matter() {
    let made = |scale: f32| {
        let mut made = scene(vec![ball()], vec![matte([0.5, 0.5, 0.5, 1.0])]);
        made.nodes[0].transform = Transform::Trs {
            translation: [scale * 3.0, 0.0, -scale].map(f64::from),
            rotation: [0.0, 0.0, 0.0, 1.0],
            scale: [scale; 3],
        };
        shot(&made, &front())
    };
    let (small, large) = (made(1e-6), made(1e6));
    let far = small.pixels().zip(large.pixels());
    let most = far.map(|(a, b)| a.0[3].abs_diff(b.0[3])).max().unwrap();
    assert!(most < 24, "{most}");
    assert!((bright(&small) - bright(&large)).abs() < 1.0);
}

#[test]
fn broken_geometry_ends_in_a_picture_or_a_clear_error() {
    let ctx = Ctx::new(&Silent);
    let empty = picture(&Scene::default(), &front(), &ctx);
    assert!(matches!(&empty, Err(Error::EmptyModel(text)) if text.contains("没有可以显示的几何")));
    let mut broken = ball();
    broken.positions[60] = [f32::NAN, 0.0, 0.0];
    broken.positions[90] = [f32::INFINITY, 0.0, 0.0];
    broken.normals[100] = [0.0; 3];
    broken.uvs[0][120] = [f32::NAN; 2];
    // Indices beyond the vertices, and degenerate triangles.
    broken.indices.extend([0, 1, 900_000, 5, 5, 5]);
    let seen = shot(&scene(vec![broken], vec![matte([0.6; 4])]), &front());
    assert_eq!(middle(&seen)[3], 255);
    let mut nowhere = ball();
    nowhere.positions.fill([f32::NAN; 3]);
    let none = picture(&scene(vec![nowhere], vec![matte([1.0; 4])]), &front(), &ctx);
    assert!(matches!(none, Err(Error::EmptyModel(_))));
    for mode in [Mode::Points, Mode::Lines, Mode::Triangles] {
        let one = Primitive {
            mode,
            positions: vec![[7.0, 7.0, 7.0]],
            indices: vec![0; 6],
            ..Primitive::default()
        };
        // A point without area is visible; a triangle without area is not.
        let seen = shot(&scene(vec![one], Vec::new()), &front());
        assert_eq!(middle(&seen)[3] > 0, mode != Mode::Triangles, "{mode:?}");
    }
}

#[test]
fn an_unreadable_texture_leaves_the_plain_colour() {
    let mut made = scene(vec![pane(0.0, 0)], vec![matte([0.0, 0.8, 0.0, 1.0])]);
    let image = Image {
        name: "kaputt.png".into(),
        mime: "image/png",
        bytes: b"\x89PNG\r\n\x1a\nnothing".as_slice().into(),
        width: 60_000,
        height: 60_000,
        was_cmyk: false,
        extras: None,
    };
    let texture = made.add_texture(image, Sampler::default());
    made.materials[0].base_color_texture = Some(TextureRef {
        texture,
        ..TextureRef::default()
    });
    made.materials[0].normal_texture = Some(TextureRef {
        texture: 77,
        ..TextureRef::default()
    });
    let [r, g, ..] = middle(&shot(&made, &front()));
    assert!(g > r + 60, "{r} {g}");
}

struct Stopped;

impl Progress for Stopped {
    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn work_can_be_cancelled_and_invalid_options_are_refused() {
    let made = scene(vec![ball()], vec![matte([1.0; 4])]);
    let stopped = picture(&made, &front(), &Ctx::new(&Stopped));
    assert!(matches!(stopped, Err(Error::Cancelled)));
    let ctx = Ctx::new(&Silent);
    for options in [
        Options::square(0),
        Options::square(5000),
        Options {
            pitch: Some(91.0),
            ..front()
        },
        Options {
            yaw: Some(f32::NAN),
            ..front()
        },
    ] {
        assert!(
            matches!(picture(&made, &options, &ctx), Err(Error::Usage(_))),
            "{options:?}"
        );
    }
    let path = tempfile::tempdir().unwrap().path().join("t.webp");
    for (frames, seconds) in [(0, 3.0), (1, 3.0), (361, 3.0), (12, 0.0), (12, f32::NAN)] {
        let refused = turntable(&made, &path, &front(), frames, seconds, &ctx);
        assert!(
            matches!(refused, Err(Error::Usage(_))),
            "{frames} {seconds}"
        );
    }
}
