//! FBX textures as maps: their files, which may be embedded, how they lie on the surface, and their layers.

use super::lost::Loss;
use super::{Reading, raw};
use crate::read::SideFiles;
use crate::read::encoding::Encoding;
use crate::read::layers::Blend;
use crate::read::map::{Layer, Map, Paint};
use crate::scene::{CLAMP, Problem, REPEAT, Severity};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Layers of a texture that may be layered themselves.
const MOST_NESTED: u32 = 4;

/// The texture of a map, if it is on.
pub fn texture_of(map: &ufbx::MaterialMap) -> Option<&ufbx::Texture> {
    match map.texture_enabled {
        true => map.texture.as_deref(),
        false => None,
    }
}

/// The names of a texture's file as stored: relative to the model, as ufbx resolves it, absolute.
pub fn file_names(texture: &ufbx::Texture) -> impl Iterator<Item = &[u8]> {
    let names = [
        &texture.raw_relative_filename,
        &texture.raw_filename,
        &texture.raw_absolute_filename,
    ];
    names.into_iter().map(|name| &name[..])
}

/// The files of textures: embedded in the FBX or beside it.
pub struct Files<'a> {
    side: &'a dyn SideFiles,
    encoding: Encoding,
    known: HashMap<String, &'a ufbx::Texture>,
}

impl<'a> Files<'a> {
    pub fn new(source: &'a ufbx::Scene, side: &'a dyn SideFiles, encoding: Encoding) -> Self {
        let mut files = Files {
            side,
            encoding,
            known: HashMap::new(),
        };
        for texture in &source.textures {
            let known = files.known.entry(key(texture, encoding)).or_insert(texture);
            if embedded(known).is_empty() && !embedded(texture).is_empty() {
                *known = texture;
            }
        }
        files
    }

    /// What the file of a texture may be called.
    fn names<'t>(&self, texture: &'t ufbx::Texture) -> impl Iterator<Item = String> + use<'t> {
        let encoding = self.encoding;
        let names = file_names(texture).filter(|name| !name.is_empty());
        names.map(move |name| encoding.name(name))
    }
}

impl SideFiles for Files<'_> {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let texture = self.known.get(name)?;
        let inside = embedded(texture);
        if !inside.is_empty() {
            return Some(Cow::Borrowed(inside));
        }
        self.names(texture).find_map(|name| self.side.find(&name))
    }

    fn refusal(&self, name: &str) -> Option<String> {
        let texture = self.known.get(name)?;
        self.names(texture)
            .find_map(|name| self.side.refusal(&name))
    }
}

fn embedded(texture: &ufbx::Texture) -> &[u8] {
    match (&texture.content[..], &texture.video) {
        (content, _) if !content.is_empty() => content,
        (_, Some(video)) => &video.content,
        _ => &[],
    }
}

/// Stands for a texture's file: its first name, or its own where it has none.
fn key(texture: &ufbx::Texture, encoding: Encoding) -> String {
    match file_names(texture).find(|name| !name.is_empty()) {
        Some(name) => encoding.name(name),
        None => {
            let name = encoding.name(raw(&texture.element.name));
            format!("#{}/{name}", texture.element.element_id)
        }
    }
}

/// Makes maps of the textures of one material after the other.
#[derive(Default)]
pub struct Making {
    /// Textures whose losses are told.
    told: HashSet<u32>,
}

impl Making {
    /// The map of a texture; `None` without a picture.
    pub fn map(
        &mut self,
        reading: &mut Reading,
        files: &Files,
        place: &str,
        texture: &ufbx::Texture,
    ) -> Option<Map> {
        self.nested(reading, files, place, texture, MOST_NESTED)
    }

