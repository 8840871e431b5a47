//! A projected triangle, line or point, and which samples of a pixel it covers.

use super::vector::V3;

/// Error of a coordinate that was calculated from another, as a share of it.
const ROUNDING: f32 = 1e-5;
/// Half the width of a line, in pixels.
pub const LINE: f32 = 0.7;
/// A line is also on the surface whose edge it draws: its inverse depth is increased by this factor.
pub const NEARER: f32 = 1.0015;

/// Position of a sample in its pixel, on a grid where no two share a row or a column.
pub fn place<const S: usize>(sample: usize) -> [f32; 2] {
    let bits = S.trailing_zeros();
    // A single sample leaves no bits, and shifting all of them out is not defined.
    let column = (sample as u32).reverse_bits().checked_shr(32 - bits);
    let column = column.unwrap_or_default();
    [
        (column as f32 + 0.5) / S as f32,
        (sample as f32 + 0.5) / S as f32,
    ]
}

/// The samples of a pixel: what is nearest at each, by inverse depth (0 is nothing) and number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Samples<const S: usize> {
    pub near: [f32; S],
    pub number: [u32; S],
}

/// Number of nothing.
pub const NOBODY: u32 = u32::MAX;

impl<const S: usize> Samples<S> {
    pub const EMPTY: Samples<S> = Samples {
        near: [0.0; S],
        number: [NOBODY; S],
    };

    /// The least inverse depth.
    #[inline]
    pub fn floor(&self) -> f32 {
        let least = |least: f32, near: &f32| if *near < least { *near } else { least };
        self.near.iter().fold(f32::MAX, least)
    }

    /// The number at all samples, if it is one; [`NOBODY`] if nothing is there.
    #[inline]
    pub fn single(&self) -> Option<u32> {
        let first = self.number[0];
        let others = self.number.iter().fold(0, |all, one| all | (one ^ first));
        (others == 0).then_some(first)
    }

    /// Each number that is there, with a bit for each of its samples.
    #[inline]
    pub fn each(&self, mut visit: impl FnMut(u32, u32)) {
        let mut left = u32::MAX >> (32 - S);
        while left != 0 {
            let number = self.number[left.trailing_zeros() as usize];
            let mut same = 0;
            for (sample, other) in self.number.iter().enumerate() {
                same |= u32::from(*other == number) << sample;
            }
            visit(number, same);
            left &= !same;
        }
    }
}

/// Some samples of a pixel.
pub struct Taken<'a, const S: usize> {
    pub places: &'a [[f32; 2]; S],
    /// A bit for each.
    samples: u32,
}

impl<'a, const S: usize> Taken<'a, S> {
    pub fn of(places: &'a [[f32; 2]; S], samples: u32) -> Self {
        Taken { places, samples }
    }

    /// Mean of values at all samples over those that are taken.
    #[inline]
    pub fn mean(&self, values: &[f32; S]) -> f32 {
        let mut sum = 0.0;
        for (sample, value) in values.iter().enumerate() {
            sum += if self.samples >> sample & 1 == 1 {
                *value
            } else {
                0.0
            };
        }
        sum / self.samples.count_ones() as f32
    }

    /// The mean of their places in the pixel at `at`.
    #[inline]
    pub fn middle(&self, at: [f32; 2]) -> [f32; 2] {
        if self.samples.count_ones() as usize == S {
            return at.map(|v| v + 0.5);
        }
        let mean = |k: usize| self.mean(&std::array::from_fn(|sample| self.places[sample][k]));
        [at[0] + mean(0), at[1] + mean(1)]
    }
}

pub enum Form {
    Triangle(Triangle),
    Line(V3, V3),
    Point(V3, f32),
}

impl Form {
    pub fn triangle(points: [V3; 3]) -> Option<Form> {
        Triangle::of(points).map(Form::Triangle)
    }

    /// The pixels of a row that it may touch, of those between `from` and `to`; `from` is beyond `to` where it touches none.
    pub fn reach(&self, y: f32, from: u32, to: u32) -> (u32, u32) {
        match self {
            Form::Triangle(triangle) => triangle.reach(y, from, to),
            Form::Line(..) | Form::Point(..) => (from, to),
        }
    }

    /// Inverse depth at each sample of a pixel; 0 if a sample is not covered.
    pub fn cover<const S: usize>(&self, [x, y]: [f32; 2], places: &[[f32; 2]; S]) -> [f32; S] {
        match self {
            Form::Triangle(triangle) => {
                let mut out = Samples::EMPTY;
                triangle.put(&triangle.slopes(places), [x, y], 0, &mut out);
                out.near
            }
            Form::Line(a, b) => {
                let d = [b[0] - a[0], b[1] - a[1]];
                let length2 = d[0] * d[0] + d[1] * d[1];
                places.map(|[px, py]| {
                    let p = [x + px - a[0], y + py - a[1]];
                    let t = match length2 > 0.0 {
                        true => ((p[0] * d[0] + p[1] * d[1]) / length2).clamp(0.0, 1.0),
                        false => 0.0,
                    };
                    let away = (p[0] - d[0] * t).hypot(p[1] - d[1] * t);
                    match away <= LINE {
                        true => (a[2] + (b[2] - a[2]) * t) * NEARER,
                        false => 0.0,
                    }
                })
            }
            Form::Point(p, radius) => places.map(|[px, py]| {
                let away = (x + px - p[0]).hypot(y + py - p[1]);
                if away <= *radius { p[2] } else { 0.0 }
            }),
        }
    }
}

