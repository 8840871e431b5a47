//! How fine the grid of a mesh's positions must be: a coarse one would thin, thicken or flatten its parts.

use crate::read::weld::Welder;
use crate::scene::{Bounds, Mode, Primitive, math};

/// Steps across the thinnest part: either side may be off by half of one, which is a tenth of it together.
const STEPS: f64 = 10.0;
/// One vertex in this many may belong to parts that are thinner: debris must not make a large file.
const REST: usize = 100;
/// Thickness, as a share of the largest coordinate, below which a part is flat up to the noise of single precision.
const NOISE: f64 = 1e-6;
/// Triangles of a primitive whose parts are looked at one by one. Those of more are scans, of one part and debris, and the
/// parts of a million triangles take longer to find than the file to write; their rounding is told as any.
const MOST_TRIANGLES: usize = 1 << 16;
/// Sum of a surface's oriented areas, as a share of its area, below which it is taken as closed.
const CLOSED: f64 = 1e-3;

/// One connected part.
#[derive(Default)]
struct Part {
    bounds: Bounds,
    vertices: usize,
    /// Sum of all corners' cross products: area vector, area and volume, from the part's first vertex.
    first: Option<[f64; 3]>,
    oriented: [f64; 3],
    area: f64,
    volume: f64,
}

impl Part {
    fn add_triangle(&mut self, corners: [[f64; 3]; 3]) {
        let first = *self.first.get_or_insert(corners[0]);
        let [a, b, c] = corners.map(|corner| math::sub(corner, first));
        let normal = math::cross(math::sub(b, a), math::sub(c, a));
        for (sum, v) in self.oriented.iter_mut().zip(normal) {
            *sum += v / 2.0;
        }
        self.area += math::dot(normal, normal).sqrt() / 2.0;
        self.volume += math::dot(a, normal) / 6.0;
    }

    /// The smallest extent above `noise`: of its bounds, or, however it is turned, the thickness of a closed plate.
    fn thickness(&self, noise: f64) -> Option<f64> {
        let closed = math::dot(self.oriented, self.oriented).sqrt() <= CLOSED * self.area;
        let plate = closed.then(|| 2.0 * self.volume.abs() / self.area);
        let extents = self.bounds.size().into_iter().chain(plate);
        extents.filter(|v| *v > noise).reduce(f64::min)
    }
}

/// The largest step in the units of the primitive that keeps its parts; infinite where there is none to keep.
pub fn step(p: &Primitive) -> f64 {
    if p.mode != Mode::Triangles {
        return f64::INFINITY;
    }
    let (low, high) = corners(p);
    let far = low
        .into_iter()
        .chain(high)
        .fold(0.0f32, |far, v| far.max(v.abs()));
    let noise = f64::from(far) * NOISE;
    if p.triangle_count() > MOST_TRIANGLES {
        let extents = (0..3).map(|k| f64::from(high[k]) - f64::from(low[k]));
        let extents = extents.filter(|v| *v > noise);
        return extents.fold(f64::INFINITY, f64::min) / STEPS;
    }
    let parts = parts(p);
    let total: usize = parts.iter().map(|part| part.vertices).sum();
    let mut sizes: Vec<(f64, usize)> = parts
        .iter()
        .filter_map(|part| Some((part.thickness(noise)?, part.vertices)))
        .collect();
    sizes.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut passed = 0;
    let kept = sizes.into_iter().find(|(_, vertices)| {
        passed += vertices;
        passed * REST > total
    });
    kept.map_or(f64::INFINITY, |(size, _)| size / STEPS)
}

/// Least and largest coordinates. In single precision, which is exact for them and takes a fraction of the time.
fn corners(p: &Primitive) -> ([f32; 3], [f32; 3]) {
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for v in &p.positions {
        for axis in 0..3 {
            low[axis] = low[axis].min(v[axis]);
            high[axis] = high[axis].max(v[axis]);
        }
    }
    (low, high)
}

/// Parts connected by corners at one place.
fn parts(p: &Primitive) -> Vec<Part> {
    let mut welder = Welder::new(p.positions.len());
    let place: Vec<u32> = p.positions.iter().map(|v| welder.add(*v)).collect();
    let mut above: Vec<u32> = (0..welder.finish().len() as u32).collect();
    let triangles = p.indices.as_chunks::<3>().0;
    for corners in triangles {
        let [a, b, c] = corners.map(|i| root(&mut above, place[i as usize]));
        above[b as usize] = a;
        let c = root(&mut above, c);
        above[c as usize] = a;
    }
    let mut number = vec![u32::MAX; above.len()];
    let mut parts: Vec<Part> = Vec::new();
    for corners in triangles {
        let top = root(&mut above, place[corners[0] as usize]) as usize;
        if number[top] == u32::MAX {
            number[top] = parts.len() as u32;
            parts.push(Part::default());
        }
        let part = &mut parts[number[top] as usize];
        let corners = corners.map(|i| p.positions[i as usize].map(f64::from));
        corners.iter().for_each(|corner| part.bounds.add(*corner));
        part.vertices += corners.len();
        part.add_triangle(corners);
    }
    parts
}

/// The representative of a place, with the way to it halved.
fn root(above: &mut [u32], mut at: u32) -> u32 {
    while above[at as usize] != at {
        above[at as usize] = above[above[at as usize] as usize];
        at = above[at as usize];
    }
    at
}
