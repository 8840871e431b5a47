//! Structured inputs built from a fuzzer's bytes, where raw bytes would rarely get past a header: every choice uses one
//! or a few bytes, so that a small change of the input is a small change of the file.

use crate::read::gltf::MeshoptView;
use crate::read::osgb::MAGIC;
use arbitrary::{Result, Unstructured};
use serde_json::{Value, json};
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;

/// A number that is usually valid for small files, sometimes not.
fn number(u: &mut Unstructured) -> Result<u64> {
    Ok(match u.arbitrary::<u8>()? {
        small @ 0..=0xe7 => u64::from(small) % 64,
        0xe8..=0xf7 => u64::from(u.arbitrary::<u16>()?),
        0xf8..=0xfd => u64::from(u.arbitrary::<u32>()?),
        _ => u.arbitrary()?,
    })
}

/// A GLB; input that already starts like one is returned unchanged.
pub fn glb(bytes: &[u8]) -> Vec<u8> {
    if bytes.starts_with(b"glTF") {
        return bytes.to_vec();
    }
    let mut u = Unstructured::new(bytes);
    let mut json = document(&mut u).unwrap_or_default();
    let bin = u.take_rest();
    json["buffers"] = json!([{"byteLength": bin.len()}]);
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut out = b"glTF\x02\0\0\0".to_vec();
    out.extend((28 + text.len() as u32 + bin.len() as u32).to_le_bytes());
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(b"JSON");
    out.extend(text);
    out.extend((bin.len() as u32).to_le_bytes());
    out.extend(b"BIN\0");
    out.extend(bin);
    out
}

type Make = fn(&mut Unstructured) -> Result<Value>;

fn list(u: &mut Unstructured, most: u8, make: Make) -> Result<Value> {
    let count = u.arbitrary::<u8>()? % (most + 1);
    let items: Result<Vec<Value>> = (0..count).map(|_| make(u)).collect();
    Ok(Value::Array(items?))
}

fn document(u: &mut Unstructured) -> Result<Value> {
    Ok(json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["EXT_meshopt_compression", "KHR_draco_mesh_compression", "EXT_mesh_gpu_instancing"],
        "scene": 0,
        "scenes": [{"nodes": list(u, 4, |u| Ok(json!(number(u)?)))?}],
        "bufferViews": list(u, 6, view)?,
        "accessors": list(u, 8, accessor)?,
        "meshes": list(u, 3, |u| Ok(json!({"primitives": list(u, 3, primitive)?, "weights": list(u, 2, float)?})))?,
        "nodes": list(u, 6, node)?,
        "materials": list(u, 3, material)?,
        "textures": list(u, 3, |u| Ok(json!({"source": number(u)?})))?,
        "images": list(u, 3, |u| Ok(json!({"bufferView": number(u)?, "mimeType": "image/png"})))?,
        "skins": list(u, 2, |u| Ok(json!({
            "joints": list(u, 4, |u| Ok(json!(number(u)?)))?,
            "inverseBindMatrices": number(u)?,
        })))?,
        "animations": list(u, 2, animation)?,
    }))
}

fn float(u: &mut Unstructured) -> Result<Value> {
    Ok(json!(u.arbitrary::<f32>()?))
}

fn view(u: &mut Unstructured) -> Result<Value> {
    let mut view = json!({"buffer": 0, "byteOffset": number(u)?, "byteLength": number(u)?});
    match u.arbitrary::<u8>()? % 4 {
        0 => view["byteStride"] = json!(number(u)?),
        1 => {
            let packed = json!({
                "buffer": 0, "byteOffset": number(u)?, "byteLength": number(u)?, "byteStride": number(u)?,
                "count": number(u)?, "mode": mode(u)?, "filter": filter(u)?,
            });
            view["extensions"] = json!({"EXT_meshopt_compression": packed});
        }
        _ => {}
    }
    Ok(view)
}

