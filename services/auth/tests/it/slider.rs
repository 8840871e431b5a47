//! The slider: verdicts, tickets, blocks, and how well programs do.

use chassis::testing::Shape;
use puzzle::picture;
use puzzle::solver::Seen;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use crate::world::{World, hand, refusal};

crate::on_every_shape!(
    verdicts_follow_the_contract,
    an_odd_movement_leads_to_the_other_check,
    failures_in_a_row_block_an_address,
    a_ticket_is_good_once_and_at_its_address,
);

async fn slide(world: &World, address: &str, off: f64) -> (Value, i32) {
    let puzzle = world.challenge("slide", address).await;
    let x = world.answer(&puzzle.id).await["x"].as_f64().unwrap() + off;
    let solution = json!({"id": puzzle.id, "x": x, "track": hand(x)});
    let code = world.verify(&solution, address).await;
    (solution, code)
}

async fn verdicts_follow_the_contract(shape: Shape) {
    let world = World::open(shape).await;
    let at = world.fresh_address();
    for (off, expected) in [(0.0, 100), (3.0, 100), (-3.0, 100), (4.0, 400), (-4.0, 400)] {
        assert_eq!(slide(&world, &at, off).await.1, expected, "{off} off");
    }
    let (solution, code) = slide(&world, &at, 0.0).await;
    assert_eq!(code, 100);
    assert_eq!(world.verify(&solution, &at).await, 900, "used");
    let unknown = json!({"id": "unknown", "x": 5, "track": hand(5.0)});
    assert_eq!(world.verify(&unknown, &at).await, 900);

    let puzzle = world.challenge("", &at).await;
    let x = world.answer(&puzzle.id).await["x"].as_f64().unwrap();
    world.advance_seconds(121);
    let late = json!({"id": puzzle.id, "x": x, "track": hand(x)});
    assert_eq!(world.verify(&late, &at).await, 900, "too old");

    // The arrow keys: a pause, then the repetition of a held key.
    let puzzle = world.challenge("", &at).await;
    let x = world.answer(&puzzle.id).await["x"].as_f64().unwrap();
    let mut track = vec![(0.0, 0.0, 0.0)];
    let mut time = 0.0;
    while track.last().unwrap().0 < x {
        time += if track.len() == 1 {
            480.0
        } else {
            31.0 + (track.len() % 5) as f64
        };
        track.push(((track.len() as f64 * 2.0).min(x), 0.0, time));
    }
    let keys = json!({"id": puzzle.id, "x": x, "track": track});
    assert_eq!(world.verify(&keys, &at).await, 100);

    use proto::auth::v1::GetAliyunAcsRequest;
    let long = format!("{{\"id\":\"a\",\"pad\":\"{}\"}}", "x".repeat(17_000));
    for text in ["", "{}", "[1]", "{\"id\":\"\"}", "not json", &long] {
        let body = GetAliyunAcsRequest {
            nvcdata: text.to_owned(),
        };
        let refused = world.client().get_aliyun_acs(world.from(&at, body)).await;
        assert_eq!(refusal(&refused.unwrap_err()).0, 60100, "{text:.20}");
    }
    world.finish().await;
}

async fn an_odd_movement_leads_to_the_other_check(shape: Shape) {
    let world = World::open(shape).await;
    let at = world.fresh_address();
    let early = world.challenge("scratch", &at).await;
    assert_eq!(early.kind, "slide", "nobody begins with the other check");

    let puzzle = world.challenge("slide", &at).await;
    let x = world.answer(&puzzle.id).await["x"].as_f64().unwrap();
    let even: Vec<(f64, f64, f64)> = (0..=40)
        .map(|i| (x * f64::from(i) / 40.0, 0.0, f64::from(i) * 20.0))
        .collect();
    let odd = json!({"id": puzzle.id, "x": x, "track": even});
    assert_eq!(world.verify(&odd, &at).await, 600);

    let shield = world.challenge("scratch", &at).await;
    assert_eq!(
        (shield.kind.as_str(), shield.piece.as_str()),
        ("scratch", "")
    );
    let nothing = json!({"id": shield.id, "strokes": []});
    assert_eq!(world.verify(&nothing, &at).await, 400);

    let shield = world.challenge("scratch", &at).await;
    let mut strokes = world.answer(&shield.id).await["strokes"].clone();
    let slow = strokes.clone();
    for sample in strokes[0].as_array_mut().unwrap() {
        sample[2] = json!(sample[2].as_f64().unwrap() / 20.0);
    }
    let hasty = json!({"id": shield.id, "strokes": strokes});
    assert_eq!(world.verify(&hasty, &at).await, 600);
    assert_eq!(
        world
            .verify(&json!({"id": shield.id, "strokes": slow}), &at)
            .await,
        900
    );

    let shield = world.challenge("scratch", &at).await;
    let strokes = world.answer(&shield.id).await["strokes"].clone();
    assert_eq!(
        world
            .verify(&json!({"id": shield.id, "strokes": strokes}), &at)
            .await,
        100
    );
    let more = world.challenge("scratch", &at).await;
    assert_eq!(more.kind, "slide", "the permission is used up");
    world.finish().await;
}

