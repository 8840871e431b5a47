//! Cuts out the part of a texture that a tile uses.
//! The image is divided into squares. Those that triangles touch form islands; the bounding box of each island is
//! copied to a new, smaller image. A triangle never leaves its island, so no vertex has to be split.

use super::Options;
use crate::Result;
use crate::lighten::{TexturePlan, encode_texture, texture_uses};
use crate::limits::Limits;
use crate::progress::Ctx;
use crate::scene::{Image, Material, Primitive, Scene, decode};
use image::imageops::FilterType;
use image::{DynamicImage, GenericImage, GenericImageView};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// Side of a square in pixels.
const CELL: u32 = 32;
/// Margin around a triangle in pixels: two mip levels.
const MARGIN: f32 = 4.0;
/// Largest share of the image for which cutting is worthwhile.
const WORTH: f64 = 0.8;
/// Memory for decoded images kept for other tiles, in bytes.
const MOST_KEPT: usize = 256 << 20;

/// Decoded images by the address of their encoded bytes and by longest side.
#[derive(Default)]
pub struct Decoded(Mutex<HashMap<(usize, u32), Arc<DynamicImage>>>);

impl Decoded {
    /// An image with no side above `most`; `None` if it cannot be decoded.
    fn get(&self, image: &Image, most: u32, limits: &Limits) -> Option<Arc<DynamicImage>> {
        let longest = image.width.max(image.height).max(1);
        let key = (image.bytes.as_ptr() as usize, most.min(longest));
        let mut known = self.0.lock().ok()?;
        if let Some(found) = known.get(&key) {
            return Some(found.clone());
        }
        let mut picture = decode(&image.bytes, limits).ok()?;
        if longest > most {
            let side = |s: u32| (u64::from(s) * u64::from(most) / u64::from(longest)).max(1) as u32;
            let (width, height) = (side(image.width), side(image.height));
            picture = picture.resize_exact(width, height, FilterType::CatmullRom);
        }
        let kept: usize = known.values().map(|p| p.as_bytes().len()).sum();
        if kept + picture.as_bytes().len() > MOST_KEPT {
            known.clear();
        }
        let picture = Arc::new(picture);
        known.insert(key, picture.clone());
        Some(picture)
    }
}

/// A box of squares, and its place in the new image.
struct Island {
    from: [u32; 2],
    size: [u32; 2],
    to: [u32; 2],
}

/// How an image is cut, in squares.
struct Layout {
    islands: Vec<Island>,
    /// Island of every square; `u32::MAX` if it has none.
    of: Vec<u32>,
    columns: u32,
    /// Size of the whole image in pixels, and of the new one in squares.
    whole: [u32; 2],
    size: [u32; 2],
}

/// Reduces every material's textures to what its triangles use, with no side of the whole above `most`. Textures that
/// repeat or are used completely are only scaled down.
pub fn cut(
    scene: &mut Scene,
    most: u32,
    decoded: &Decoded,
    options: &Options,
    ctx: &Ctx,
) -> Result<()> {
    let plan = TexturePlan {
        format: options.textures,
        frugal: true,
        ..TexturePlan::default()
    };
    let uses = texture_uses(scene);
    for number in 0..scene.materials.len() {
        let Some(layout) = layout(scene, number as u32, most) else {
            continue;
        };
        let textures = scene.materials[number].texture_uses();
        let mut new: HashMap<u32, u32> = HashMap::new();
        for (_, texture) in textures {
            if new.contains_key(&texture) {
                continue;
            }
            let Some(old) = scene.textures.get(texture as usize).cloned() else {
                continue;
            };
            let image = &scene.images[old.image as usize];
            let Some(picture) = decoded.get(image, most, &ctx.limits) else {
                continue;
            };
            let cut = layout.copy(&picture);
            let used = uses[old.image as usize];
            let made = encode_texture(&cut, image, &plan, used, 1)?;
            scene.images.push(made);
            let mut texture_of_it = old;
            texture_of_it.image = scene.images.len() as u32 - 1;
            scene.textures.push(texture_of_it);
            new.insert(texture, scene.textures.len() as u32 - 1);
        }
        scene.materials[number].retarget_textures(&mut |texture| {
            if let Some(moved) = new.get(texture) {
                *texture = *moved;
            }
            true
        });
        let own = |p: &&mut Primitive| p.material == Some(number as u32);
        let primitives = scene.meshes.iter_mut().flat_map(|m| &mut m.primitives);
        primitives.filter(own).for_each(|p| layout.apply(p));
    }
    crate::lighten::prune(scene);
    Ok(())
}

