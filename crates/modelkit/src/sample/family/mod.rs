//! Parametric families: each makes many models that differ in their form. Lengths are in millimetres or metres as the
//! parameter says; the model itself is in metres.

mod arch_bridge;
mod bearing;
mod bench;
mod bolt;
mod chair;
mod chess;
mod drone;
mod flange;
mod floor_lamp;
mod gearing;
mod house;
mod impeller;
mod kit;
mod pavilion;
mod pipe_bend;
mod planetary;
mod pottery;
mod ring;
mod rock;
mod rocket;
mod shelf;
mod spiral_stairs;
mod spring;
mod spur_gear;
mod street_lamp;
mod surfaces;
mod table;
mod tower;
mod tree;
mod valve;
mod wind_turbine;

use super::model::Ask;
use crate::{Error, Result, Scene};
use serde::Serialize;

/// A number that a family takes.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Param {
    pub name: &'static str,
    pub title: &'static str,
    pub least: f32,
    pub most: f32,
    pub default: f32,
    /// Only whole numbers.
    pub whole: bool,
}

/// A whole number: a count or a choice.
const fn count(name: &'static str, title: &'static str, range: [u16; 2], default: u16) -> Param {
    Param {
        name,
        title,
        least: range[0] as f32,
        most: range[1] as f32,
        default: default as f32,
        whole: true,
    }
}

/// A measure.
const fn size(name: &'static str, title: &'static str, range: [f32; 2], default: f32) -> Param {
    Param {
        name,
        title,
        least: range[0],
        most: range[1],
        default,
        whole: false,
    }
}

pub struct Family {
    pub name: &'static str,
    pub title: &'static str,
    pub params: &'static [Param],
    make: fn(Ask, &[f32]) -> Result<Scene>,
}

/// All families.
pub const FAMILIES: &[Family] = &[
    arch_bridge::FAMILY,
    bearing::FAMILY,
    bench::FAMILY,
    bolt::FAMILY,
    chair::FAMILY,
    chess::FAMILY,
    drone::FAMILY,
    flange::FAMILY,
    floor_lamp::FAMILY,
    house::FAMILY,
    impeller::FAMILY,
    pavilion::FAMILY,
    pipe_bend::FAMILY,
    planetary::FAMILY,
    pottery::FAMILY,
    ring::FAMILY,
    rock::FAMILY,
    rocket::FAMILY,
    shelf::FAMILY,
    spiral_stairs::FAMILY,
    spring::FAMILY,
    spur_gear::FAMILY,
    street_lamp::FAMILY,
    table::FAMILY,
    tower::FAMILY,
    tree::FAMILY,
    valve::FAMILY,
    wind_turbine::FAMILY,
];

/// The values in the order of the parameters.
fn values<const N: usize>(values: &[f32]) -> [f32; N] {
    std::array::from_fn(|i| values.get(i).copied().unwrap_or_default())
}

pub fn find(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}

impl Family {
    /// Makes a model; what `set` does not name has its default. The same input gives the same model.
    pub fn generate(&self, set: &[(String, f32)], seed: u64) -> Result<Scene> {
        self.make_with(set, seed, false)
    }

    /// The same without the pixels of its textures.
    pub fn draft(&self, set: &[(String, f32)], seed: u64) -> Result<Scene> {
        self.make_with(set, seed, true)
    }

    fn make_with(&self, set: &[(String, f32)], seed: u64, draft: bool) -> Result<Scene> {
        let mut values: Vec<f32> = self.params.iter().map(|p| p.default).collect();
        for (name, value) in set {
            let Some(at) = self.params.iter().position(|p| p.name == name) else {
                let known: Vec<&str> = self.params.iter().map(|p| p.name).collect();
                return Err(Error::Usage(format!(
                    "{} 没有参数 {name}，可用：{}",
                    self.name,
                    known.join("、")
                )));
            };
            self.params[at].check(*value)?;
            values[at] = *value;
        }
        let ask = Ask {
            detail: 1.0,
            seed,
            draft,
        };
        let mut scene = (self.make)(ask, &values)?;
        scene.format = "sample".into();
        scene.main_file = self.name.into();
        Ok(scene)
    }
}

impl Param {
    fn check(&self, value: f32) -> Result<()> {
        let Param {
            name, least, most, ..
        } = self;
        if !value.is_finite() || value < *least || value > *most {
            let text = format!("参数 {name} 须在 {least} 到 {most} 之间，现为 {value}");
            return Err(Error::Usage(text));
        }
        if self.whole && value.fract() != 0.0 {
            return Err(Error::Usage(format!("参数 {name} 须为整数，现为 {value}")));
        }
        Ok(())
    }

    /// One line for the list.
    pub fn describe(&self) -> String {
        let Param {
            name,
            title,
            least,
            most,
            default,
            ..
        } = self;
        format!("{name}={default}（{least}–{most}）{title}")
    }
}
