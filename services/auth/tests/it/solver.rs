//! How well programs do that know our code, see what a client is sent, and move like a person.

use chassis::testing::Shape;
use proto::auth::v1::SliderChallengeReply;
use puzzle::picture;
use puzzle::solver::{LOOKS, Recogniser, Seen, best};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::json;

use crate::world::{World, hand};

fn seen(puzzle: &SliderChallengeReply) -> Seen {
    let path: Vec<(i32, i32)> = puzzle.path.chunks_exact(2).map(|p| (p[0], p[1])).collect();
    Seen::new(&puzzle.background, &puzzle.piece, &path)
}

/// Each try from an address of its own, so that no block stops it. `puzzle::solver` has the figures of every way of
/// measuring; here the likeliest are tried on the running service.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_that_measures_passes_fewer_than_one_in_five() {
    const TRIES: usize = 100;
    let world = World::with(Shape::Embedded, "[auth.slider]\nreveal = false\n").await;
    let mut rng = StdRng::seed_from_u64(7);
    let (mut by_sight, mut by_chance) = (0, 0);
    for _ in 0..TRIES {
        for looks in [true, false] {
            let address = world.fresh_address();
            let puzzle = world.challenge("", &address).await;
            let x = if looks {
                let seen = seen(&puzzle);
                let rows = seen.features();
                let fits = rows.iter().map(|row| row[..LOOKS.len()].iter().sum());
                seen.x(best(&fits.collect::<Vec<f32>>()))
            } else {
                rng.random_range(picture::X_RANGE)
            };
            let track = hand(f64::from(x));
            let solution = json!({"id": puzzle.id, "x": x, "track": track});
            let passed = usize::from(world.verify(&solution, &address).await == 100);
            if looks {
                by_sight += passed
            } else {
                by_chance += passed
            }
        }
    }
    println!("of {TRIES}: {by_sight} by sight, {by_chance} by chance");
    // The pictures are others in each run: some room for luck.
    assert!(by_sight * 4 < TRIES, "{by_sight} of {TRIES} by sight");
    assert!(by_chance * 10 < TRIES, "{by_chance} of {TRIES} by chance");
    world.finish().await;
}

/// No drawing stops one that has learned our things, but what it passes does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_that_recognises_is_stopped_by_the_number_of_its_passes() {
    const PASSES: usize = 12;
    let rules = format!("[auth.slider]\nreveal = false\npasses_per_address_hour = {PASSES}\n");
    let world = World::with(Shape::Embedded, &rules).await;
    // So many that six misses in a row, which block as well, do not happen.
    let recogniser = Recogniser::learn(&mut StdRng::seed_from_u64(8), 100);
    let address = world.fresh_address();
    let mut passed = 0;
    let code = loop {
        let puzzle = world.challenge("", &address).await;
        let seen = seen(&puzzle);
        let x = seen.x(seen.recognised(&recogniser));
        let solution = json!({"id": puzzle.id, "x": x, "track": hand(f64::from(x))});
        match world.verify(&solution, &address).await {
            100 => passed += 1,
            400 => (),
            code => break code,
        }
    };
    assert_eq!((passed, code), (PASSES, 800));
    world.advance_seconds(3500);
    assert_eq!(world.verify(&json!({"id": "x"}), &address).await, 800);
    world.advance_seconds(101);
    assert_eq!(world.verify(&json!({"id": "x"}), &address).await, 900);
    world.finish().await;
}