fn accessor(u: &mut Unstructured) -> Result<Value> {
    let component = *u.choose(&[5120, 5121, 5122, 5123, 5125, 5126, 5126, 5126, 5124])?;
    let kind = *u.choose(&["SCALAR", "VEC2", "VEC3", "VEC3", "VEC4", "MAT4", "MAT2", ""])?;
    let mut accessor = json!({
        "bufferView": number(u)?, "byteOffset": number(u)?, "componentType": component, "count": number(u)?,
        "type": kind, "normalized": u.arbitrary::<bool>()?,
    });
    if u.arbitrary::<u8>()? % 8 == 0 {
        accessor["sparse"] = json!({
            "count": number(u)?,
            "indices": {"bufferView": number(u)?, "byteOffset": number(u)?, "componentType": component},
            "values": {"bufferView": number(u)?, "byteOffset": number(u)?},
        });
    }
    Ok(accessor)
}

const ATTRIBUTES: [&str; 9] = [
    "NORMAL",
    "TANGENT",
    "TEXCOORD_0",
    "TEXCOORD_1",
    "COLOR_0",
    "JOINTS_0",
    "WEIGHTS_0",
    "_OWN",
    "TEXCOORD_9",
];

fn attributes(u: &mut Unstructured) -> Result<Value> {
    let mut out = json!({"POSITION": number(u)?});
    for _ in 0..u.arbitrary::<u8>()? % 5 {
        out[*u.choose(&ATTRIBUTES)?] = json!(number(u)?);
    }
    Ok(out)
}

fn primitive(u: &mut Unstructured) -> Result<Value> {
    let mut primitive = json!({"attributes": attributes(u)?, "material": number(u)?});
    let choices = u.arbitrary::<u8>()?;
    if choices & 1 != 0 {
        primitive["indices"] = json!(number(u)?);
    }
    if choices & 2 != 0 {
        primitive["mode"] = json!(u.arbitrary::<u8>()? % 8);
    }
    if choices & 12 == 12 {
        primitive["targets"] = list(u, 3, attributes)?;
    }
    if choices & 48 == 48 {
        let packed = json!({"bufferView": number(u)?, "attributes": attributes(u)?});
        primitive["extensions"] = json!({"KHR_draco_mesh_compression": packed});
    }
    Ok(primitive)
}

fn node(u: &mut Unstructured) -> Result<Value> {
    let mut node = json!({"mesh": number(u)?, "children": list(u, 3, |u| Ok(json!(number(u)?)))?});
    let choices = u.arbitrary::<u8>()?;
    if choices & 1 != 0 {
        node["skin"] = json!(number(u)?);
    }
    if choices & 2 != 0 {
        node["matrix"] = json!(u.arbitrary::<[f32; 16]>()?);
    }
    if choices & 4 != 0 {
        node["scale"] = json!(u.arbitrary::<[f32; 3]>()?);
        node["rotation"] = json!(u.arbitrary::<[f32; 4]>()?);
    }
    if choices & 24 == 24 {
        let placed =
            json!({"TRANSLATION": number(u)?, "ROTATION": number(u)?, "SCALE": number(u)?});
        node["extensions"] = json!({"EXT_mesh_gpu_instancing": {"attributes": placed}});
    }
    if choices & 96 == 96 {
        node["extensions"]["KHR_node_visibility"] = json!({"visible": false});
    }
    Ok(node)
}

fn material(u: &mut Unstructured) -> Result<Value> {
    let texture = |u: &mut Unstructured| Ok(json!({"index": number(u)?, "texCoord": number(u)?}));
    let mut material = json!({
        "alphaMode": *u.choose(&["OPAQUE", "MASK", "BLEND", "?"])?,
        "alphaCutoff": u.arbitrary::<f32>()?,
        "pbrMetallicRoughness": {"baseColorTexture": texture(u)?, "metallicFactor": u.arbitrary::<f32>()?},
    });
    if u.arbitrary::<bool>()? {
        material["normalTexture"] = texture(u)?;
        let shown = texture(u)?;
        material["extensions"] = json!({"KHR_materials_pbrSpecularGlossiness": {
            "diffuseTexture": shown, "specularGlossinessTexture": shown, "glossinessFactor": 0.5,
        }});
    }
    Ok(material)
}

