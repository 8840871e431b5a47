//! What curves do before their first and after their last key – repeat, mirror, go on – as far as a clip reaches. The
//! library bakes keys only.

use std::collections::HashMap;

/// Samples a second, as the library bakes curves.
const RATE: f64 = 30.0;
/// Most samples of a curve; longer clips have them farther apart.
const MOST: f64 = 4096.0;
/// Where a curve jumps back, the time in seconds that the jump may take.
const JUMP: f64 = 1e-4;

/// The curves of a clip that go on beyond their keys, by element.
pub struct Beyond<'a> {
    curves: HashMap<u32, Vec<&'a ufbx::AnimCurve>>,
    span: [f64; 2],
}

impl<'a> Beyond<'a> {
    /// Of the curves of these properties, between the first and the last second of the clip.
    pub fn of(
        stack: &'a ufbx::AnimStack,
        span: [f64; 2],
        wanted: impl Fn(&ufbx::AnimProp) -> bool,
    ) -> Beyond<'a> {
        let mut curves: HashMap<u32, Vec<&ufbx::AnimCurve>> = HashMap::new();
        let props = stack.layers.iter().flat_map(|layer| &layer.anim_props);
        for animated in props.filter(|animated| wanted(animated)) {
            let own = animated.anim_value.curves.iter().flatten();
            for curve in own.filter(|curve| goes_on(curve)) {
                let element = animated.element.element_id;
                curves.entry(element).or_default().push(curve);
            }
        }
        Beyond { curves, span }
    }

    /// Times in seconds at which the curves of these elements have to be sampled, in order.
    pub fn times(&self, elements: impl IntoIterator<Item = u32>) -> Vec<f64> {
        let curves = elements.into_iter().filter_map(|id| self.curves.get(&id));
        let mut times: Vec<f64> = curves
            .flatten()
            .flat_map(|curve| samples(curve, self.span))
            .collect();
        times.sort_by(f64::total_cmp);
        times.dedup_by(|a, b| (*a - *b).abs() < JUMP / 2.0);
        times
    }
}

fn goes_on(curve: &ufbx::AnimCurve) -> bool {
    let ends = [&curve.pre_extrapolation, &curve.post_extrapolation];
    ends.iter()
        .any(|end| end.mode != ufbx::ExtrapolationMode::Constant)
}

/// The times beyond the keys of a curve at which it has to be sampled.
fn samples(curve: &ufbx::AnimCurve, [begin, end]: [f64; 2]) -> Vec<f64> {
    let (first, last) = (curve.min_time, curve.max_time);
    let mut times = Vec::new();
    let finite = [first, last, begin, end]
        .iter()
        .all(|time| time.is_finite());
    if !finite || curve.keyframes.is_empty() {
        return times;
    }
    let step = ((end - begin) / MOST).max(1.0 / RATE);
    let mut add = |mode, from: f64, to: f64, edge: f64, away: f64| {
        // A curve of one value stays there, unless it goes on along its tangent.
        let still = curve.max_value <= curve.min_value && mode != ufbx::ExtrapolationMode::Slope;
        if mode == ufbx::ExtrapolationMode::Constant || still || from >= to {
            return;
        }
        let count = ((to - from) / step).floor().min(MOST) as u32;
        times.extend((0..=count).map(|i| from + f64::from(i) * step));
        times.push(to);
        let period = last - first;
        let count = (to - from) / period;
        if period > 0.0 && count.is_finite() {
            let edges =
                (0..=(count.min(MOST) as u32) + 1).map(|i| edge + away * f64::from(i) * period);
            let edges = edges.flat_map(|edge| [edge - JUMP, edge]);
            times.extend(edges.filter(|time| (from..=to).contains(time)));
        }
    };
    add(
        curve.pre_extrapolation.mode,
        begin,
        first.min(end),
        first,
        -1.0,
    );
    add(
        curve.post_extrapolation.mode,
        last.max(begin),
        end,
        last,
        1.0,
    );
    times
}
