//! The studio lighting: a bright sky, soft boxes, a floor. Prefiltered once for diffuse and for glossy reflection.
//!
//! Directions here are the camera's: +z from the model to the camera (without its pitch), +y up.

use super::vector::{self as v, V3};
use std::f32::consts::PI;
use std::sync::LazyLock;

/// Side of the map for each step of roughness, from mirror to matte.
const SIDES: [usize; 7] = [128, 64, 48, 32, 24, 16, 16];
const DIFFUSE_SIDE: usize = 24;
/// Directions averaged for a texel of each map: more where the lobe is wider.
const SAMPLES: [u32; 7] = [1, 32, 48, 96, 128, 128, 128];
/// Side of the map whose texels represent all light when it is distributed over directions.
const SOURCE_SIDE: usize = 64;

/// A lamp with a soft edge: centre, half width and height as tangents, radiance.
struct Lamp {
    center: V3,
    right: V3,
    above: V3,
    size: [f32; 2],
    edge: f32,
    radiance: V3,
}

/// Direction from a yaw (degrees, to the right of the camera) and an elevation.
fn toward(yaw: f32, elevation: f32) -> V3 {
    let (yaw, elevation) = (yaw.to_radians(), elevation.to_radians());
    [
        yaw.sin() * elevation.cos(),
        elevation.sin(),
        yaw.cos() * elevation.cos(),
    ]
}

static LAMPS: LazyLock<Vec<Lamp>> = LazyLock::new(|| {
    let place = |lamp: &facts::StudioLamp| {
        let center = toward(lamp.yaw, lamp.elevation);
        let (right, above) = v::frame(center);
        Lamp {
            center,
            right,
            above,
            size: lamp.size,
            edge: lamp.edge,
            radiance: lamp.radiance,
        }
    };
    facts::studio().lamps.iter().map(place).collect()
});

/// Radiance from a direction. `frontend/src/viewer/engine/studio.ts` computes the same from the same figures.
fn radiance(d: V3) -> V3 {
    let room = &facts::studio().room;
    let within = |[from, to]: [f32; 2], t: f32| v::smooth(from, to, t);
    let up = d[1];
    let front = within(room.front, d[2]) * (1.0 - within(room.front_height, up.abs()));
    let wall = room.wall - room.front_darker * front;
    let sky = v::mix([wall; 3], room.sky, within(room.sky_from, up));
    let floor = v::mix(room.floor, room.floor_below, within(room.floor_from, -up));
    let mut sum = v::mix(floor, sky, within(room.horizon, up));
    for lamp in LAMPS.iter() {
        let along = v::dot(d, lamp.center);
        if along <= 0.05 {
            continue;
        }
        let within = |axis: V3, half: f32| {
            let t = (v::dot(d, axis) / along).abs();
            1.0 - v::smooth(half - lamp.edge, half + lamp.edge, t)
        };
        let part = within(lamp.right, lamp.size[0]) * within(lamp.above, lamp.size[1]);
        sum = v::add(sum, v::scale(lamp.radiance, part));
    }
    sum
}

/// A map over all directions: an octahedron unfolded into a square, with +y at its centre.
struct Map {
    side: usize,
    /// Four floats are read and mixed at once.
    texels: Vec<[f32; 4]>,
}

#[inline]
fn unfold(d: V3) -> [f32; 2] {
    let sum = d[0].abs() + d[1].abs() + d[2].abs();
    let (x, z) = (d[0] / sum, d[2] / sum);
    let (x, z) = match d[1] >= 0.0 {
        true => (x, z),
        false => ((1.0 - z.abs()) * x.signum(), (1.0 - x.abs()) * z.signum()),
    };
    [x * 0.5 + 0.5, z * 0.5 + 0.5]
}

