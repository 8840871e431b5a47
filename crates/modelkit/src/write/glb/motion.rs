//! Skins and clips as JSON and accessors.

use super::builder::{Builder, bytes_of, min_max};
use super::column::data;
use super::nodes::Nodes;
use super::quantize::Grid;
use crate::Result;
use crate::scene::{Animation, AnimationPath, AnimationSampler, Interpolation, Skin, math};
use serde_json::{Map, Value, json};

/// A skin; `grid` is folded into the inverse bind matrices.
pub fn skin(b: &mut Builder, skin: &Skin, grid: Option<&Grid>, nodes: &Nodes) -> Result<Value> {
    let mut matrices = skin.inverse_bind.clone();
    if let Some(grid) = grid {
        for m in &mut matrices {
            *m = math::mul(&m.map(f64::from), &grid.matrix()).map(|v| v as f32);
            (m[3], m[7], m[11], m[15]) = (0.0, 0.0, 0.0, 1.0);
        }
    }
    let joints: Vec<u32> = skin.joints.iter().map(|j| nodes.number(*j)).collect();
    let column = data(bytes_of(&matrices), matrices.len(), 5126, "MAT4");
    let mut out = Map::new();
    if !skin.name.is_empty() {
        out.insert("name".into(), skin.name.clone().into());
    }
    out.insert("inverseBindMatrices".into(), b.column(&column)?.into());
    out.insert("joints".into(), json!(joints));
    if let Some(extras) = &skin.extras {
        out.insert("extras".into(), extras.clone());
    }
    Ok(Value::Object(out))
}

/// A clip; weights move the node that holds the mesh.
pub fn animation(b: &mut Builder, clip: &Animation, nodes: &Nodes) -> Result<Value> {
    // A sampler may serve several channels of the same kind.
    let mut paths = vec![AnimationPath::Translation; clip.samplers.len()];
    for channel in &clip.channels {
        if let Some(path) = paths.get_mut(channel.sampler as usize) {
            *path = channel.path;
        }
    }
    let mut samplers = Vec::with_capacity(clip.samplers.len());
    for (s, path) in clip.samplers.iter().zip(paths) {
        samplers.push(sampler(b, s, path)?);
    }
    let mut channels = Vec::with_capacity(clip.channels.len());
    for channel in &clip.channels {
        let (path, node) = match channel.path {
            AnimationPath::Translation => ("translation", nodes.number(channel.node)),
            AnimationPath::Rotation => ("rotation", nodes.number(channel.node)),
            AnimationPath::Scale => ("scale", nodes.number(channel.node)),
            AnimationPath::Weights => ("weights", nodes.carrier(channel.node)),
        };
        channels.push(json!({"sampler": channel.sampler, "target": {"node": node, "path": path}}));
    }
    let mut out = Map::new();
    if !clip.name.is_empty() {
        out.insert("name".into(), clip.name.clone().into());
    }
    out.insert("channels".into(), channels.into());
    out.insert("samplers".into(), samplers.into());
    if let Some(extras) = &clip.extras {
        out.insert("extras".into(), extras.clone());
    }
    Ok(Value::Object(out))
}

/// Bits of each number of a track with its sign: a 4096th of its movement, however far from the origin it is. As exact
/// as floats where nothing moves.
fn bits(rows: &[[f32; 3]]) -> i32 {
    const WHOLE: i32 = 24;
    let (min, max) = min_max(rows);
    let spans = min.iter().zip(&max).map(|(min, max)| max - min);
    let far = min
        .iter()
        .chain(&max)
        .fold(0.0f64, |far, v| far.max(v.abs()));
    let still = 1e-6 * far;
    let span = spans
        .filter(|span| *span > still)
        .fold(f64::INFINITY, f64::min);
    if !span.is_finite() {
        return WHOLE;
    }
    // One for the sign, one since the power of two above `far` is up to twice as large.
    ((far / span * 4096.0).log2().ceil() as i32 + 2).clamp(12, WHOLE)
}

fn sampler(b: &mut Builder, s: &AnimationSampler, path: AnimationPath) -> Result<Value> {
    let times: &[[f32; 1]] = s.times.as_chunks().0;
    let column = data(bytes_of(&s.times), s.times.len(), 5126, "SCALAR");
    let input = b.column(&column.bounded(min_max(times)))?;
    let output = match path {
        AnimationPath::Rotation if b.packed && s.interpolation != Interpolation::CubicSpline => {
            let rows: &[[f32; 4]] = s.values.as_chunks().0;
            let packed: Vec<[i16; 4]> = meshopt::encode_filter_quat(rows, b.rotation_bits);
            let mut column = data(bytes_of(&packed), rows.len(), 5122, "VEC4");
            column.form.normalized = true;
            b.column(&column.filtered("QUATERNION"))?
        }
        AnimationPath::Rotation => {
            b.column(&data(bytes_of(&s.values), s.values.len() / 4, 5126, "VEC4"))?
        }
        AnimationPath::Translation | AnimationPath::Scale
            if b.packed && b.screen.is_some() && s.interpolation != Interpolation::CubicSpline =>
        {
            let rows: &[[f32; 3]] = s.values.as_chunks().0;
            let mode = meshopt::EncodeExpMode::SharedComponent;
            let packed = meshopt::encode_filter_exp(rows, bits(rows), mode);
            let column = data(bytes_of(&packed), rows.len(), 5126, "VEC3");
            b.column(&column.filtered("EXPONENTIAL"))?
        }
        AnimationPath::Translation | AnimationPath::Scale => {
            b.column(&data(bytes_of(&s.values), s.values.len() / 3, 5126, "VEC3"))?
        }
        AnimationPath::Weights => {
            b.column(&data(bytes_of(&s.values), s.values.len(), 5126, "SCALAR"))?
        }
    };
    let mut out = json!({"input": input, "output": output});
    match s.interpolation {
        Interpolation::Linear => {}
        Interpolation::Step => out["interpolation"] = "STEP".into(),
        Interpolation::CubicSpline => out["interpolation"] = "CUBICSPLINE".into(),
    }
    Ok(out)
}
