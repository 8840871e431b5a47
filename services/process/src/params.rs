//! Parameters of a service: parsed strictly, stored in one canonical form, converted to engine arguments.

use std::ffi::OsString;

use chassis::BusinessError;
use serde::{Deserialize, Serialize};

chassis::column_enum! {
    /// Services that can be requested.
    pub enum ServiceType {
        Lightweight = "lightweight",
        Convert = "convert",
        /// 3D Tiles: of oblique photography, or of one large model.
        Tile = "tile",
        /// Our own package format, for our viewer.
        Amrt = "amrt",
        /// A page with viewer and model that opens from disk.
        Offline = "offline",
    }
}

impl ServiceType {
    pub fn parse(name: &str) -> Result<Self, BusinessError> {
        Self::of(name).ok_or_else(|| BusinessError::invalid("未知的服务类型"))
    }

    /// Whether it accepts oblique photography, a delivery of many files; other services would process one of them as the whole.
    pub fn takes_scenes(self) -> bool {
        self == Self::Tile
    }

    /// The engine's subcommand.
    pub fn verb(self) -> &'static str {
        match self {
            // The output's extension selects AMRT: cleaned and, on request, with fewer triangles.
            Self::Lightweight | Self::Amrt => "lighten",
            Self::Convert => "convert",
            Self::Tile => "tile",
            Self::Offline => "pack",
        }
    }

    /// Used in the names of result files.
    pub fn title(self) -> &'static str {
        match self {
            Self::Lightweight => "轻量化",
            Self::Convert => "转换",
            Self::Tile => "三维瓦片",
            Self::Amrt => "AMRT",
            Self::Offline => "离线包",
        }
    }

    /// Output formats: name in the request, file extension. The first is the default.
    fn outputs(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Tile => TILESETS,
            Self::Amrt => AMRTS,
            Self::Offline => PAGES,
            Self::Lightweight | Self::Convert => OUTPUTS,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RawParams {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<Target>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    texture_max: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    texture_format: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    geometry: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    format: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Target {
    kind: String,
    value: f64,
}

/// Validated parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    service: ServiceType,
    raw: RawParams,
    format: String,
}

/// Formats the engine writes: name in the request, file extension.
const OUTPUTS: &[(&str, &str)] = &[
    ("glb", "glb"),
    ("obj", "zip"),
    ("stl", "stl"),
    ("ply", "ply"),
];

/// A tileset is one archive, which viewers read by byte ranges.
const TILESETS: &[(&str, &str)] = &[("3dtiles", "zip")];

const AMRTS: &[(&str, &str)] = &[("amrt", "amrt")];

/// A page with its files.
const PAGES: &[(&str, &str)] = &[("offline", "zip")];

/// Texture formats of models.
const TEXTURES: &[&str] = &["keep", "webp", "ktx2", "ktx2-uastc"];

/// Texture formats of tiles, which are photographs without normals or other data.
const TILE_TEXTURES: &[&str] = &["keep", "webp", "ktx2"];

/// Geometry compression of tiles.
const GEOMETRIES: &[&str] = &["meshopt", "draco"];
/// Texture formats of an AMRT.
const AMRT_TEXTURES: &[&str] = &["webp", "ktx2", "ktx2-uastc"];

impl Params {
    /// Parses the JSON text of a request; empty text means the service's defaults.
    pub fn parse(service: ServiceType, text: &str) -> Result<Self, BusinessError> {
        let text = if text.trim().is_empty() { "{}" } else { text };
        if text.len() > 4096 {
            return Err(BusinessError::invalid("参数过长"));
        }
        // Serde would read an array as the fields in order.
        if !text.trim_start().starts_with('{') {
            return Err(BusinessError::invalid("参数格式不正确：应为 JSON 对象"));
        }
        let mut raw: RawParams = serde_json::from_str(text)
            .map_err(|error| BusinessError::invalid(format!("参数格式不正确：{error}")))?;
        let format = raw
            .format
            .clone()
            .unwrap_or_else(|| service.outputs()[0].0.to_owned())
            .to_lowercase();
        if !service.outputs().iter().any(|(name, _)| *name == format) {
            let names: Vec<&str> = service.outputs().iter().map(|(name, _)| *name).collect();
            return Err(BusinessError::invalid(format!(
                "目标格式仅支持 {}",
                names.join("、")
            )));
        }
        raw.format = Some(format.clone());
        match service {
            ServiceType::Lightweight | ServiceType::Amrt => {
                // A package keeps all triangles by default.
                let (value, textures) = match service {
                    ServiceType::Amrt => (1.0, AMRT_TEXTURES),
                    _ => (0.1, TEXTURES),
                };
                let kind = "ratio".to_owned();
                check_target(raw.target.get_or_insert(Target { kind, value }))?;
                check_texture(raw.texture_max)?;
                check_name("贴图格式", &raw.texture_format, textures)?;
                check_name("几何压缩", &raw.geometry, &[])?;
            }
            ServiceType::Tile | ServiceType::Offline => {
                if raw.target.is_some() {
                    let text = format!("{}不接受轻量化目标", service.title());
                    return Err(BusinessError::invalid(text));
                }
                check_texture(raw.texture_max)?;
                let (textures, geometries): (&[&str], &[&str]) = match service {
                    ServiceType::Tile => (TILE_TEXTURES, GEOMETRIES),
                    _ => (&[], &[]),
                };
                check_name("贴图格式", &raw.texture_format, textures)?;
                check_name("几何压缩", &raw.geometry, geometries)?;
            }
            ServiceType::Convert => {
                let lighten_only = raw.target.is_some()
                    || raw.texture_max.is_some()
                    || raw.texture_format.is_some()
                    || raw.geometry.is_some();
                if lighten_only {
                    return Err(BusinessError::invalid("格式转换只接受目标格式一个参数"));
                }
            }
        }
        Ok(Self {
            service,
            raw,
            format,
        })
    }

    /// Canonical text: equal parameters give equal text.
    pub fn canonical(&self) -> String {
        serde_json::to_string(&self.raw).unwrap_or_default()
    }

    pub fn format(&self) -> &str {
        &self.format
    }

    /// Extension of the result file.
    pub fn extension(&self) -> &'static str {
        self.service
            .outputs()
            .iter()
            .find(|(name, _)| *name == self.format)
            .map_or("glb", |(_, extension)| extension)
    }

    /// Whether viewers show the result itself, without a separate preview.
    pub fn is_viewable(&self) -> bool {
        self.service == ServiceType::Tile || matches!(self.extension(), "glb" | "amrt")
    }

    /// Extension of the preview that the engine can write next to the result.
    pub fn preview_extension(&self) -> Option<&'static str> {
        (self.service == ServiceType::Offline).then_some("amrt")
    }

    /// Engine arguments after `INPUT OUTPUT`.
    pub fn engine_arguments(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = Vec::new();
        if self.service == ServiceType::Convert {
            return arguments;
        }
        if let Some(target) = &self.raw.target {
            let flag = match target.kind.as_str() {
                "triangles" => "--triangles",
                "sizeMb" => "--size-mb",
                "error" => "--error",
                _ => "--ratio",
            };
            arguments.push(flag.into());
            arguments.push(target.value.to_string().into());
        }
        if let Some(pixels) = self.raw.texture_max {
            arguments.push("--texture-max".into());
            arguments.push(pixels.to_string().into());
        }
        if let Some(format) = &self.raw.texture_format {
            arguments.push("--textures".into());
            arguments.push(format.into());
        }
        if let Some(geometry) = &self.raw.geometry {
            arguments.push(format!("--{geometry}").into());
        }
        arguments
    }
}