fn animation(u: &mut Unstructured) -> Result<Value> {
    let channel: Make = |u| {
        let path = *u.choose(&["translation", "rotation", "scale", "weights", "pointer"])?;
        let (sampler, node) = (number(u)?, number(u)?);
        let pointer = json!({"pointer": format!("/nodes/{node}/scale")});
        let target =
            json!({"node": node, "path": path, "extensions": {"KHR_animation_pointer": pointer}});
        Ok(json!({"sampler": sampler, "target": target}))
    };
    let sampler: Make = |u| {
        let how = *u.choose(&["LINEAR", "STEP", "CUBICSPLINE"])?;
        Ok(json!({"input": number(u)?, "output": number(u)?, "interpolation": how}))
    };
    Ok(json!({"channels": list(u, 3, channel)?, "samplers": list(u, 3, sampler)?}))
}

fn mode(u: &mut Unstructured) -> Result<&'static str> {
    Ok(*u.choose(&["ATTRIBUTES", "TRIANGLES", "INDICES", "?"])?)
}

fn filter(u: &mut Unstructured) -> Result<&'static str> {
    Ok(*u.choose(&[
        "NONE",
        "OCTAHEDRAL",
        "QUATERNION",
        "EXPONENTIAL",
        "COLOR",
        "?",
    ])?)
}

/// A compressed buffer view and the bytes it is decoded from.
pub fn meshopt_view(bytes: &[u8]) -> (MeshoptView, &[u8]) {
    let mut u = Unstructured::new(bytes);
    let mut view = MeshoptView::default();
    let mut fill = || -> Result<()> {
        view.mode = mode(&mut u)?.into();
        view.filter = filter(&mut u)?.into();
        view.byte_stride = number(&mut u)?;
        view.count = number(&mut u)?;
        Ok(())
    };
    // Input that is too short leaves the rest at defaults.
    let _ = fill();
    (view, u.take_rest())
}

const OSG: [&str; 28] = [
    "osg::Group",
    "osg::Geode",
    "osg::Geometry",
    "osg::PagedLOD",
    "osg::LOD",
    "osg::ProxyNode",
    "osg::Switch",
    "osg::MatrixTransform",
    "osg::PositionAttitudeTransform",
    "osg::CoordinateSystemNode",
    "osg::StateSet",
    "osg::Texture2D",
    "osg::Image",
    "osg::Material",
    "osg::DrawArrays",
    "osg::DrawArrayLengths",
    "osg::DrawElementsUByte",
    "osg::DrawElementsUShort",
    "osg::DrawElementsUInt",
    "osg::Vec3Array",
    "osg::Vec2Array",
    "osg::Vec4ubArray",
    "osg::UIntArray",
    "osg::CullFace",
    "osg::TexEnv",
    "osg::DefaultUserDataContainer",
    "osgSim::Unknown",
    "a.jpg",
];

/// An OSGB file of words; input that already starts like one is returned unchanged.
pub fn osgb(bytes: &[u8]) -> Vec<u8> {
    if bytes.starts_with(MAGIC) {
        return bytes.to_vec();
    }
    let mut u = Unstructured::new(bytes);
    let mut out = MAGIC.to_vec();
    let kind = u.arbitrary::<u8>().unwrap_or_default();
    let version = [91u32, 97, 112, 154][usize::from(kind >> 1) % 4];
    for word in [1, version, u32::from(kind & 1) * 4, 1] {
        out.extend(word.to_le_bytes());
    }
    out.push(b'0');
    let mut open = Vec::new();
    while out.len() < super::MOST_BYTES && word(&mut u, &mut out, &mut open, version).is_ok() {}
    out
}

