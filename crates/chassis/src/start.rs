//! What every service does when it starts: publishes what its outbox holds, consumes its events, handles its commands, answers its
//! calls, and does its part when an account is closed.

use proto::commands;
use proto::events::{self, Consumer};
use sea_orm::DatabaseTransaction;

use crate::bus::Subscription;
use crate::messaging::Outbox;
use crate::rights::{self, Rights};
use crate::rpc::Calls;
use crate::{Context, Service, ServiceError};

/// A service that starts. What its part of the contract demands and [`Start::finish`] does not find is an error.
pub struct Start {
    context: Context,
    outbox: Outbox,
    calls: Calls,
    consumes: bool,
    handles: bool,
}

impl Start {
    /// Starts the relay of its outbox.
    pub fn of(context: &Context, outbox: &Outbox) -> Self {
        outbox.spawn_relays(context);
        Self {
            context: context.clone(),
            outbox: outbox.clone(),
            calls: Calls::of(context.service, &context.principals),
            consumes: false,
            handles: false,
        }
    }

    /// Consumes its events with a generated `…Consumer`.
    pub fn events(mut self, consumer: impl Consumer<DatabaseTransaction> + 'static) -> Self {
        let subscription = Subscription::new(self.outbox.clone(), consumer);
        self.context.bus.subscribe(subscription);
        self.consumes = true;
        self
    }

    /// Handles its commands with a generated `…CommandsServer`.
    pub fn commands(mut self, server: impl commands::Server<ServiceError> + 'static) -> Self {
        self.context.bus.serve(server);
        self.handles = true;
        self
    }

    /// Does its part when an account is closed, and when its owner asks for what is kept of him.
    pub fn rights(self, rights: impl Rights) -> Self {
        rights::spawn(&self.context, &self.outbox, rights);
        self
    }

    /// Answers the calls of one gRPC service with its generated `…CallsServer`.
    pub fn calls(mut self, server: impl proto::calls::Server<ServiceError> + 'static) -> Self {
        self.calls = self.calls.with(server);
        self
    }

    /// Errors: an RPC of its package that nothing answers; events that name it as a consumer, or commands, that it does not
    /// take.
    pub fn finish(self) -> anyhow::Result<Service> {
        let name = self.context.service;
        let mut left_out = self.calls.missing();
        if !self.consumes
            && let Some(consumer) = events::consumer(name)
        {
            left_out.extend(consumer.keys.iter().map(|key| format!("the event {key}")));
        }
        if !self.handles && proto::catalogue::has_commands(name) {
            left_out.push("its commands".to_owned());
        }
        let left_out = left_out.join(", ");
        anyhow::ensure!(left_out.is_empty(), "{name} leaves out {left_out}");
        Ok(self.calls.finish())
    }
}
