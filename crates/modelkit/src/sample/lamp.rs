//! A balanced desk lamp on a wooden base, switched on.

use super::model::{Ask, BLUE, GOLD, INK, Model, PALE, Place};
use super::noise::{fractal, mix, paint, rgb};
use super::shape::{Point, Shape, steps};
use super::solids::{curve, cylinder, rod, rounded_box, sphere, torus, tube};
use crate::scene::Material;
use crate::{Result, Scene};
use image::DynamicImage;
use std::f32::consts::TAU;

pub fn make(ask: Ask) -> Result<Scene> {
    let Ask { detail, seed, .. } = ask;
    let mut model = Model::new("台灯", ask);
    let grain = model.texture("walnut.png", || wood(seed))?;
    let walnut = model.material(Material {
        base_color_texture: Some(grain),
        roughness: 0.5,
        ..Material::plain("胡桃木", [1.0; 4])
    });
    let blue = model.paint("玄青漆", BLUE, 0.1, 0.3);
    let white = model.paint("内罩", 0xFFFFFF, 0.0, 0.7);
    let brass = model.paint("黄铜", GOLD, 1.0, 0.24);
    let dark = model.paint("织物电线", INK, 0.0, 0.85);
    let steel = model.paint("弹簧钢", PALE, 1.0, 0.25);
    let glow = model.material(Material {
        emissive: [1.0, 0.84, 0.56],
        roughness: 0.4,
        ..Material::plain("灯泡", [1.0, 0.93, 0.8, 1.0])
    });

    let base = vec![
        (
            cylinder(0.1, 0.022, 0.007, detail * 1.8).tiled(2.0, 1.0),
            walnut,
        ),
        (
            cylinder(0.026, 0.03, 0.005, detail).moved([0.0, 0.022, 0.0]),
            brass,
        ),
    ];
    let root = model.part("底座", base, None, Place::at([0.0; 3]));
    let lower = model.node(
        "下臂",
        None,
        Some(root),
        Place::at([0.0, 0.06, 0.0]).turned(2, 0.32),
    );
    arm(&mut model, lower, 0.3, detail, [brass, steel, dark]);
    let upper = model.node(
        "上臂",
        None,
        Some(lower),
        Place::at([0.0, 0.3, 0.0]).turned(2, -1.15),
    );
    arm(&mut model, upper, 0.28, detail, [brass, steel, dark]);

    let head = model.node(
        "灯头",
        None,
        Some(upper),
        Place::at([0.0, 0.28, 0.0]).turned(2, 1.3),
    );
    let n = steps(detail, 9.0, 2);
    let outside = curve(
        &[
            [0.085, -0.02],
            [0.078, 0.02],
            [0.056, 0.06],
            [0.03, 0.085],
            [0.026, 0.1],
        ],
        n,
    );
    let mut lining: Vec<[f32; 2]> = vec![[0.024, 0.1]];
    lining.extend(outside.iter().rev().skip(1).map(|[r, y]| [r - 0.002, *y]));
    lining.push([0.085, -0.02]);
    let around = steps(detail, 72.0, 10);
    let parts = vec![
        (Shape::lathe(&outside, around), blue),
        (Shape::lathe(&lining, around), white),
        (
            torus(0.0845, 0.0022, detail).moved([0.0, -0.02, 0.0]),
            brass,
        ),
        (
            cylinder(0.027, 0.05, 0.006, detail).moved([0.0, 0.095, 0.0]),
            brass,
        ),
        (sphere(0.03, detail).moved([0.0, 0.028, 0.0]), glow),
    ];
    model.part("灯罩", parts, Some(head), Place::at([0.0, -0.125, 0.0]));
    cable(&mut model, detail, dark);
    Ok(model.scene)
}

/// Two parallel rods with joints, and a spring between.
fn arm(model: &mut Model, node: u32, length: f32, detail: f32, paints: [u32; 3]) {
    let [brass, steel, dark] = paints;
    let mut rods = Shape::default();
    for z in [-0.014f32, 0.014] {
        rods.add(rod([0.0, 0.0, z], [0.0, length, z], 0.005, detail * 0.7));
    }
    let mut joints = Shape::default();
    for y in [0.0, length] {
        let knob = cylinder(0.014, 0.044, 0.003, detail * 0.7).turned(0, TAU / 4.0);
        joints.add(knob.moved([0.0, y, -0.022]));
    }
    let turns = 15.0;
    let n = steps(detail, 12.0, 6) * turns as usize;
    let coil = |i: usize| -> Point {
        let t = i as f32 / n as f32;
        let angle = t * turns * TAU;
        [
            0.006 * angle.cos(),
            length * (0.2 + 0.3 * t),
            0.006 * angle.sin(),
        ]
    };
    let spring: Vec<Point> = (0..=n).map(coil).collect();
    let parts = vec![
        (rods, steel),
        (joints, brass),
        (tube(&spring, 0.0012, detail * 0.35), steel),
        (
            rounded_box([0.012, 0.02, 0.04], 0.003, detail * 0.6).moved([0.0, length * 0.55, 0.0]),
            dark,
        ),
    ];
    model.part("连杆", parts, Some(node), Place::at([0.0; 3]));
}

fn cable(model: &mut Model, detail: f32, dark: u32) {
    let points = [
        [-0.09, 0.008, 0.0],
        [-0.14, 0.003, 0.02],
        [-0.2, 0.003, 0.09],
        [-0.16, 0.003, 0.17],
        [-0.24, 0.003, 0.22],
    ];
    let path = curve(&points, steps(detail, 9.0, 3));
    model.part(
        "电线",
        vec![(tube(&path, 0.003, detail * 0.6), dark)],
        None,
        Place::at([0.0; 3]),
    );
}

fn wood(seed: u64) -> DynamicImage {
    paint(1024, 1024, |u, v| {
        let warp = fractal(u, v, 3, 4, seed);
        let rings = ((u * 6.0 + warp * 3.2) * TAU).sin() * 0.5 + 0.5;
        let pores = fractal(u, v, 96, 2, seed ^ 3);
        let color = mix(rgb(0x4A2F1D), rgb(0x8A5E3C), rings * 0.8 + pores * 0.2);
        mix(color, rgb(0x2E1B10), (pores - 0.66) * 2.2)
    })
}
