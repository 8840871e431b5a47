//! Deciding: what a reviewer sees, who decides, and what remains after a crash.

use chassis::failpoint::Failure;
use chassis::rights::Rights;
use chassis::rights::export::page;
use objectstore::ByteRange;
use proto::auth::v1::CertificationDecided;
use proto::common::v1::ExportPageRequest;
use xl_auth::certification::sweep;

use super::*;
use crate::log;

crate::on_every_shape!(
    a_person_is_certified_and_nothing_leaks,
    whoever_is_quicker_has_it,
    a_kill_at_any_step_leaves_one_state,
);

/// CE001, CE003: under review, then verified as a person.
async fn a_person_is_certified_and_nothing_leaks(shape: Shape) {
    let log = log::listen();
    let world = World::open(shape).await;
    let person = world.register("13800138000", "shanhai1").await;
    assert_eq!(mine(&world, &person).await.check_status, 3);
    let number = id_card("19800229", 117);
    assert_eq!(
        submit(&world, &person, form(&world, &person, &number).await)
            .await
            .unwrap(),
        0
    );
    let state = mine(&world, &person).await;
    let shown = &state.certifications[0];
    let masked = format!("1{}{}", "*".repeat(16), &number[17..]);
    assert_eq!(
        (state.check_status, shown.check_status, state.tries_left),
        (0, 0, 4)
    );
    assert_eq!(
        (shown.name.as_str(), shown.number.as_str()),
        ("张**", masked.as_str())
    );

    // The export contains what was stated, in clear, and the pictures.
    let part = xl_auth::rights::Part::of(&world.context).unwrap();
    let asked = ExportPageRequest {
        login_id: person.login_id.clone(),
        cursor: r#"{"area":"certification","after":[]}"#.to_owned(),
    };
    let taken = page(&part, &world.context.db, &asked).await.unwrap();
    assert!(taken.rows[0].contains(&number), "{:?}", taken.rows);
    let objects = part.takes(&person.login_id).await.unwrap();
    assert_eq!(objects.len(), 2);
    for object in objects {
        let opened = part.open(&object.key).await.unwrap().expect("kept");
        assert!(image::load_from_memory(&opened).is_ok(), "{}", object.path);
    }

    // The uploads are deleted; replacing them changes nothing of what is reviewed.
    let uploads = world
        .context
        .objects
        .list(&format!("u/{}/", person.login_id), None)
        .await
        .unwrap();
    assert_eq!(uploads.objects, []);
    upload(
        &world,
        &person.login_id,
        "front.jpg",
        picture(200, ImageFormat::Jpeg),
    )
    .await;
    let operators = operators(&world);
    let waiting = operators.queue(&Default::default()).await.unwrap();
    assert_eq!(
        (waiting.waiting, waiting.items[0].number.as_str()),
        (1, masked.as_str())
    );
    let seen = operators
        .picture(&shown.id, "front", &reviewer())
        .await
        .unwrap();
    let seen = image::load_from_memory(&seen).unwrap().to_luma8();
    assert!(seen.get_pixel(10, 10).0[0].abs_diff(30) < 8);
    assert!(
        operators
            .picture(&shown.id, "../front", &reviewer())
            .await
            .is_err()
    );
    let stated = operators.look(&shown.id, &reviewer()).await.unwrap();
    assert_eq!(
        stated,
        [
            ("realName", "张三丰".to_owned()),
            ("idCard", number.clone())
        ]
    );

    // Stored data is encrypted, and each view is in the audit chain.
    assert_eq!(kept(&world).await.len(), 2);
    for key in kept(&world).await {
        let all = ByteRange {
            start: 0,
            end: None,
        };
        let bytes = world.context.objects.get_range(&key, all).await.unwrap();
        assert!(image::guess_format(&bytes).is_err(), "{key}");
    }
    for (part, looks) in [("front", 1), ("details", 1), ("back", 0)] {
        let after = format!(
            r#"target = '{}' AND "after" LIKE '%"part":"{part}"%' AND "after" LIKE '%"by":"{REVIEWER}"%'"#,
            shown.id
        );
        assert_eq!(
            world.rows(&format!("audit WHERE {after}")).await,
            looks,
            "{part}"
        );
    }

    operators
        .decide(&shown.id, &Decision::Approve, "", &reviewer())
        .await
        .unwrap();
    let reply = published(&world, &person.login_id).await;
    let reply: Vec<_> = reply
        .iter()
        .map(|event| (event.check_status, event.real_name_masked.as_str()))
        .collect();
    assert_eq!(reply, [(0, ""), (1, "张**")]);
    let told = crate::security::published::<CertificationDecided>(&world).await;
    let told: Vec<_> = told
        .iter()
        .map(|event| {
            (
                event.certification_id.as_str(),
                event.kind.as_str(),
                event.approved,
            )
        })
        .collect();
    assert_eq!(told, [(shown.id.as_str(), "personal", true)]);
    let again = operators
        .decide(&shown.id, &Decision::Approve, "", &reviewer())
        .await;
    assert!(again.is_err(), "decided once");

    world.advance_seconds(31 * DAY_SECONDS);
    sweep(&operators).await.unwrap();
    assert_eq!(kept(&world).await, Vec::<String>::new());
    assert!(
        operators
            .picture(&shown.id, "front", &reviewer())
            .await
            .is_err()
    );

    for secret in [number.as_str(), "张三丰"] {
        assert_eq!(log.lines(&[secret]), 0, "in the log");
        for table in ["certification", "certified_number", "outbox", "audit"] {
            assert!(!dump(&world, table).await.contains(secret), "in {table}");
        }
        assert_eq!(
            files_with(world.parts.folder.path(), secret.as_bytes()),
            Vec::<String>::new()
        );
    }
    world.finish().await;
}

