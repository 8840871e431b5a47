//! The things in the landscape and above it. Each thing is one that people know from its middle as well as from its rim, since
//! a gap takes the middle away and the piece shows nothing else.

use std::f32::consts::TAU;

use crate::pen::{ACCENT, DARK, MAIN, PALE, Pen, SECOND};

pub type Draw = fn(&mut Pen<'_>);

/// A thing, and the family of those whose middles look alike: a picture has one of a family.
#[derive(Clone, Copy)]
pub struct Thing {
    pub draw: Draw,
    pub family: u8,
}

const fn thing(family: u8, draw: Draw) -> Thing {
    Thing { draw, family }
}

/// Things that there are.
#[cfg(any(test, feature = "solver"))]
pub const COUNT: usize = ABOVE.len() + BELOW.len();

/// What hangs above.
pub const ABOVE: [Thing; 10] = [
    thing(0, balloon),
    thing(0, parachute),
    thing(1, planet),
    thing(2, sun),
    thing(3, rocket),
    thing(4, plane),
    thing(5, kite),
    thing(6, rainbow),
    thing(7, satellite),
    thing(1, saucer),
];
/// What is below.
pub const BELOW: [Thing; 12] = [
    thing(10, house),
    thing(11, tree),
    thing(12, pine),
    thing(13, windmill),
    thing(14, lighthouse),
    thing(15, boat),
    thing(16, pagoda),
    thing(11, flower),
    thing(17, car),
    thing(18, cactus),
    thing(19, clock),
    thing(11, mushroom),
];

fn balloon(pen: &mut Pen<'_>) {
    pen.line(DARK, 0.04, &[(-0.42, 0.3), (-0.16, 0.8)]);
    pen.line(DARK, 0.04, &[(0.42, 0.3), (0.16, 0.8)]);
    pen.oval(MAIN, (0.0, -0.22), 0.82, 0.78);
    pen.oval(PALE, (0.0, -0.22), 0.56, 0.78);
    pen.oval(SECOND, (0.0, -0.22), 0.28, 0.78);
    pen.block(DARK, -0.2, 0.76, 0.2, 1.0);
}

fn planet(pen: &mut Pen<'_>) {
    let (ring, hollow) = ((1.08, 0.34), (0.8, 0.19));
    pen.oval(MAIN, (0.0, 0.0), 0.62, 0.62);
    pen.hoop(ACCENT, (0.0, 0.0), ring, hollow, -0.32);
    pen.dome(MAIN, (-0.02, -0.02), 0.58, 0.6);
    pen.oval(SECOND, (-0.22, -0.3), 0.14, 0.1);
    pen.oval(SECOND, (0.16, -0.2), 0.2, 0.09);
    pen.oval(SECOND, (0.1, 0.42), 0.22, 0.08);
}

fn sun(pen: &mut Pen<'_>) {
    for ray in 0..12 {
        let angle = TAU * ray as f32 / 12.0;
        let at = |turn: f32, far: f32| ((angle + turn).cos() * far, (angle + turn).sin() * far);
        pen.shape(ACCENT, &[at(-0.17, 0.66), at(0.0, 1.02), at(0.17, 0.66)]);
    }
    pen.oval(MAIN, (0.0, 0.0), 0.58, 0.58);
    pen.oval(DARK, (-0.2, -0.1), 0.07, 0.1);
    pen.oval(DARK, (0.2, -0.1), 0.07, 0.1);
    pen.line(
        DARK,
        0.07,
        &[(-0.26, 0.16), (-0.1, 0.28), (0.1, 0.28), (0.26, 0.16)],
    );
}

fn rocket(pen: &mut Pen<'_>) {
    pen.shape(ACCENT, &[(-0.22, 0.55), (0.0, 1.05), (0.22, 0.55)]);
    pen.shape(
        SECOND,
        &[
            (0.0, 0.0),
            (0.72, 0.5),
            (0.72, 0.82),
            (0.0, 0.5),
            (-0.72, 0.82),
            (-0.72, 0.5),
        ],
    );
    pen.shape(
        MAIN,
        &[
            (0.0, -1.05),
            (0.24, -0.72),
            (0.36, -0.3),
            (0.36, 0.3),
            (0.26, 0.62),
            (-0.26, 0.62),
            (-0.36, 0.3),
            (-0.36, -0.3),
            (-0.24, -0.72),
        ],
    );
    pen.shape(
        SECOND,
        &[
            (0.0, -1.05),
            (0.24, -0.72),
            (0.3, -0.52),
            (-0.3, -0.52),
            (-0.24, -0.72),
        ],
    );
    pen.oval(DARK, (0.0, -0.1), 0.24, 0.24);
    pen.oval(PALE, (0.0, -0.1), 0.16, 0.16);
    pen.block(SECOND, -0.36, 0.26, 0.36, 0.4);
}

fn plane(pen: &mut Pen<'_>) {
    pen.shape(
        SECOND,
        &[(0.55, -0.1), (0.86, -0.72), (1.05, -0.72), (0.98, 0.0)],
    );
    pen.shape(
        MAIN,
        &[
            (-1.0, 0.12),
            (-0.86, -0.12),
            (-0.6, -0.24),
            (0.7, -0.2),
            (1.02, -0.12),
            (1.02, 0.02),
            (0.4, 0.26),
            (-0.7, 0.28),
        ],
    );
    pen.shape(
        DARK,
        &[
            (-0.9, -0.04),
            (-0.72, -0.18),
            (-0.58, -0.18),
            (-0.62, -0.02),
        ],
    );
    for window in 0..5 {
        pen.oval(DARK, (-0.36 + 0.2 * window as f32, -0.04), 0.065, 0.075);
    }
    pen.shape(
        SECOND,
        &[(-0.22, 0.1), (0.26, 0.1), (0.6, 0.86), (0.34, 0.86)],
    );
}

fn kite(pen: &mut Pen<'_>) {
    let (top, right, foot, left, middle) = (
        (0.0, -1.0),
        (0.76, -0.18),
        (0.0, 0.66),
        (-0.76, -0.18),
        (0.0, -0.18),
    );
    pen.line(DARK, 0.04, &[foot, (0.22, 0.8), (-0.1, 0.92), (0.16, 1.04)]);
    pen.shape(ACCENT, &[(0.22, 0.8), (0.4, 0.72), (0.4, 0.9)]);
    pen.shape(ACCENT, &[(-0.1, 0.92), (-0.28, 0.84), (-0.28, 1.0)]);
    pen.shape(MAIN, &[top, right, middle]);
    pen.shape(SECOND, &[right, foot, middle]);
    pen.shape(MAIN, &[foot, left, middle]);
    pen.shape(SECOND, &[left, top, middle]);
    pen.line(DARK, 0.06, &[top, foot]);
    pen.line(DARK, 0.06, &[left, right]);
}

fn rainbow(pen: &mut Pen<'_>) {
    let bands = [(MAIN, 1.04), (ACCENT, 0.86), (PALE, 0.68), (SECOND, 0.5)];
    for (tone, far) in bands {
        let near = far - 0.18;
        pen.arch(tone, (0.0, 0.66), (far, far * 1.44), (near, near * 1.44));
    }
    for side in [-1.0_f32, 1.0] {
        pen.oval(PALE, (side * 0.74, 0.66), 0.3, 0.22);
        pen.oval(PALE, (side * 0.52, 0.78), 0.26, 0.2);
        pen.oval(PALE, (side * 0.88, 0.8), 0.22, 0.17);
    }
}

fn parachute(pen: &mut Pen<'_>) {
    for end in [-0.9, -0.34, 0.34, 0.9] {
        pen.line(DARK, 0.04, &[(end, -0.08), (0.0, 0.7)]);
    }
    pen.dome(MAIN, (0.0, -0.06), 0.96, 0.92);
    pen.dome(PALE, (0.0, -0.06), 0.6, 0.92);
    pen.dome(SECOND, (0.0, -0.06), 0.26, 0.92);
    pen.block(ACCENT, -0.2, 0.66, 0.2, 1.02);
}

fn satellite(pen: &mut Pen<'_>) {
    pen.line(DARK, 0.08, &[(-1.0, 0.0), (1.0, 0.0)]);
    for side in [-1.0_f32, 1.0] {
        let (near, far) = (side * 0.5, side * 1.04);
        pen.block(SECOND, near.min(far), -0.42, near.max(far), 0.42);
        for line in [-0.14, 0.14] {
            pen.line(PALE, 0.03, &[(near, line), (far, line)]);
        }
        pen.line(PALE, 0.03, &[(side * 0.77, -0.42), (side * 0.77, 0.42)]);
    }
    pen.block(MAIN, -0.32, -0.42, 0.32, 0.42);
    pen.oval(DARK, (0.0, -0.04), 0.19, 0.19);
    pen.oval(ACCENT, (0.0, -0.04), 0.1, 0.1);
    pen.shape(
        PALE,
        &[(-0.44, 0.56), (0.44, 0.56), (0.2, 0.86), (-0.2, 0.86)],
    );
    pen.line(DARK, 0.05, &[(0.0, -0.42), (0.0, -0.86)]);
    pen.oval(ACCENT, (0.0, -0.9), 0.09, 0.09);
}

fn saucer(pen: &mut Pen<'_>) {
    pen.veil(
        PALE,
        &[(-0.3, 0.2), (0.3, 0.2), (0.72, 1.02), (-0.72, 1.02)],
    );
    pen.oval(PALE, (0.0, -0.3), 0.5, 0.58);
    pen.oval(DARK, (0.0, -0.3), 0.14, 0.2);
    pen.oval(MAIN, (0.0, 0.06), 1.02, 0.32);
    pen.oval(SECOND, (0.0, -0.02), 0.86, 0.2);
    for light in 0..5 {
        pen.oval(ACCENT, (-0.68 + 0.34 * light as f32, 0.12), 0.08, 0.08);
    }
}

fn house(pen: &mut Pen<'_>) {
    pen.block(DARK, 0.36, -0.9, 0.6, -0.2);
    pen.block(MAIN, -0.7, -0.14, 0.7, 1.0);
    pen.shape(SECOND, &[(-0.98, -0.08), (0.0, -0.96), (0.98, -0.08)]);
    pen.oval(PALE, (0.0, -0.4), 0.14, 0.14);
    for left in [-0.42, 0.1] {
        pen.block(PALE, left, 0.08, left + 0.32, 0.4);
        pen.line(DARK, 0.05, &[(left + 0.16, 0.08), (left + 0.16, 0.4)]);
        pen.line(DARK, 0.05, &[(left, 0.24), (left + 0.32, 0.24)]);
    }
    pen.block(ACCENT, -0.18, 0.54, 0.18, 1.0);
}

fn tree(pen: &mut Pen<'_>) {
    pen.block(DARK, -0.13, 0.2, 0.13, 1.02);
    pen.oval(MAIN, (-0.44, -0.02), 0.5, 0.46);
    pen.oval(MAIN, (0.44, -0.02), 0.5, 0.46);
    pen.oval(MAIN, (0.0, -0.42), 0.64, 0.58);
    for (x, y) in [
        (-0.5, -0.1),
        (0.02, -0.28),
        (0.36, 0.1),
        (-0.2, 0.2),
        (0.52, -0.22),
        (-0.24, -0.66),
        (0.28, -0.56),
    ] {
        pen.oval(ACCENT, (x, y), 0.11, 0.11);
    }
}

fn pine(pen: &mut Pen<'_>) {
    pen.block(DARK, -0.12, 0.6, 0.12, 1.02);
    for (tone, top, foot, half) in [
        (SECOND, -0.3, 0.7, 0.84),
        (MAIN, -0.64, 0.24, 0.64),
        (SECOND, -0.96, -0.2, 0.46),
    ] {
        pen.shape(tone, &[(0.0, top), (half, foot), (-half, foot)]);
    }
    pen.shape(
        ACCENT,
        &[(0.0, -1.06), (0.12, -0.9), (0.0, -0.76), (-0.12, -0.9)],
    );
}

fn windmill(pen: &mut Pen<'_>) {
    pen.shape(
        MAIN,
        &[(-0.24, -0.2), (0.24, -0.2), (0.46, 1.02), (-0.46, 1.02)],
    );
    pen.block(DARK, -0.14, 0.62, 0.14, 1.02);
    pen.dome(SECOND, (0.0, -0.16), 0.3, 0.3);
    for blade in 0..4 {
        let angle = TAU * (blade as f32 / 4.0 + 0.125);
        let (sin, cos) = angle.sin_cos();
        let at =
            |along: f32, side: f32| (along * cos - side * sin, -0.12 + along * sin + side * cos);
        pen.shape(
            PALE,
            &[
                at(0.16, 0.03),
                at(1.02, 0.03),
                at(1.02, 0.3),
                at(0.16, 0.22),
            ],
        );
        pen.line(DARK, 0.06, &[at(0.0, 0.0), at(1.04, 0.0)]);
    }
    pen.oval(ACCENT, (0.0, -0.12), 0.11, 0.11);
}

fn lighthouse(pen: &mut Pen<'_>) {
    pen.veil(PALE, &[(-0.1, -0.66), (-1.0, -0.9), (-1.0, -0.4)]);
    pen.veil(PALE, &[(0.1, -0.66), (1.0, -0.9), (1.0, -0.4)]);
    let edge = |y: f32| 0.26 + (y + 0.5) * 0.12;
    pen.shape(
        PALE,
        &[(-0.26, -0.5), (0.26, -0.5), (0.44, 1.0), (-0.44, 1.0)],
    );
    for top in [-0.34, 0.06, 0.46] {
        let foot = top + 0.2;
        let (a, b) = (edge(top), edge(foot));
        pen.shape(MAIN, &[(-a, top), (a, top), (b, foot), (-b, foot)]);
    }
    pen.block(DARK, -0.36, -0.54, 0.36, -0.44);
    pen.block(ACCENT, -0.2, -0.8, 0.2, -0.54);
    pen.shape(SECOND, &[(-0.28, -0.78), (0.0, -1.05), (0.28, -0.78)]);
    pen.shape(DARK, &[(-0.78, 1.0), (-0.5, 0.8), (0.5, 0.8), (0.78, 1.0)]);
}

fn boat(pen: &mut Pen<'_>) {
    pen.line(DARK, 0.07, &[(0.0, -1.0), (0.0, 0.6)]);
    pen.shape(
        MAIN,
        &[(0.08, -0.94), (0.08, 0.44), (0.84, 0.44), (0.5, -0.3)],
    );
    pen.shape(
        SECOND,
        &[(0.08, -0.1), (0.08, 0.14), (0.72, 0.14), (0.6, -0.1)],
    );
    pen.shape(PALE, &[(-0.08, -0.76), (-0.08, 0.44), (-0.74, 0.44)]);
    pen.shape(
        DARK,
        &[(-1.0, 0.56), (1.02, 0.56), (0.66, 1.0), (-0.7, 1.0)],
    );
    pen.shape(ACCENT, &[(0.0, -1.06), (-0.26, -0.96), (0.0, -0.88)]);
}

fn pagoda(pen: &mut Pen<'_>) {
    pen.line(ACCENT, 0.08, &[(0.0, -1.05), (0.0, -0.7)]);
    for (y, half) in [(0.62, 0.5), (0.14, 0.4), (-0.34, 0.3)] {
        pen.block(MAIN, -half, y - 0.1, half, y + 0.38);
        for slot in [-0.5, 0.0, 0.5] {
            pen.block(
                DARK,
                half * slot - 0.05,
                y + 0.06,
                half * slot + 0.05,
                y + 0.3,
            );
        }
        let wing = half + 0.4;
        pen.shape(
            SECOND,
            &[
                (-wing, y - 0.06),
                (-half, y - 0.1),
                (-half * 0.7, y - 0.26),
                (half * 0.7, y - 0.26),
                (half, y - 0.1),
                (wing, y - 0.06),
                (half, y + 0.06),
                (-half, y + 0.06),
            ],
        );
    }
    pen.shape(SECOND, &[(-0.3, -0.58), (0.0, -0.86), (0.3, -0.58)]);
}

fn flower(pen: &mut Pen<'_>) {
    pen.line(DARK, 0.1, &[(0.0, 0.3), (0.04, 1.02)]);
    pen.shape(DARK, &[(0.04, 0.9), (0.5, 0.62), (0.4, 0.9)]);
    for petal in 0..8 {
        let angle = TAU * petal as f32 / 8.0;
        let tone = if petal % 2 == 0 { MAIN } else { SECOND };
        pen.oval(
            tone,
            (angle.cos() * 0.52, -0.16 + angle.sin() * 0.52),
            0.3,
            0.3,
        );
    }
    pen.oval(ACCENT, (0.0, -0.16), 0.34, 0.34);
    for seed in 0..6 {
        let angle = TAU * seed as f32 / 6.0;
        pen.oval(
            DARK,
            (angle.cos() * 0.17, -0.16 + angle.sin() * 0.17),
            0.05,
            0.05,
        );
    }
}

fn car(pen: &mut Pen<'_>) {
    pen.shape(
        MAIN,
        &[(-0.66, -0.02), (-0.44, -0.56), (0.42, -0.56), (0.72, -0.02)],
    );
    pen.shape(
        PALE,
        &[
            (-0.5, -0.04),
            (-0.34, -0.44),
            (-0.05, -0.44),
            (-0.05, -0.04),
        ],
    );
    pen.shape(
        PALE,
        &[(0.06, -0.04), (0.06, -0.44), (0.34, -0.44), (0.52, -0.04)],
    );
    pen.shape(
        MAIN,
        &[
            (-1.0, 0.06),
            (-0.7, -0.06),
            (0.8, -0.06),
            (1.02, 0.12),
            (1.02, 0.56),
            (-1.0, 0.56),
        ],
    );
    pen.block(SECOND, -1.0, 0.3, 1.02, 0.42);
    pen.block(DARK, -0.28, 0.08, -0.12, 0.16);
    pen.line(DARK, 0.04, &[(0.0, -0.04), (0.0, 0.54)]);
    pen.oval(ACCENT, (0.94, 0.18), 0.1, 0.1);
    for wheel in [-0.56, 0.56] {
        pen.oval(DARK, (wheel, 0.58), 0.3, 0.3);
        pen.oval(PALE, (wheel, 0.58), 0.13, 0.13);
    }
}

fn cactus(pen: &mut Pen<'_>) {
    pen.line(MAIN, 0.26, &[(0.0, 0.34), (-0.66, 0.24), (-0.66, -0.38)]);
    pen.line(MAIN, 0.26, &[(0.0, 0.06), (0.66, -0.04), (0.66, -0.6)]);
    pen.line(MAIN, 0.5, &[(0.0, -0.72), (0.0, 0.6)]);
    for rib in [-0.13, 0.0, 0.13] {
        pen.line(SECOND, 0.045, &[(rib, -0.86), (rib, 0.66)]);
    }
    pen.oval(ACCENT, (0.0, -0.98), 0.14, 0.1);
    pen.shape(
        DARK,
        &[(-0.46, 0.62), (0.46, 0.62), (0.34, 1.02), (-0.34, 1.02)],
    );
}

fn clock(pen: &mut Pen<'_>) {
    pen.shape(DARK, &[(-0.6, 0.6), (-0.42, 1.02), (-0.2, 0.8)]);
    pen.shape(DARK, &[(0.6, 0.6), (0.42, 1.02), (0.2, 0.8)]);
    pen.oval(SECOND, (-0.56, -0.74), 0.26, 0.22);
    pen.oval(SECOND, (0.56, -0.74), 0.26, 0.22);
    pen.oval(MAIN, (0.0, 0.0), 0.92, 0.86);
    pen.oval(PALE, (0.0, 0.0), 0.76, 0.7);
    for tick in 0..12 {
        let (sin, cos) = (TAU * tick as f32 / 12.0).sin_cos();
        pen.line(
            DARK,
            0.05,
            &[(cos * 0.6, sin * 0.56), (cos * 0.7, sin * 0.64)],
        );
    }
    pen.line(DARK, 0.09, &[(0.0, 0.0), (-0.28, -0.2)]);
    pen.line(DARK, 0.07, &[(0.0, 0.0), (0.32, -0.36)]);
    pen.oval(ACCENT, (0.0, 0.0), 0.1, 0.1);
}

fn mushroom(pen: &mut Pen<'_>) {
    pen.shape(PALE, &[(-0.26, 0.0), (0.26, 0.0), (0.4, 1.0), (-0.4, 1.0)]);
    pen.oval(SECOND, (0.0, 0.12), 0.9, 0.14);
    pen.dome(MAIN, (0.0, 0.12), 1.0, 1.1);
    for (x, y, size) in [
        (-0.58, -0.16, 0.14),
        (-0.16, -0.18, 0.17),
        (0.34, -0.12, 0.16),
        (0.12, -0.62, 0.16),
        (-0.36, -0.6, 0.12),
        (0.68, -0.3, 0.1),
    ] {
        pen.oval(PALE, (x, y), size, size * 0.9);
    }
    pen.line(DARK, 0.04, &[(-0.1, 0.24), (-0.12, 0.46)]);
    pen.line(DARK, 0.04, &[(0.1, 0.24), (0.12, 0.5)]);
}
