//! OBJ writer: metres, world space, with MTL and textures beside it or in a ZIP.

mod mtl;

use super::lost::{self, Simple};
use crate::read::{Format, colour};
use crate::scene::{Baked, Mode, Problem, bake};
use crate::{Ctx, Error, Result, Scene};
use mtl::Library;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

/// Writes `NAME.obj`, `NAME.mtl` and the textures into the folder of `path`.
pub fn write(scene: &Scene, path: &Path, ctx: &Ctx) -> Result<Vec<Problem>> {
    let stem = stem_of(path);
    let library = mtl::make(scene, ctx)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let failed = |e: io::Error| Error::io(path, &e);
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path).map_err(failed)?);
    geometry(scene, &mut out, &stem, &library, path)?;
    out.flush().map_err(failed)?;
    let mtl_path = folder.join(format!("{stem}.mtl"));
    fs::write(&mtl_path, &library.text).map_err(|e| Error::io(&mtl_path, &e))?;
    for (name, bytes) in &library.files {
        let texture = folder.join(name);
        fs::write(&texture, bytes).map_err(|e| Error::io(&texture, &e))?;
    }
    Ok(problems(scene, library))
}

/// Writes the same files into one ZIP at `path`.
pub fn write_zip(scene: &Scene, path: &Path, ctx: &Ctx) -> Result<Vec<Problem>> {
    let stem = stem_of(path);
    let library = mtl::make(scene, ctx)?;
    let failed = |e: io::Error| Error::io(path, &e);
    let zipped = |e: zip::result::ZipError| {
        let message = format!("{stem}.zip({e})");
        match e {
            zip::result::ZipError::Io(cause) => Error::storage(message, &cause),
            _ => Error::Io(message),
        }
    };
    let file = BufWriter::with_capacity(1 << 20, File::create(path).map_err(failed)?);
    let mut out = ZipWriter::new(file);
    // About 100 bytes per vertex and 40 per triangle; ZIP64 only if it may be needed.
    let large = scene.vertex_count() * 100 + scene.triangle_count() * 40 > 2_000_000_000;
    let packed = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(4))
        .large_file(large);
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    out.start_file(format!("{stem}.obj"), packed)
        .map_err(zipped)?;
    {
        let mut text = BufWriter::with_capacity(1 << 18, &mut out);
        geometry(scene, &mut text, &stem, &library, path)?;
        text.flush().map_err(failed)?;
    }
    out.start_file(format!("{stem}.mtl"), packed)
        .map_err(zipped)?;
    out.write_all(library.text.as_bytes()).map_err(failed)?;
    for (name, bytes) in &library.files {
        out.start_file(name.as_str(), stored).map_err(zipped)?;
        out.write_all(bytes).map_err(failed)?;
    }
    let mut file = out.finish().map_err(zipped)?;
    file.flush().map_err(failed)?;
    Ok(problems(scene, library))
}

fn stem_of(path: &Path) -> String {
    let stem = path
        .file_stem()
        .map(|s| s.to_string_lossy().into_owned())
        .unwrap_or_default();
    if stem.is_empty() {
        "model".to_owned()
    } else {
        word(&stem)
    }
}

fn problems(scene: &Scene, library: Library) -> Vec<Problem> {
    let mut problems = library.problems;
    problems.extend(lost::problems(scene, Simple::Obj));
    problems
}

/// A name without spaces, where many readers would truncate it.
fn word(name: &str) -> String {
    let clean: String = name
        .chars()
        .map(|c| {
            if c.is_whitespace() || c.is_control() || "/\\:*?\"<>|#".contains(c) {
                '_'
            } else {
                c
            }
        })
        .take(120)
        .collect();
    if clean.is_empty() {
        "unnamed".to_owned()
    } else {
        clean
    }
}

/// What has been written: indices count over the whole file, from one.
#[derive(Default)]
struct Written {
    positions: usize,
    uvs: usize,
    normals: usize,
    names: HashMap<String, usize>,
}

fn geometry(
    scene: &Scene,
    out: &mut dyn Write,
    stem: &str,
    library: &Library,
    path: &Path,
) -> Result<()> {
    let failed = |e: io::Error| Error::io(path, &e);
    write!(out, "# made by modelkit\n# units: m\nmtllib {stem}.mtl\n").map_err(failed)?;
    let mut written = Written::default();
    let mut current = None;
    bake(scene, &mut |baked| {
        if current != Some(baked.node_index) {
            current = Some(baked.node_index);
            let name = if baked.node.name.is_empty() {
                &baked.mesh.name
            } else {
                &baked.node.name
            };
            writeln!(out, "o {}", written.unique(word(name))).map_err(failed)?;
        }
        let material = library.name_of(baked.primitive.material);
        writeln!(out, "usemtl {material}").map_err(failed)?;
        primitive(out, &baked, &mut written).map_err(failed)
    })?;
    if written.positions == 0 {
        return Err(Error::EmptyModel("模型没有任何几何，无法写成 OBJ".into()));
    }
    Ok(())
}

