//! Every call of auth, from the catalogue: an anonymous caller is refused where sign-in is required, and whatever a call names (a
//! session, a record, a key, a ticket) is shown by a test to serve its owner alone. A new call without a case fails.

use chassis::testing::Shape;
use proto::catalogue::{Access, Call, calls};
use tonic::Code;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic_prost::ProstCodec;

use crate::world::World;

/// Call, field that names something, and the test that shows what a stranger gets of it.
const OWNED: &[(&str, &str, &str)] = &[
    ("A01", "nvcTicket", "trying_out_numbers_needs_the_slider"),
    (
        "A02",
        "nvcTicket",
        "a_ticket_is_good_once_and_at_its_address",
    ),
    (
        "A03",
        "nvcTicket",
        "a_ticket_is_good_once_and_at_its_address",
    ),
    (
        "A03",
        "factorTicket",
        "a_second_factor_is_asked_for_and_each_code_works_once",
    ),
    ("A04", "smsKey", "a_code_serves_once_its_number_and_purpose"),
    ("A05", "smsKey", "a_code_serves_once_its_number_and_purpose"),
    (
        "A05",
        "nvcTicket",
        "a_ticket_is_good_once_and_at_its_address",
    ),
    ("A06", "smsKey", "a_code_serves_once_its_number_and_purpose"),
    ("A12", "smsKey", "a_phone_changes_with_fresh_proof_only"),
    ("A07", "smsKey", "somebody_new_binds_a_phone"),
    ("A07", "bindTicket", "somebody_new_binds_a_phone"),
    ("P05", "id", "identities_are_linked_and_unlinked"),
    (
        "X26",
        "factorTicket",
        "a_provider_does_not_stand_in_for_the_second_factor",
    ),
    ("X11", "sessionId", "an_account_sees_and_ends_its_sessions"),
    (
        "X15",
        "smsKey",
        "a_password_is_changed_with_the_old_one_or_set_after_confirming",
    ),
    (
        "X18",
        "mailKey",
        "an_address_is_bound_by_a_code_that_reached_it",
    ),
    ("X36", "id", "fields_and_pictures_are_checked"),
];

const TESTS: [&str; 9] = [
    include_str!("accounts.rs"),
    include_str!("certification/mod.rs"),
    include_str!("certification/asking.rs"),
    include_str!("second_factor.rs"),
    include_str!("security.rs"),
    include_str!("sessions.rs"),
    include_str!("slider.rs"),
    include_str!("sms.rs"),
    include_str!("third_party.rs"),
];

/// Fields of a request that name something with an owner.
fn owned_fields(call: &Call) -> Vec<String> {
    let input = call.method.input();
    let names = input.fields().map(|field| field.json_name().to_owned());
    let names = names.filter(|name| {
        let names_something = ["id", "Id", "Key", "Ticket"];
        names_something.iter().any(|end| name.ends_with(end))
    });
    names
        .filter(|name| *name != call.owner && name != "userId")
        .collect()
}

/// The service's reply to an empty anonymous request.
async fn of_nobody(world: &World, call: &Call) -> Code {
    let mut client = Grpc::new(world.routes());
    client.ready().await.expect("served");
    let path: PathAndQuery = call.address.parse().expect("a path");
    let codec = ProstCodec::<(), ()>::default();
    let answer = client.unary(world.from("10.0.8.1", ()), path, codec).await;
    answer.map_or_else(|status| status.code(), |_| Code::Ok)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_call_names_serves_its_owner_alone() {
    let world = World::open(Shape::Embedded).await;
    let mut open = 0;
    for call in calls().iter().filter(|call| call.service == "auth") {
        let code = of_nobody(&world, call).await;
        // In the contract only, so far.
        if code == Code::Unimplemented {
            continue;
        }
        open += 1;
        let closed = matches!(call.access, Access::Login | Access::Operator);
        assert_eq!(
            code == Code::Unauthenticated,
            closed,
            "{}: {code:?}",
            call.id
        );
        // What operators may name is a matter of their permissions.
        if call.access == Access::Operator {
            continue;
        }
        for field in owned_fields(call) {
            let case = OWNED
                .iter()
                .find(|(id, name, _)| *id == call.id && *name == field);
            let Some((_, _, test)) = case else {
                panic!(
                    "{} takes {field}: no case says what a stranger gets",
                    call.id
                );
            };
            let written = format!("async fn {test}(");
            assert!(
                TESTS.iter().any(|file| file.contains(&written)),
                "{}: there is no test {test}",
                call.id
            );
        }
    }
    assert!(open >= 30, "only {open} calls");
    world.finish().await;
}
