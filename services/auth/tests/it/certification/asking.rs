//! Submitting: what is accepted, how often, for how many accounts.

use super::*;

crate::on_every_shape!(
    fields_and_pictures_are_checked,
    an_enterprise_and_then_a_developer,
    refused_ones_try_again_a_few_times,
    a_number_serves_three_accounts,
);

async fn fields_and_pictures_are_checked(shape: Shape) {
    let world = World::open(shape).await;
    let person = world.register("13800138000", "shanhai1").await;
    let stranger = world.register("13800138001", "shanhai1").await;
    let right = form(&world, &person, &id_card("19900101", 1)).await;
    let foreign = form(&world, &stranger, &right.id_card).await.id_card_front;
    let svg = upload(
        &world,
        &person.login_id,
        "x.jpg",
        b"<svg onload='alert(1)'/>".to_vec(),
    )
    .await;
    let large = upload(
        &world,
        &person.login_id,
        "y.jpg",
        vec![0xFF; 5 * 1024 * 1024 + 1],
    )
    .await;
    let climbing = format!("u/{}/../{}/front.jpg", person.login_id, stranger.login_id);
    let missing = format!("u/{}/none.jpg", person.login_id);
    let outside = "http://169.254.169.254/latest/meta-data".to_owned();
    type Change = Box<dyn Fn(&mut AuthPersonalRequest)>;
    let front =
        |key: String| -> Change { Box::new(move |form| form.id_card_front.clone_from(&key)) };
    let absent = "没有找到上传的图片，请重新上传";
    let refusals: Vec<(Change, i32, &str)> = vec![
        (
            Box::new(|form| form.real_name.clear()),
            code::INVALID,
            "请输入真实姓名",
        ),
        (
            Box::new(|form| form.real_name = "<i>".into()),
            code::INVALID,
            "请输入正确的真实姓名",
        ),
        (
            Box::new(|form| form.id_card.clear()),
            code::INVALID,
            "请输入身份证号",
        ),
        (
            Box::new(|form| form.id_card = "110105194912310021".into()),
            code::INVALID,
            "请输入正确的身份证号",
        ),
        (
            Box::new(|form| form.id_card_front.clear()),
            code::INVALID,
            "请上传身份证人像面",
        ),
        (
            Box::new(|form| form.id_card_back.clear()),
            code::INVALID,
            "请上传身份证国徽面",
        ),
        (front(foreign), code::NOT_FOUND, absent),
        (front(climbing), code::NOT_FOUND, absent),
        (front(missing), code::NOT_FOUND, absent),
        (front(outside), code::NOT_FOUND, absent),
        (
            front(svg),
            code::INVALID,
            "图片格式不正确！仅支持jpg,jpeg,png,JPEG,BMP,GIF,WEBP文件",
        ),
        (front(large), code::INVALID, "单个文件不能超过5M"),
    ];
    for (change, expected, message) in refusals {
        let mut wrong = right.clone();
        change(&mut wrong);
        let refused = submit(&world, &person, wrong).await.unwrap_err();
        assert_eq!(refusal(&refused), (expected, message.to_owned()));
    }
    assert_eq!(
        (records(&world).await, kept(&world).await),
        (vec![], vec![])
    );
    let nobody = world.from("10.0.0.9", right.clone());
    let unsigned = client(&world).auth_personal(nobody).await.unwrap_err();
    assert_eq!(unsigned.code(), tonic::Code::Unauthenticated);

    // Another user can neither see nor withdraw it.
    submit(&world, &person, right).await.unwrap();
    let id = mine(&world, &person).await.certifications[0].id.clone();
    assert!(mine(&world, &stranger).await.certifications.is_empty());
    let refused = withdraw(&world, &stranger, &id).await.unwrap_err();
    assert_eq!(refusal(&refused).0, code::NOT_FOUND);
    world.finish().await;
}

