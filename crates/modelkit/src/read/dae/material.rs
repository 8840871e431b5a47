//! Converts effects of the common profile to PBR materials.

use super::Reading;
use super::xml::{Xml, child, floats, local, named, path, title};
use crate::limits::Limits;
use crate::read::maps::{self, Map, Maps};
use crate::read::names::percent_decoded;
use crate::read::uv_binding::Names;
use crate::read::{Format, Input, colour};
use crate::scene::{AlphaMode, CLAMP, MIRROR, Material, REPEAT};
use crate::{Ctx, Result};
use std::collections::HashMap;

/// `<newparam>`s of an effect by sid.
type Params<'a> = HashMap<&'a str, Xml<'a>>;

/// A slot of the shading model: a colour or a texture.
#[derive(Default)]
struct Slot {
    color: Option<[f32; 4]>,
    map: Option<Map>,
}

impl<'a> Reading<'a> {
    pub fn materials(&mut self, root: Xml<'a>, input: &Input, ctx: &Ctx) -> Result<()> {
        let mut maps = Maps::new(input.side, &ctx.limits);
        let libraries = named(root, "library_materials");
        for xml in libraries.flat_map(|l| named(l, "material")) {
            Limits::check("材质", self.scene.materials.len(), ctx.limits.materials)?;
            let effect = child(xml, "instance_effect")
                .and_then(|i| local(i.attribute("url")?))
                .and_then(|id| self.ids.get(id).copied());
            let (mut material, names) = match effect {
                Some(effect) => self.effect(title(xml), effect, &mut maps)?,
                None => (plain(title(xml)), Names::default()),
            };
            material.double_sided |= both_sides([xml]);
            self.scene.materials.push(material);
            let index = self.scene.materials.len() as u32 - 1;
            self.uv_binding.ask(index, names);
            if let Some(id) = xml.attribute("id") {
                self.materials.entry(id).or_insert(index);
            }
        }
        maps::prune_images(&mut self.scene);
        Ok(())
    }

    /// The material of an effect, and the UV sets that its textures ask for.
    fn effect(
        &mut self,
        name: String,
        effect: Xml<'a>,
        maps: &mut Maps,
    ) -> Result<(Material, Names)> {
        let mut material = plain(name);
        let Some(profile) = child(effect, "profile_COMMON") else {
            return Ok((material, Names::default()));
        };
        let technique = child(profile, "technique");
        let models = ["phong", "blinn", "lambert", "constant"];
        let model = technique.and_then(|t| models.iter().find_map(|m| child(t, m)));
        let extras = [Some(effect), Some(profile), technique];
        material.double_sided = both_sides(extras.into_iter().flatten());
        let (Some(technique), Some(model)) = (technique, model) else {
            return Ok((material, Names::default()));
        };
        let params: Params = named(effect, "newparam")
            .chain(named(profile, "newparam"))
            .chain(named(technique, "newparam"))
            .filter_map(|p| Some((p.attribute("sid")?, p)))
            .collect();
        let slot = |name: &str| self.slot(model, name, &params);
        let diffuse = slot("diffuse");
        let emission = slot("emission");
        let transparent = child(model, "transparent");
        let see_through = slot("transparent");
        let base = match (diffuse.color, &diffuse.map) {
            (Some(color), _) => colour::linear_rgba(Format::Dae, color),
            (None, Some(_)) => [1.0; 4],
            (None, None) => [0.8, 0.8, 0.8, 1.0],
        };
        let part = value(model, "transparency").unwrap_or(1.0);
        let alpha = opacity(transparent, see_through.color, part);
        material.base_color = [base[0], base[1], base[2], alpha];
        if alpha < 1.0 {
            material.alpha_mode = AlphaMode::Blend;
        }
        let shininess = value(model, "shininess").filter(|_| model.tag_name().name() != "lambert");
        material.roughness = shininess.map_or(0.9, |s| (2.0 / (s.max(0.0) + 2.0)).sqrt());
        let glow = emission.color.unwrap_or([0.0; 4]);
        material.emissive = colour::linear(Format::Dae, [glow[0], glow[1], glow[2]]);
        let bump = bump(technique, effect).and_then(|t| self.map(t, &params));
        let scene = &mut self.scene;
        // If both use the same image, it holds the opacity in its own alpha.
        let own = |map: &Map| diffuse.map.as_ref().is_none_or(|d| d.file != map.file);
        let apart = see_through.map.as_ref().filter(|m| own(m));
        maps.base_color(scene, &mut material, diffuse.map.as_ref(), apart)?;
        if see_through.map.is_some() && apart.is_none() && material.alpha_mode == AlphaMode::Opaque
        {
            material.alpha_mode = AlphaMode::Mask;
        }
        maps.normal(scene, &mut material, None, bump.as_ref())?;
        if let Some(map) = &emission.map {
            let name = material.name.clone();
            material.emissive_texture = maps.texture(scene, &name, map)?;
            if material.emissive_texture.is_some() {
                material.emissive = [1.0; 3];
            }
        }
        let set = |map: Option<&Map>| map.and_then(|map| map.uv_set.clone());
        let base = set(diffuse.map.as_ref().or(see_through.map.as_ref()));
        let names = [
            base,
            None,
            set(bump.as_ref()),
            None,
            set(emission.map.as_ref()),
        ];
        Ok((material, names))
    }

    fn slot(&self, model: Xml<'a>, name: &str, params: &Params<'a>) -> Slot {
        let Some(slot) = child(model, name) else {
            return Slot::default();
        };
        Slot {
            color: child(slot, "color").and_then(color),
            map: child(slot, "texture").and_then(|t| self.map(t, params)),
        }
    }

