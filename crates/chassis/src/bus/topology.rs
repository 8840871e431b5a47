//! Who consumes what. It stands here, not with the consumers, so that a publisher can make the queue of a consumer that
//! has never run: nothing published before its first start is lost.

/// A consumer and the routing keys it takes, exact.
pub struct Consumer {
    pub name: &'static str,
    pub keys: &'static [&'static str],
}

pub const CONSUMERS: &[Consumer] = &[
    Consumer {
        name: "personal",
        keys: &[
            "auth.account.registered",
            "process.statistics.changed",
            "order.order.paid",
        ],
    },
    Consumer {
        name: "order",
        keys: &[
            "payment.attempt.succeeded",
            "payment.attempt.failed",
            "payment.order.fulfilled",
            "personal.order.fulfilled",
            "personal.membership.changed",
        ],
    },
    Consumer {
        name: "payment",
        keys: &["order.order.paid", "order.payment.refused"],
    },
    Consumer {
        name: "process",
        keys: &["personal.membership.changed"],
    },
];

/// The keys of a consumer; none for a name that does not stand here.
pub fn keys_of(consumer: &str) -> &'static [&'static str] {
    CONSUMERS
        .iter()
        .find(|c| c.name == consumer)
        .map_or(&[], |c| c.keys)
}