fn fold(at: [f32; 2]) -> V3 {
    let (x, z) = (at[0] * 2.0 - 1.0, at[1] * 2.0 - 1.0);
    let y = 1.0 - x.abs() - z.abs();
    let (x, z) = match y >= 0.0 {
        true => (x, z),
        false => ((1.0 - z.abs()) * x.signum(), (1.0 - x.abs()) * z.signum()),
    };
    v::unit([x, y, z]).unwrap_or([0.0, 1.0, 0.0])
}

fn texel_direction(side: usize, i: usize) -> V3 {
    let at = |k: usize| (k as f32 + 0.5) / side as f32;
    fold([at(i % side), at(i / side)])
}

impl Map {
    fn make(side: usize, value: impl Fn(V3) -> V3) -> Map {
        let texel = |i: usize| {
            let [r, g, b] = value(texel_direction(side, i));
            [r, g, b, 0.0]
        };
        Map {
            side,
            texels: (0..side * side).map(texel).collect(),
        }
    }

    /// The value at an unfolded direction.
    #[inline]
    fn get(&self, at: [f32; 2]) -> V3 {
        let last = self.side as f32 - 1.0;
        let [x, y] = at.map(|t| (t * self.side as f32 - 0.5).clamp(0.0, last));
        let [i, j] = [x, y].map(|t| (t as u32).min(self.side as u32 - 2));
        let (fx, fy) = (x - i as f32, y - j as f32);
        let first = j as usize * self.side + i as usize;
        let cells = &self.texels[first..first + self.side + 2];
        let (a, b) = (cells[0], cells[1]);
        let (c, d) = (cells[self.side], cells[self.side + 1]);
        let mut out = [0.0; 4];
        for k in 0..4 {
            let (near, far) = (a[k] + (b[k] - a[k]) * fx, c[k] + (d[k] - c[k]) * fx);
            out[k] = near + (far - near) * fy;
        }
        [out[0], out[1], out[2]]
    }
}

/// Light from all directions, ready for lookup.
pub struct Studio {
    diffuse: Map,
    glossy: Vec<Map>,
    /// Directions and the light from each, as power (radiance times solid angle).
    source: Vec<(V3, f32)>,
}

/// The shared studio; built at first use, on the requesting thread: waiting here for other threads of the pool could
/// deadlock.
pub static STUDIO: LazyLock<Studio> = LazyLock::new(Studio::make);

impl Studio {
    fn make() -> Studio {
        let mut source: Vec<(V3, f32, V3)> = (0..SOURCE_SIDE * SOURCE_SIDE)
            .map(|i| {
                let d = texel_direction(SOURCE_SIDE, i);
                let sum = d[0].abs() + d[1].abs() + d[2].abs();
                // Jacobian of the unfolding.
                let angle = 4.0 / (SOURCE_SIDE * SOURCE_SIDE) as f32 * sum.powi(3);
                (d, angle, radiance(d))
            })
            .collect();
        let irradiance = |n: V3| {
            source.iter().fold([0.0; 3], |sum, (d, angle, light)| {
                v::add(sum, v::scale(*light, v::dot(n, *d).max(0.0) * angle))
            })
        };
        // A surface that faces the key light is just below white.
        let facts::Exposure {
            yaw,
            elevation,
            white,
        } = &facts::studio().exposure;
        let key = irradiance(toward(*yaw, *elevation));
        let exposure = white * PI / ((key[0] + key[1] + key[2]) / 3.0);
        let diffuse = Map::make(DIFFUSE_SIDE, |n| v::scale(irradiance(n), exposure / PI));
        let mirror = Map::make(SIDES[0], |r| v::scale(radiance(r), exposure));
        let rough = (1..SIDES.len()).map(|level| {
            let lobe = Lobe::new(level as f32 / (SIDES.len() - 1) as f32, SAMPLES[level]);
            Map::make(SIDES[level], |r| lobe.blurred(r, &mirror))
        });
        let rough: Vec<Map> = rough.collect();
        let glossy = std::iter::once(mirror).chain(rough).collect();
        for texel in &mut source {
            texel.2 = v::scale(texel.2, exposure);
        }
        let source = source
            .into_iter()
            .map(|(d, angle, l)| (d, angle * (l[0] + l[1] + l[2]) / 3.0))
            .collect();
        Studio {
            diffuse,
            glossy,
            source,
        }
    }

