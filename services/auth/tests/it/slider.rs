//! The slider: verdicts, tickets, blocks, questions.

use chassis::testing::Shape;
use serde_json::{Value, json};

use crate::world::{World, hand, refusal};

crate::on_every_shape!(
    verdicts_follow_the_contract,
    an_odd_movement_leads_to_the_other_check,
    failures_in_a_row_block_an_address,
    many_passes_block_an_address_too,
    a_ticket_is_good_once_and_at_its_address,
    the_page_asks_before_it_shows_a_puzzle,
    one_pass_serves_a_whole_recovery,
    a_question_in_words_is_another_way,
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
    for (off, expected) in [(0.0, 100), (4.0, 100), (-4.0, 100), (5.0, 400), (-5.0, 400)] {
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
    let mut strokes = world.strokes(&shield.id).await;
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
    let strokes = world.strokes(&shield.id).await;
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

async fn many_passes_block_an_address_too(shape: Shape) {
    let world = World::with(shape, "[auth.slider]\npasses_per_address_hour = 2\n").await;
    let phone = world.register("13800138000", "shanhai1").await.phone;
    let at = world.fresh_address();
    assert_eq!(slide(&world, &at, 0.0).await.1, 100);
    assert_eq!(slide(&world, &at, 9.0).await.1, 400);
    let (last, code) = slide(&world, &at, 0.0).await;
    assert_eq!(code, 100);
    assert_eq!(slide(&world, &at, 0.0).await.1, 800);
    assert_eq!(slide(&world, &world.fresh_address(), 0.0).await.1, 100);
    // What was passed before stays good.
    let ticket = last["id"].as_str().unwrap();
    world
        .sign_in(&phone, "shanhai1", ticket, &at)
        .await
        .unwrap();
    world.advance_seconds(3601);
    assert_eq!(slide(&world, &at, 9.0).await.1, 400);

    // Solved beforehand and sent all at once.
    let at = world.fresh_address();
    let mut solutions = Vec::new();
    for _ in 0..8 {
        let puzzle = world.challenge("slide", &at).await;
        let x = world.answer(&puzzle.id).await["x"].as_f64().unwrap();
        solutions.push(json!({"id": puzzle.id, "x": x, "track": hand(x)}));
    }
    let sent = solutions.iter().map(|one| world.verify(one, &at));
    let mut codes = futures::future::join_all(sent).await;
    codes.sort_unstable();
    assert_eq!(codes, [100, 100, 800, 800, 800, 800, 800, 800]);
    world.finish().await;
}

async fn a_ticket_is_good_once_and_at_its_address(shape: Shape) {
    let world = World::open(shape).await;
    let phone = world.register("13800138000", "shanhai1").await.phone;
    let (at, elsewhere) = (world.fresh_address(), world.fresh_address());
    let ticket = world.pass(&at).await;
    let foreign = world.sign_in(&phone, "shanhai1", &ticket, &elsewhere).await;
    assert_eq!(refusal(&foreign.err().unwrap()).0, 60201);
    let tries = (0..6).map(|_| world.sign_in(&phone, "shanhai1", &ticket, &at));
    let outcomes = futures::future::join_all(tries).await;
    // More than one at once may also be refused for looking like guesses, never more than one let in.
    assert!(outcomes.iter().filter(|o| o.is_ok()).count() <= 1);
    let again = world.sign_in(&phone, "shanhai1", &ticket, &at).await;
    assert_eq!(refusal(&again.err().unwrap()).0, 60201);
    let old = world.pass(&at).await;
    world.advance_seconds(301);
    let late = world.sign_in(&phone, "shanhai1", &old, &at).await;
    assert_eq!(refusal(&late.err().unwrap()).0, 60201);
    world.finish().await;
}

/// Before a form is sent: 100 goes on without a puzzle, 400 wants one (SL004, SL006).
async fn the_page_asks_before_it_shows_a_puzzle(shape: Shape) {
    let world = World::open(shape).await;
    let phone = world.register("13800138000", "shanhai1").await.phone;
    let at = world.fresh_address();
    let password = json!({"scene": "password", "account": phone, "device": ""});
    assert_eq!(world.verify(&password, &at).await, 100);
    for _ in 0..2 {
        let wrong = world.sign_in(&phone, "wrong-1", "", &at).await;
        assert!(refusal(&wrong.err().unwrap()).0 >= 60201);
    }
    assert_eq!(world.verify(&password, &at).await, 400);
    let nobody = json!({"scene": "password", "account": "nobody", "device": ""});
    let refused = world.send_solution(&nobody, &at).await.unwrap_err();
    assert_eq!(refusal(&refused).0, 60100);

    // A code always comes after a pass (SL002), but a caller who must wait gets the refusal before the puzzle.
    let code =
        |ticket: &str| json!({"scene": "code", "phone": phone, "type": "login", "ticket": ticket});
    let refused = world.send_solution(&code(""), &at).await.unwrap_err();
    assert!(
        refusal(&refused).1.starts_with("获取太频繁，请"),
        "{refused:?}"
    );
    world.advance_seconds(61);
    assert_eq!(world.verify(&code(""), &at).await, 400);
    let ticket = world.pass(&at).await;
    assert_eq!(world.verify(&code(&ticket), &at).await, 100);
    world
        .send_with(&phone, "login", &ticket, &at)
        .await
        .unwrap();

    let blocked = world.fresh_address();
    for _ in 0..6 {
        slide(&world, &blocked, 20.0).await;
    }
    assert_eq!(world.verify(&password, &blocked).await, 800);
    world.finish().await;
}

async fn one_pass_serves_a_whole_recovery(shape: Shape) {
    use proto::auth::v1::FindPwdByPhoneRequest;
    let world = World::with(shape, "[auth.risk]\nslider = \"always\"\n").await;
    for phone in ["13800138000", "13800138001"] {
        let spec = xl_auth::admin::AccountSpec {
            phone: phone.into(),
            password: "shanhai1".into(),
            ..Default::default()
        };
        xl_auth::admin::add_account(&world.context, &spec)
            .await
            .unwrap();
    }
    let at = world.fresh_address();
    let ticket = world.pass(&at).await;
    let key = world
        .send_with("13800138000", "rebuild", &ticket, &at)
        .await;
    let change = |phone: &str, code: &str, key: &str| FindPwdByPhoneRequest {
        phoneno: phone.into(),
        verifycode: code.into(),
        password: "shanhai2".into(),
        sms_key: key.into(),
        nvc_ticket: ticket.clone(),
    };
    let (key, code) = (key.unwrap(), world.code("13800138000", 1).await);
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let send = async |body: FindPwdByPhoneRequest| {
        let request = world.from(&at, body);
        let reply = world.client().find_pwd_by_phone(request).await;
        reply.map(|_| ()).map_err(|status| refusal(&status))
    };
    // It is valid for this number's recovery only.
    let other = send(change("13800138001", &code, &key)).await;
    assert_eq!(other, Err((60201, "请进行智能验证".into())));
    let spent = world.sign_in("13800138000", "shanhai1", &ticket, &at).await;
    assert_eq!(refusal(&spent.err().unwrap()).0, 60201);
    let mistyped = send(change("13800138000", wrong, &key)).await;
    assert_eq!(mistyped, Err((60204, "请输入正确的验证码".into())));
    world.advance_seconds(200);
    send(change("13800138000", &code, &key)).await.unwrap();
    world.finish().await;
}

async fn a_question_in_words_is_another_way(shape: Shape) {
    let world = World::with(
        shape,
        "[auth.slider]\nquestions_per_address_hour = 3\nquestions_hour = 5\n",
    )
    .await;
    let phone = world.register("13800138000", "shanhai1").await.phone;
    let at = world.fresh_address();
    let asked = world.challenge("question", &at).await;
    assert!(asked.question.ends_with('？'), "{}", asked.question);
    assert_eq!((asked.background.as_str(), asked.piece.as_str()), ("", ""));
    let wrong = json!({"id": asked.id, "answer": "1000"});
    assert_eq!(world.verify(&wrong, &at).await, 400);
    let asked = world.challenge("question", &at).await;
    let answer = world.answer(&asked.id).await["answer"].clone();
    let right = json!({"id": asked.id, "answer": answer});
    assert_eq!(world.verify(&right, &at).await, 100);
    assert_eq!(world.verify(&right, &at).await, 900, "used");
    world
        .sign_in(&phone, "shanhai1", &asked.id, &at)
        .await
        .unwrap();

    use proto::auth::v1::SliderChallengeRequest;
    let ask = async |address: &str| {
        let body = SliderChallengeRequest {
            kind: "question".into(),
        };
        let request = world.from(address, body);
        world.client().slider_challenge(request).await.map(|_| ())
    };
    ask(&at).await.unwrap();
    let own = refusal(&ask(&at).await.unwrap_err());
    assert!(own.1.contains("1小时"), "{own:?}");
    let mut answered = 0;
    for _ in 0..6 {
        answered += usize::from(ask(&world.fresh_address()).await.is_ok());
    }
    assert!(answered <= 2, "{answered} more, from whatever address");
    world.challenge("", &at).await;
    world.finish().await;
}