async fn failures_in_a_row_block_an_address(shape: Shape) {
    let world = World::open(shape).await;
    let at = world.fresh_address();
    for _ in 0..5 {
        assert_eq!(slide(&world, &at, 20.0).await.1, 400);
    }
    assert_eq!(slide(&world, &at, 0.0).await.1, 100, "a pass ends the row");
    for _ in 0..6 {
        assert_eq!(slide(&world, &at, 20.0).await.1, 400);
    }
    assert_eq!(slide(&world, &at, 0.0).await.1, 800);
    assert_eq!(
        slide(&world, &world.fresh_address(), 0.0).await.1,
        100,
        "others go on"
    );
    world.advance_seconds(61);
    assert_eq!(slide(&world, &at, 20.0).await.1, 400);
    world.advance_seconds(61);
    assert_eq!(
        slide(&world, &at, 0.0).await.1,
        800,
        "the second block lasts longer"
    );
    world.advance_seconds(60);
    assert_eq!(slide(&world, &at, 0.0).await.1, 100);
    world.finish().await;
}

async fn a_ticket_is_good_once_and_at_its_address(shape: Shape) {
    let world = World::open(shape).await;
    let phone = world.register("13800138000", "secret1").await.phone;
    let (at, elsewhere) = (world.fresh_address(), world.fresh_address());
    let ticket = world.pass(&at).await;
    let foreign = world.sign_in(&phone, "secret1", &ticket, &elsewhere).await;
    assert_eq!(refusal(&foreign.err().unwrap()).0, 60201);
    let tries = (0..6).map(|_| world.sign_in(&phone, "secret1", &ticket, &at));
    let outcomes = futures::future::join_all(tries).await;
    // More than one at once may also be refused for looking like guesses, never more than one let in.
    assert!(outcomes.iter().filter(|o| o.is_ok()).count() <= 1);
    let again = world.sign_in(&phone, "secret1", &ticket, &at).await;
    assert_eq!(refusal(&again.err().unwrap()).0, 60201);
    let old = world.pass(&at).await;
    world.advance_seconds(301);
    let late = world.sign_in(&phone, "secret1", &old, &at).await;
    assert_eq!(refusal(&late.err().unwrap()).0, 60201);
    world.finish().await;
}

/// A script that knows the code, looks at the picture and moves like a person, each time from a fresh address.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_passes_fewer_than_one_in_twenty() {
    const TRIES: usize = 200;
    let world = World::with(Shape::Embedded, "[auth.slider]\nreveal = false\n").await;
    let mut rng = StdRng::seed_from_u64(7);
    let (mut by_sight, mut by_chance) = (0, 0);
    for _ in 0..TRIES {
        for looks in [true, false] {
            let address = world.fresh_address();
            let puzzle = world.challenge("", &address).await;
            let x = if looks {
                let seen = Seen::new(&puzzle.background, &puzzle.piece, puzzle.piece_y);
                seen.by_turned_sign()[0]
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
    assert!(by_sight * 20 < TRIES, "{by_sight} of {TRIES} by sight");
    assert!(by_chance * 20 < TRIES, "{by_chance} of {TRIES} by chance");
    world.finish().await;
}
