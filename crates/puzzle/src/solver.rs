//! Programs that look for the sign in the picture, knowing how pictures are drawn but not where this one's answer is.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Centre of the lens and of the label's sign in the piece: known from the code.
const LENS: (f64, f64) = (22.0, 45.0);
const LABEL: (f64, f64) = (22.0, 14.0);
/// Half the side of what is looked at under the lens.
const REACH: i32 = 9;

/// What a client sees of a puzzle.
pub struct Seen {
    width: usize,
    height: usize,
    /// Brightness, row by row, 0 to 255.
    light: Vec<f64>,
    piece_width: usize,
    piece_height: usize,
    piece_light: Vec<f64>,
    /// Height of the lens's centre in the picture.
    lens_y: f64,
}

fn pixels(uri: &str) -> image::RgbaImage {
    let text = uri.strip_prefix("data:image/png;base64,").unwrap();
    let file = STANDARD.decode(text).unwrap();
    image::load_from_memory(&file).unwrap().to_rgba8()
}

fn brightness(picture: &image::RgbaImage) -> Vec<f64> {
    let light = |p: &image::Rgba<u8>| {
        0.3 * f64::from(p.0[0]) + 0.59 * f64::from(p.0[1]) + 0.11 * f64::from(p.0[2])
    };
    picture.pixels().map(light).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn variance(values: &[f64]) -> f64 {
    let middle = mean(values);
    values.iter().map(|v| (v - middle).powi(2)).sum::<f64>() / values.len().max(1) as f64
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let (mean_a, mean_b) = (mean(a), mean(b));
    let mut both = 0.0;
    for (a, b) in a.iter().zip(b) {
        both += (a - mean_a) * (b - mean_b);
    }
    let size = variance(a).sqrt() * variance(b).sqrt() * a.len() as f64;
    if size == 0.0 { 0.0 } else { both / size }
}

/// Left edges of the piece in the order of their scores, those near a better one left out.
fn ranked(scores: Vec<f64>) -> Vec<i32> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    let mut places: Vec<i32> = Vec::new();
    for x in order {
        let x = x as i32;
        if places.iter().all(|place| (place - x).abs() > 10) {
            places.push(x);
        }
    }
    places
}

impl Seen {
    pub fn new(background: &str, piece: &str, piece_y: i32) -> Self {
        let background = pixels(background);
        let piece = pixels(piece);
        Self {
            width: background.width() as usize,
            height: background.height() as usize,
            light: brightness(&background),
            piece_width: piece.width() as usize,
            piece_height: piece.height() as usize,
            piece_light: brightness(&piece),
            lens_y: f64::from(piece_y) + LENS.1,
        }
    }

    fn at(map: &[f64], width: usize, height: usize, x: f64, y: f64) -> f64 {
        let column = x.clamp(0.0, width as f64 - 1.0) as usize;
        let row = y.clamp(0.0, height as f64 - 1.0) as usize;
        map[row * width + column]
    }

    /// What lies under the lens when the piece's left edge is at `x`, the lens moved down by `down`.
    fn under_lens(&self, map: &[f64], x: usize, down: f64) -> Vec<f64> {
        let (center_x, center_y) = (x as f64 + LENS.0, self.lens_y + down);
        let mut values = Vec::new();
        for dy in -REACH..=REACH {
            for dx in -REACH..=REACH {
                let (px, py) = (center_x + f64::from(dx), center_y + f64::from(dy));
                values.push(Self::at(map, self.width, self.height, px, py));
            }
        }
        values
    }

    /// The sign of the label, turned and resized.
    fn sign(&self, turn: f64, size: f64) -> Vec<f64> {
        let (sin, cos) = turn.sin_cos();
        let mut values = Vec::new();
        for dy in -REACH..=REACH {
            for dx in -REACH..=REACH {
                let (dx, dy) = (f64::from(dx) / size, f64::from(dy) / size);
                let (x, y) = (dx * cos + dy * sin, -dx * sin + dy * cos);
                let (px, py) = (LABEL.0 + x, LABEL.1 + y);
                values.push(Self::at(
                    &self.piece_light,
                    self.piece_width,
                    self.piece_height,
                    px,
                    py,
                ));
            }
        }
        values
    }

    fn scored(&self, score: impl Fn(usize) -> f64) -> Vec<i32> {
        ranked((0..=self.width - self.piece_width).map(score).collect())
    }

    /// Lightest first.
    pub fn by_light(&self) -> Vec<i32> {
        self.scored(|x| mean(&self.under_lens(&self.light, x, 0.0)))
    }

