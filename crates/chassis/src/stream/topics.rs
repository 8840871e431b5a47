//! Which event goes to which topic. It stands here and nowhere else; `docs/events.md` explains each.

/// An event that leaves the system.
pub struct Routed {
    /// Routing key on the bus; the CloudEvents `type`.
    pub key: &'static str,
    /// Topic without the installation's namespace.
    pub topic: &'static str,
    /// Message of `proto/` whose JSON is the body.
    pub message: &'static str,
}

const fn routed(key: &'static str, topic: &'static str, message: &'static str) -> Routed {
    Routed {
        key,
        topic,
        message,
    }
}

pub const ROUTED: &[Routed] = &[
    routed("order.order.paid", "orders", "xuanlan.order.v1.OrderPaid"),
    routed("order.order.ended", "orders", "xuanlan.order.v1.OrderEnded"),
    routed(
        "order.payment.refused",
        "orders",
        "xuanlan.order.v1.PaymentRefused",
    ),
    routed(
        "payment.attempt.succeeded",
        "payments",
        "xuanlan.payment.v1.AttemptSucceeded",
    ),
    routed(
        "payment.attempt.failed",
        "payments",
        "xuanlan.payment.v1.AttemptFailed",
    ),
    routed(
        "payment.refund.succeeded",
        "payments",
        "xuanlan.payment.v1.RefundSucceeded",
    ),
    routed(
        "payment.order.fulfilled",
        "payments",
        "xuanlan.order.v1.OrderFulfilled",
    ),
    routed(
        "process.check.finished",
        "checks",
        "xuanlan.process.v1.CheckFinished",
    ),
];

/// Where an event goes; none for one that stays within the system.
pub fn route(key: &str) -> Option<&'static Routed> {
    ROUTED.iter().find(|routed| routed.key == key)
}

/// What a service publishes to topics: its events' keys begin with its name.
pub fn of_service(service: &str) -> impl Iterator<Item = &'static Routed> {
    ROUTED
        .iter()
        .filter(move |routed| routed.key.split('.').next() == Some(service))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_is_known_and_no_key_goes_twice() {
        for (at, routed) in ROUTED.iter().enumerate() {
            assert!(
                proto::json::of(routed.message, &[]).is_ok(),
                "{}",
                routed.key
            );
            assert!(ROUTED[..at].iter().all(|other| other.key != routed.key));
        }
        assert_eq!(of_service("order").count(), 3);
        assert_eq!(of_service("auth").count(), 0);
        assert!(route("auth.account.registered").is_none());
    }
}
