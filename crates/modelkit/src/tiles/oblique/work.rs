//! Processes one file after the other: writes content, follows finer files.

use super::Work;
use crate::progress::Stage;
use crate::read::osgb::{self, Making, Model, Part, Switch};
use crate::scene::{Bounds, Scene};
use crate::tiles::coarse::Proxy;
use crate::tiles::geo::Frame;
use crate::tiles::source::{Beside, folder_of, stem_of};
use crate::tiles::tileset::{PIXELS, Tile};
use crate::tiles::{pictures, url_name};
use crate::{Error, Result, lfs, lighten};
use rayon::prelude::*;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// Depth of finer files; real deliveries have about ten levels.
const MOST_LEVELS: usize = 40;
/// Size in pixels of a metre at a distance of one metre, for ranges given as distances: 1080 lines at 60°.
const PIXELS_OF_A_METRE: f64 = 1080.0 / (2.0 * 0.577_350_269);

/// A written part of a file, with the names of the files that refine it.
pub(super) struct Piece {
    pub tile: Tile,
    files: Vec<String>,
    triangles: u64,
}

/// A tile folder being processed.
pub(super) struct Folder<'f> {
    pub frame: &'f Frame<'f>,
    /// `None`: write nothing.
    pub out: Option<&'f Path>,
}

impl Work<'_> {
    /// Reads a file and passes its model to a callback; `None`, with a problem recorded, if it cannot be read.
    pub(super) fn with_model<R>(
        &self,
        place: usize,
        use_it: impl FnOnce(&Model, &[Part]) -> Result<R>,
    ) -> Result<Option<R>> {
        let limits = &self.ctx.limits;
        let (path, size) = &self.source.files[place];
        self.quiet.report(Stage::Read, 0.0, "")?;
        if *size > limits.file_bytes {
            self.damaged(path);
            return Ok(None);
        }
        let bytes = match self.source.read(place, self.readers) {
            Ok(bytes) => bytes,
            // No tile is read any more: the job ends, and none counts as damaged.
            Err(error @ Error::Limit(_)) => return Err(error),
            Err(error @ Error::UnsupportedFormat(_)) => {
                self.unread(path, &error);
                return Ok(None);
            }
            Err(_) => {
                self.damaged(path);
                return Ok(None);
            }
        };
        if lfs::is_pointer(&bytes) {
            self.unread(path, &lfs::refusal());
            return Ok(None);
        }
        // The decompressed size is limited relative to the file's: files are small, and several are processed at once.
        let most = (bytes.len() as u64)
            .saturating_mul(64)
            .min(limits.file_bytes);
        let opened = osgb::File::open(&bytes, most);
        let model = opened
            .as_ref()
            .map_err(|_| ())
            .and_then(|file| osgb::parse(file, limits.indices).map_err(|_| ()));
        let parts = model.as_ref().map_err(|_| ()).and_then(|model| {
            osgb::check_sizes(model, limits).map_err(|_| ())?;
            osgb::parts(model, limits).map_err(|_| ())
        });
        let (Ok(model), Ok(parts)) = (&model, parts) else {
            self.damaged(path);
            return Ok(None);
        };
        for problem in osgb::problems(model) {
            self.note(problem);
        }
        let result = use_it(model, &parts)?;
        let done = self.done.fetch_add(*size, Ordering::Relaxed) + size;
        let message = format!("正在生成 {}", stem_of(path));
        self.ctx.report(
            Stage::Write,
            0.02 + 0.95 * done as f64 / self.total as f64,
            &message,
        )?;
        Ok(Some(result))
    }

    /// Writes a file's parts. With `proxy`, also returns a coarse copy of them all.
    pub(super) fn pieces(
        &self,
        place: usize,
        model: &Model,
        parts: &[Part],
        folder: &Folder,
        proxy: bool,
    ) -> Result<(Vec<Piece>, Option<Proxy>)> {
        let path = &self.source.files[place].0;
        let side = Beside {
            source: self.source,
            readers: self.readers,
            folder: folder_of(path),
            over: Mutex::default(),
        };
        let frame = folder.frame;
        let up = |[x, y, z]: [f64; 3]| [x, z, -y];
        let making = Making {
            model,
            side: &side,
            limits: &self.ctx.limits,
            place: &|p| up(frame.place(p)),
            // The frame has its own origin.
            lifts: false,
            turn: &|d| {
                let [x, y, z] = frame.turn(d);
                [x, z, -y]
            },
        };
        let mut scenes = Vec::new();
        let mut pieces = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let mut scene = making.scene(&[part]);
            if let Some(error) = side.over.lock().map_or(None, |mut over| over.take()) {
                return Err(error);
            }
            for problem in std::mem::take(&mut scene.problems) {
                self.note(problem);
            }
            if proxy {
                scenes.push(scene.clone());
            }
            let mut tile = Tile {
                bounds: bounds(&scene),
                ..Tile::default()
            };
            tile.error = switch_error(part, &tile.bounds);
            let triangles = scene.triangle_count() as u64;
            if let Some(out) = folder.out.filter(|_| triangles > 0) {
                let name = url_name(stem_of(path));
                let name = match parts.len() {
                    1 => format!("{name}.glb"),
                    _ => format!("{name}-{}.glb", number + 1),
                };
                lighten::order(&mut scene);
                nameless(&mut scene);
                let path = out.join(&name);
                let step = pictures::texel(&scene).map(pictures::step);
                tile.round_to(step);
                self.written
                    .glb(&mut scene, &path, self.options, step, &self.quiet)?;
                tile.uri = Some(name);
            }
            pieces.push(Piece {
                tile,
                files: part.files.clone(),
                triangles,
            });
        }
        let proxy = match proxy {
            true => Proxy::of_scenes(&scenes, &self.quiet)?,
            false => None,
        };
        Ok((pieces, proxy))
    }

    /// Follows the finer files of all pieces; returns their tiles.
    pub(super) fn descend(
        &self,
        pieces: Vec<Piece>,
        place: usize,
        folder: &Folder,
        level: usize,
    ) -> Result<Vec<Tile>> {
        let path = &self.source.files[place].0;
        let done: Result<Vec<Vec<Tile>>> = pieces
            .into_par_iter()
            .map(|piece| self.refine(piece, folder_of(path), folder, level))
            .collect();
        Ok(done?.into_iter().flatten().collect())
    }

    fn refine(
        &self,
        piece: Piece,
        beside: &str,
        folder: &Folder,
        level: usize,
    ) -> Result<Vec<Tile>> {
        let mut children = Vec::new();
        for name in &piece.files {
            let Some(place) = self.source.beside(beside, name) else {
                self.noted(|n| n.missing.add(name));
                continue;
            };
            if level >= MOST_LEVELS || !self.first_visit(place) {
                self.noted(|n| n.repeated.add(name));
                continue;
            }
            let written = self.with_model(place, |model, parts| {
                Ok(self.pieces(place, model, parts, folder, false)?.0)
            })?;
            if let Some(pieces) = written {
                children.extend(self.descend(pieces, place, folder, level + 1)?);
            }
        }
        let mut tile = piece.tile;
        if tile.uri.is_none() {
            return Ok(children);
        }
        if children.is_empty() {
            tile.error = 0.0;
            self.triangles.fetch_add(piece.triangles, Ordering::Relaxed);
        } else {
            // If the file has no range, a level is assumed to be twice as fine as the one above.
            let finest = children.iter().map(|c| c.error).fold(0.0, f64::max);
            tile.error = tile
                .error
                .max(finest * 1.000_001)
                .max(tile.bounds.diagonal() * 1e-6);
            tile.adopt(children);
        }
        Ok(vec![tile])
    }
}

