//! The landscape behind the things: sky, three ridges of cut facets, and the plain in front.

use rand::{Rng, RngExt};

use crate::pen::{Look, Pose};
use crate::raster::{Canvas, Color, Point, mix, shade};

/// Colours of one time of day.
pub struct Daytime {
    sky: (Color, Color),
    ridges: [Color; 3],
    plain: (Color, Color),
}

pub const DAYTIMES: [Daytime; 4] = [
    // Morning
    Daytime {
        sky: ([168.0, 200.0, 250.0], [238.0, 244.0, 252.0]),
        ridges: [
            [170.0, 196.0, 236.0],
            [126.0, 168.0, 220.0],
            [86.0, 150.0, 182.0],
        ],
        plain: ([150.0, 200.0, 196.0], [96.0, 166.0, 160.0]),
    },
    // Noon
    Daytime {
        sky: ([92.0, 152.0, 246.0], [214.0, 230.0, 252.0]),
        ridges: [
            [150.0, 184.0, 240.0],
            [98.0, 148.0, 226.0],
            [56.0, 128.0, 176.0],
        ],
        plain: ([190.0, 214.0, 170.0], [130.0, 184.0, 140.0]),
    },
    // Afternoon
    Daytime {
        sky: ([140.0, 176.0, 236.0], [252.0, 232.0, 206.0]),
        ridges: [
            [204.0, 190.0, 208.0],
            [160.0, 154.0, 200.0],
            [110.0, 126.0, 178.0],
        ],
        plain: ([226.0, 208.0, 170.0], [186.0, 176.0, 140.0]),
    },
    // Evening
    Daytime {
        sky: ([118.0, 124.0, 206.0], [250.0, 206.0, 180.0]),
        ridges: [
            [190.0, 154.0, 190.0],
            [138.0, 122.0, 182.0],
            [84.0, 100.0, 160.0],
        ],
        plain: ([170.0, 156.0, 180.0], [112.0, 124.0, 160.0]),
    },
];

/// Light tones of the picture: strong enough against sky and plain.
const DAY: [Color; 10] = [
    [31.0, 94.0, 255.0],
    [15.0, 163.0, 163.0],
    [226.0, 84.0, 72.0],
    [240.0, 168.0, 48.0],
    [122.0, 88.0, 214.0],
    [40.0, 150.0, 84.0],
    [214.0, 82.0, 150.0],
    [92.0, 118.0, 160.0],
    [184.0, 134.0, 43.0],
    [60.0, 178.0, 226.0],
];

/// Colours for the parts of a thing by daylight, each drawn by lot.
pub fn day_look(rng: &mut impl Rng) -> Look {
    let main = rng.random_range(0..DAY.len());
    let second = (main + rng.random_range(1..DAY.len())) % DAY.len();
    let mut accent = rng.random_range(0..DAY.len());
    while accent == main || accent == second {
        accent = rng.random_range(0..DAY.len());
    }
    Look {
        tones: [
            DAY[main],
            DAY[second],
            [
                rng.random_range(24.0..60.0),
                rng.random_range(36.0..60.0),
                rng.random_range(60.0..96.0),
            ],
            [
                rng.random_range(228.0..252.0),
                rng.random_range(232.0..250.0),
                rng.random_range(226.0..255.0),
            ],
            DAY[accent],
        ],
        light: light(rng),
    }
}

/// Colours of the same parts at night: which part is the lighter one is drawn anew, so that no brightness carries over.
pub fn night_look(rng: &mut impl Rng) -> Look {
    let tint = NIGHTS[rng.random_range(0..NIGHTS.len())];
    let mut levels = [0.5_f32, 0.78, 1.06, 1.34, 1.62];
    for last in (1..levels.len()).rev() {
        levels.swap(last, rng.random_range(0..=last));
    }
    Look {
        tones: levels.map(|level| {
            let toned = shade(tint, level + rng.random_range(-0.08..0.08_f32));
            toned.map(|channel| (channel + rng.random_range(-14.0..14.0_f32)).clamp(0.0, 255.0))
        }),
        light: light(rng),
    }
}

/// Tints of the moonlight in the piece.
const NIGHTS: [Color; 3] = [
    [108.0, 140.0, 214.0],
    [96.0, 158.0, 176.0],
    [146.0, 128.0, 200.0],
];

/// Sky of the piece.
pub fn night_sky(rng: &mut impl Rng) -> (Color, Color) {
    let tint = NIGHTS[rng.random_range(0..NIGHTS.len())];
    let dark = rng.random_range(0.16..0.26_f32);
    (
        shade(tint, dark),
        shade(tint, dark + rng.random_range(-0.06..0.16_f32)),
    )
}

