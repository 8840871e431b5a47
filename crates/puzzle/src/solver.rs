//! Programs that look for the gap, knowing our drawing code and how often each way of looking is right, but not this
//! puzzle's answer.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rand::Rng;

use crate::continuity::{
    CELL, MEASURES, Rim, at, correlation, edge, light, mean, spread, standardise,
};
use crate::jigsaw::CORE;
use crate::raster::Canvas;
use crate::shape::{self, Known, Shape, product};
use crate::size::{DENSITY, GAPS, PIECE};
use crate::sketch::{self, Sketch};
use crate::things;

/// Ways of looking at a gap.
pub const LOOKS: [&str; 11] = [
    "outline of the piece",
    "contrast of the rim",
    "darkness",
    "most edges around",
    "light goes on",
    "colour goes on",
    "edges go on",
    "edges go on, shifted",
    "same range of light",
    "directions of edges, coarsely",
    "directions of edges",
];
/// The looks, and one number for each place: whether some places are chosen more often.
const FEATURES: usize = LOOKS.len() + GAPS;

const SCALE: f32 = DENSITY as f32;

/// What a client sees of a puzzle.
pub struct Seen {
    background: Canvas,
    piece: Canvas,
    opacity: Vec<f32>,
    /// Left edges of the piece over each gap, and its upper edges there.
    gaps: Vec<(i32, i32)>,
}

fn image(uri: &str) -> image::RgbaImage {
    let (_, text) = uri.split_once("base64,").expect("a data URI");
    let file = STANDARD.decode(text).expect("base64");
    image::load_from_memory(&file)
        .expect("a picture")
        .to_rgba8()
}

fn canvas(picture: &image::RgbaImage) -> Canvas {
    let mut canvas = Canvas::new(picture.width() as usize, picture.height() as usize);
    for (pixel, color) in canvas.pixels.iter_mut().zip(picture.pixels()) {
        *pixel = [color.0[0], color.0[1], color.0[2]].map(f32::from);
    }
    canvas
}

impl Seen {
    /// `path` names the places where the piece rests: the gaps lie there, and at none but these.
    pub fn new(background: &str, piece: &str, path: &[(i32, i32)]) -> Self {
        let cut = image(piece);
        Self {
            background: canvas(&image(background)),
            opacity: cut.pixels().map(|p| f32::from(p.0[3]) / 255.0).collect(),
            piece: canvas(&cut),
            gaps: path[1..=GAPS].to_vec(),
        }
    }

    /// Left edge of the piece over the gap `index`.
    pub fn x(&self, index: usize) -> i32 {
        self.gaps[index].0
    }

    fn center(&self, index: usize) -> (f32, f32) {
        let (x, y) = self.gaps[index];
        let half = PIECE as f32 / 2.0;
        ((x as f32 + half) * SCALE, (y as f32 + half) * SCALE)
    }

    /// Whether a place of the piece, from its centre, shows the picture: within outline and rim.
    fn shows(&self, (x, y): (f32, f32)) -> bool {
        const NEAR: usize = 4;
        let middle = self.piece.width as f32 / 2.0;
        let (column, row) = ((middle + x) as usize, (middle + y) as usize);
        let full = |c: usize, r: usize| {
            let opacity = self.opacity.get(r * self.piece.width + c);
            c < self.piece.width && opacity.is_some_and(|opacity| *opacity > 0.98)
        };
        full(column + NEAR, row)
            && full(column.saturating_sub(NEAR), row)
            && full(column, row + NEAR)
            && full(column, row.saturating_sub(NEAR))
    }

    /// How much the hole in the middle of a cell has the outline of the piece, and how dark and how sharp it is.
    fn hole(&self, cell: &Canvas) -> [f32; 3] {
        let shift = CELL * DENSITY as usize - self.piece.width / 2;
        let (mut dark, mut mask, mut inner, mut rim) = (vec![], vec![], vec![], vec![]);
        for y in (0..self.piece.height).step_by(2) {
            for x in (0..self.piece.width).step_by(2) {
                let place = ((x + shift) as f32, (y + shift) as f32);
                let opacity = self.opacity[y * self.piece.width + x];
                dark.push(-light(at(cell, place)));
                mask.push(opacity);
                if opacity > 0.5 {
                    inner.push(light(at(cell, place)));
                }
                if opacity > 0.02 && opacity < 0.98 {
                    let (dx, dy) = edge(cell, place);
                    rim.push(dx.hypot(dy));
                }
            }
        }
        [
            correlation(&dark, &mask),
            mean(&rim),
            -mean(&inner) - spread(&inner),
        ]
    }

