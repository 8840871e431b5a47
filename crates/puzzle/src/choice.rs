//! In which drawing by night a thing is asked for.
//!
//! A program compares what lies on both sides of a rim: light, colour, edges. The same is done here, and a drawing is taken
//! that goes on as well as the lot wants it: how many gaps fit better than the right one is drawn beforehand, from one to
//! all others, each number as often as the others. So the best fit is hardly ever right, and an attacker who knows this still
//! has seven to choose from. A person does not fit edges but sees a thing.

use rand::{Rng, RngExt};

use crate::continuity::{MEASURES, Rim, standardise};
use crate::raster::Canvas;
use crate::size::GAPS;
use crate::sketch::Sketch;

/// Drawings made at most; the nearest to the lot is taken.
const TRIES: usize = 24;

/// The gap that is asked for, and its drawing by night.
pub fn pick(rng: &mut impl Rng, sketch: &Sketch) -> (usize, Canvas) {
    let (gap, wanted) = (rng.random_range(0..GAPS), rng.random_range(1..GAPS));
    let cells = sketch.cells();
    let mut best = sketch.night(rng, gap);
    let mut least = usize::MAX;
    for _ in 0..TRIES {
        let piece = sketch.night(rng, gap);
        let off = rank(sketch, &cells, &piece, gap).abs_diff(wanted);
        if off < least {
            (best, least) = (piece, off);
        }
        if off == 0 {
            break;
        }
    }
    (gap, best)
}

/// How many gaps the piece fits better than its own.
fn rank(sketch: &Sketch, cells: &[Canvas], piece: &Canvas, own: usize) -> usize {
    let rim = Rim::of(piece, |place| sketch.shows(place));
    let mut rows: Vec<[f32; MEASURES]> = cells.iter().map(|cell| rim.measures(cell)).collect();
    standardise(&mut rows, 0..MEASURES);
    let fits: Vec<f32> = rows.iter().map(|row| row.iter().sum()).collect();
    fits.iter().filter(|fit| **fit > fits[own]).count()
}