    /// Light reflected by a white matte surface with this normal.
    pub fn diffuse(&self, n: V3) -> V3 {
        self.diffuse.get(unfold(n))
    }

    /// Light reflected by a mirror of this roughness (0…1).
    pub fn glossy(&self, d: V3, roughness: f32) -> V3 {
        let level = roughness.clamp(0.0, 1.0) * (SIDES.len() - 1) as f32;
        let lower = (level as usize).min(SIDES.len() - 2);
        let at = unfold(d);
        let (a, b) = (self.glossy[lower].get(at), self.glossy[lower + 1].get(at));
        v::mix(a, b, level - lower as f32)
    }

    /// Distributes all light to the nearest of `directions`.
    pub fn dealt(&self, directions: &[V3]) -> Vec<f32> {
        let mut power = vec![0.0; directions.len()];
        for (d, light) in &self.source {
            let mut best = (f32::NEG_INFINITY, 0);
            for (k, other) in directions.iter().enumerate() {
                let near = v::dot(*d, *other);
                if near > best.0 {
                    best = (near, k);
                }
            }
            if let Some(slot) = power.get_mut(best.1) {
                *slot += light;
            }
        }
        power
    }
}

/// Directions around a mirrored ray, weighted by GGX at normal incidence. The same for every ray, in its own frame.
struct Lobe(Vec<V3>);

impl Lobe {
    fn new(roughness: f32, samples: u32) -> Lobe {
        let alpha2 = roughness.powi(4);
        let directions = (0..samples).filter_map(|i| {
            let (u, w) = (
                (i as f32 + 0.5) / samples as f32,
                i.reverse_bits() as f32 / 4_294_967_296.0,
            );
            let cos = ((1.0 - u) / (1.0 + (alpha2 - 1.0) * u)).sqrt();
            let sin = (1.0 - cos * cos).max(0.0).sqrt();
            let (s, c) = (w * 2.0 * PI).sin_cos();
            let half = [sin * c, sin * s, cos];
            let l = v::sub(v::scale(half, 2.0 * cos), [0.0, 0.0, 1.0]);
            (l[2] > 0.0).then_some(l)
        });
        Lobe(directions.collect())
    }

    /// Mean of `light` around `r`.
    fn blurred(&self, r: V3, light: &Map) -> V3 {
        let (right, above) = v::frame(r);
        let (mut sum, mut total) = ([0.0; 3], 0.0);
        for l in &self.0 {
            let flat = v::add(v::scale(right, l[0]), v::scale(above, l[1]));
            let seen = light.get(unfold(v::add(flat, v::scale(r, l[2]))));
            sum = v::add(sum, v::scale(seen, l[2]));
            total += l[2];
        }
        v::scale(sum, 1.0 / f32::max(total, 1e-6))
    }
}

/// Khronos' PBR Neutral tone mapping: base colours are preserved, only values above white are compressed.
pub fn tone(color: V3) -> V3 {
    const START: f32 = 0.8 - 0.04;
    const DESATURATION: f32 = 0.15;
    let least = color[0].min(color[1]).min(color[2]);
    let offset = match least < 0.08 {
        true => least - 6.25 * least * least,
        false => 0.04,
    };
    let color = color.map(|c| c - offset);
    let peak = color[0].max(color[1]).max(color[2]);
    if peak < START {
        return color.map(|c| c.max(0.0));
    }
    let room = 1.0 - START;
    let bent = 1.0 - room * room / (peak + room - START);
    let white = 1.0 - 1.0 / (DESATURATION * (peak - bent) + 1.0);
    v::mix(v::scale(color, bent / peak), [bent; 3], white)
}