/// Removes names of images and materials generated by the exporter: thousands of tiles repeat them.
fn nameless(scene: &mut Scene) {
    scene.images.iter_mut().for_each(|i| i.name.clear());
    scene.textures.iter_mut().for_each(|t| t.name.clear());
    scene.materials.iter_mut().for_each(|m| m.name.clear());
}

/// Bounding box of a scene (Y up) with Z up.
pub(super) fn bounds(scene: &Scene) -> Bounds {
    let mut bounds = Bounds::default();
    for p in scene.meshes.iter().flat_map(|m| &m.primitives) {
        for &[x, y, z] in &p.positions {
            bounds.add([x, -z, y].map(f64::from));
        }
    }
    bounds
}

/// The error that makes a viewer refine where OpenSceneGraph would.
fn switch_error(part: &Part, bounds: &Bounds) -> f64 {
    let radius = part.radius.unwrap_or(bounds.diagonal() / 2.0);
    let error = match part.switch {
        // The part is then that many pixels across: a pixel is 2 r / pixels metres.
        Some(Switch::Pixels(pixels)) if pixels > 0.0 => PIXELS * 2.0 * radius / pixels,
        Some(Switch::Distance(distance)) if distance < 1e9 => PIXELS * distance / PIXELS_OF_A_METRE,
        _ if part.files.is_empty() => 0.0,
        _ => bounds.diagonal() / 20.0,
    };
    match error.is_finite() {
        true => error.clamp(0.0, 1e7),
        false => bounds.diagonal() / 20.0,
    }
}