fn light(rng: &mut impl Rng) -> Point {
    let angle = rng.random_range(0.0..std::f32::consts::TAU);
    let strength = rng.random_range(0.08..0.2_f32);
    (angle.cos() * strength, angle.sin() * strength)
}

/// Draws the landscape; `scale` is the pixels of the canvas per pixel of the picture.
pub fn landscape(rng: &mut impl Rng, canvas: &mut Canvas, scale: f32) {
    let time = &DAYTIMES[rng.random_range(0..DAYTIMES.len())];
    let (width, height) = (canvas.width as f32, canvas.height as f32);
    let horizon = height * 0.6;
    let glow = (
        rng.random_range(0.1..0.9) * width,
        rng.random_range(0.1..0.5) * horizon,
    );
    canvas.cover(|x, y| {
        let sky = mix(time.sky.0, time.sky.1, (y / horizon).min(1.0));
        let far = (x - glow.0).hypot(y - glow.1) / width;
        mix(sky, [255.0; 3], 0.45 * (-far * far * 14.0).exp())
    });
    for (layer, color) in time.ridges.into_iter().enumerate() {
        let base = horizon + layer as f32 * 7.0 * scale;
        let high = (34.0 - 9.0 * layer as f32) * scale;
        ridge(rng, canvas, color, base, high, scale);
    }
    let top = horizon + 18.0 * scale;
    let plain = vec![vec![
        (0.0, top),
        (width, top),
        (width, height),
        (0.0, height),
    ]];
    canvas.fill(&plain, |_, y| {
        (
            mix(time.plain.0, time.plain.1, (y - top) / (height - top)),
            1.0,
        )
    });
    for _ in 0..7 {
        meadow(rng, canvas, time.plain, top);
    }
}

/// A chain of mountains, each with a side in the light and one in the shade.
fn ridge(rng: &mut impl Rng, canvas: &mut Canvas, color: Color, base: f32, high: f32, scale: f32) {
    let width = canvas.width as f32;
    let floor = base + 24.0 * scale;
    let mut x = -30.0 * scale;
    let mut valley = (x, base - rng.random_range(0.0..0.3) * high);
    while x < width + 30.0 * scale {
        let half = rng.random_range(22.0..40.0_f32) * scale;
        let peak = (
            x + half * rng.random_range(0.8..1.2),
            base - rng.random_range(0.6..1.3) * high,
        );
        x += 2.0 * half;
        let next = (x, base - rng.random_range(0.0..0.35) * high);
        let foot = (peak.0 + rng.random_range(-0.4..0.4_f32) * half, floor);
        let lit = vec![vec![valley, peak, foot, (valley.0 - 1.0, floor)]];
        let dim = vec![vec![peak, next, (next.0 + 1.0, floor), foot]];
        let bright = 1.0 + rng.random_range(0.02..0.09_f32);
        canvas.fill(&lit, |_, _| (shade(color, bright), 1.0));
        canvas.fill(&dim, |_, _| (shade(color, 2.0 - bright - 0.04), 1.0));
        valley = next;
    }
}

/// A field of another tone on the plain.
fn meadow(rng: &mut impl Rng, canvas: &mut Canvas, plain: (Color, Color), top: f32) {
    let (width, height) = (canvas.width as f32, canvas.height as f32);
    let y = rng.random_range(top..height);
    let x = rng.random_range(-0.1..1.0) * width;
    let (long, deep) = (rng.random_range(0.15..0.45) * width, (y - top) * 0.25 + 6.0);
    let slant = rng.random_range(-0.2..0.2_f32) * long;
    let tone = shade(
        mix(plain.0, plain.1, rng.random_range(0.0..1.0)),
        rng.random_range(0.92..1.08),
    );
    let field = vec![vec![
        (x, y),
        (x + long, y),
        (x + long + slant, y + deep),
        (x + slant, y + deep),
    ]];
    canvas.fill(&field, |_, _| (tone, 0.7));
}

/// The soft shadow a thing throws on the plain.
pub fn shadow(canvas: &mut Canvas, pose: &Pose) {
    let (x, y) = (pose.x, pose.y + pose.half.1);
    let (across, down) = (pose.half.0 * 1.05, pose.half.1 * 0.16);
    let points = (0..32).map(|step| {
        let (sin, cos) = (std::f32::consts::TAU * step as f32 / 32.0).sin_cos();
        (x + cos * across, y + sin * down)
    });
    canvas.fill(&[points.collect()], |px, py| {
        let far = ((px - x) / across).hypot((py - y) / down);
        ([20.0, 32.0, 60.0], 0.34 * (1.0 - far).max(0.0))
    });
}
