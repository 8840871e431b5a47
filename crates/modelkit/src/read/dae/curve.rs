//! The curve of a sampler: keys, and what lies between them.

use super::lost::Loss;
use super::source::{self, Rows, inputs};
use super::xml::{Ids, Xml};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Linear,
    Step,
    Bezier,
    Hermite,
}

/// Keys over time, with as many values each as a row has.
pub struct Curve {
    pub times: Vec<f32>,
    values: Rows,
    /// How values go on from each key.
    kinds: Vec<Kind>,
    /// Towards a key and from it.
    tangents: [Option<Rows>; 2],
    /// It has an interpolation that is not known, and is linear there.
    pub is_simplified: bool,
}

impl Curve {
    /// The curve of a `<sampler>`. Error: keys are missing or not in order.
    pub fn read<'a>(ids: &Ids<'a>, sampler: Xml<'a>) -> Result<Curve, Loss> {
        let source = |semantic: &str| {
            let wire = inputs(sampler).find(|w| w.semantic == semantic)?;
            ids.get(wire.source).copied()
        };
        let rows = |semantic: &str| Rows::read(ids, source(semantic)?);
        let input = rows("INPUT").ok_or(Loss::Keys)?;
        let values = rows("OUTPUT").ok_or(Loss::Keys)?;
        let keys = (0..input.len().min(values.len())).filter_map(|i| input.get::<1>(i, 0.0));
        let times: Vec<f32> = keys.map(|[t]| t).collect();
        let rising = times.windows(2).all(|t| t[0] <= t[1]) && times.iter().all(|t| t.is_finite());
        if times.is_empty() || !rising {
            return Err(Loss::Keys);
        }
        let mut is_simplified = false;
        let mut kind = |name: &str| match name {
            "LINEAR" => Kind::Linear,
            "STEP" => Kind::Step,
            "BEZIER" => Kind::Bezier,
            "HERMITE" => Kind::Hermite,
            _ => {
                is_simplified = true;
                Kind::Linear
            }
        };
        let kinds = source("INTERPOLATION").map_or(Vec::new(), source::names);
        let kinds = kinds.into_iter().map(&mut kind).collect();
        Ok(Curve {
            times,
            values,
            kinds,
            tangents: [rows("IN_TANGENT"), rows("OUT_TANGENT")],
            is_simplified,
        })
    }

    /// Values of each key.
    pub fn width(&self) -> usize {
        self.values.width()
    }

    fn kind(&self, key: usize) -> Kind {
        let kind = self.kinds.get(key).or(self.kinds.first());
        kind.copied().unwrap_or(Kind::Linear)
    }

    /// Whether values jump at some key.
    pub fn jumps(&self) -> bool {
        self.kinds.contains(&Kind::Step)
    }

    /// Writes the values at `time` to the front of `out`; what is no number stays as it is.
    pub fn apply(&self, time: f32, out: &mut [f64]) {
        let after = self.times.partition_point(|t| *t <= time);
        let from = after.saturating_sub(1);
        let to = after.min(self.times.len() - 1);
        let (Some(a), Some(b)) = (self.values.row(from), self.values.row(to)) else {
            return;
        };
        let span = self.times[to] - self.times[from];
        let kind = match span > 0.0 {
            true => self.kind(from),
            false => Kind::Step,
        };
        for (k, (slot, (a, b))) in out.iter_mut().zip(a.iter().zip(b)).enumerate() {
            let (a, b) = (f64::from(*a), f64::from(*b));
            let value = match kind {
                Kind::Step => a,
                Kind::Linear => {
                    let part = f64::from(((time - self.times[from]) / span).clamp(0.0, 1.0));
                    a + (b - a) * part
                }
                Kind::Bezier | Kind::Hermite => self.bent(kind, time, (from, a), (to, b), k),
            };
            if value.is_finite() {
                *slot = value;
            }
        }
    }

    /// Value `k` on a Bézier or Hermite segment (COLLADA 1.4.1, 4-8 "Curve Interpolation"). Tangents have a time and a
    /// number for each value, or, as 1.4.0 had it, the number only.
    fn bent(&self, kind: Kind, time: f32, a: (usize, f64), b: (usize, f64), k: usize) -> f64 {
        let (start, end) = (f64::from(self.times[a.0]), f64::from(self.times[b.0]));
        let third = (end - start) / 3.0;
        let tangent = |rows: &Option<Rows>, key: usize| -> Option<(Option<f64>, f64)> {
            let row = rows.as_ref()?.row(key)?;
            let number = |at: usize| row.get(at).map(|v| f64::from(*v));
            match row.len() >= self.width() * 2 {
                true => Some((number(k * 2), number(k * 2 + 1)?)),
                false => Some((None, number(k)?)),
            }
        };
        let out = tangent(&self.tangents[1], a.0);
        let into = tangent(&self.tangents[0], b.0);
        // Control points: times and values.
        let (p1, p2) = match kind {
            Kind::Hermite => {
                let (out, into) = (out.unwrap_or_default(), into.unwrap_or_default());
                let shift = |t: Option<f64>| t.map_or(third, |t| t / 3.0);
                (
                    (start + shift(out.0), a.1 + out.1 / 3.0),
                    (end - shift(into.0), b.1 - into.1 / 3.0),
                )
            }
            _ => {
                let (out, into) = (out.unwrap_or((None, a.1)), into.unwrap_or((None, b.1)));
                (
                    (out.0.unwrap_or(start + third), out.1),
                    (into.0.unwrap_or(end - third), into.1),
                )
            }
        };
        // Time must not run backwards.
        let clamp = |t: f64| match t.is_finite() {
            true => t.clamp(start, end),
            false => start + third,
        };
        let times = [start, clamp(p1.0), clamp(p2.0), end];
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..32 {
            let middle = (low + high) / 2.0;
            match bezier(times, middle) <= f64::from(time) {
                true => low = middle,
                false => high = middle,
            }
        }
        bezier([a.1, p1.1, p2.1, b.1], (low + high) / 2.0)
    }
}

fn bezier(p: [f64; 4], s: f64) -> f64 {
    let r = 1.0 - s;
    r * r * r * p[0] + 3.0 * r * r * s * p[1] + 3.0 * r * s * s * p[2] + s * s * s * p[3]
}