impl Written {
    /// Two nodes with the same name would become one object when read.
    fn unique(&mut self, name: String) -> String {
        let count = self.names.entry(name.clone()).or_insert(0);
        *count += 1;
        if *count == 1 {
            name
        } else {
            format!("{name}.{count}")
        }
    }
}

fn primitive(out: &mut dyn Write, baked: &Baked, written: &mut Written) -> io::Result<()> {
    let places = positions(out, baked, written)?;
    let uvs = baked
        .primitive
        .uvs
        .first()
        .filter(|uvs| uvs.len() == baked.positions.len());
    for [u, v] in uvs.into_iter().flatten() {
        writeln!(out, "vt {} {}", plain(*u), plain(1.0 - *v))?;
    }
    let has_normals = baked.normals.len() == baked.positions.len();
    if has_normals {
        for [x, y, z] in &baked.normals {
            writeln!(out, "vn {} {} {}", plain(*x), plain(*y), plain(*z))?;
        }
    }
    let (first_uv, first_normal) = (written.uvs + 1, written.normals + 1);
    let corner = |out: &mut dyn Write, i: u32| {
        let v = places.get(i as usize).copied().unwrap_or(1);
        let (vt, vn) = (first_uv + i as usize, first_normal + i as usize);
        match (uvs.is_some(), has_normals) {
            (true, true) => write!(out, " {v}/{vt}/{vn}"),
            (true, false) => write!(out, " {v}/{vt}"),
            (false, true) => write!(out, " {v}//{vn}"),
            (false, false) => write!(out, " {v}"),
        }
    };
    let indices = &baked.primitive.indices;
    match baked.primitive.mode {
        Mode::Triangles => {
            for triangle in indices.chunks_exact(3) {
                let (a, mut b, mut c) = (triangle[0], triangle[1], triangle[2]);
                if baked.mirrored {
                    (b, c) = (c, b);
                }
                out.write_all(b"f")?;
                for i in [a, b, c] {
                    corner(out, i)?;
                }
                out.write_all(b"\n")?;
            }
        }
        Mode::Lines => {
            for ends in indices.chunks_exact(2) {
                let place = |i: u32| places.get(i as usize).copied().unwrap_or(1);
                writeln!(out, "l {} {}", place(ends[0]), place(ends[1]))?;
            }
        }
        Mode::Points => {
            for &i in indices {
                writeln!(out, "p {}", places.get(i as usize).copied().unwrap_or(1))?;
            }
        }
    }
    written.uvs += uvs.map_or(0, Vec::len);
    written.normals += if has_normals { baked.normals.len() } else { 0 };
    Ok(())
}

/// Writes the positions, equal ones once, so that other tools see a connected surface; returns the index of each
/// vertex's position in the file.
fn positions(out: &mut dyn Write, baked: &Baked, written: &mut Written) -> io::Result<Vec<usize>> {
    let colors = &baked.primitive.colors;
    let mut known: HashMap<[u32; 6], usize> = HashMap::with_capacity(baked.positions.len());
    let mut places = Vec::with_capacity(baked.positions.len());
    for (i, &[x, y, z]) in baked.positions.iter().enumerate() {
        let color = colors
            .get(i)
            .map(|c| colour::of_linear(Format::Obj, [c[0], c[1], c[2]]));
        let [r, g, b] = color.unwrap_or([1.0; 3]);
        let key = [x, y, z, r, g, b].map(f32::to_bits);
        let next = written.positions + 1;
        let place = *known.entry(key).or_insert(next);
        places.push(place);
        if place != next {
            continue;
        }
        written.positions += 1;
        match baked.origin == [0.0; 3] {
            true => write!(out, "v {} {} {}", plain(x), plain(y), plain(z))?,
            false => far(out, baked.place([x, y, z]))?,
        }
        if color.is_some() {
            write!(out, " {r} {g} {b}")?;
        }
        out.write_all(b"\n")?;
    }
    Ok(places)
}

/// A position far out, to a micrometre.
fn far(out: &mut dyn Write, place: [f64; 3]) -> io::Result<()> {
    let [x, y, z] = place.map(|v| {
        if v.is_finite() {
            (v * 1e6).round() / 1e6
        } else {
            0.0
        }
    });
    write!(out, "v {x} {y} {z}")
}

/// The shortest text that parses to the same number; never `NaN`.
fn plain(value: f32) -> f32 {
    if value.is_finite() { value + 0.0 } else { 0.0 }
}