/// How a material's textures are cut; `None` if they stay whole.
fn layout(scene: &Scene, number: u32, most: u32) -> Option<Layout> {
    let material = &scene.materials[number as usize];
    if !is_plain(material) {
        return None;
    }
    let images = material.texture_uses().into_iter().map(|(_, texture)| {
        let texture = scene.textures.get(texture as usize)?;
        scene.images.get(texture.image as usize)
    });
    let images: Option<Vec<&Image>> = images.collect();
    let largest = images?.into_iter().max_by_key(|i| i.width.max(i.height))?;
    let longest = largest.width.max(largest.height).max(1);
    let scale = (f64::from(most) / f64::from(longest)).min(1.0);
    let whole = [largest.width, largest.height].map(|s| ((f64::from(s) * scale) as u32).max(1));
    let [columns, rows] = whole.map(|s| s.div_ceil(CELL));
    let mut touched = vec![false; columns as usize * rows as usize];
    for p in scene.meshes.iter().flat_map(|m| &m.primitives) {
        if p.material != Some(number) {
            continue;
        }
        let uvs = p.uvs.first()?;
        for t in p.indices.as_chunks::<3>().0 {
            let corners = t.map(|i| uvs.get(i as usize).copied().unwrap_or([f32::NAN; 2]));
            if !corners.iter().flatten().all(|v| (0.0..=1.0).contains(v)) {
                return None;
            }
            let range = |axis: usize, cells: u32| {
                let at = corners.map(|c| c[axis] * whole[axis] as f32);
                let low = (at[0].min(at[1]).min(at[2]) - MARGIN).max(0.0) as u32 / CELL;
                let high = (at[0].max(at[1]).max(at[2]) + MARGIN) as u32 / CELL;
                low.min(cells - 1)..=high.min(cells - 1)
            };
            for y in range(1, rows) {
                for x in range(0, columns) {
                    touched[(y * columns + x) as usize] = true;
                }
            }
        }
    }
    let (of, mut islands) = islands(&touched, columns);
    let size = pack(&mut islands)?;
    let share = f64::from(size[0]) * f64::from(size[1]) / (f64::from(columns) * f64::from(rows));
    (share < WORTH).then_some(Layout {
        islands,
        of,
        columns,
        whole,
        size,
    })
}

/// Whether all textures use one set of coordinates, without a transform.
fn is_plain(material: &Material) -> bool {
    let moved = |slot: &Option<crate::scene::TextureRef>| {
        slot.as_ref().is_some_and(|s| s.transform.is_some())
    };
    let raw = material
        .extensions
        .values()
        .any(|v| v.to_string().contains("KHR_texture_transform"));
    material.uv_sets() == 1 && !raw && !material.slots().iter().any(|(_, slot)| moved(slot))
}

/// Connected squares, each island as its bounding box.
fn islands(touched: &[bool], columns: u32) -> (Vec<u32>, Vec<Island>) {
    let mut of = vec![u32::MAX; touched.len()];
    let mut islands = Vec::new();
    for start in 0..touched.len() {
        if !touched[start] || of[start] != u32::MAX {
            continue;
        }
        let name = islands.len() as u32;
        let (mut min, mut max) = ([u32::MAX; 2], [0; 2]);
        of[start] = name;
        let mut open = vec![start as u32];
        while let Some(at) = open.pop() {
            let place = [at % columns, at / columns];
            for k in 0..2 {
                min[k] = min[k].min(place[k]);
                max[k] = max[k].max(place[k]);
            }
            let left = (place[0] > 0).then(|| at - 1);
            let right = (place[0] + 1 < columns).then_some(at + 1);
            for next in [left, right, at.checked_sub(columns), Some(at + columns)] {
                let Some(next) = next.filter(|n| touched.get(*n as usize) == Some(&true)) else {
                    continue;
                };
                if of[next as usize] == u32::MAX {
                    of[next as usize] = name;
                    open.push(next);
                }
            }
        }
        islands.push(Island {
            from: min,
            size: [max[0] + 1 - min[0], max[1] + 1 - min[1]],
            to: [0; 2],
        });
    }
    (of, islands)
}

