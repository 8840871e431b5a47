//! The fuzz targets, one for every reader of untrusted bytes. The crate in `fuzz/` runs them with libFuzzer; a test in
//! `crates/engine/tests/it/units` runs them over the kept corpora. No program calls them.
//! A target must return normally for any input. The limits are small, so that an allocation or a delay that the input
//! does not justify stands out.

mod made;

use crate::limits::Limits;
use crate::read::encoding::Encoding;
use crate::read::{self, Format, Input, Mapped, NoSideFiles, SideFiles, served};
use crate::scene::{Image, Scene, decode, picture_size};
use crate::write::{self, OutFormat};
use crate::{Ctx, Result, Silent, archive, check, open, tiles};
use std::borrow::Cow;

/// Longest input in bytes; longer ones are skipped.
pub const MOST_BYTES: usize = 64 << 10;

/// A target: its name, which is also its corpus folder, and its function.
pub type Target = (&'static str, fn(&[u8]));

pub const TARGETS: [Target; 21] = [
    ("gltf", |bytes| model(bytes, "a.gltf")),
    ("glb", |bytes| model(&made::glb(bytes), "a.glb")),
    ("meshopt", meshopt),
    ("draco", draco),
    ("ktx2", ktx2),
    ("picture", picture),
    ("obj", obj),
    ("stl", |bytes| of_format(bytes, Format::Stl, "a.stl")),
    ("ply", |bytes| of_format(bytes, Format::Ply, "a.ply")),
    ("three_ds", |bytes| {
        of_format(bytes, Format::ThreeDs, "a.3ds")
    }),
    ("dae", |bytes| of_format(bytes, Format::Dae, "a.dae")),
    ("osgb", |bytes| {
        of_format(&made::osgb(bytes), Format::Osgb, "a.osgb")
    }),
    ("fbx", |bytes| of_format(bytes, Format::Fbx, "a.fbx")),
    ("zip", unpack),
    ("zip_made", |bytes| unpack(&made::zip(bytes))),
    ("rar", unpack),
    ("cad_step", cad_step),
    ("cad_stream", cad_stream),
    ("sealed", sealed),
    ("metadata", metadata),
    ("names", names),
];

/// Runs the target `name` on `bytes`.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|(known, _)| *known == name);
    let (_, body) = target.expect("the target is in the list");
    if bytes.len() <= MOST_BYTES {
        body(bytes);
    }
}

fn limits() -> Limits {
    Limits {
        file_bytes: 1 << 20,
        nodes: 2_000,
        depth: 64,
        meshes: 2_000,
        materials: 500,
        images: 16,
        vertices: 200_000,
        indices: 600_000,
        image_pixels: 1 << 18,
        image_bytes: 1 << 20,
        animation_values: 200_000,
        archive_entries: 64,
        archive_bytes: 4 << 20,
        archive_ratio: 100,
        archive_depth: 3,
        line_bytes: 1 << 16,
        ..Limits::default()
    }
}

fn context() -> Ctx<'static> {
    Ctx {
        limits: limits(),
        ..Ctx::new(&Silent)
    }
}

/// Resolves every side file to the same bytes.
struct Same<'a>(&'a [u8]);

impl SideFiles for Same<'_> {
    fn find(&self, _name: &str) -> Option<Cow<'_, [u8]>> {
        Some(Cow::Borrowed(self.0))
    }
}

/// Everything a check-up does with a file.
fn model(bytes: &[u8], name: &str) {
    let side = &NoSideFiles;
    let input = Input { bytes, name, side };
    let scene = open::read(&input, &context());
    if let Ok(scene) = &scene {
        handed_on(&input, scene);
    }
    onward(scene);
}

/// What a page gets of a glTF instead of a preview shows the same.
fn handed_on(input: &Input, scene: &Scene) {
    if !matches!(scene.format.as_str(), "glb" | "gltf") || !scene.problems.is_empty() {
        return;
    }
    let Some(own) = served::as_glb(input, MOST_BYTES) else {
        return;
    };
    let again = open::read(
        &Input {
            bytes: &own,
            name: "own.glb",
            side: input.side,
        },
        &context(),
    );
    let again = again.expect("what is handed on can be read");
    assert_eq!(again.triangle_count(), scene.triangle_count());
    assert_eq!(again.images.len(), scene.images.len());
}