    /// The looks at every gap, each as deviation from the mean of the picture's gaps.
    pub fn features(&self) -> Vec<[f32; FEATURES]> {
        let rim = Rim::of(&self.piece, |place| self.shows(place));
        let own = [3, 5].map(|grid| shape::of(&self.piece, grid, in_piece));
        let mut all = Vec::new();
        for gap in 0..GAPS {
            let cell = self.cell(gap);
            let mut values = [0.0; FEATURES];
            values[..3].copy_from_slice(&self.hole(&cell));
            values[3] = shape::amount(&cell, in_cell);
            values[4..4 + MEASURES].copy_from_slice(&rim.measures(&cell));
            for (look, (grid, own)) in [3, 5].into_iter().zip(&own).enumerate() {
                values[9 + look] = product(own, &shape::of(&cell, grid, in_cell));
            }
            values[LOOKS.len() + gap] = 1.0;
            all.push(values);
        }
        standardise(&mut all, 0..LOOKS.len());
        all
    }

    /// The gap whose surroundings a recogniser of our things takes for those of the piece.
    pub fn recognised(&self, recogniser: &Recogniser) -> usize {
        let own = recogniser.piece(&self.piece);
        let fits = (0..GAPS).map(|gap| product(&own, &recogniser.rest(&self.cell(gap))));
        best(&fits.collect::<Vec<_>>())
    }

    fn cell(&self, index: usize) -> Canvas {
        sketch::crop(&self.background, self.center(index), CELL)
    }
}

/// Whether a pixel of the piece is looked at: not its rim and its knobs.
fn in_piece(x: usize, y: usize) -> bool {
    let middle = (PIECE * DENSITY / 2) as f32;
    let reach = (CORE - 4.0) * SCALE;
    (x as f32 - middle).abs() < reach && (y as f32 - middle).abs() < reach
}

/// Whether a pixel around a gap is looked at: not the gap.
fn in_cell(x: usize, y: usize) -> bool {
    let middle = (CELL * DENSITY as usize) as f32;
    let reach = (CORE + 9.0) * SCALE;
    (x as f32 - middle).abs() > reach || (y as f32 - middle).abs() > reach
}

/// Knows our things by their middles and by their rests: learned from pictures that the attacker draws with our code and
/// labels with what the code knows.
pub struct Recogniser {
    pieces: Known,
    cells: Known,
}

impl Recogniser {
    const GRID: usize = 6;
    const SHARPNESS: f32 = 25.0;

    pub fn learn(rng: &mut impl Rng, pictures: usize) -> Self {
        let mut known = Self {
            pieces: Known::of(things::COUNT),
            cells: Known::of(things::COUNT),
        };
        for _ in 0..pictures {
            let sketch = Sketch::draw(rng);
            for (gap, cell) in sketch.cells().iter().enumerate() {
                let (kind, piece) = (sketch.kind(gap), sketch.night(rng, gap));
                known.cells.kinds[kind].push(shape::of(cell, Self::GRID, in_cell));
                known.pieces.kinds[kind].push(shape::of(&piece, Self::GRID, in_piece));
            }
        }
        known
    }

    fn piece(&self, piece: &Canvas) -> Shape {
        let shape = shape::of(piece, Self::GRID, in_piece);
        self.pieces.likelihood(&shape, Self::SHARPNESS)
    }

    fn rest(&self, cell: &Canvas) -> Shape {
        let shape = shape::of(cell, Self::GRID, in_cell);
        self.cells.likelihood(&shape, Self::SHARPNESS)
    }
}

/// How much each look counts.
pub struct Weights([f32; FEATURES]);

