//! State sets: textures, images, materials; other attributes are skipped.

use super::classes::{Object, Parser};
use super::lost::{self, Loss, PASSED_OVER};
use super::model::{Content, Material, Picture, Pixels, State, Stated, Texture};
use super::stream::broken;
use crate::Result;

const GL_CULL_FACE: u32 = 0x0b44;
const GL_BLEND: u32 = 0x0be2;
const GL_TEXTURE_2D: u32 = 0x0de1;
const GL_CW: u32 = 0x0900;
const GL_FRONT: u32 = 0x0404;
const GL_ALPHA_TEST: u32 = 0x0bc0;
const GL_GREATER: u32 = 0x0204;
const GL_GEQUAL: u32 = 0x0206;
const ON: i32 = 1;
/// Rendering hint of transparent objects.
const TRANSPARENT_BIN: i32 = 2;

impl Parser<'_> {
    /// State sets and their members; `None` for other classes.
    pub(super) fn state_object(&mut self, class: &str) -> Result<Option<Object>> {
        Ok(Some(match class {
            "osg::StateSet" => self.state_set()?,
            "osg::Texture2D" => self.texture()?,
            "osg::Material" => self.material()?,
            "osg::CullFace" => {
                self.attribute_base()?;
                Object::CullFront(self.s.u32()? == GL_FRONT)
            }
            "osg::FrontFace" => {
                self.attribute_base()?;
                Object::Clockwise(self.s.u32()? == GL_CW)
            }
            "osg::AlphaFunc" => {
                self.attribute_base()?;
                let (comparison, cutoff) = (self.s.u32()?, self.s.f32()?);
                match comparison {
                    GL_GREATER | GL_GEQUAL => Object::Cutoff(cutoff),
                    _ => Object::Nothing,
                }
            }
            "osg::DefaultUserDataContainer" => self.user_data()?,
            "osg::StringValueObject" => {
                self.base()?;
                self.s.string()?;
                Object::Nothing
            }
            _ => match PASSED_OVER.iter().find(|p| p.0 == class) {
                Some((_, fields)) => {
                    self.attribute_base()?;
                    self.pass_over(class, fields)?;
                    Object::Nothing
                }
                None => return Ok(None),
            },
        }))
    }

    fn pass_over(&mut self, class: &str, fields: &str) -> Result<()> {
        let mut told = false;
        let mut fields = fields.chars();
        while let Some(field) = fields.next() {
            match field {
                '!' => {
                    let value = self.s.u32()?;
                    told |= !lost::usual(value);
                }
                '4' => drop(self.s.take(4)?),
                '8' => drop(self.s.take(8)?),
                'b' => drop(self.s.take(1)?),
                '?' if self.s.bool()? => {}
                '?' => {
                    fields.by_ref().find(|f| *f == ';');
                }
                _ => {}
            }
        }
        if told {
            self.lose(Loss::Style, class);
        }
        Ok(())
    }

    fn user_data(&mut self) -> Result<Object> {
        self.base()?;
        if self.s.bool()? {
            self.s.open()?;
            self.object()?;
            self.s.close();
        }
        if self.s.bool()? {
            self.strings()?;
        }
        if self.s.bool()? {
            let count = self.s.count(4)?;
            self.s.open()?;
            for _ in 0..count {
                self.object()?;
            }
            self.s.close();
        }
        Ok(Object::Nothing)
    }

    /// Fields of `osg::StateAttribute`.
    fn attribute_base(&mut self) -> Result<()> {
        self.base()?;
        self.maybe_objects(2)
    }

    fn state_set(&mut self) -> Result<Object> {
        self.base()?;
        let mut state = State::default();
        if self.s.bool()? {
            for (mode, value) in self.modes()? {
                let on = Some(Stated::new(value & ON != 0, value));
                match mode {
                    GL_CULL_FACE => state.cull = on,
                    GL_BLEND => state.blend = on,
                    GL_ALPHA_TEST => state.alpha_test = on,
                    _ => {}
                }
            }
        }
        if self.s.bool()? {
            for (object, flags) in self.attributes()? {
                match object {
                    Object::Material(at) => state.material = Some(Stated::new(at, flags)),
                    Object::Cutoff(cutoff) => state.cutoff = Some(Stated::new(cutoff, flags)),
                    Object::CullFront(front) => state.cull_front = Some(Stated::new(front, flags)),
                    Object::Clockwise(cw) => state.clockwise = Some(Stated::new(cw, flags)),
                    _ => {}
                }
            }
        }
        if self.s.bool()? {
            let units = self.s.count(4)?;
            self.s.open()?;
            for unit in 0..units {
                for (mode, value) in self.modes()? {
                    if let (GL_TEXTURE_2D, Some(mode)) = (mode, state.textured.get_mut(unit)) {
                        *mode = Some(Stated::new(value & ON != 0, value));
                    }
                }
            }
            self.s.close();
        }
        if self.s.bool()? {
            let units = self.s.count(4)?;
            self.s.open()?;
            for unit in 0..units {
                for (object, flags) in self.attributes()? {
                    let Object::Texture(texture) = object else {
                        continue;
                    };
                    match state.textures.get_mut(unit) {
                        Some(slot) => *slot = Some(Stated::new(texture, flags)),
                        None => self.model.far_units = true,
                    }
                }
            }
            self.s.close();
        }
        if self.s.bool()? {
            let count = self.s.count(4)?;
            self.s.open()?;
            for _ in 0..count {
                self.object()?;
                self.s.i32()?;
            }
            self.s.close();
        }
        if self.s.i32()? == TRANSPARENT_BIN {
            state.blend = Some(Stated::new(true, 0));
        }
        self.s.i32()?;
        self.s.i32()?;
        self.s.string()?;
        self.s.bool()?;
        self.maybe_objects(2)?;
        if self.s.version >= 151 && self.s.bool()? {
            let count = self.s.count(12)?;
            self.s.open()?;
            for _ in 0..count {
                self.s.string()?;
                self.s.string()?;
                self.s.i32()?;
            }
            self.s.close();
        }
        self.model.states.push(state);
        Ok(Object::State(self.model.states.len() - 1))
    }

    fn modes(&mut self) -> Result<Vec<(u32, i32)>> {
        let count = self.s.count(8)?;
        let mut list = Vec::new();
        if count > 0 {
            self.s.open()?;
            for _ in 0..count {
                list.push((self.s.u32()?, self.s.i32()?));
            }
            self.s.close();
        }
        Ok(list)
    }

    /// Attributes with their flags.
    fn attributes(&mut self) -> Result<Vec<(Object, i32)>> {
        let count = self.s.count(8)?;
        let mut list = Vec::new();
        if count > 0 {
            self.s.open()?;
            for _ in 0..count {
                list.push((self.object()?, self.s.i32()?));
            }
            self.s.close();
        }
        Ok(list)
    }

    fn material(&mut self) -> Result<Object> {
        self.attribute_base()?;
        self.s.i32()?;
        let mut colors = [[1.0f32; 4]; 4];
        let mut stated = [false; 4];
        for (color, stated) in colors.iter_mut().zip(&mut stated) {
            *stated = self.s.bool()?;
            if *stated {
                self.s.bool()?;
                *color = self.s.floats()?;
                self.s.floats::<4>()?;
            }
        }
        if self.s.bool()? {
            self.s.bool()?;
            self.s.floats::<2>()?;
        }
        self.model.materials.push(Material {
            diffuse: colors[1],
            emission: if stated[3] { colors[3] } else { [0.0; 4] },
        });
        Ok(Object::Material(self.model.materials.len() - 1))
    }

    fn texture(&mut self) -> Result<Object> {
        self.attribute_base()?;
        let mut texture = Texture::default();
        let mut numbers = [0u32; 5];
        for number in &mut numbers {
            if self.s.bool()? {
                *number = self.s.u32()?;
            }
        }
        texture.wrap = [numbers[0], numbers[1]];
        [texture.min_filter, texture.mag_filter] = [numbers[3], numbers[4]];
        self.s.f32()?;
        self.s.take(4)?;
        self.s.doubles::<4>()?;
        self.s.i32()?;
        self.s.i32()?;
        for _ in 0..3 {
            if self.s.bool()? {
                self.s.u32()?;
            }
        }
        self.s.bool()?;
        self.s.i32()?;
        self.s.i32()?;
        self.s.f32()?;
        let version = self.s.version;
        if (95..154).contains(&version) && self.s.bool()? {
            // Unit, level, layered (one byte), layer, access, format.
            self.s.take(21)?;
        }
        if version >= 98 && self.s.bool()? {
            self.s.string()?;
        }
        if version >= 155 {
            self.s.floats::<3>()?;
        }
        if self.s.bool()?
            && let Object::Picture(picture) = self.picture()?
        {
            texture.picture = Some(picture);
        }
        self.s.i32()?;
        self.s.i32()?;
        self.model.textures.push(texture);
        Ok(Object::Texture(self.model.textures.len() - 1))
    }

    fn picture(&mut self) -> Result<Object> {
        if self.s.version > 94 {
            self.s.string()?;
        }
        let id = self.s.u32()?;
        if let Some(known) = self.objects.get(&id) {
            return Ok(known.clone());
        }
        let name = self.s.string()?;
        self.s.i32()?;
        let content = match self.s.i32()? {
            0 => Content::Pixels(self.pixels()?),
            1 => {
                let size = self.s.count(1)?;
                Content::File(self.s.take(size)?)
            }
            _ => Content::Outside,
        };
        self.base()?;
        self.model.pictures.push(Picture { name, content });
        let object = Object::Picture(self.model.pictures.len() - 1);
        self.objects.insert(id, object.clone());
        Ok(object)
    }
}

impl<'a> Parser<'a> {
    fn pixels(&mut self) -> Result<Pixels<'a>> {
        self.s.i32()?;
        let width = self.s.u32()?;
        let height = self.s.u32()?;
        self.s.i32()?;
        self.s.i32()?;
        let format = self.s.u32()?;
        let kind = self.s.u32()?;
        let packing = self.s.u32()?;
        self.s.i32()?;
        let size = self.s.count(1)?;
        let bytes = self.s.take(size)?;
        let levels = self.s.count(4)?;
        self.s.take(levels.checked_mul(4).ok_or_else(broken)?)?;
        Ok(Pixels {
            width,
            height,
            format,
            kind,
            packing,
            bytes,
        })
    }
}
