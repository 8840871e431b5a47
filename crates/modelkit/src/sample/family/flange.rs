//! A welding neck flange with bolt holes and a raised face.

use super::kit::{Flat, circle, collar, hoop, plate};
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::shape::Shape;
use crate::sample::solids::cylinder;
use crate::{Result, Scene};
use std::f32::consts::TAU;

pub const FAMILY: Family = Family {
    name: "flange",
    title: "带颈对焊法兰",
    params: &[
        size("bore", "通径（毫米）", [15.0, 400.0], 100.0),
        count("holes", "螺栓孔数", [4, 24], 8),
        size("thickness", "法兰厚（毫米）", [10.0, 60.0], 22.0),
        size("neck", "颈长与通径之比", [0.15, 1.0], 0.4),
        count("bolts", "装上螺栓：0 否，1 是", [0, 1], 0),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [bore, holes, thickness, neck, bolts] = values(given);
    let (bore, thickness) = (bore / 2000.0, thickness / 1000.0);
    let wall = bore * 0.12 + 0.002;
    let hole = (bore * 0.13 + 0.003).min(bore * 1.75 * (TAU / 2.0 / holes).sin() * 0.5);
    let ring = bore * 1.45 + wall + hole;
    let outer = ring + hole * 2.1;
    let bevel = thickness * 0.06;

    let mut model = Model::new("带颈对焊法兰", ask);
    let steel = model.paint("锻钢", 0x9BA2AD, 1.0, 0.42);
    let face = model.paint("密封面", 0xD0D5DC, 1.0, 0.25);
    let zinc = model.paint("镀锌螺栓", 0xC9B98A, 1.0, 0.35);

    let place = |i: usize| -> Flat {
        let (sin, cos) = (TAU * (i as f32 + 0.5) / holes).sin_cos();
        [ring * cos, ring * sin]
    };
    let mut cuts: Vec<_> = (0..holes as usize)
        .map(|i| circle(hole, 28, place(i)))
        .collect();
    cuts.push(circle(bore, 96, [0.0, 0.0]));
    let disc = plate(&circle(outer, 120, [0.0, 0.0]), &cuts, thickness, bevel).laid();
    let top = thickness + bore * 2.0 * neck;
    let foot = bore + wall * 2.6;
    let section = [
        [bore, thickness * 0.9],
        [foot, thickness * 0.9],
        [foot, thickness * 1.15],
        [bore + wall, thickness + (top - thickness) * 0.62],
        [bore + wall, top - wall * 0.4],
        [bore + wall * 0.5, top],
        [bore, top],
    ];
    let throat = hoop(&section, wall * 0.5, 96);
    let raised = thickness * 0.12;
    let seat = collar(
        bore,
        ring - hole * 1.5,
        -raised,
        raised * 0.5,
        raised * 0.3,
        96,
    );
    let up = Place::at([0.0, raised, 0.0]);
    let mut grooves = Shape::default();
    for i in 0..4 {
        let r = bore + (ring - hole * 1.5 - bore) * (0.25 + 0.17 * i as f32);
        grooves.add(collar(
            r,
            r + raised * 0.4,
            -raised * 1.12,
            -raised * 0.8,
            raised * 0.05,
            96,
        ));
    }
    let root = model.part(
        "法兰",
        vec![
            (disc, steel),
            (throat, steel),
            (seat, face),
            (grooves, face),
        ],
        None,
        up,
    );
    if bolts > 0.0 {
        let head = plate(
            &circle(hole * 1.55, 6, [0.0, 0.0]),
            &[],
            hole * 1.1,
            hole * 0.12,
        )
        .laid();
        let washer = collar(hole * 0.8, hole * 1.8, 0.0, hole * 0.22, hole * 0.05, 40);
        let shank = cylinder(hole * 0.82, thickness * 1.25 + hole * 1.6, hole * 0.15, 0.8);
        let bolt = model.mesh(
            "螺栓",
            vec![
                (head.at(0.0, hole * 0.22, 0.0), zinc),
                (washer, zinc),
                (shank.at(0.0, -thickness * 1.25, 0.0), zinc),
            ],
        );
        for i in 0..holes as usize {
            let [x, z] = place(i);
            model.node(
                "螺栓",
                Some(bolt),
                Some(root),
                Place::at([x, thickness, -z]),
            );
        }
    }
    Ok(model.scene)
}
