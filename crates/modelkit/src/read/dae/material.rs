//! Converts effects of the common profile to PBR materials.

use super::lost::Loss;
use super::xml::{Xml, child, content, floats, local, named, title};
use super::{Reading, extra};
use crate::limits::Limits;
use crate::read::map::{Map, Opacity};
use crate::read::maps::{self, Maps};
use crate::read::names::percent_decoded;
use crate::read::uv_binding::Names;
use crate::read::{Format, Input, colour};
use crate::scene::{AlphaMode, CLAMP, MIRROR, Material, REPEAT};
use crate::{Ctx, Result};
use std::collections::HashMap;

/// Parameters of an effect by sid, as the material sets them.
type Params<'a> = HashMap<&'a str, Xml<'a>>;

/// A slot of the shading model: a colour or a texture.
#[derive(Default)]
struct Slot {
    color: Option<[f32; 4]>,
    map: Option<Map>,
}

/// An effect while it becomes a material.
struct Effect<'a> {
    name: String,
    /// The shading model.
    model: Xml<'a>,
    params: Params<'a>,
}

impl<'a> Reading<'a> {
    pub fn materials(&mut self, root: Xml<'a>, input: &Input, ctx: &Ctx) -> Result<()> {
        let mut maps = Maps::new(input.side, &ctx.limits);
        let libraries = named(root, "library_materials");
        for xml in libraries.flat_map(|l| named(l, "material")) {
            Limits::check("材质", self.scene.materials.len(), ctx.limits.materials)?;
            let instance = child(xml, "instance_effect");
            let effect = instance
                .and_then(|i| local(i.attribute("url")?))
                .and_then(|id| self.ids.get(id).copied());
            let (mut material, names) = match effect {
                Some(effect) => self.effect(title(xml), effect, instance, &mut maps)?,
                None => {
                    let url = instance.and_then(|i| i.attribute("url")).unwrap_or("");
                    let name = title(xml);
                    let loss = match url.is_empty() || local(url).is_some() {
                        true => Loss::Dangling,
                        false => Loss::External,
                    };
                    self.counts.losses.add(loss, ("材质", &name, 0), url);
                    (plain(name), Names::default())
                }
            };
            material.double_sided |= extra::both_sides([xml]);
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

    /// The material of an effect under an instance of it, and the UV sets that its textures ask for.
    fn effect(
        &mut self,
        name: String,
        effect: Xml<'a>,
        instance: Option<Xml<'a>>,
        maps: &mut Maps,
    ) -> Result<(Material, Names)> {
        let mut material = plain(name.clone());
        let profile = child(effect, "profile_COMMON");
        let technique = profile.and_then(|p| child(p, "technique"));
        let models = ["phong", "blinn", "lambert", "constant"];
        let model = technique.and_then(|t| models.iter().find_map(|m| child(t, m)));
        let (Some(profile), Some(technique), Some(model)) = (profile, technique, model) else {
            let place = ("材质", name.as_str(), 0);
            self.counts.losses.add(Loss::Plain, place, &title(effect));
            return Ok((material, Names::default()));
        };
        if named(profile, "technique").nth(1).is_some() {
            let place = ("材质", name.as_str(), 0);
            self.counts.losses.add(Loss::Technique, place, "");
        }
        material.double_sided = extra::both_sides([effect, profile, technique]);
        let whole = effect;
        let own = [effect, profile, technique].into_iter();
        let own = own.flat_map(|level| named(level, "newparam"));
        let own = own.filter_map(|p| Some((p.attribute("sid")?, p)));
        let set = instance.into_iter().flat_map(|i| named(i, "setparam"));
        let set = set.filter_map(|p| Some((p.attribute("ref")?, p)));
        let effect = Effect {
            name,
            model,
            params: own.chain(set).collect(),
        };
        let bump = extra::bump([technique, profile, whole]);
        let bump = bump.and_then(|t| self.map(t, &effect));
        let names = self.surface(&mut material, &effect, bump, maps)?;
        Ok((material, names))
    }

    /// Fills a material from a shading model.
    fn surface(
        &mut self,
        material: &mut Material,
        effect: &Effect<'a>,
        bump: Option<Map>,
        maps: &mut Maps,
    ) -> Result<Names> {
        let model = effect.model;
        let mut diffuse = self.slot("diffuse", effect);
        let mut emission = self.slot("emission", effect);
        if model.tag_name().name() == "constant" {
            // Its colour is what is seen, without any light.
            if diffuse.color.is_none() && diffuse.map.is_none() {
                diffuse = std::mem::take(&mut emission);
            }
            let unlit = "KHR_materials_unlit".to_owned();
            material.extensions.insert(unlit, serde_json::json!({}));
        }
        let mut see_through = self.slot("transparent", effect);
        let base = match (diffuse.color, &diffuse.map) {
            (Some(color), _) => colour::linear_rgba(Format::Dae, color),
            (None, Some(_)) => [1.0; 4],
            (None, None) => [0.8, 0.8, 0.8, 1.0],
        };
        let mode = child(model, "transparent").and_then(|t| t.attribute("opaque"));
        let part = effect.value("transparency");
        let alpha = match &mut see_through {
            Slot { map: Some(map), .. } => by_picture(map, mode, part.unwrap_or(1.0)),
            Slot { color, .. } => opacity(mode, *color, part),
        };
        material.base_color = [base[0], base[1], base[2], alpha];
        if alpha < 1.0 {
            material.alpha_mode = AlphaMode::Blend;
        }
        let shiny = matches!(model.tag_name().name(), "phong" | "blinn");
        let shininess = effect.value("shininess").filter(|_| shiny);
        material.roughness = shininess.map_or(0.9, |s| (2.0 / (s.max(0.0) + 2.0)).sqrt());
        let glow = emission.color.unwrap_or([0.0; 4]);
        material.emissive = colour::linear(Format::Dae, [glow[0], glow[1], glow[2]]);
        self.other_pictures(effect, diffuse.map.as_ref());
        let scene = &mut self.scene;
        let (color, through) = (diffuse.map.as_ref(), see_through.map.as_ref());
        maps.base_color(scene, material, color, through)?;
        maps.normal(scene, material, None, bump.as_ref())?;
        if let Some(map) = &emission.map {
            material.emissive_texture = maps.texture(scene, &effect.name, map)?;
            if material.emissive_texture.is_some() {
                material.emissive = [1.0; 3];
            }
        }
        let set = |map: Option<&Map>| map.and_then(|map| map.uv_set.clone());
        let base = set(color.or(through));
        let bump = set(bump.as_ref());
        Ok([base, None, bump, None, set(emission.map.as_ref())])
    }

    /// Tells of pictures that are not read. One that is the diffuse slot's too, as programs with locked slots write it,
    /// is no loss.
    fn other_pictures(&mut self, effect: &Effect<'a>, diffuse: Option<&Map>) {
        for name in ["ambient", "specular", "reflective"] {
            let texture = child(effect.model, name).and_then(|slot| child(slot, "texture"));
            let map = texture.and_then(|texture| self.map(texture, effect));
            if map.is_some_and(|map| diffuse.is_none_or(|d| d.file != map.file)) {
                let place = ("材质", effect.name.as_str(), 0);
                self.counts.losses.add(Loss::Map, place, name);
            }
        }
    }

    fn slot(&mut self, name: &str, effect: &Effect<'a>) -> Slot {
        let Some(slot) = child(effect.model, name) else {
            return Slot::default();
        };
        Slot {
            color: effect.color(slot),
            map: child(slot, "texture").and_then(|t| self.map(t, effect)),
        }
    }

    /// Follows a `<texture>` through sampler and surface to an image file; `None`, and told, if there is none.
    fn map(&mut self, texture: Xml<'a>, effect: &Effect<'a>) -> Option<Map> {
        let found = self.file(texture, effect);
        if let Err(Some(loss)) = found {
            let what = texture.attribute("texture").unwrap_or("");
            self.counts
                .losses
                .add(loss, ("材质", effect.name.as_str(), 0), what);
        }
        let (sampler, text) = found.ok()?;
        let wrap = |name: &str| match sampler.and_then(|s| content(child(s, name)?)) {
            Some("CLAMP" | "BORDER" | "NONE") => CLAMP,
            Some("MIRROR" | "MIRROR_ONCE") => MIRROR,
            _ => REPEAT,
        };
        let magnified = sampler.and_then(|s| content(child(s, "magfilter")?));
        let mut map = Map {
            wrap: [wrap("wrap_s"), wrap("wrap_t")],
            sharp: magnified.is_some_and(|filter| filter.starts_with("NEAREST")),
            uv_set: texture.attribute("texcoord").map(str::to_owned),
            ..Map::default()
        };
        extra::place(texture, &mut map);
        Some(with_file(map, text))
    }

    /// The sampler of a texture and the name of its file. Error: what to tell, nothing if it is told elsewhere.
    fn file(
        &self,
        texture: Xml<'a>,
        effect: &Effect<'a>,
    ) -> std::result::Result<(Option<Xml<'a>>, &'a str), Option<Loss>> {
        let name = texture.attribute("texture").ok_or(Loss::Dangling)?;
        let param = effect.params.get(name).copied();
        let sampler = param.and_then(|p| child(p, "sampler2D"));
        let id = match (param, sampler) {
            // 1.5 names the image itself, 1.4 a surface that does.
            (_, Some(sampler)) => match child(sampler, "instance_image") {
                Some(instance) => instance.attribute("url").and_then(local),
                None => {
                    let surface = child(sampler, "source").and_then(content);
                    let surface = surface.and_then(|name| effect.params.get(name));
                    let surface = surface.and_then(|p| child(*p, "surface"));
                    let surface = surface.ok_or(Loss::Dangling)?;
                    let init = child(surface, "init_from").and_then(content);
                    Some(init.ok_or(Loss::Map)?)
                }
            },
            (Some(_), None) => return Err(Some(Loss::Map)),
            (None, None) => Some(name),
        };
        let image = id.and_then(|id| self.ids.get(id)).copied();
        let image = image.ok_or(Loss::Dangling)?;
        let made = child(image, "create_2d");
        let init = [Some(image), made].into_iter().flatten();
        let init = init.into_iter().find_map(|at| child(at, "init_from"));
        let text = init.and_then(|init| content(child(init, "ref").unwrap_or(init)));
        let is_told = child(image, "data").is_some() || init.is_some();
        match text {
            Some(text) => Ok((sampler, text)),
            None => Err((!is_told).then_some(Loss::Map)),
        }
    }
}

impl<'a> Effect<'a> {
    /// What the parameter holds that a slot refers to.
    fn param(&self, slot: Xml<'a>) -> Option<Xml<'a>> {
        let name = child(slot, "param")?.attribute("ref")?;
        let values = ["float4", "float3", "float"];
        let param = *self.params.get(name)?;
        values.iter().find_map(|value| child(param, value))
    }

    fn color(&self, slot: Xml<'a>) -> Option<[f32; 4]> {
        color(child(slot, "color").or_else(|| self.param(slot))?)
    }

    fn value(&self, name: &str) -> Option<f32> {
        let slot = child(self.model, name)?;
        let value = child(slot, "float").or_else(|| self.param(slot))?;
        floats(value).next().filter(|value| value.is_finite())
    }
}

fn plain(name: String) -> Material {
    Material::plain(name, [0.8, 0.8, 0.8, 1.0])
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

/// Opacity by the specification's four modes. A result of zero is an exporter's slip that means fully opaque. A part
/// without a colour is of full opacity.
fn opacity(mode: Option<&str>, color: Option<[f32; 4]>, part: Option<f32>) -> f32 {
    if color.is_none() && part.is_none() {
        return 1.0;
    }
    let c = color.unwrap_or([1.0; 4]);
    let part = part.unwrap_or(1.0);
    let luminance = 0.212_671 * c[0] + 0.715_16 * c[1] + 0.072_169 * c[2];
    let mode = mode.filter(|_| color.is_some());
    let alpha = match mode {
        Some("A_ZERO") => 1.0 - c[3] * part,
        Some("RGB_ZERO") => 1.0 - luminance * part,
        Some("RGB_ONE") => luminance * part,
        _ => c[3] * part,
    };
    slip(alpha)
}

fn slip(alpha: f32) -> f32 {
    match alpha.clamp(0.0, 1.0) {
        a if a <= 0.001 => 1.0,
        a if a >= 0.999 => 1.0,
        a => a,
    }
}

/// Says how the picture of a transparent slot is to be read, and the factor that is left for the material.
fn by_picture(map: &mut Map, mode: Option<&str>, part: f32) -> f32 {
    let mut read = |by_brightness, is_missing| {
        map.opacity = Some(Opacity {
            by_brightness,
            is_missing,
            part,
        });
        1.0
    };
    match mode {
        Some("A_ZERO") => read(false, true),
        Some("RGB_ZERO") => read(true, true),
        Some("RGB_ONE") => read(true, false),
        _ => slip(part),
    }
}
