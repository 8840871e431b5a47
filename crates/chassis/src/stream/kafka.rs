//! The producer: idempotent, acknowledged by all in-sync replicas.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::time::Duration;

use rdkafka::ClientConfig;
use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::{Header, OwnedHeaders};
use rdkafka::producer::{FutureProducer, FutureRecord};

use super::{Message, Stream, StreamError};

/// After this a message that the broker did not acknowledge is given up, and sent again by the next round. Shorter than
/// the leader's lease: what a leader has sent is settled before another one can follow.
const PATIENCE_MS: u32 = 8_000;

/// A broker that leaves a request without an answer for so long is connected to again.
const SOCKET_WAIT_MS: u32 = 10_000;

/// `None` only while it is dropped.
pub(crate) struct Producer(Option<FutureProducer>);

/// Dropping a producer waits for what its threads are doing.
impl Drop for Producer {
    fn drop(&mut self) {
        let inner = self.0.take();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn_blocking(move || drop(inner));
        }
    }
}

/// What became of a round.
pub(crate) struct Sent {
    /// Indices of acknowledged messages.
    pub acknowledged: Vec<usize>,
    /// Why the others were not.
    pub error: Option<KafkaError>,
}

fn client(stream: &Stream, service: &str) -> ClientConfig {
    let mut config = ClientConfig::new();
    config
        .set("bootstrap.servers", stream.brokers().unwrap_or_default())
        .set(
            "client.id",
            format!("{}-{service}", stream.config.namespace),
        )
        .set("reconnect.backoff.max.ms", "1000")
        .set("socket.timeout.ms", SOCKET_WAIT_MS.to_string())
        .set("socket.keepalive.enable", "true");
    config
}

impl Producer {
    /// Makes the topics of a service where they are missing, and a producer. Errors when no broker answers.
    pub(crate) async fn open(stream: &Stream, service: &str) -> Result<Self, StreamError> {
        let config = client(stream, service);
        make_topics(&config, stream, service).await?;
        let mut config = config;
        config
            .set("enable.idempotence", "true")
            .set("acks", "all")
            .set("message.timeout.ms", PATIENCE_MS.to_string())
            .set("linger.ms", "2")
            // As Java's clients choose: one that writes to the same topic meets the same partition.
            .set("partitioner", "murmur2_random");
        Ok(Self(Some(config.create()?)))
    }

    /// Sends messages and waits for all acknowledgements. Of one key a message is sent only when the one before it was
    /// acknowledged: what fails can never be overtaken.
    pub(crate) async fn send(&self, messages: &[Message]) -> Sent {
        let mut sent = Sent {
            acknowledged: Vec::with_capacity(messages.len()),
            error: None,
        };
        let mut waiting: VecDeque<usize> = (0..messages.len()).collect();
        while !waiting.is_empty() && sent.error.is_none() {
            let mut keys = HashSet::new();
            let (wave, rest) = waiting
                .into_iter()
                .partition::<VecDeque<usize>, _>(|at| keys.insert(messages[*at].key.as_str()));
            waiting = rest;
            let answers = wave.iter().map(|at| self.send_one(&messages[*at]));
            let answers = futures::future::join_all(answers).await;
            for (at, answer) in wave.into_iter().zip(answers) {
                match answer {
                    Ok(()) => sent.acknowledged.push(at),
                    Err(error) => sent.error = Some(error),
                }
            }
        }
        sent
    }

    async fn send_one(&self, message: &Message) -> Result<(), KafkaError> {
        let headers = message
            .headers
            .iter()
            .fold(OwnedHeaders::new(), |headers, (key, value)| {
                headers.insert(Header {
                    key,
                    value: Some(value),
                })
            });
        let record = FutureRecord::to(&message.topic)
            .key(&message.key)
            .payload(&message.body)
            .timestamp(message.time_ms)
            .headers(headers);
        let Some(producer) = &self.0 else {
            return Err(KafkaError::Canceled);
        };
        let queue = Duration::from_millis(PATIENCE_MS.into());
        match producer.send(record, queue).await {
            Ok(_) => Ok(()),
            Err((error, _)) => Err(error),
        }
    }
}

async fn make_topics(
    config: &ClientConfig,
    stream: &Stream,
    service: &str,
) -> Result<(), StreamError> {
    let names: BTreeSet<String> = proto::events::streamed_by(service)
        .filter_map(|event| event.topic)
        .map(|name| stream.topic(name))
        .collect();
    let topics: Vec<NewTopic<'_>> = names
        .iter()
        .map(|name| {
            let copies = TopicReplication::Fixed(stream.config.replication);
            NewTopic::new(name, stream.config.partitions, copies)
        })
        .collect();
    let admin: AdminClient<DefaultClientContext> = config.create()?;
    let patience = Some(Duration::from_secs(5));
    let options = AdminOptions::new()
        .request_timeout(patience)
        .operation_timeout(patience);
    for made in admin.create_topics(&topics, &options).await? {
        match made {
            Ok(_) | Err((_, RDKafkaErrorCode::TopicAlreadyExists)) => {}
            Err((_, code)) => return Err(KafkaError::AdminOp(code).into()),
        }
    }
    Ok(())
}