impl Weights {
    /// Learns from puzzles whose answers are known.
    pub fn learn<'a>(puzzles: impl Iterator<Item = (&'a [[f32; FEATURES]], usize)>) -> Self {
        let puzzles: Vec<_> = puzzles.collect();
        let mut weights = [0.0_f32; FEATURES];
        for _ in 0..400 {
            let mut slope = [0.0_f32; FEATURES];
            for (gaps, answer) in &puzzles {
                let shares = shares(&weights, gaps);
                for (gap, values) in gaps.iter().enumerate() {
                    let off = f32::from(u8::from(gap == *answer)) - shares[gap];
                    for (total, value) in slope.iter_mut().zip(values) {
                        *total += off * value;
                    }
                }
            }
            for (weight, slope) in weights.iter_mut().zip(slope) {
                // A little is forgotten, so that chance is not learned by heart.
                *weight += 0.5 * slope / puzzles.len() as f32 - 0.005 * *weight;
            }
        }
        Self(weights)
    }

    /// The gap that looks most like the answer.
    pub fn choose(&self, gaps: &[[f32; FEATURES]]) -> usize {
        best(&shares(&self.0, gaps))
    }
}

fn shares(weights: &[f32; FEATURES], gaps: &[[f32; FEATURES]]) -> Vec<f32> {
    let scores: Vec<f32> = gaps.iter().map(|values| product(weights, values)).collect();
    let top = scores.iter().copied().fold(f32::MIN, f32::max);
    let mut shares: Vec<f32> = scores.iter().map(|score| (score - top).exp()).collect();
    let sum: f32 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    shares
}

/// Index of the greatest.
pub fn best(values: &[f32]) -> usize {
    (0..values.len())
        .max_by(|a, b| values[*a].total_cmp(&values[*b]))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::{picture, size};

    const LEARNED: usize = 120;
    const TRIED: usize = 200;
    /// Pixels that the piece may be off.
    const TOLERANCE: i32 = 4;

    struct Look {
        features: Vec<[f32; FEATURES]>,
        recognised: usize,
        answer: usize,
        x: i32,
    }

    fn looked_at(recogniser: &Recogniser, seed: u64, count: usize) -> Vec<Look> {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut all = Vec::new();
        for _ in 0..count {
            let puzzle = picture::draw(&mut rng).unwrap();
            let seen = Seen::new(&puzzle.background, &puzzle.piece, &puzzle.path);
            all.push(Look {
                features: seen.features(),
                recognised: seen.recognised(recogniser),
                answer: (0..GAPS).find(|gap| seen.x(*gap) == puzzle.x).unwrap(),
                x: puzzle.x,
            });
        }
        all
    }

    /// Pictures that are the same in each run, so that the figures are.
    #[test]
    fn no_way_of_measuring_finds_the_gap() {
        let recogniser = Recogniser::learn(&mut StdRng::seed_from_u64(1), 24);
        let half = (LEARNED + TRIED) / 2;
        let mut all = std::thread::scope(|scope| {
            let first = scope.spawn(|| looked_at(&recogniser, 2, half));
            let mut second = looked_at(&recogniser, 3, half);
            second.extend(first.join().unwrap());
            second
        });
        let tried = all.split_off(LEARNED);
        let weights = Weights::learn(all.iter().map(|look| (&look.features[..], look.answer)));
        let hits = |chosen: &dyn Fn(&Look) -> usize| {
            tried
                .iter()
                .filter(|look| chosen(look) == look.answer)
                .count()
        };
        let mut figures = Vec::new();
        for (look, name) in LOOKS.into_iter().enumerate() {
            let column = |seen: &Look| {
                seen.features
                    .iter()
                    .map(|row| row[look])
                    .collect::<Vec<_>>()
            };
            figures.push((name, hits(&|seen| best(&column(seen)))));
        }
        figures.push((
            "all of them, learned",
            hits(&|seen| weights.choose(&seen.features)),
        ));
        let recognised = hits(&|seen| seen.recognised);
        let mut rng = StdRng::seed_from_u64(4);
        let blind = (0..10 * TRIED).filter(|trial| {
            let x = tried[trial % TRIED].x;
            (rng.random_range(size::X_RANGE) - x).abs() <= TOLERANCE
        });
        let blind = blind.count();
        println!(
            "{figures:?}; recognised {recognised} of {TRIED}; blind {blind} of {}",
            10 * TRIED
        );
        for (name, hits) in figures {
            assert!(hits * 5 < TRIED, "{name}: {hits} of {TRIED}");
        }
        assert!(blind * 20 < 10 * TRIED, "blind: {blind}");
    }
}