/// The same, bypassing format detection.
fn of_format(bytes: &[u8], format: Format, name: &str) {
    let side = &NoSideFiles;
    onward(read::read_as(
        &Input { bytes, name, side },
        format,
        &context(),
    ));
}

/// Checks and writes what was read: a reader that violates an invariant of the scene fails here.
fn onward(scene: Result<Scene>) {
    let Ok(scene) = scene else { return };
    let ctx = context();
    check::check(&scene, 1, &ctx).expect("what was read can be checked");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.glb");
    // Vertices shared by several meshes may exceed a limit of the writer.
    let _ = write::write(
        &scene,
        &path,
        OutFormat::Glb,
        &write::Options::default(),
        &ctx,
    );
}

/// A model and its material library, separated by a byte 0.
fn obj(bytes: &[u8]) {
    let parting = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    let (text, library) = bytes.split_at(parting);
    let side = &Same(library.get(1..).unwrap_or_default());
    let input = Input {
        bytes: text,
        name: "a.obj",
        side,
    };
    onward(read::read_as(&input, Format::Obj, &context()));
}

fn meshopt(bytes: &[u8]) {
    let (view, source) = made::meshopt_view(bytes);
    let _ = read::gltf::decode_meshopt(&view, source);
}

fn draco(bytes: &[u8]) {
    use codecs::Component::{F32, U8, U16};
    let Ok(mesh) = codecs::decode_draco(bytes, limits().indices, limits().vertices) else {
        return;
    };
    let _ = mesh.indices();
    for (id, component) in [(0, F32), (1, U16), (2, U8)] {
        for width in 0..=4 {
            let _ = mesh.column(id, component, width);
        }
    }
}

fn ktx2(bytes: &[u8]) {
    let _ = codecs::ktx2_info(bytes);
    let _ = codecs::decode_ktx2(bytes, limits().image_pixels);
}

fn picture(bytes: &[u8]) {
    let _ = picture_size(bytes);
    let _ = decode(bytes, &limits());
    let _ = Image::from_encoded("a.tga", bytes, &limits());
}

fn unpack(bytes: &[u8]) {
    let ctx = context();
    if let Ok(found) = archive::unpack(bytes, Mapped::none(), &ctx) {
        for wanted in ["a.png", "..\\x/../tex/木.PNG", ""] {
            let _ = found.side.find(wanted);
        }
        let inner = Input {
            bytes: &found.main,
            name: &found.main_name,
            side: &*found.side,
        };
        if let Ok(format) = read::detect(inner.bytes, inner.name) {
            onward(read::read_as(&inner, format, &ctx));
        }
    }
}

struct NoFiles;

impl read::cad::Files for NoFiles {
    fn send(&mut self, _name: &str) {}

    fn triangles(&self, _file: usize, _entity: u32) -> crate::Result<read::cad::Triangles> {
        Ok(read::cad::Triangles::default())
    }
}

/// The engine's own part of reading STEP: what it makes of the text for OCCT, and tessellated geometry.
fn cad_step(bytes: &[u8]) {
    let step = read::cad::Step::new(bytes.into());
    assert!(step.length() <= bytes.len() as u64 * 8);
    for entity in 0..32 {
        let _ = step.triangles(entity, &limits());
    }
}

fn cad_stream(mut bytes: &[u8]) {
    let encoding = Encoding::of(bytes);
    if let Ok(mut scene) = read::cad::read_stream(&mut bytes, encoding, &mut NoFiles, &context()) {
        scene.format = "step".into();
        onward(read::clean(&mut scene, &context()).map(|()| scene));
    }
}

fn sealed(bytes: &[u8]) {
    let bytes = &made::revit(bytes);
    for name in ["a.rvt", "a.jt"] {
        if let Some(found) = open::look(bytes, name, &limits()) {
            let _ = found.thumbnail(32, &limits());
            check::check_sealed(&found, name, 1, &context());
        }
    }
}

fn metadata(bytes: &[u8]) {
    tiles::examine_metadata(&read::encoding::xml(bytes));
}

/// File names, and format detection by content and name, separated by a byte 0.
fn names(bytes: &[u8]) {
    let parting = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    let (raw, content) = bytes.split_at(parting);
    archive::examine_name(raw);
    let name = Encoding::of(raw).name(raw);
    read::clean_parts(&name);
    let _ = read::names::readings(&name);
    for content in [content, content.get(1..).unwrap_or_default()] {
        let _ = read::detect(content, &name);
    }
}