/// Everything of a table as text.
async fn dump(world: &World, table: &str) -> String {
    let db = &world.context.db;
    let backend = db.get_database_backend();
    let names = match table {
        "certification" => {
            "id || kind || details || number_index || name_shown || number_shown || cause"
        }
        "certified_number" => "number_index",
        "audit" => r#"target || "before" || "after" || reason"#,
        "outbox" if backend == sea_orm::DbBackend::Postgres => "encode(body, 'escape')",
        "outbox" => "CAST(body AS TEXT)",
        other => panic!("no columns are known of {other}"),
    };
    let text = format!("SELECT {names} FROM {table}");
    let rows = db
        .query_all_raw(Statement::from_string(backend, text))
        .await
        .unwrap();
    rows.iter()
        .map(|row| row.try_get_by_index::<String>(0).unwrap_or_default() + "\n")
        .collect()
}

fn files_with(folder: &std::path::Path, secret: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(&path, secret));
        } else if let Ok(bytes) = std::fs::read(&path)
            && bytes.windows(secret.len()).any(|part| part == secret)
        {
            found.push(path.display().to_string());
        }
    }
    found
}

async fn whoever_is_quicker_has_it(shape: Shape) {
    let world = World::open(shape).await;
    let person = world.register("13800138000", "shanhai1").await;
    let form = form(&world, &person, &id_card("19900101", 1)).await;
    let asked = (0..6).map(|_| submit(&world, &person, form.clone()));
    let asked = futures::future::join_all(asked).await;
    assert_eq!(asked.iter().filter(|asked| asked.is_ok()).count(), 1);
    assert_eq!(
        (records(&world).await, kept(&world).await.len()),
        (vec!["submitted".to_owned()], 2)
    );
    let operators = operators(&world);
    let id = mine(&world, &person).await.certifications[0].id.clone();
    let (ann, bob) = (by_command("ann"), by_command("bob"));
    operators.claim(&id, false, &ann).await.unwrap();
    let taken = "ann正在审核该认证";
    let refused = |refused: Result<(), chassis::ServiceError>| refused.unwrap_err().to_string();
    let claimed = operators.claim(&id, false, &bob).await.map(|_| ());
    assert!(refused(claimed).contains(taken));
    let looked = operators.look(&id, &bob).await.map(|_| ());
    assert!(refused(looked).contains(taken));
    let decided = operators.decide(&id, &Decision::Approve, "", &bob).await;
    assert!(refused(decided).contains(taken));
    operators.claim(&id, false, &ann).await.unwrap();
    world.advance_seconds(16 * 60);
    operators.claim(&id, false, &bob).await.unwrap();
    operators.claim(&id, true, &bob).await.unwrap();
    let cause = Decision::Reject("不清晰".to_owned());
    let decided = futures::join!(
        operators.decide(&id, &Decision::Approve, "", &ann),
        operators.decide(&id, &cause, "", &bob),
        withdraw(&world, &person, &id),
    );
    let successes = [decided.0.is_ok(), decided.1.is_ok(), decided.2.is_ok()];
    assert_eq!(successes.iter().filter(|success| **success).count(), 1);
    let reply = published(&world, &person.login_id).await;
    assert_eq!(reply.len(), 2);
    assert_eq!(
        reply[1].check_status,
        mine(&world, &person).await.check_status
    );
    world.finish().await;
}

