//! State sets: material, texture and its image.

use super::{Mesh, Sides, Skin, Writer};

impl Writer {
    /// A flag, then the state set with a material and the texture.
    pub(super) fn state(&mut self, mesh: &Mesh) {
        let Some(skin) = &mesh.skin else {
            return self.bool(false);
        };
        self.bool(true);
        self.object("osg::StateSet");
        self.bool(mesh.sides.cull.is_some());
        if let Some(cull) = mesh.sides.cull {
            self.u32(1);
            self.begin();
            self.u32(0x0b44);
            self.u32(u32::from(cull));
            self.end();
        }
        self.attributes(&mesh.sides);
        self.bool(false);
        self.bool(true);
        self.u32(mesh.unit + 1);
        self.begin();
        for _ in 0..mesh.unit {
            self.u32(0);
        }
        self.u32(1);
        self.begin();
        self.texture(skin);
        self.u32(1);
        self.end();
        self.end();
        self.bool(false);
        self.absent(12);
        self.string("");
        self.bool(true);
        self.absent(2);
        if self.dialect.version >= 151 {
            self.bool(false);
        }
        self.end();
    }

    fn attributes(&mut self, sides: &Sides) {
        let front = |front: bool| if front { 0x0404 } else { 0x0405 };
        let wound = |clockwise: bool| if clockwise { 0x0900 } else { 0x0901 };
        let stated = [
            ("osg::CullFace", sides.cull_front.map(front)),
            ("osg::FrontFace", sides.clockwise.map(wound)),
        ];
        let stated = stated
            .into_iter()
            .filter_map(|(class, value)| Some((class, value?)));
        let stated: Vec<(&str, u32)> = stated.collect();
        self.bool(true);
        self.u32(1 + stated.len() as u32);
        self.begin();
        self.material();
        self.u32(1);
        for (class, value) in stated {
            self.object(class);
            self.absent(2);
            self.u32(value);
            self.end();
            self.u32(1);
        }
        self.end();
    }

    fn material(&mut self) {
        self.object("osg::Material");
        self.absent(2);
        self.u32(5);
        for _ in 0..4 {
            self.bool(true);
            self.bool(true);
            self.floats(&[1.0; 8]);
        }
        self.bool(true);
        self.bool(true);
        self.floats(&[0.0; 2]);
        self.end();
    }

    fn texture(&mut self, skin: &Skin) {
        let version = self.dialect.version;
        self.object("osg::Texture2D");
        self.absent(2);
        for number in [0x812f, 0x812f, 0x812f, 0x2703, 0x2601] {
            self.bool(true);
            self.u32(number);
        }
        self.floats(&[1.0]);
        self.absent(4);
        self.doubles(&[0.0; 4]);
        self.absent(8);
        self.absent(3);
        self.bool(false);
        self.absent(8);
        self.floats(&[0.0]);
        if (95..154).contains(&version) {
            self.bool(false);
        }
        if version >= 98 {
            self.bool(true);
            self.string("RGBA");
        }
        if version >= 155 {
            self.floats(&[0.0, -1.0, 0.0]);
        }
        self.bool(true);
        self.picture(skin);
        self.absent(8);
        self.end();
    }

    fn picture(&mut self, skin: &Skin) {
        if self.dialect.version > 94 {
            self.string("osg::Image");
        }
        self.ids += 1;
        self.u32(self.ids);
        self.string(match skin {
            Skin::Named(name) => name,
            _ => "skin.jpg",
        });
        self.u32(0);
        match skin {
            Skin::File(bytes) => {
                self.u32(1);
                self.u32(bytes.len() as u32);
                self.out.extend(bytes);
            }
            Skin::Pixels(width, height, bytes) => {
                self.u32(0);
                for number in [0, *width, *height, 1, 0x1907, 0x1907, 0x1401, 1, 1] {
                    self.u32(number);
                }
                self.u32(bytes.len() as u32);
                self.out.extend(bytes);
                self.u32(0);
            }
            Skin::Named(_) => self.u32(2),
        }
        self.base();
    }
}
