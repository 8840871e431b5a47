//! Master keys: a new one takes over what is encrypted under the former.

use super::*;

crate::on_every_shape!(a_new_master_key_takes_records_over,);

async fn a_new_master_key_takes_records_over(shape: Shape) {
    let keys = |id: &str, key: &str, previous: &str| {
        let index = "0f".repeat(32);
        format!(
            "[auth.certification]\nkey_id = \"{id}\"\nkey = \"{key}\"\nprevious_keys = [{previous}]\nindex_key = \"{index}\"\n"
        )
    };
    let (old, new) = ("01".repeat(32), "02".repeat(32));
    let world = World::with(shape, &keys("k1", &old, "")).await;
    let person = world.register("13800138000", "shanhai1").await;
    submit(
        &world,
        &person,
        form(&world, &person, &id_card("19900101", 1)).await,
    )
    .await
    .unwrap();
    let id = mine(&world, &person).await.certifications[0].id.clone();
    let with = |id: &str, key: &str, previous: &[String]| {
        let mut context = world.context.clone();
        let settings = &mut context.parts.settings;
        settings.put("auth.certification.key_id", id).unwrap();
        settings.put("auth.certification.key", key).unwrap();
        let previous: Vec<toml::Value> = previous.iter().cloned().map(toml::Value::from).collect();
        settings
            .put("auth.certification.previous_keys", previous)
            .unwrap();
        let outbox = Outbox::new(context.db.clone(), context.clock.clone());
        Certifications::new(&context, &outbox).unwrap()
    };
    let both = with("k2", &new, &[format!("k1:{old}")]);
    assert_eq!(
        (both.rewrap().await.unwrap(), both.rewrap().await.unwrap()),
        (1, 0)
    );
    let only_new = with("k2", &new, &[]);
    assert_eq!(
        only_new.look(&id, &reviewer()).await.unwrap()[0].1,
        "张三丰"
    );
    assert!(only_new.picture(&id, "back", &reviewer()).await.is_ok());
    assert!(with("k1", &old, &[]).look(&id, &reviewer()).await.is_err());
    world.finish().await;
}