async fn a_kill_at_any_step_leaves_one_state(shape: Shape) {
    let world = World::open(shape).await;
    let person = world.register("13800138000", "shanhai1").await;
    let number = id_card("19900101", 1);
    let fail = &world.context.fail;
    let operators = operators(&world);
    let form = form(&world, &person, &number).await;
    for step in ["prepared", "kept", "submitting"] {
        fail.arm(&format!("auth.certification.{step}"), Failure::Error, 1);
        submit(&world, &person, form.clone()).await.unwrap_err();
        assert_eq!(mine(&world, &person).await.check_status, 3, "{step}");
        assert_eq!(published(&world, &person.login_id).await, [], "{step}");
        // Leftovers are removed after a while.
        sweep(&operators).await.unwrap();
        assert_eq!(records(&world).await, ["preparing"], "{step}");
        world.advance_seconds(11 * 60);
        sweep(&operators).await.unwrap();
        assert_eq!(
            (records(&world).await, kept(&world).await),
            (vec![], vec![]),
            "{step}"
        );
    }
    // The reply is lost, the certification is not.
    fail.arm("auth.certification.submitted", Failure::Error, 1);
    submit(&world, &person, form.clone()).await.unwrap_err();
    assert_eq!(mine(&world, &person).await.check_status, 0);
    let again = submit(&world, &person, form).await.unwrap_err();
    assert_eq!(refusal(&again).0, code::CONFLICT);

    let id = mine(&world, &person).await.certifications[0].id.clone();
    // Between the effect and its audit entry, and after both: neither stays without the other.
    for step in ["deciding", "audited"] {
        fail.arm(&format!("auth.certification.{step}"), Failure::Error, 1);
        operators
            .decide(&id, &Decision::Approve, "", &reviewer())
            .await
            .unwrap_err();
        assert_eq!(mine(&world, &person).await.check_status, 0, "{step}");
        assert_eq!(world.rows("audit").await, 0, "{step}");
    }
    fail.arm("auth.certification.decided", Failure::Error, 1);
    operators
        .decide(&id, &Decision::Approve, "", &reviewer())
        .await
        .unwrap_err();
    assert_eq!(mine(&world, &person).await.check_status, 1);
    assert_eq!(world.rows("audit").await, 1);
    let reply = published(&world, &person.login_id).await;
    assert_eq!(
        reply
            .iter()
            .map(|event| event.check_status)
            .collect::<Vec<_>>(),
        [0, 1]
    );
    world.finish().await;
}