fn word(
    u: &mut Unstructured,
    out: &mut Vec<u8>,
    open: &mut Vec<usize>,
    version: u32,
) -> Result<()> {
    match u.arbitrary::<u8>()? % 8 {
        0 => {
            let name = *u.choose(&OSG)?;
            out.extend((name.len() as u32).to_le_bytes());
            out.extend(name.as_bytes());
        }
        1 => out.extend((u.arbitrary::<u8>()? as u32).to_le_bytes()),
        2 => out.extend(u.arbitrary::<u32>()?.to_le_bytes()),
        3 => out.push(u.arbitrary::<u8>()? & 1),
        4 => out.extend(f32::from(u.arbitrary::<i8>()?).to_le_bytes()),
        5 => {
            open.push(out.len());
            out.extend([0; 8][..if version > 148 { 8 } else { 4 }].iter());
        }
        6 => {
            if let Some(at) = open.pop() {
                let length = ((out.len() - at) as u32).to_le_bytes();
                out[at..at + 4].copy_from_slice(&length);
            }
        }
        _ => {
            let count = u.arbitrary::<u8>()? % 16;
            out.extend(u.bytes(usize::from(count))?);
        }
    }
    if u.is_empty() {
        return Err(arbitrary::Error::NotEnoughData);
    }
    Ok(())
}

/// A ZIP with a valid directory, names and contents from the fuzzer, and one field changed.
pub fn zip(bytes: &[u8]) -> Vec<u8> {
    let mut u = Unstructured::new(bytes);
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    // Input that is too short makes a shorter archive.
    let _ = entries(&mut u, &mut archive);
    let mut out = archive.finish().map(Cursor::into_inner).unwrap_or_default();
    for _ in 0..u.arbitrary::<u8>().unwrap_or_default() % 4 {
        let at = usize::from(u.arbitrary::<u16>().unwrap_or_default()) % out.len().max(1);
        if let Some(byte) = out.get_mut(at) {
            *byte = u.arbitrary().unwrap_or_default();
        }
    }
    out
}

fn entries(u: &mut Unstructured, archive: &mut zip::ZipWriter<Cursor<Vec<u8>>>) -> Result<()> {
    const ENDS: [&str; 8] = [".obj", ".mtl", ".png", ".zip", ".glb", "", "/", ".stl"];
    for _ in 0..u.arbitrary::<u8>()? % 6 {
        let length = usize::from(u.arbitrary::<u8>()? % 16);
        let name = String::from_utf8_lossy(u.bytes(length)?).into_owned() + *u.choose(&ENDS)?;
        let length = usize::from(u.arbitrary::<u8>()?);
        let content = u.bytes(length)?;
        let method = match u.arbitrary::<bool>()? {
            true => zip::CompressionMethod::Deflated,
            false => zip::CompressionMethod::Stored,
        };
        let options = SimpleFileOptions::default().compression_method(method);
        // The writer refuses duplicate names.
        if archive.start_file(name, options).is_ok() {
            let _ = archive.write_all(content);
        }
    }
    Ok(())
}

/// A compound file like Revit's, with three streams; input that already starts like one, or like a JT file, is returned
/// unchanged.
pub fn revit(bytes: &[u8]) -> Vec<u8> {
    if bytes.starts_with(b"\xd0\xcf\x11\xe0") || bytes.starts_with(b"Version ") {
        return bytes.to_vec();
    }
    let fill = || -> std::io::Result<Vec<u8>> {
        let mut file = cfb::CompoundFile::create(Cursor::new(Vec::new()))?;
        let mut parts = bytes.splitn(3, |byte| *byte == 0xfe);
        for name in ["/BasicFileInfo", "/PartAtom", "/RevitPreview4.0"] {
            let content = parts.next().unwrap_or_default();
            file.create_stream(name)?.write_all(content)?;
        }
        file.flush()?;
        Ok(file.into_inner().into_inner())
    };
    fill().unwrap_or_default()
}
