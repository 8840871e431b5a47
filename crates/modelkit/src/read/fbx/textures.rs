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

/// The names of a texture's file as stored: relative to the model, as ufbx resolves it, absolute; then those of its
/// video, which some exporters alone name.
pub fn file_names(texture: &ufbx::Texture) -> impl Iterator<Item = &[u8]> {
    let own = [
        &texture.raw_relative_filename,
        &texture.raw_filename,
        &texture.raw_absolute_filename,
    ];
    let video = texture.video.as_ref().map(|video| {
        [
            &video.raw_relative_filename,
            &video.raw_filename,
            &video.raw_absolute_filename,
        ]
    });
    let all = own.into_iter().chain(video.into_iter().flatten());
    all.map(|name| &name[..])
}

/// The files of textures: embedded in the FBX or beside it.
pub struct Files<'a> {
    side: &'a dyn SideFiles,
    encoding: Encoding,
    known: HashMap<String, &'a ufbx::Texture>,
    /// Those of textures with other pictures of a known name, by texture.
    apart: HashMap<u32, String>,
}

impl<'a> Files<'a> {
    pub fn new(source: &'a ufbx::Scene, side: &'a dyn SideFiles, encoding: Encoding) -> Self {
        let mut files = Files {
            side,
            encoding,
            known: HashMap::new(),
            apart: HashMap::new(),
        };
        let mut pictures: HashMap<(String, &[u8]), String> = HashMap::new();
        for texture in &source.textures {
            let name = key(texture, encoding);
            let known = files.known.entry(name.clone()).or_insert(texture);
            let (first, own) = (embedded(known), embedded(texture));
            if first.is_empty() && !own.is_empty() {
                *known = texture;
            }
            if first.is_empty() || own.is_empty() || first == own {
                continue;
            }
            // Another picture of the same name.
            let id = texture.element.element_id;
            let apart = pictures.entry((name, own));
            let apart = apart.or_insert_with_key(|(name, _)| format!("#{id}/{name}"));
            files.known.entry(apart.clone()).or_insert(texture);
            files.apart.insert(id, apart.clone());
        }
        files
    }

    /// Stands for a texture's file.
    fn key(&self, texture: &ufbx::Texture) -> String {
        let apart = self.apart.get(&texture.element.element_id);
        apart
            .cloned()
            .unwrap_or_else(|| key(texture, self.encoding))
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
            file: files.key(file),
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

/// A texture coordinate as the file's place of the texture maps it: moved and turned back, then multiplied by the
/// scaling, which is the number of repetitions (so all importers read it; the library's own matrix divides by it).
fn placed(texture: &ufbx::Texture, uv: [f64; 2]) -> [f64; 2] {
    let of = |name: &str, default: f64| {
        let prop = ufbx::find_prop(&texture.element.props, name);
        prop.map_or([default; 3], |p| {
            [p.value_vec4.x, p.value_vec4.y, p.value_vec4.z]
        })
    };
    let [x, y, _] = of("Translation", 0.0);
    let [rx, ry, _] = of("TextureRotationPivot", 0.0);
    let [sx, sy, _] = of("TextureScalingPivot", 0.0);
    let [.., angle] = of("Rotation", 0.0);
    let [across, up, _] = of("Scaling", 1.0);
    let (sin, cos) = (-angle).to_radians().sin_cos();
    let (u, v) = (uv[0] - x - rx, uv[1] - y - ry);
    let (u, v) = (u * cos - v * sin + rx, u * sin + v * cos + ry);
    [(u - sx) * across + sx, (v - sy) * up + sy]
}

/// Sets a texture's place in its UV set.
fn lay(texture: &ufbx::Texture, map: &mut Map) -> std::result::Result<(), Unheld> {
    if !texture.has_uv_transform {
        return Ok(());
    }
    let swapped = ufbx::find_prop(&texture.element.props, "UVSwap");
    let offset = placed(texture, [0.0; 2]);
    let [across, up] = [[1.0, 0.0], [0.0, 1.0]].map(|uv| {
        let [u, v] = placed(texture, uv);
        [u - offset[0], v - offset[1]]
    });
    let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
    let size = across[0].hypot(across[1]);
    let straight = near(up[0], 0.0) && near(across[1], 0.0) && across[0] != 0.0 && up[1] != 0.0;
    let turned = near(across[0], up[1]) && near(up[0], -across[1]) && size > 1e-6;
    let finite = [offset, across, up].iter().flatten().all(|v| v.is_finite());
    if !finite || !(straight || turned) || swapped.is_some_and(|prop| prop.value_int != 0) {
        return Err(Unheld);
    }
    map.offset = offset.map(|v| v as f32);
    (map.rotation, map.scale) = match straight {
        true => (0.0, [across[0] as f32, up[1] as f32]),
        false => (across[1].atan2(across[0]) as f32, [size as f32; 2]),
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
