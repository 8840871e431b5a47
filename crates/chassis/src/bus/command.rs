//! Commands: requests of one service to another that need a reply now. A requester that gets none sends the command again
//! with the same key, so every command is idempotent.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use prost::Message;
use proto::commands::{Server, decode};
use proto::common::v1::command_reply::Outcome;
use proto::common::v1::{BusinessError as Refusal, CommandReply};
use tracing::Instrument;

use crate::panics::caught;
use crate::telemetry::{self, SPANS};
use crate::{BusinessError, ServiceError, limit};

/// Longest time that a command may be worked on: its requester has given up by then.
const HANDLE_LIMIT: Duration = Duration::from_secs(20);

const TASK: &str = "command";

/// Makes the counter of commands that were given up known.
pub(super) fn announce() {
    limit::announce(TASK);
}

/// Handles the commands of one service, which is known only at run time: see [`Typed`].
#[async_trait::async_trait]
pub(crate) trait Responder: Send + Sync {
    /// `command` is the name after the service's, for example `Begin`; `request` and the reply are encoded messages.
    async fn handle(&self, command: &str, request: &[u8]) -> Result<Vec<u8>, ServiceError>;
}

/// A generated server, for example `proto::order::v1::OrderCommandsServer`, as a [`Responder`].
pub(super) struct Typed<S>(pub(super) S);

#[async_trait::async_trait]
impl<S: Server<ServiceError>> Responder for Typed<S> {
    async fn handle(&self, command: &str, request: &[u8]) -> Result<Vec<u8>, ServiceError> {
        self.0.handle(command, request).await
    }
}

/// Has `responder` handle a command and puts the outcome into the form that travels. `traceparent`: of the requester, where
/// that is another process.
pub(super) async fn reply_of(
    responder: &dyn Responder,
    command: &str,
    request: &[u8],
    traceparent: &str,
) -> CommandReply {
    let span = tracing::info_span!(
        target: SPANS,
        "command",
        otel.name = format!("command {command}"),
        otel.kind = "server",
        command,
    );
    telemetry::continue_trace(&span, traceparent);
    let began = Instant::now();
    let reply = replied(responder, command, request).instrument(span).await;
    metrics::histogram!("bus_command_seconds", "command" => command.to_owned())
        .record(began.elapsed().as_secs_f64());
    reply
}

async fn replied(responder: &dyn Responder, command: &str, request: &[u8]) -> CommandReply {
    // On a broker a request whose handler panicked would never be acknowledged.
    let handled = caught(responder.handle(command, request));
    let handled = match limit::within(TASK, HANDLE_LIMIT, handled).await {
        Ok(handled) => handled.unwrap_or_else(|panic| {
            Err(ServiceError::Internal(anyhow::anyhow!("handler {panic}")))
        }),
        Err(_) => Err(ServiceError::Unavailable("database")),
    };
    let outcome = match handled {
        Ok(message) => Outcome::Answer(message),
        Err(ServiceError::Business(error)) => Outcome::Refusal(Refusal {
            code: error.code,
            message: error.message,
            datas_json: error.datas_json,
        }),
        Err(ServiceError::Unavailable(part)) => Outcome::Away(part.to_owned()),
        Err(error) => {
            tracing::error!(command, error = format!("{error:#}"), "command failed");
            Outcome::Fault("internal error".to_owned())
        }
    };
    CommandReply {
        outcome: Some(outcome),
    }
}

/// The message inside a reply.
pub(super) fn message_of<Reply: Message + Default>(
    reply: CommandReply,
) -> Result<Reply, ServiceError> {
    match reply.outcome {
        Some(Outcome::Answer(message)) => Ok(decode(&message)?),
        Some(Outcome::Refusal(refusal)) => Err(BusinessError {
            code: refusal.code,
            message: refusal.message,
            datas_json: refusal.datas_json,
        }
        .into()),
        Some(Outcome::Away(part)) => {
            tracing::warn!(part, "a part of the service that handles commands is away");
            Err(ServiceError::Unavailable("service"))
        }
        Some(Outcome::Fault(_)) | None => Err(ServiceError::Internal(anyhow::anyhow!(
            "the service that handles the command failed"
        ))),
    }
}

/// Responders within one process.
#[derive(Clone, Default)]
pub(super) struct MemoryCommands {
    responders: Arc<RwLock<HashMap<&'static str, Arc<dyn Responder>>>>,
}

impl MemoryCommands {
    pub(super) fn serve(&self, service: &'static str, responder: Arc<dyn Responder>) {
        let mut all = self
            .responders
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        all.insert(service, responder);
    }

    pub(super) async fn request(
        &self,
        service: &str,
        command: &str,
        request: &[u8],
    ) -> Result<CommandReply, ServiceError> {
        let responder = {
            let all = self
                .responders
                .read()
                .unwrap_or_else(PoisonError::into_inner);
            all.get(service).cloned()
        };
        let responder = responder.ok_or(ServiceError::Unavailable("service"))?;
        Ok(reply_of(responder.as_ref(), command, request, "").await)
    }
}