fn check_texture(pixels: Option<u32>) -> Result<(), BusinessError> {
    match pixels.is_none_or(|px| (64..=16384).contains(&px)) {
        true => Ok(()),
        false => Err(BusinessError::invalid("贴图上限应在 64 到 16384 像素之间")),
    }
}

fn check_name(what: &str, asked: &Option<String>, known: &[&str]) -> Result<(), BusinessError> {
    match asked.as_deref() {
        Some(_) if known.is_empty() => {
            Err(BusinessError::invalid(format!("该服务不接受参数：{what}")))
        }
        Some(name) if !known.contains(&name) => Err(BusinessError::invalid(format!(
            "{what}仅支持 {}",
            known.join("、")
        ))),
        _ => Ok(()),
    }
}

fn check_target(target: &mut Target) -> Result<(), BusinessError> {
    let value = target.value;
    let fits = match target.kind.as_str() {
        "ratio" => (0.001..=1.0).contains(&value),
        "triangles" => {
            target.value = value.round();
            (4.0..=1e9).contains(&target.value)
        }
        "sizeMb" => (0.01..=5120.0).contains(&value),
        "error" => (1e-6..=0.5).contains(&value),
        _ => {
            return Err(BusinessError::invalid(
                "轻量化目标仅支持比例、面数、大小、误差",
            ));
        }
    };
    if !fits || !value.is_finite() {
        let rule = match target.kind.as_str() {
            "ratio" => "比例应在 0.001 到 1 之间",
            "triangles" => "面数应在 4 到 10 亿之间",
            "sizeMb" => "大小应在 0.01 MB 到 5120 MB 之间",
            _ => "误差应在 0.000001 到 0.5 之间",
        };
        return Err(BusinessError::invalid(rule));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_those_of_the_list_of_formats() {
        let written = facts::rows().iter().filter(|row| row.writes);
        let written: Vec<&str> = written.map(|row| row.format.name()).collect();
        let offered: Vec<&str> = OUTPUTS.iter().map(|(name, _)| *name).collect();
        assert_eq!(offered, written);
    }

    #[test]
    fn equal_parameters_have_one_text() {
        let a = Params::parse(
            ServiceType::Lightweight,
            r#"{"format":"GLB","target":{"value":0.1,"kind":"ratio"}}"#,
        );
        let b = Params::parse(ServiceType::Lightweight, "");
        assert_eq!(a.unwrap().canonical(), b.unwrap().canonical());
    }

    #[test]
    fn wrong_parameters_are_refused() {
        for text in [
            r#"{"target":{"kind":"ratio","value":0}}"#,
            r#"{"target":{"kind":"magic","value":1}}"#,
            r#"{"format":"exe"}"#,
            r#"{"unknown":1}"#,
            r#"{"textureMax":1}"#,
            r#"{"textureFormat":"gif"}"#,
            r#"{"geometry":"draco"}"#,
            "[]",
            "{",
        ] {
            assert!(
                Params::parse(ServiceType::Lightweight, text).is_err(),
                "{text}"
            );
        }
        assert!(Params::parse(ServiceType::Convert, r#"{"textureMax":1024}"#).is_err());
        for text in [
            r#"{"format":"glb"}"#,
            r#"{"textureFormat":"ktx2-uastc"}"#,
            r#"{"geometry":"plain"}"#,
        ] {
            assert!(Params::parse(ServiceType::Tile, text).is_err(), "{text}");
        }
        assert!(
            Params::parse(
                ServiceType::Tile,
                r#"{"target":{"kind":"ratio","value":0.5}}"#
            )
            .is_err()
        );
        assert!(Params::parse(ServiceType::Convert, r#"{"textureFormat":"webp"}"#).is_err());
        for text in [
            r#"{"target":{"kind":"ratio","value":0.5}}"#,
            r#"{"textureFormat":"webp"}"#,
            r#"{"textureMax":1}"#,
            r#"{"format":"glb"}"#,
        ] {
            assert!(Params::parse(ServiceType::Offline, text).is_err(), "{text}");
        }
        for text in [
            r#"{"target":{"kind":"ratio","value":2}}"#,
            r#"{"textureFormat":"keep"}"#,
            r#"{"textureMax":1}"#,
            r#"{"format":"glb"}"#,
        ] {
            assert!(Params::parse(ServiceType::Amrt, text).is_err(), "{text}");
        }
        assert!(ServiceType::parse("printing").is_err());
    }

    #[test]
    fn arguments_of_the_engine() {
        let params = Params::parse(
            ServiceType::Lightweight,
            r#"{"target":{"kind":"triangles","value":5000},"textureMax":1024,"textureFormat":"ktx2","format":"obj"}"#,
        )
        .unwrap();
        let arguments: Vec<_> = params
            .engine_arguments()
            .iter()
            .map(|a| a.to_string_lossy().into_owned())
            .collect();
        assert_eq!(
            arguments,
            [
                "--triangles",
                "5000",
                "--texture-max",
                "1024",
                "--textures",
                "ktx2"
            ]
        );
        assert_eq!(params.extension(), "zip");
        let text = r#"{"textureMax":512,"textureFormat":"webp","geometry":"draco"}"#;
        let tiles = Params::parse(ServiceType::Tile, text).unwrap();
        assert_eq!((tiles.format(), tiles.extension()), ("3dtiles", "zip"));
        let wanted = ["--texture-max", "512", "--textures", "webp", "--draco"];
        assert_eq!(tiles.engine_arguments(), wanted);
        assert!(tiles.is_viewable() && !params.is_viewable());
        let amrt = Params::parse(ServiceType::Amrt, r#"{"textureFormat":"ktx2"}"#).unwrap();
        assert_eq!((amrt.format(), amrt.extension()), ("amrt", "amrt"));
        assert_eq!(
            amrt.engine_arguments(),
            ["--ratio", "1", "--textures", "ktx2"]
        );
        assert!(amrt.is_viewable() && amrt.preview_extension().is_none());
        let page = Params::parse(ServiceType::Offline, r#"{"textureMax":1024}"#).unwrap();
        assert_eq!((page.format(), page.extension()), ("offline", "zip"));
        assert_eq!(page.engine_arguments(), ["--texture-max", "1024"]);
        assert_eq!(page.preview_extension(), Some("amrt"));
    }
}