    /// Follows a `<texture>` through sampler and surface to an image file.
    fn map(&self, texture: Xml<'a>, params: &Params<'a>) -> Option<Map> {
        let name = texture.attribute("texture")?;
        let sampler = params.get(name).and_then(|p| child(*p, "sampler2D"));
        let image = match sampler {
            // 1.5 names the image itself, 1.4 a surface that does.
            Some(sampler) => match child(sampler, "instance_image") {
                Some(instance) => local(instance.attribute("url")?)?,
                None => {
                    let surface = child(sampler, "source")?.text()?.trim();
                    let surface = child(*params.get(surface)?, "surface")?;
                    child(surface, "init_from")?.text()?.trim()
                }
            },
            None => name,
        };
        let init = child(*self.ids.get(image)?, "init_from")?;
        let text = child(init, "ref").unwrap_or(init).text()?;
        let wrap = |name: &str| match sampler.and_then(|s| child(s, name)?.text()).map(str::trim) {
            Some("CLAMP" | "BORDER" | "NONE") => CLAMP,
            Some("MIRROR") => MIRROR,
            _ => REPEAT,
        };
        let mut map = Map {
            wrap: [wrap("wrap_s"), wrap("wrap_t")],
            uv_set: texture.attribute("texcoord").map(str::to_owned),
            ..Map::default()
        };
        place(texture, &mut map);
        Some(with_file(map, text.trim()))
    }
}

fn plain(name: String) -> Material {
    Material::plain(name, [0.8, 0.8, 0.8, 1.0])
}

/// The techniques of an element's `<extra>`s, of whatever program.
fn techniques(element: Xml<'_>) -> impl Iterator<Item = Xml<'_>> {
    named(element, "extra").flat_map(|extra| named(extra, "technique"))
}

/// Whether an `<extra>` of these elements asks for both sides: SketchUp and Blender write it to the effect
/// (GOOGLEEARTH), 3ds Max too (MAX3D), Maya to the geometry (MAYA).
pub fn both_sides<'a>(elements: impl IntoIterator<Item = Xml<'a>>) -> bool {
    let mut stated = elements.into_iter().flat_map(techniques);
    stated.any(|t| {
        let value = child(t, "double_sided").and_then(|d| d.text());
        matches!(value.map(str::trim), Some("1" | "true"))
    })
}

/// Tiling as Maya and 3ds Max write it into the `<extra>` of a `<texture>`.
fn place(texture: Xml<'_>, map: &mut Map) {
    for technique in techniques(texture) {
        let number = |name: &str| {
            let value = floats(child(technique, name)?).next();
            value.filter(|v| v.is_finite())
        };
        for (axis, letter) in ["U", "V"].iter().enumerate() {
            let named = |name: &str| number(&format!("{name}{letter}"));
            if let Some(repeat) = named("repeat").filter(|r| *r != 0.0) {
                map.scale[axis] = repeat;
            }
            map.offset[axis] = named("offset").unwrap_or(map.offset[axis]);
            match (named("mirror"), named("wrap")) {
                (Some(mirror), _) if mirror != 0.0 => map.wrap[axis] = MIRROR,
                (_, Some(0.0)) => map.wrap[axis] = CLAMP,
                _ => {}
            }
        }
    }
}

/// The file of a URI, which some exporters write without escapes. Absolute ones of the author keep their folders, for
/// the search beside the model.
fn with_file(map: Map, uri: &str) -> Map {
    let path = uri.strip_prefix("file:").unwrap_or(uri);
    let path = path.trim_start_matches('/');
    let map = Map {
        file: percent_decoded(path),
        ..map
    };
    let whole = (map.file != path).then(|| {
        Box::new(Map {
            file: path.to_owned(),
            ..map.clone()
        })
    });
    Map { whole, ..map }
}

/// Four numbers 0…1; alpha may be missing.
fn color(node: Xml<'_>) -> Option<[f32; 4]> {
    let mut out = [1.0; 4];
    let mut count = 0;
    for (to, from) in out.iter_mut().zip(floats(node)) {
        *to = if from.is_finite() {
            from.clamp(0.0, 1.0)
        } else {
            0.0
        };
        count += 1;
    }
    (count >= 3).then_some(out)
}

fn value(model: Xml<'_>, name: &str) -> Option<f32> {
    let number = floats(path(model, &[name, "float"])?).next()?;
    number.is_finite().then_some(number)
}

/// Opacity by the specification's four modes. A result of zero is an exporter's slip that means fully opaque.
fn opacity(transparent: Option<Xml<'_>>, color: Option<[f32; 4]>, part: f32) -> f32 {
    let (Some(transparent), Some(c)) = (transparent, color) else {
        return 1.0;
    };
    let luminance = 0.212_671 * c[0] + 0.715_16 * c[1] + 0.072_169 * c[2];
    let alpha = match transparent.attribute("opaque") {
        Some("A_ZERO") => 1.0 - c[3] * part,
        Some("RGB_ZERO") => 1.0 - luminance * part,
        Some("RGB_ONE") => luminance * part,
        _ => c[3] * part,
    };
    match alpha.clamp(0.0, 1.0) {
        a if a <= 0.001 => 1.0,
        a if a >= 0.999 => 1.0,
        a => a,
    }
}

/// The bump texture that exporters put into `<extra>`.
fn bump<'a>(technique: Xml<'a>, effect: Xml<'a>) -> Option<Xml<'a>> {
    let extras = named(technique, "extra").chain(named(effect, "extra"));
    extras
        .flat_map(|e| named(e, "technique"))
        .find_map(|t| path(t, &["bump", "texture"]))
}