/// Places islands on shelves, the highest first; returns the total size. `None` without islands.
fn pack(islands: &mut [Island]) -> Option<[u32; 2]> {
    let area: u64 = islands
        .iter()
        .map(|i| u64::from(i.size[0]) * u64::from(i.size[1]))
        .sum();
    let widest = islands.iter().map(|i| i.size[0]).max()?;
    let width = ((area as f64).sqrt().ceil() as u32).max(widest);
    let mut order: Vec<usize> = (0..islands.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(islands[i].size));
    order.sort_by_key(|&i| std::cmp::Reverse(islands[i].size[1]));
    let (mut x, mut y, mut shelf, mut right) = (0, 0, 0, 0);
    for i in order {
        let [w, h] = islands[i].size;
        if x + w > width {
            (x, y, shelf) = (0, y + shelf, 0);
        }
        islands[i].to = [x, y];
        x += w;
        right = right.max(x);
        shelf = shelf.max(h);
    }
    Some([right, y + shelf])
}

impl Layout {
    /// The new image. An image of another size than the layout's is divided in proportion.
    fn copy(&self, picture: &DynamicImage) -> DynamicImage {
        let cell = [0, 1].map(|k| {
            let own = [picture.width(), picture.height()][k];
            (u64::from(own) * u64::from(CELL))
                .div_ceil(u64::from(self.whole[k]))
                .max(1) as u32
        });
        let fits =
            |k: usize| cell[k] * self.whole[k] == CELL * [picture.width(), picture.height()][k];
        let resized;
        let picture = match fits(0) && fits(1) {
            true => picture,
            false => {
                let side = |k: usize| (self.whole[k] * cell[k] / CELL).max(1);
                resized = picture.resize_exact(side(0), side(1), FilterType::CatmullRom);
                &resized
            }
        };
        let (width, height) = (self.size[0] * cell[0], self.size[1] * cell[1]);
        let mut out = DynamicImage::new(width, height, picture.color());
        for island in &self.islands {
            let at = [0, 1].map(|k| island.from[k] * cell[k]);
            let sides = [picture.width(), picture.height()];
            let size =
                [0, 1].map(|k| (island.size[k] * cell[k]).min(sides[k].saturating_sub(at[k])));
            if size[0] == 0 || size[1] == 0 {
                continue;
            }
            let part = picture.view(at[0], at[1], size[0], size[1]).to_image();
            let part = DynamicImage::from(part);
            // Both are within bounds: the sizes were taken from the images.
            let _ = out.copy_from(&part, island.to[0] * cell[0], island.to[1] * cell[1]);
        }
        out
    }

    /// Maps a primitive's texture coordinates to the new image.
    fn apply(&self, p: &mut Primitive) {
        let Some(uvs) = p.uvs.first_mut() else { return };
        for uv in uvs {
            let pixel = [0, 1].map(|k| f64::from(uv[k]) * f64::from(self.whole[k]));
            let rows = self.of.len() as u32 / self.columns;
            let most = [self.columns - 1, rows - 1];
            let cell = [0, 1].map(|k| (pixel[k] as u32 / CELL).min(most[k]));
            let island = self.of[(cell[1] * self.columns + cell[0]) as usize];
            let Some(island) = self.islands.get(island as usize) else {
                continue;
            };
            *uv = [0, 1].map(|k| {
                let moved = (f64::from(island.to[k]) - f64::from(island.from[k])) * f64::from(CELL);
                ((pixel[k] + moved) / f64::from(self.size[k] * CELL)) as f32
            });
        }
    }
}
