//! Commands: questions of one service to another that need an answer now. Whoever does not hear one asks again with the
//! same key, so every command is idempotent.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use prost::Message;
use proto::common::v1::command_reply::Outcome;
use proto::common::v1::{BusinessError as Refusal, CommandReply};
use tracing::Instrument;

use crate::telemetry::{self, SPANS};
use crate::{BusinessError, ServiceError};

/// Longest time an answer is waited for.
pub const ANSWER_WAIT: Duration = Duration::from_secs(5);

/// Answers the commands of one service.
#[async_trait::async_trait]
pub trait Responder: Send + Sync {
    /// `command` is the name after the service's, for example `Begin`; `question` and the answer are encoded messages.
    async fn answer(&self, command: &str, question: &[u8]) -> Result<Vec<u8>, ServiceError>;
}

/// What a question that nobody understands is answered with.
pub fn unknown(command: &str) -> ServiceError {
    ServiceError::Internal(anyhow::anyhow!("unknown command {command}"))
}

/// Decodes a question; one that cannot be read is a fault of the asker.
pub fn decode<Q: Message + Default>(question: &[u8]) -> Result<Q, ServiceError> {
    Q::decode(question).map_err(|error| ServiceError::Internal(error.into()))
}

/// Asks `responder` and puts what it says into the form that travels. `traceparent`: of the asker, where that is another
/// process.
pub(super) async fn reply_of(
    responder: &dyn Responder,
    command: &str,
    question: &[u8],
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
    let reply = replied(responder, command, question).instrument(span).await;
    metrics::histogram!("bus_command_seconds", "command" => command.to_owned())
        .record(began.elapsed().as_secs_f64());
    reply
}

async fn replied(responder: &dyn Responder, command: &str, question: &[u8]) -> CommandReply {
    let outcome = match responder.answer(command, question).await {
        Ok(answer) => Outcome::Answer(answer),
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

/// The answer inside a reply.
pub(super) fn answer_of<A: Message + Default>(reply: CommandReply) -> Result<A, ServiceError> {
    match reply.outcome {
        Some(Outcome::Answer(answer)) => decode(&answer),
        Some(Outcome::Refusal(refusal)) => Err(BusinessError {
            code: refusal.code,
            message: refusal.message,
            datas_json: refusal.datas_json,
        }
        .into()),
        Some(Outcome::Away(part)) => {
            tracing::warn!(part, "a part of the service that was asked is away");
            Err(ServiceError::Unavailable("service"))
        }
        Some(Outcome::Fault(_)) | None => Err(ServiceError::Internal(anyhow::anyhow!(
            "the service that was asked failed"
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

    pub(super) async fn ask(
        &self,
        service: &str,
        command: &str,
        question: &[u8],
    ) -> Result<CommandReply, ServiceError> {
        let responder = {
            let all = self
                .responders
                .read()
                .unwrap_or_else(PoisonError::into_inner);
            all.get(service).cloned()
        };
        let responder = responder.ok_or(ServiceError::Unavailable("service"))?;
        Ok(reply_of(responder.as_ref(), command, question, "").await)
    }
}
