//! What OpenSceneGraph's files hold is read, told, or without effect on what is seen.

use crate::osgb_writer::{ALL, Geometry, Osg, State, file, triangle};
use modelkit::Scene;
use modelkit::internals::PASSED_OVER;
use modelkit::scene::{AlphaMode, Problem, Severity};

/// A triangle that is always shown, and what is looked at.
fn both(version: u32, content: impl FnOnce(&mut Osg)) -> Scene {
    file(version, |w| {
        w.object("osg::Group", |w| {
            w.node(ALL, None);
            w.yes();
            w.u32(2);
            w.block(|w| {
                w.geode(ALL, &triangle());
                content(w);
            });
        });
    })
}

fn one(geometry: &Geometry) -> Scene {
    file(130, |w| w.geode(ALL, geometry))
}

fn only(scene: &Scene) -> &Problem {
    match &scene.problems[..] {
        [problem] => problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_switched_off_is_told() {
    for version in [112, 130, 150, 161] {
        let shown = both(version, |w| w.geode(ALL, &triangle()));
        assert_eq!(
            (shown.triangle_count(), shown.problems.len()),
            (2, 0),
            "{version}"
        );
        let masked = both(version, |w| w.geode(0, &triangle()));
        let switched = both(version, |w| {
            w.object("osg::Switch", |w| {
                w.node(ALL, None);
                w.yes();
                w.u32(1);
                w.block(|w| w.geode(ALL, &triangle()));
                w.yes();
                w.u32(1);
                w.zeros(1);
            });
        });
        for scene in [masked, switched] {
            assert_eq!(scene.triangle_count(), 1, "{version}");
            assert_eq!(only(&scene).code, "hidden-skipped");
        }
    }
    let hidden = Geometry {
        mask: 0,
        ..triangle()
    };
    let scene = both(161, |w| w.geode(ALL, &hidden));
    assert_eq!(
        (scene.triangle_count(), only(&scene).code),
        (1, "hidden-skipped")
    );
}

#[test]
fn one_normal_or_colour_for_all_is_read_and_other_numbers_are_told() {
    let up = vec![0.0, 0.0, 1.0];
    for binding in [1, 2] {
        let scene = one(&Geometry {
            normals: Some((binding, 3, up.clone())),
            colors: Some((binding, 4, vec![1.0, 0.0, 0.0, 1.0])),
            ..triangle()
        });
        let p = &scene.meshes[0].primitives[0];
        assert_eq!(p.normals, [[0.0, 1.0, 0.0]; 3], "{binding}");
        assert_eq!(p.colors, [[1.0, 0.0, 0.0, 1.0]; 3], "{binding}");
        assert!(scene.problems.is_empty());
    }
    let with = |change: fn(&mut Geometry)| {
        let mut geometry = triangle();
        change(&mut geometry);
        one(&geometry)
    };
    for (scene, word, severity) in [
        (
            with(|g| g.normals = Some((4, 3, vec![0.0; 6]))),
            "法线",
            Severity::Warning,
        ),
        (
            with(|g| g.colors = Some((3, 4, vec![0.0; 8]))),
            "颜色",
            Severity::Warning,
        ),
        (
            with(|g| g.uvs = vec![(4, 2, vec![0.0; 4])]),
            "贴图坐标",
            Severity::Warning,
        ),
        (
            with(|g| g.second = Some((4, 3, vec![0.0; 9]))),
            "第二颜色",
            Severity::Info,
        ),
        (
            with(|g| g.fog = Some((4, 1, vec![0.0; 3]))),
            "雾坐标",
            Severity::Info,
        ),
        (
            with(|g| g.attributes = vec![(4, 1, vec![0.0; 3])]),
            "着色器属性",
            Severity::Info,
        ),
    ] {
        let problem = only(&scene);
        assert_eq!(
            (problem.code, problem.severity),
            ("unread-data", severity),
            "{word}"
        );
        assert!(problem.message.contains(word), "{problem:?}");
    }
    // An array that is switched off is none.
    let scene = with(|g| g.normals = Some((0, 3, vec![0.0; 3])));
    assert!(scene.problems.is_empty(), "{:?}", scene.problems);
    assert_eq!(
        only(&both(130, |w| {
            w.geode(
                ALL,
                &Geometry {
                    mode: 1,
                    ..triangle()
                },
            );
        }))
        .code,
        "skipped-draws"
    );
}

fn stated(modes: &[u32], class: &str, fields: Vec<u8>, texture: bool) -> Geometry {
    Geometry {
        state: State {
            modes: modes.to_vec(),
            attributes: vec![(class.to_owned(), fields)],
            texture,
        },
        ..triangle()
    }
}

/// Bytes of an attribute by its list of fields.
fn fields(list: &str, number: u32) -> Vec<u8> {
    let mut out = Vec::new();
    for field in list.chars() {
        match field {
            '4' => out.extend([0; 4]),
            '8' => out.extend([0; 8]),
            'b' => out.push(0),
            '?' => out.push(1),
            '!' => out.extend(number.to_le_bytes()),
            _ => {}
        }
    }
    out
}

#[test]
fn every_attribute_is_passed_over_as_a_whole_and_told_where_it_shows() {
    let usual = [
        ("osg::ShadeModel", 0x1d01),
        ("osg::PolygonMode", 0x1b02),
        ("osg::BlendEquation", 0x8006),
    ];
    for (class, list) in PASSED_OVER {
        let tells = list.contains('!');
        let plain = usual.iter().find(|(name, _)| *name == class);
        assert_eq!(tells, plain.is_some(), "{class}: no case");
        let number = plain.map_or(0, |(_, number)| *number);
        // What follows is read at its place: the texture.
        let scene = one(&stated(&[], class, fields(list, number), true));
        assert!(scene.problems.is_empty(), "{class}: {:?}", scene.problems);
        assert_eq!(scene.images.len(), 1, "{class}");
        if tells {
            let scene = one(&stated(&[], class, fields(list, 0x1b01), true));
            let problem = only(&scene);
            assert!(
                problem.severity == Severity::Info && problem.message.contains(class),
                "{problem:?}"
            );
        }
    }
    let scene = one(&stated(&[], "osg::Fog", vec![7; 40], true));
    assert!(only(&scene).message.contains("osg::Fog"));
    assert_eq!(scene.images.len(), 1);
}

#[test]
fn an_alpha_test_cuts_out() {
    let test = |modes: &[u32], comparison: u32| {
        let mut bytes = comparison.to_le_bytes().to_vec();
        bytes.extend(0.25f32.to_le_bytes());
        let scene = one(&stated(modes, "osg::AlphaFunc", bytes, true));
        (
            scene.materials[0].alpha_mode,
            scene.materials[0].alpha_cutoff,
        )
    };
    assert_eq!(test(&[0x0bc0], 0x0204), (AlphaMode::Mask, 0.25));
    assert_eq!(test(&[0x0bc0], 0x0206), (AlphaMode::Mask, 0.25));
    assert_eq!(test(&[], 0x0204).0, AlphaMode::Opaque);
    assert_eq!(test(&[0x0bc0], 0x0207).0, AlphaMode::Opaque);
}

/// `osg::Material` with diffuse and emission.
fn material(diffuse: [f32; 4], emission: [f32; 4]) -> Vec<u8> {
    let mut out = vec![0; 4];
    for color in [[0.0; 4], diffuse, [0.0; 4], emission] {
        out.extend([1, 1]);
        for v in color.iter().chain(&color) {
            out.extend(v.to_le_bytes());
        }
    }
    out.push(0);
    out
}

#[test]
fn materials_keep_tint_emission_and_opacity() {
    let with = |diffuse, emission, textured, lit: bool| {
        let modes: &[u32] = &[0x0be2];
        let bytes = material(diffuse, emission);
        one(&Geometry {
            normals: lit.then(|| (1, 3, vec![0.0, 0.0, 1.0])),
            ..stated(modes, "osg::Material", bytes, textured)
        })
    };
    let (red, white, none) = ([1.0, 0.0, 0.0, 0.5], [1.0; 4], [0.0, 0.0, 0.0, 1.0]);
    // Without a texture: colour and emission.
    let scene = with(red, white, false, true);
    let m = &scene.materials[0];
    assert_eq!(
        (m.base_color, m.emissive, m.alpha_mode),
        (red, [1.0; 3], AlphaMode::Blend)
    );
    // With one: tinted where it is lit, and transparent.
    assert_eq!(with(red, none, true, true).materials[0].base_color, red);
    let photograph = &with(red, none, true, false).materials[0];
    assert_eq!(photograph.base_color, [1.0, 1.0, 1.0, 0.5]);
    let grey = [0.8, 0.8, 0.8, 1.0];
    let scene = with(grey, white, true, true);
    assert_eq!(scene.materials[0].base_color, [1.0; 4]);
    assert!(scene.problems.is_empty(), "{:?}", scene.problems);
    let scene = with(grey, [0.5, 0.2, 0.0, 1.0], true, true);
    assert!(only(&scene).message.contains("自发光"));
}

#[test]
fn colours_of_vertices_and_materials_are_srgb() {
    let half = [0.5, 1.0, 0.0, 0.5];
    let linear = |[r, g, b, a]: [f32; 4]| {
        (r - 0.214).abs() < 1e-3 && g == 1.0 && b == 0.0 && (a - 0.5).abs() < 1e-6
    };
    let scene = one(&Geometry {
        colors: Some((4, 4, half.repeat(3))),
        ..triangle()
    });
    let colors = &scene.meshes[0].primitives[0].colors;
    assert!(
        colors.len() == 3 && colors.iter().all(|c| linear(*c)),
        "{colors:?}"
    );
    let bytes = material(half, [0.0; 4]);
    let scene = one(&stated(&[0x0be2], "osg::Material", bytes, false));
    let color = scene.materials[0].base_color;
    assert!(linear(color), "{color:?}");
}