    fn nested(
        &mut self,
        reading: &mut Reading,
        files: &Files,
        place: &str,
        texture: &ufbx::Texture,
        depth: u32,
    ) -> Option<Map> {
        let first = self.told.insert(texture.element.element_id);
        let lose = |reading: &mut Reading, loss, what: &str| {
            if first {
                let name = reading.name(&texture.element);
                let number = texture.element.typed_id as usize;
                reading.losses.add(loss, ("贴图", &name, number), what);
            }
        };
        if texture.type_ == ufbx::TextureType::Layered && depth > 0 {
            let mut map: Option<Map> = None;
            for layer in &texture.layers {
                let above = &layer.texture;
                let Some(made) = self.nested(reading, files, place, above, depth - 1) else {
                    continue;
                };
                let Some(below) = &mut map else {
                    map = Some(made);
                    continue;
                };
                let blend = blend(layer.blend_mode);
                if blend.is_none() {
                    lose(reading, Loss::BlendMode, &format!("{:?}", layer.blend_mode));
                }
                below.layers.push(Layer {
                    paint: Paint::Map(Box::new(made)),
                    blend: blend.unwrap_or(Blend::Over),
                    alpha: layer.alpha as f32,
                });
            }
            return map;
        }
        let file = match texture.has_file {
            true => Some(texture),
            false => texture.file_textures.iter().next().map(|t| t.as_ref()),
        };
        let kind = match texture.type_ {
            ufbx::TextureType::File => "",
            ufbx::TextureType::Layered => "Layered",
            ufbx::TextureType::Procedural => "Procedural",
            ufbx::TextureType::Shader => "Shader",
        };
        match (file, kind) {
            // Shaders that hand on their one picture, such as the normal map of 3ds Max.
            (Some(_), "Shader") if texture.file_textures.len() == 1 => {}
            (Some(_), "") => {}
            (Some(_), kind) => lose(reading, Loss::OnePicture, kind),
            (None, kind) => lose(reading, Loss::Procedural, kind),
        }
        Some(self.placed(reading, files, place, file?))
    }

    fn placed(
        &mut self,
        reading: &mut Reading,
        files: &Files,
        place: &str,
        file: &ufbx::Texture,
    ) -> Map {
        let wrap = |mode: ufbx::WrapMode| match mode {
            ufbx::WrapMode::Clamp => CLAMP,
            ufbx::WrapMode::Repeat => REPEAT,
        };
        let set = raw(&file.uv_set);
        let mut map = Map {
            file: key(file, reading.encoding),
            wrap: [wrap(file.wrap_u), wrap(file.wrap_v)],
            uv_set: (!set.is_empty()).then(|| reading.encoding.name(set)),
            ..Map::default()
        };
        // A second look at the same texture tells nothing again.
        let known = u32::MAX - file.element.element_id;
        if lay(file, &mut map).is_err() && files.has(&map.file) && self.told.insert(known) {
            reading.scene.note(Problem::new(
                "uv-transform-skipped",
                Severity::Warning,
                place,
                format!(
                    "贴图 {} 的旋转平铺无法保留，按未变换显示",
                    reading.name(&file.element)
                ),
                "请在建模软件中把贴图变换应用到 UV 上，再重新导出",
            ));
        }
        map
    }
}

/// A transform that glTF cannot hold, or that its viewers read differently: a rotation with two scales.
struct Unheld;

/// Sets a texture's place in its UV set.
fn lay(texture: &ufbx::Texture, map: &mut Map) -> std::result::Result<(), Unheld> {
    let m = &texture.uv_to_texture;
    let all = [m.m00, m.m01, m.m03, m.m10, m.m11, m.m13];
    if !texture.has_uv_transform {
        return Ok(());
    }
    let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
    let size = m.m00.hypot(m.m10);
    let straight = near(m.m01, 0.0) && near(m.m10, 0.0) && m.m00 != 0.0 && m.m11 != 0.0;
    let turned = near(m.m00, m.m11) && near(m.m01, -m.m10) && size > 1e-6;
    if !all.iter().all(|v| v.is_finite()) || !(straight || turned) {
        return Err(Unheld);
    }
    map.offset = [m.m03 as f32, m.m13 as f32];
    (map.rotation, map.scale) = match straight {
        true => (0.0, [m.m00 as f32, m.m11 as f32]),
        false => (m.m10.atan2(m.m00) as f32, [size as f32; 2]),
    };
    Ok(())
}

/// `None` for a mode that is shown as the layer over what is below.
fn blend(mode: ufbx::BlendMode) -> Option<Blend> {
    Some(match mode {
        ufbx::BlendMode::Translucent | ufbx::BlendMode::Over => Blend::Over,
        ufbx::BlendMode::Replace => Blend::Replace,
        ufbx::BlendMode::Additive | ufbx::BlendMode::LinearDodge => Blend::Add,
        ufbx::BlendMode::Subtract => Blend::Subtract,
        ufbx::BlendMode::Multiply => Blend::Multiply,
        ufbx::BlendMode::Multiply2X => Blend::Multiply2x,
        ufbx::BlendMode::Screen => Blend::Screen,
        ufbx::BlendMode::Overlay => Blend::Overlay,
        ufbx::BlendMode::Darken => Blend::Darken,
        ufbx::BlendMode::Lighten => Blend::Lighten,
        ufbx::BlendMode::Difference => Blend::Difference,
        _ => return None,
    })
}
