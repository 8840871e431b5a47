//! Operators' authenticator secrets under a new master key.

use chassis::messaging::Outbox;
use chassis::rpc::Calls;
use xl_auth::certification::Certifications;

use super::*;

on_every_shape!(a_new_master_key_takes_operators_over);

fn keys(id: &str, key: &str, previous: &str) -> String {
    let index = "0f".repeat(32);
    format!(
        "[auth.certification]\nkey_id = \"{id}\"\nkey = \"{key}\"\nprevious_keys = [{previous}]\nindex_key = \"{index}\"\n"
    )
}

async fn a_new_master_key_takes_operators_over(shape: Shape) {
    let (old, new) = ("01".repeat(32), "02".repeat(32));
    let world = World::with(shape, &keys("k1", &old, "")).await;
    let anna = world.admin().await;
    let with = |previous: &[String]| {
        let mut context = world.context.clone();
        let settings = &mut context.parts.settings;
        settings.put("auth.certification.key_id", "k2").unwrap();
        settings
            .put("auth.certification.key", new.as_str())
            .unwrap();
        let previous: Vec<toml::Value> = previous.iter().cloned().map(toml::Value::from).collect();
        let name = "auth.certification.previous_keys";
        settings.put(name, previous).unwrap();
        context
    };
    let only_new = with(&[]);
    let signs_in = async || {
        let operators = Operators::open(&only_new).unwrap();
        let service = Calls::of(xl_auth::NAME, &only_new.principals)
            .with(OperatorCallsServer(operators))
            .finish();
        let body = OperatorSignInRequest {
            name: anna.name.clone(),
            password: PASSWORD.to_owned(),
            code: world.code_of(&anna.app),
            device: String::new(),
        };
        let mut client = OperatorApiClient::new(service.routes);
        client.operator_sign_in(world.as_nobody(body)).await
    };
    assert!(signs_in().await.is_err(), "the former key is gone too soon");
    let both = with(&[format!("k1:{old}")]);
    let outbox = Outbox::new(both.db.clone(), both.clock.clone());
    let vaults = Certifications::new(&both, &outbox).unwrap();
    assert_eq!(vaults.rewrap().await.unwrap(), 1);
    assert_eq!(vaults.rewrap().await.unwrap(), 0);
    signs_in().await.unwrap();
    let code = world.code_of(&anna.app);
    let stays = world.signed_in_as(&anna.name, PASSWORD, &code).await;
    assert!(stays.is_err(), "nothing stands under the former key");
    world.parts.finish().await;
}
