//! A glTF as one GLB that browsers open, with its own compression and pictures.

use super::gltf::{Extension, Treatment, data_uri, split};
use super::{Input, encoding};
use crate::scene::mime_of;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// Required extensions that the viewer's loader supports.
const OPENED: [&str; 11] = [
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_texture_basisu",
    "KHR_texture_transform",
];
/// Extensions that the reader applies and the viewer's loader ignores.
const APPLIED: [Extension; 3] = [
    Extension::AnimationPointer,
    Extension::NodeVisibility,
    Extension::SpecularGlossiness,
];
/// Extensions of a buffer view that have a place of their own in a buffer.
const PLACED: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// A whole GLB 2.0 that refers to nothing outside itself and requires nothing that the viewer lacks: the file as it is,
/// or what it refers to gathered in one, if its binary part is at most `most` bytes: many references may name one large
/// file. The file must have been read without a problem before.
pub fn as_glb<'a>(input: &'a Input, most: usize) -> Option<Cow<'a, [u8]>> {
    let (text, bin) = split(input.bytes).ok()?;
    let mut root: Value = serde_json::from_str(&encoding::json(text)).ok()?;
    if !opened(&root) {
        return None;
    }
    let apart = |name: &str| list(&root, name).any(|item| item.get("uri").is_some());
    if bin.is_some() && !apart("buffers") && !apart("images") {
        let word = |at: usize| {
            let four = input.bytes.get(at..at + 4)?.try_into().ok()?;
            usize::try_from(u32::from_le_bytes(four)).ok()
        };
        // Loaders refuse bytes after the declared end, zeros after the JSON, and other encodings.
        if word(12) == Some(text.len()) && std::str::from_utf8(text).is_ok() {
            return input.bytes.get(..word(8)?).map(Cow::Borrowed);
        }
    }
    let mut gathered = Gathered {
        bytes: Vec::new(),
        most,
    };
    gather_buffers(&mut root, bin, input, &mut gathered)?;
    gather_images(&mut root, input, &mut gathered)?;
    let bin = gathered.bytes;
    if let Some(buffer) = root.pointer_mut("/buffers/0") {
        buffer["byteLength"] = bin.len().into();
    }
    glb(&root, &bin).map(Cow::Owned)
}

fn list<'a>(root: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    let items = root.get(name).and_then(Value::as_array);
    items.into_iter().flatten()
}

fn list_mut<'a>(root: &'a mut Value, name: &str) -> impl Iterator<Item = &'a mut Value> {
    let items = root.get_mut(name).and_then(Value::as_array_mut);
    items.into_iter().flatten()
}

/// The viewer's loader knows all that the file requires.
fn opened(root: &Value) -> bool {
    let named = |name: &Value| Extension::named(name.as_str().unwrap_or_default());
    let required = list(root, "extensionsRequired").all(|name| {
        // Core materials with additions.
        let material = named(name).is_some_and(|e| e.treatment() == Treatment::Kept);
        material || OPENED.contains(&name.as_str().unwrap_or_default())
    });
    let applied = |name| named(name).is_some_and(|e| APPLIED.contains(&e));
    required && !list(root, "extensionsUsed").any(applied)
}

/// What a URI stands for: embedded, or a file beside this one.
fn content<'a>(uri: &str, input: &'a Input) -> Option<Cow<'a, [u8]>> {
    match uri.starts_with("data:") {
        true => data_uri(uri).map(Cow::Owned),
        false => input.side.find_uri(uri),
    }
}

/// The first buffer, of at most `most` bytes.
struct Gathered {
    bytes: Vec<u8>,
    most: usize,
}

impl Gathered {
    /// Appends at a multiple of four; returns the place.
    fn append(&mut self, bytes: &[u8]) -> Option<usize> {
        let at = self.bytes.len();
        if bytes.len() > self.most.saturating_sub(at) {
            return None;
        }
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        Some(at)
    }
}

/// Moves all buffers into the first; those without bytes, which stand for decompressed views, stay behind it.
fn gather_buffers(
    root: &mut Value,
    own: Option<&[u8]>,
    input: &Input,
    gathered: &mut Gathered,
) -> Option<()> {
    // The new number of each buffer and its place in it.
    let mut moved: Vec<(usize, usize)> = Vec::new();
    let mut kept = vec![json!({})];
    for (i, buffer) in list(root, "buffers").enumerate() {
        let uri = buffer
            .get("uri")
            .map(|uri| uri.as_str().unwrap_or_default());
        let bytes = match (uri, own) {
            (Some(uri), _) => content(uri, input)?,
            (None, Some(own)) if i == 0 => Cow::Borrowed(own),
            (None, _) => {
                moved.push((kept.len(), 0));
                kept.push(buffer.clone());
                continue;
            }
        };
        moved.push((0, gathered.append(&bytes)?));
    }
    for view in list_mut(root, "bufferViews") {
        shift(view, &moved)?;
        let extensions = view.get_mut("extensions");
        for name in PLACED {
            if let Some(packed) = extensions.as_ref().and_then(|e| e.get(name)) {
                let mut packed = packed.clone();
                shift(&mut packed, &moved)?;
                view["extensions"][name] = packed;
                break;
            }
        }
    }
    root["buffers"] = kept.into();
    Some(())
}

/// Points what has a place in a buffer to its new one.
fn shift(view: &mut Value, moved: &[(usize, usize)]) -> Option<()> {
    let old = usize::try_from(view.get("buffer")?.as_u64()?).ok()?;
    let &(buffer, by) = moved.get(old)?;
    let offset = view.get("byteOffset").and_then(Value::as_u64).unwrap_or(0);
    view["buffer"] = buffer.into();
    view["byteOffset"] = offset.checked_add(by as u64)?.into();
    Some(())
}

/// Moves images that have a URI into the first buffer.
fn gather_images(root: &mut Value, input: &Input, gathered: &mut Gathered) -> Option<()> {
    let mut views = list(root, "bufferViews").count();
    let mut added = Vec::new();
    for image in list_mut(root, "images") {
        let Some(uri) = image.get("uri") else {
            continue;
        };
        let bytes = content(uri.as_str()?, input)?;
        let (place, length) = (gathered.append(&bytes)?, bytes.len());
        let fields: &mut Map<String, Value> = image.as_object_mut()?;
        fields.shift_remove("uri");
        fields.insert("mimeType".into(), mime_of(&bytes)?.into());
        fields.insert("bufferView".into(), views.into());
        added.push(json!({"buffer": 0, "byteOffset": place, "byteLength": length}));
        views += 1;
    }
    if !added.is_empty() {
        let all: Vec<Value> = list(root, "bufferViews").cloned().chain(added).collect();
        root["bufferViews"] = all.into();
    }
    Some(())
}

/// A GLB of these chunks; the binary one is a multiple of four.
fn glb(root: &Value, bin: &[u8]) -> Option<Vec<u8>> {
    let mut text = serde_json::to_vec(root).ok()?;
    text.resize(text.len().next_multiple_of(4), b' ');
    let total = u32::try_from(12 + 8 + text.len() + 8 + bin.len()).ok()?;
    let mut out = Vec::with_capacity(total as usize);
    out.extend(b"glTF");
    out.extend(2u32.to_le_bytes());
    out.extend(total.to_le_bytes());
    for (kind, chunk) in [(b"JSON", &text[..]), (b"BIN\0", bin)] {
        out.extend((chunk.len() as u32).to_le_bytes());
        out.extend(kind);
        out.extend(chunk);
    }
    Some(out)
}
