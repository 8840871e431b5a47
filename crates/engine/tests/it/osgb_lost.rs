//! What OpenSceneGraph's files hold is read, told, or without effect on what is seen.

use modelkit::internals::PASSED_OVER;
use modelkit::open::read;
use modelkit::read::{Input, NoSideFiles};
use modelkit::scene::{AlphaMode, Problem, Severity};
use modelkit::{Ctx, Scene, Silent};

/// Writes objects with brackets, as versions 112 and later have them.
struct Osg {
    out: Vec<u8>,
    version: u32,
    ids: u32,
}

impl Osg {
    fn u32(&mut self, v: u32) {
        self.out.extend(v.to_le_bytes());
    }

    fn floats(&mut self, list: &[f32]) {
        list.iter().for_each(|v| self.out.extend(v.to_le_bytes()));
    }

    fn zeros(&mut self, count: usize) {
        self.out.extend(std::iter::repeat_n(0, count));
    }

    fn yes(&mut self) {
        self.out.push(1);
    }

    fn string(&mut self, text: &str) {
        self.u32(text.len() as u32);
        self.out.extend(text.as_bytes());
    }

    fn block(&mut self, content: impl FnOnce(&mut Osg)) {
        let width = if self.version > 148 { 8 } else { 4 };
        let at = self.out.len();
        self.zeros(width);
        content(self);
        let size = (self.out.len() - at) as u64;
        self.out[at..at + width].copy_from_slice(&size.to_le_bytes()[..width]);
    }

    fn object(&mut self, class: &str, fields: impl FnOnce(&mut Osg)) {
        self.string(class);
        self.block(|w| {
            w.ids += 1;
            w.u32(w.ids);
            w.string("");
            w.u32(2);
            w.zeros(1);
            fields(w);
        });
    }

    /// Fields of a node up to the state set.
    fn node(&mut self, mask: u32, state: Option<&State>) {
        self.zeros(5);
        self.yes();
        self.u32(mask);
        self.state(state);
    }

    fn state(&mut self, state: Option<&State>) {
        let Some(state) = state else {
            return self.zeros(1);
        };
        self.yes();
        self.object("osg::StateSet", |w| {
            // Lists without entries have no brackets.
            w.out.push(u8::from(!state.modes.is_empty()));
            if !state.modes.is_empty() {
                w.u32(state.modes.len() as u32);
                w.block(|w| {
                    for mode in &state.modes {
                        w.u32(*mode);
                        w.u32(1);
                    }
                });
            }
            w.out.push(u8::from(!state.attributes.is_empty()));
            if !state.attributes.is_empty() {
                w.u32(state.attributes.len() as u32);
                w.block(|w| {
                    for (class, fields) in &state.attributes {
                        w.object(class, |w| {
                            w.zeros(2);
                            w.out.extend(fields);
                        });
                        w.u32(1);
                    }
                });
            }
            w.zeros(1);
            match state.texture {
                false => w.zeros(1),
                true => w.texture(),
            }
            w.zeros(13);
            w.string("");
            w.yes();
            w.zeros(2);
            if w.version >= 151 {
                w.zeros(1);
            }
        });
    }

    /// One pixel on unit 0.
    fn texture(&mut self) {
        self.yes();
        self.u32(1);
        self.block(|w| {
            w.u32(1);
            w.block(|w| {
                w.object("osg::Texture2D", |w| {
                    w.zeros(2 + 5);
                    w.zeros(4 + 4 + 32 + 8 + 3 + 1 + 8 + 4);
                    if (95..154).contains(&w.version) {
                        w.zeros(1);
                    }
                    w.zeros(1);
                    if w.version >= 155 {
                        w.zeros(12);
                    }
                    w.yes();
                    w.string("osg::Image");
                    w.ids += 1;
                    w.u32(w.ids);
                    w.string("a.png");
                    w.zeros(8);
                    for number in [0, 1, 1, 1, 0x1907, 0x1907, 0x1401, 1, 1, 3] {
                        w.u32(number);
                    }
                    w.out.extend([255, 128, 0]);
                    w.u32(0);
                    w.string("");
                    w.u32(2);
                    w.zeros(1 + 8);
                });
                w.u32(1);
            });
        });
    }