/// A triangle by the weights of its corners, which change evenly over the picture and are positive inside.
pub struct Triangle {
    pub points: [V3; 3],
    /// By how much each corner's weight changes per pixel to the right and down.
    slope: [[f32; 2]; 3],
}

/// What the weights of a triangle's corners, and its inverse depth, are at the samples of a pixel, less what they are at the
/// pixel's corner. The same for every pixel.
pub struct Slopes<const S: usize> {
    weights: [[f32; S]; 3],
    near: [f32; S],
}

impl Triangle {
    /// `None` for one without area.
    pub fn of([a, b, c]: [V3; 3]) -> Option<Triangle> {
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        if area == 0.0 || !area.is_finite() {
            return None;
        }
        let edge = |p: V3, q: V3| [-(q[1] - p[1]) / area, (q[0] - p[0]) / area];
        Some(Triangle {
            points: [a, b, c],
            slope: [edge(b, c), edge(c, a), edge(a, b)],
        })
    }

    pub fn slopes<const S: usize>(&self, places: &[[f32; 2]; S]) -> Slopes<S> {
        let weights = self
            .slope
            .map(|[dx, dy]| std::array::from_fn(|s| dx * places[s][0] + dy * places[s][1]));
        let [_, b, c]: [[f32; S]; 3] = weights;
        let [na, nb, nc] = self.points.map(|p| p[2]);
        Slopes {
            near: std::array::from_fn(|s| b[s] * (nb - na) + c[s] * (nc - na)),
            weights,
        }
    }

    /// The weights at a place, each from the opposite edge on: they have large terms far from the origin.
    fn weights(&self, [x, y]: [f32; 2]) -> V3 {
        let [a, b, c] = self.points;
        let at = |[dx, dy]: [f32; 2], from: V3| dx * (x - from[0]) + dy * (y - from[1]);
        let [sa, sb, sc] = self.slope;
        [at(sa, b), at(sb, c), at(sc, a)]
    }

    /// Puts the triangle where it is nearer than what is at the samples of the pixel at `at`.
    #[inline]
    pub fn put<const S: usize>(
        &self,
        slopes: &Slopes<S>,
        at: [f32; 2],
        number: u32,
        samples: &mut Samples<S>,
    ) {
        let first = self.weights(at);
        let corner = |k: usize, which: fn(f32, f32) -> f32| {
            let [dx, dy] = self.slope[k];
            first[k] + which(dx, 0.0) + which(dy, 0.0)
        };
        // No sample is inside if the pixel's best corner is outside of an edge.
        if (0..3).any(|k| corner(k, f32::max) < 0.0) {
            return;
        }
        // Exact where it is the same everywhere: then what is drawn first stays on top.
        let [na, nb, nc] = self.points.map(|p| p[2]);
        let near = na + first[1] * (nb - na) + first[2] * (nc - na);
        let mut change = |sample: usize, inside: bool| {
            let near = near + slopes.near[sample];
            let nearer = inside & (near > samples.near[sample]);
            samples.near[sample] = if nearer { near } else { samples.near[sample] };
            samples.number[sample] = if nearer {
                number
            } else {
                samples.number[sample]
            };
        };
        // All samples are inside if the worst corner is.
        if (0..3).all(|k| corner(k, f32::min) >= 0.0) {
            (0..S).for_each(|sample| change(sample, true));
            return;
        }
        let [a, b, c] = &slopes.weights;
        for sample in 0..S {
            let inside = (first[0] + a[sample] >= 0.0)
                & (first[1] + b[sample] >= 0.0)
                & (first[2] + c[sample] >= 0.0);
            change(sample, inside);
        }
    }

    /// The pixels of a row that it may touch; a little more, because of rounding.
    fn reach(&self, y: f32, from: u32, to: u32) -> (u32, u32) {
        let [a, b, c] = self.points;
        let (mut low, mut high) = (from as f32, to as f32);
        for ([dx, dy], origin) in self.slope.iter().zip([b, c, a]) {
            // Where the pixel's best corner reaches the edge, as in `put`.
            let best = dy * (y - origin[1]) + dx.max(0.0) + dy.max(0.0);
            let away = best / dx;
            let room = 1.0 + (origin[0].abs() + away.abs()) * ROUNDING;
            let at = origin[0] - away;
            // Comparisons are false for what is not a number: then this edge decides nothing.
            if *dx > 0.0 && at - room > low {
                low = at - room;
            }
            if *dx < 0.0 && at + room < high {
                high = at + room;
            }
        }
        match low <= high {
            true => (low as u32, high as u32),
            false => (1, 0),
        }
    }
}
