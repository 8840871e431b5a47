//! Writes OSGB graphs of any content, which the samples' writer does not.

use modelkit::open::read;
use modelkit::read::{Input, NoSideFiles};
use modelkit::{Ctx, Scene, Silent};

/// Writes objects with brackets, as versions 112 and later have them.
pub struct Osg {
    out: Vec<u8>,
    version: u32,
    ids: u32,
}

impl Osg {
    pub fn u32(&mut self, v: u32) {
        self.out.extend(v.to_le_bytes());
    }

    fn floats(&mut self, list: &[f32]) {
        list.iter().for_each(|v| self.out.extend(v.to_le_bytes()));
    }

    pub fn zeros(&mut self, count: usize) {
        self.out.extend(std::iter::repeat_n(0, count));
    }

    pub fn yes(&mut self) {
        self.out.push(1);
    }

    fn string(&mut self, text: &str) {
        self.u32(text.len() as u32);
        self.out.extend(text.as_bytes());
    }

    pub fn block(&mut self, content: impl FnOnce(&mut Osg)) {
        let width = if self.version > 148 { 8 } else { 4 };
        let at = self.out.len();
        self.zeros(width);
        content(self);
        let size = (self.out.len() - at) as u64;
        self.out[at..at + width].copy_from_slice(&size.to_le_bytes()[..width]);
    }

    pub fn object(&mut self, class: &str, fields: impl FnOnce(&mut Osg)) {
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
    pub fn node(&mut self, mask: u32, state: Option<&State>) {
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

    pub fn geode(&mut self, mask: u32, geometry: &Geometry) {
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
pub struct State {
    pub modes: Vec<u32>,
    /// Classes, and their fields.
    pub attributes: Vec<(String, Vec<u8>)>,
    pub texture: bool,
}

/// Binding, width and values.
pub type Rows = (u32, usize, Vec<f32>);

#[derive(Clone)]
pub struct Geometry {
    pub mask: u32,
    pub mode: u32,
    pub state: State,
    pub normals: Option<Rows>,
    pub colors: Option<Rows>,
    pub second: Option<Rows>,
    pub fog: Option<Rows>,
    pub uvs: Vec<Rows>,
    pub attributes: Vec<Rows>,
}

pub const ALL: u32 = u32::MAX;

pub fn triangle() -> Geometry {
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

pub fn file(version: u32, content: impl FnOnce(&mut Osg)) -> Scene {
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