    fn array(&mut self, array: &(u32, usize, Vec<f32>)) {
        let (binding, width, values) = array;
        let class = [
            "osg::FloatArray",
            "osg::Vec2Array",
            "osg::Vec3Array",
            "osg::Vec4Array",
        ];
        self.object(class[width - 1], |w| {
            if w.version >= 147 {
                w.zeros(1);
            }
            w.u32(*binding);
            w.zeros(2);
            w.u32((values.len() / width) as u32);
            w.floats(values);
        });
    }

    fn geode(&mut self, mask: u32, geometry: &Geometry) {
        self.object("osg::Geode", |w| {
            w.node(mask, None);
            w.yes();
            w.u32(1);
            w.block(|w| w.geometry(geometry));
        });
    }

    fn geometry(&mut self, g: &Geometry) {
        self.object("osg::Geometry", |w| {
            if w.version >= 154 {
                w.node(g.mask, Some(&g.state));
            }
            if w.version < 156 {
                match w.version >= 154 {
                    true => w.zeros(1),
                    false => w.state(Some(&g.state)),
                }
            }
            w.zeros(3);
            w.zeros(3);
            if w.version < 156 {
                w.zeros(4);
            }
            if w.version >= 142 {
                w.zeros(4);
            }
            if w.version >= 145 {
                w.zeros(1);
            }
            w.u32(1);
            w.object("osg::DrawArrays", |w| {
                if w.version >= 147 {
                    w.zeros(1);
                }
                for number in [0, g.mode, 0, 3] {
                    w.u32(number);
                }
            });
            w.yes();
            w.array(&(4, 3, vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]));
            for array in [&g.normals, &g.colors, &g.second, &g.fog] {
                match array {
                    Some(array) => {
                        w.yes();
                        w.array(array);
                    }
                    None => w.zeros(1),
                }
            }
            for list in [&g.uvs, &g.attributes] {
                w.u32(list.len() as u32);
                list.iter().for_each(|array| w.array(array));
            }
        });
    }
}

#[derive(Default, Clone)]
struct State {
    modes: Vec<u32>,
    /// Classes, and their fields.
    attributes: Vec<(String, Vec<u8>)>,
    texture: bool,
}

/// Binding, width and values.
type Rows = (u32, usize, Vec<f32>);

#[derive(Clone)]
struct Geometry {
    mask: u32,
    mode: u32,
    state: State,
    normals: Option<Rows>,
    colors: Option<Rows>,
    second: Option<Rows>,
    fog: Option<Rows>,
    uvs: Vec<Rows>,
    attributes: Vec<Rows>,
}

const ALL: u32 = u32::MAX;

fn triangle() -> Geometry {
    Geometry {
        mask: ALL,
        mode: 4,
        state: State::default(),
        normals: None,
        colors: None,
        second: None,
        fog: None,
        uvs: vec![(4, 2, vec![0.0, 0.0, 1.0, 0.0, 0.0, 1.0])],
        attributes: Vec::new(),
    }
}

fn file(version: u32, content: impl FnOnce(&mut Osg)) -> Scene {
    let mut w = Osg {
        out: Vec::new(),
        version,
        ids: 0,
    };
    content(&mut w);
    let mut bytes = b"\xa1\x0e\x91\x6c\x45\x45\xfb\x1a".to_vec();
    for number in [1, version, 4, 1] {
        bytes.extend(u32::to_le_bytes(number));
    }
    bytes.push(b'0');
    bytes.extend(&w.out);
    let input = Input {
        bytes: &bytes,
        name: "a.osgb",
        side: &NoSideFiles,
    };
    read(&input, &Ctx::new(&Silent)).unwrap()
}

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
