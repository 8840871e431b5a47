//! A service does not start while it leaves out a part of its contract.

use chassis::messaging::Outbox;
use chassis::testing::{Shape, TestParts};
use chassis::{ServiceError, Start};
use proto::{commands, events};
use sea_orm::DatabaseTransaction;

struct Nothing;

impl commands::Server<ServiceError> for Nothing {
    const SERVICE: &'static str = "order";

    async fn handle(&self, command: &str, _: &[u8]) -> Result<Vec<u8>, ServiceError> {
        Err(commands::unknown(command).into())
    }
}

impl events::Consumer<DatabaseTransaction> for Nothing {
    const NAME: &'static str = "order";

    async fn handle(&self, _: &DatabaseTransaction, _: &str, _: &[u8]) -> anyhow::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn what_a_service_leaves_out_is_named() {
    let test = TestParts::open(Shape::Embedded, &[], |_| {}).await;
    let context = test.context("order").await;
    let outbox = Outbox::new(context.db.clone(), context.clock.clone());
    let left_out = |start: Start| match start.finish() {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    let all = left_out(Start::of(&context, &outbox));
    for part in [
        "xuanlan.order.v1.OrderApi.CancelOrder",
        "the event payment.",
        "its commands",
    ] {
        assert!(all.contains(part), "{part}: {all}");
    }
    let calls = left_out(
        Start::of(&context, &outbox)
            .events(Nothing)
            .commands(Nothing),
    );
    assert!(calls.contains("OrderApi.CancelOrder"), "{calls}");
    assert!(
        !calls.contains("event") && !calls.contains("commands"),
        "{calls}"
    );
    test.finish().await;
}