/// CE002, CE011: an enterprise; developers prove their name first.
async fn an_enterprise_and_then_a_developer(shape: Shape) {
    let world = World::open(shape).await;
    let person = world.register("13800138000", "shanhai1").await;
    let first = developer(&world, &person).await.unwrap_err();
    assert_eq!(
        refusal(&first),
        (code::CONFLICT, "请先完成实名认证".to_owned())
    );
    assert_eq!(enterprise(&world, &person).await.unwrap(), 0);
    let personal = form(&world, &person, &id_card("19900101", 1)).await;
    let waiting = submit(&world, &person, personal.clone()).await.unwrap_err();
    assert_eq!(refusal(&waiting).1, "您的认证正在审核中，请耐心等待");
    let id = mine(&world, &person).await.certifications[0].id.clone();
    let operators = operators(&world);
    operators
        .decide(&id, &Decision::Approve, "", &reviewer())
        .await
        .unwrap();
    let reply = published(&world, &person.login_id).await;
    let last = reply.last().unwrap();
    assert_eq!(
        (last.check_status, last.company_name.as_str()),
        (1, "福州玄览测试有限公司")
    );
    let state = mine(&world, &person).await;
    let shown = &state.certifications[0];
    assert_eq!(
        (shown.legal_person.as_str(), shown.contact_phone.as_str()),
        ("李*", "*********4321")
    );
    assert_eq!(shown.number, "9****************3");
    let needless = submit(&world, &person, personal).await.unwrap_err();
    assert_eq!(refusal(&needless).1, "您已通过企业认证，无需再进行个人认证");

    // A developer's state is separate: the account stays verified in any case.
    assert_eq!(developer(&world, &person).await.unwrap(), 0);
    let state = mine(&world, &person).await;
    let shown = state
        .certifications
        .iter()
        .find(|shown| shown.kind == "developer")
        .unwrap();
    assert_eq!(
        (
            state.check_status,
            shown.check_status,
            shown.direction.as_str()
        ),
        (1, 0, "plugin")
    );
    let cause = Decision::Reject("作品地址无法访问".to_owned());
    operators
        .decide(&shown.id, &cause, "", &reviewer())
        .await
        .unwrap();
    let state = mine(&world, &person).await;
    let shown = state
        .certifications
        .iter()
        .find(|shown| shown.kind == "developer")
        .unwrap();
    assert_eq!(
        (shown.check_status, shown.cause.as_deref()),
        (2, Some("作品地址无法访问"))
    );
    assert_eq!(
        published(&world, &person.login_id)
            .await
            .last()
            .unwrap()
            .check_status,
        1
    );
    world.finish().await;
}

/// CE004: rejected with its cause; another try, a few times a day; withdrawing.
async fn refused_ones_try_again_a_few_times(shape: Shape) {
    let world = World::open(shape).await;
    let person = world.register("13800138000", "shanhai1").await;
    let number = id_card("19900101", 1);
    let operators = operators(&world);
    for round in 0..4 {
        submit(&world, &person, form(&world, &person, &number).await)
            .await
            .unwrap();
        let id = mine(&world, &person).await.certifications[0].id.clone();
        let empty = operators
            .decide(&id, &Decision::Reject(" ".to_owned()), "", &reviewer())
            .await;
        assert!(empty.is_err(), "a reason is stated");
        let cause = Decision::Reject(format!("证件照片不清晰 {round}"));
        operators
            .decide(&id, &cause, "", &reviewer())
            .await
            .unwrap();
        let state = mine(&world, &person).await;
        assert_eq!((state.check_status, state.tries_left), (2, 4 - round));
        let reply = published(&world, &person.login_id).await;
        assert_eq!(
            reply.last().unwrap().cause,
            format!("证件照片不清晰 {round}")
        );
    }
    submit(&world, &person, form(&world, &person, &number).await)
        .await
        .unwrap();
    let id = mine(&world, &person).await.certifications[0].id.clone();
    assert_eq!(withdraw(&world, &person, &id).await.unwrap(), 3);
    assert!(
        !kept(&world).await.iter().any(|key| key.contains(&id)),
        "its pictures are gone"
    );
    let late = withdraw(&world, &person, &id).await.unwrap_err();
    assert_eq!(refusal(&late).0, code::CONFLICT);
    let again = form(&world, &person, &number).await;
    let refused = submit(&world, &person, again.clone()).await.unwrap_err();
    assert_eq!(
        refusal(&refused),
        (code::QUOTA, "今日提交次数已达上限，请明天再试".to_owned())
    );
    world.advance_seconds(DAY_SECONDS + 1);
    submit(&world, &person, again).await.unwrap();
    world.finish().await;
}

async fn a_number_serves_three_accounts(shape: Shape) {
    let world = World::open(shape).await;
    let number = id_card("19900101", 1);
    let mut people = Vec::new();
    for at in 0..5 {
        people.push(world.register(&format!("1380013800{at}"), "shanhai1").await);
    }
    let forms = people.iter().map(|person| form(&world, person, &number));
    let forms = futures::future::join_all(forms).await;
    let asked = people
        .iter()
        .zip(forms)
        .map(|(person, form)| submit(&world, person, form));
    let asked = futures::future::join_all(asked).await;
    let refused: Vec<_> = asked
        .iter()
        .filter_map(|asked| asked.as_ref().err())
        .map(refusal)
        .collect();
    let message = "该身份证号最多可认证3个账号，请使用其他证件".to_owned();
    assert_eq!(refused, vec![(code::CONFLICT, message); 2]);
    assert_eq!(
        records(&world).await,
        ["submitted"; 3],
        "nothing of the others stays"
    );
    assert_eq!(kept(&world).await.len(), 6);
    world.finish().await;
}