    /// Darkest first.
    pub fn by_darkness(&self) -> Vec<i32> {
        self.scored(|x| -mean(&self.under_lens(&self.light, x, 0.0)))
    }

    /// Most contrast first.
    pub fn by_contrast(&self) -> Vec<i32> {
        self.scored(|x| variance(&self.under_lens(&self.light, x, 0.0)))
    }

    /// Most edges first.
    pub fn by_edges(&self) -> Vec<i32> {
        let mut edges = vec![0.0; self.light.len()];
        for y in 1..self.height - 1 {
            for x in 1..self.width - 1 {
                let i = y * self.width + x;
                let across = self.light[i + 1] - self.light[i - 1];
                let down = self.light[i + self.width] - self.light[i - self.width];
                edges[i] = across.hypot(down);
            }
        }
        self.scored(|x| mean(&self.under_lens(&edges, x, 0.0)))
    }

    /// Most like the sign of the label as it is shown.
    pub fn by_sign(&self) -> Vec<i32> {
        let sign = self.sign(0.0, 0.9);
        self.scored(|x| correlation(&self.under_lens(&self.light, x, 0.0), &sign).abs())
    }

    /// Most like the sign of the label in any turn, size and height that the drawing can give it.
    pub fn by_turned_sign(&self) -> Vec<i32> {
        let mut signs = Vec::new();
        for turn in -3..=3 {
            for size in [0.8, 0.95] {
                signs.push(self.sign(f64::from(turn) * 0.14, size));
            }
        }
        self.scored(|x| {
            let mut best = 0.0_f64;
            for down in [-2.0, 0.0, 2.0] {
                let seen = self.under_lens(&self.light, x, down);
                for sign in &signs {
                    best = best.max(correlation(&seen, sign).abs());
                }
            }
            best
        })
    }

    /// The same by how much strokes stand out, be they light or dark.
    pub fn by_turned_strokes(&self) -> Vec<i32> {
        let mut signs = Vec::new();
        for turn in -3..=3 {
            for size in [0.8, 0.95] {
                signs.push(self.sign(f64::from(turn) * 0.14, size));
            }
        }
        self.scored(|x| {
            let mut best = 0.0_f64;
            for down in [-2.0, 0.0, 2.0] {
                let mut seen = self.under_lens(&self.light, x, down);
                let mut sorted = seen.clone();
                sorted.sort_by(f64::total_cmp);
                let middle = sorted[sorted.len() / 2];
                for value in &mut seen {
                    *value = (*value - middle).abs();
                }
                for sign in &signs {
                    best = best.max(correlation(&seen, sign));
                }
            }
            best
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::Seen;
    use crate::picture;

    /// No way of looking finds the answer, on pictures that are the same in each run.
    #[test]
    fn no_way_of_looking_finds_the_sign() {
        const PICTURES: usize = 200;
        type Look = fn(&Seen) -> Vec<i32>;
        let looks: [(&str, Look); 7] = [
            ("lightest", Seen::by_light),
            ("darkest", Seen::by_darkness),
            ("most contrast", Seen::by_contrast),
            ("most edges", Seen::by_edges),
            ("like the sign", Seen::by_sign),
            ("like the sign, turned", Seen::by_turned_sign),
            ("strokes like the sign, turned", Seen::by_turned_strokes),
        ];
        let mut rng = StdRng::seed_from_u64(20_261_121);
        let mut hits = [0; 7];
        let mut places = Vec::new();
        for _ in 0..PICTURES {
            let puzzle = picture::draw(&mut rng).unwrap();
            places.push(puzzle.x);
            let seen = Seen::new(&puzzle.background, &puzzle.piece, puzzle.y);
            for (count, (_, look)) in hits.iter_mut().zip(looks) {
                *count += usize::from((look(&seen)[0] - puzzle.x).abs() <= 3);
            }
        }
        for (count, (name, _)) in hits.iter().zip(looks) {
            println!("{name}: {count} of {PICTURES}");
            assert!(count * 20 < PICTURES, "{name}: {count} of {PICTURES}");
        }
        places.sort_unstable();
        let range = places[PICTURES - 1] - places[0];
        assert!(range >= 200, "the answers spread over {range} pixels");
        let (low, high) = (places[PICTURES / 4], places[3 * PICTURES / 4]);
        assert!(
            (60..150).contains(&low) && (205..300).contains(&high),
            "{low} {high}"
        );
    }
}
