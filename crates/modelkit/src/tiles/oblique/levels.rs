//! Tile folders, and the coarse levels above them.

use super::work::Folder;
use super::{Names, Noted, Root, Work};
use crate::read::osgb::Part;
use crate::scene::{Bounds, Problem};
use crate::tiles::Place;
use crate::tiles::coarse::{Proxy, between};
use crate::tiles::geo::{Frame, geodetic};
use crate::tiles::source::stem_of;
use crate::tiles::tileset::{self, PIXELS, Tile};
use crate::tiles::{pictures, url_name};
use crate::{Error, Result};
use rayon::prelude::*;
use std::sync::atomic::Ordering;

/// The site as a whole.
pub(super) struct Site {
    pub tile: Tile,
    pub place: Option<Place>,
    /// Content of the root.
    pub shown: Option<Proxy>,
}

/// A finished part of the site: its tile in the site's frame, and the input of the level above.
struct Done {
    tile: Tile,
    proxy: Option<Proxy>,
    /// Its content before it was made coarser for the level above.
    shown: Option<Proxy>,
}

impl Work<'_> {
    pub(super) fn noted(&self, change: impl FnOnce(&mut Noted)) {
        if let Ok(mut noted) = self.noted.lock() {
            change(&mut noted);
        }
    }

    pub(super) fn note(&self, problem: Problem) {
        self.noted(|n| {
            n.others.entry(problem.code).or_insert(problem);
        });
    }

    pub(super) fn damaged(&self, path: &str) {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.noted(|n| Names::add(&mut n.damaged, name));
    }

    /// A file that is whole, and what it is instead of a tile that can be read.
    pub(super) fn unread(&self, path: &str, why: &Error) {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.noted(|n| {
            Names::add(&mut n.unread, name);
            n.why.get_or_insert_with(|| why.to_string());
        });
    }

    pub(super) fn first_visit(&self, place: usize) -> bool {
        self.seen.lock().is_ok_and(|mut seen| seen.insert(place))
    }

    pub(super) fn site(&self, roots: &[Root]) -> Result<Site> {
        let (center, reach) = self.center(roots)?;
        let site = Frame::new(self.georeference, center, reach)?;
        let most = roots.iter().flat_map(|r| r.at).max().unwrap_or(0);
        // Levels of the quadtree: 2^levels columns and rows cover the grid.
        let levels = (64 - most.leading_zeros()) as usize;
        let all: Vec<&Root> = roots.iter().collect();
        let done = self.quadrant(&all, levels, [0, 0], &site)?;
        let Some(mut done) = done else {
            return Err(Error::EmptyModel(
                "所有 OSGB 文件都无法读取或没有三角形，请检查成果目录后重新打包".into(),
            ));
        };
        if done.tile.transform.is_some() {
            // A single folder: the root still gets content of its own.
            done = self.level(vec![done], "root")?;
        }
        done.tile.transform = Some(site.matrix);
        let place = self.georeference.is_placed().then(|| {
            let m = &site.matrix;
            let [longitude, latitude, height] = geodetic([m[12], m[13], m[14]]);
            Place {
                srs: self.georeference.name.clone(),
                longitude: longitude.to_degrees(),
                latitude: latitude.to_degrees(),
                height,
            }
        });
        Ok(Site {
            tile: done.tile,
            place,
            shown: done.shown,
        })
    }

    /// Centre of the folder in the middle of the grid, and half its size.
    fn center(&self, roots: &[Root]) -> Result<([f64; 3], f64)> {
        let most = [0, 1].map(|axis| roots.iter().map(|r| r.at[axis]).max().unwrap_or(0));
        let mut order: Vec<&Root> = roots.iter().collect();
        order.sort_by_key(|r| (2 * r.at[0] - most[0]).abs() + (2 * r.at[1] - most[1]).abs());
        for root in order.into_iter().take(100) {
            let found = self.with_model(root.place, |model, parts| Ok(middle(model, parts)))?;
            // The file is read again as a tile.
            let size = self.source.files[root.place].1;
            self.done.fetch_sub(
                size.min(self.done.load(Ordering::Relaxed)),
                Ordering::Relaxed,
            );
            if let Some(Some(found)) = found {
                return Ok(found);
            }
        }
        Ok(([0.0; 3], 0.0))
    }

    /// All folders in a square of the grid, 2^level wide.
    fn quadrant(
        &self,
        roots: &[&Root],
        level: usize,
        at: [i64; 2],
        site: &Frame,
    ) -> Result<Option<Done>> {
        let mut parts = match level {
            0 => {
                let done: Result<Vec<Option<Done>>> = roots
                    .par_iter()
                    .map(|root| self.folder(root, site))
                    .collect();
                done?
            }
            _ => {
                let half = 1i64 << (level - 1);
                let squares = [[0, 0], [1, 0], [0, 1], [1, 1]];
                let of = |root: &Root| -> [i64; 2] {
                    std::array::from_fn(|k| i64::from(root.at[k] >= at[k] + half))
                };
                let done: Result<Vec<Option<Done>>> = squares
                    .par_iter()
                    .map(|square| {
                        let inside: Vec<&Root> =
                            roots.iter().filter(|r| of(r) == *square).copied().collect();
                        if inside.is_empty() {
                            return Ok(None);
                        }
                        let corner = std::array::from_fn(|k| at[k] + square[k] * half);
                        self.quadrant(&inside, level - 1, corner, site)
                    })
                    .collect();
                done?
            }
        };
        let mut parts: Vec<Done> = parts.drain(..).flatten().collect();
        match parts.len() {
            0 | 1 => Ok(parts.pop()),
            _ => {
                let name = format!("{level}_{}_{}", at[0] >> level, at[1] >> level);
                self.level(parts, &name).map(Some)
            }
        }
    }

    /// A coarse tile above `parts`.
    fn level(&self, parts: Vec<Done>, name: &str) -> Result<Done> {
        let mut proxies = Vec::new();
        let mut children = Vec::new();
        for part in parts {
            proxies.extend(part.proxy);
            children.push(part.tile);
        }
        let finer = children.iter().map(|c| c.error).fold(0.0, f64::max);
        let mut tile = Tile::default();
        let (mut proxy, mut shown) = (None, None);
        if !proxies.is_empty() {
            let merged = Proxy::merged(&proxies);
            drop(proxies);
            if let Some(out) = self.out {
                let folder = out.join("coarse");
                std::fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, &e))?;
                let mut scene = merged.scene()?;
                crate::lighten::order(&mut scene);
                let path = folder.join(format!("{name}.glb"));
                let step = Some(pictures::step(merged.texel()));
                self.written
                    .glb(&mut scene, &path, self.options, step, &self.quiet)?;
                tile.uri = Some(format!("coarse/{name}.glb"));
            }
            tile.bounds = merged.bounds();
            tile.round_to(Some(pictures::step(merged.texel())));
            tile.error = (PIXELS * merged.texel()).max(merged.error);
            proxy = Some(merged.clone().coarser(&self.quiet)?);
            shown = Some(merged);
        }
        tile.error = tile.error.max(2.0 * finer);
        tile.adopt(children);
        Ok(Done { tile, proxy, shown })
    }

    /// One folder: a tileset with a frame of its own.
    fn folder(&self, root: &Root, site: &Frame) -> Result<Option<Done>> {
        let stem = stem_of(&self.source.files[root.place].0);
        let name = format!("{}-{}", url_name(stem), root.place);
        let out = self.out.map(|out| out.join("tiles").join(&name));
        if let Some(out) = &out {
            std::fs::create_dir_all(out).map_err(|e| Error::io(out, &e))?;
        }
        let first = self.with_model(root.place, |model, parts| {
            let Some((center, reach)) = middle(model, parts) else {
                return Ok(None);
            };
            let frame = Frame::new(self.georeference, center, reach)?;
            let folder = Folder {
                frame: &frame,
                out: out.as_deref(),
            };
            let (pieces, proxy) = self.pieces(root.place, model, parts, &folder, true)?;
            Ok(Some((frame, pieces, proxy)))
        })?;
        let Some((frame, pieces, proxy)) = first.flatten() else {
            return Ok(None);
        };
        let folder = Folder {
            frame: &frame,
            out: out.as_deref(),
        };
        let mut tiles = match &out {
            Some(_) => self.descend(pieces, root.place, &folder, 0)?,
            None => pieces.into_iter().map(|piece| piece.tile).collect(),
        };
        let top = match tiles.len() {
            0 => return Ok(None),
            1 => tiles.remove(0),
            _ => {
                let mut group = Tile::default();
                group.adopt(tiles);
                group
            }
        };
        if let Some(out) = &out {
            let bytes = tileset::write(&top, &out.join("tileset.json"))?;
            self.written.add(bytes, false);
        }
        self.depth.fetch_max(top.count().1, Ordering::Relaxed);
        let matrix = between(site, &frame.matrix);
        let tile = Tile {
            bounds: top.bounds,
            error: top.error,
            transform: Some(matrix),
            uri: Some(format!("tiles/{name}/tileset.json")),
            children: Vec::new(),
        };
        Ok(Some(Done {
            tile,
            proxy: proxy.map(|p| p.moved(&matrix)),
            shown: None,
        }))
    }
}

/// Centre and half size of a file's geometry.
fn middle(model: &crate::read::osgb::Model, parts: &[Part]) -> Option<([f64; 3], f64)> {
    let mut bounds = Bounds::default();
    for part in parts {
        let own = part.bounds(model);
        if !own.is_empty() {
            bounds.add(own.min);
            bounds.add(own.max);
        }
    }
    if bounds.is_empty() {
        return None;
    }
    let [x, y, _] = bounds.size();
    Some((bounds.center(), x.max(y) / 2.0))
}
