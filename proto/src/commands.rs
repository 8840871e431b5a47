//! Commands: requests of one service to another over the bus that need a reply now. Generated from the services with the
//! option `commands`; a carrier implements [`Requester`] and takes a [`Server`].

use prost::Message;

include!(concat!(env!("OUT_DIR"), "/commands.rs"));

/// Sends commands; implemented by the bus.
pub trait Requester: Sync {
    type Error;

    /// Sends `command` to `service` and waits for the reply.
    fn request<Reply: Message + Default>(
        &self,
        service: &str,
        command: &str,
        request: &impl Message,
    ) -> impl Future<Output = Result<Reply, Self::Error>> + Send;
}

/// Handles the commands of one service: implemented by the generated `…CommandsServer`.
pub trait Server<Error>: Send + Sync {
    const SERVICE: &'static str;

    /// Returns the encoded reply.
    fn handle(
        &self,
        command: &str,
        body: &[u8],
    ) -> impl Future<Output = Result<Vec<u8>, Error>> + Send;
}

/// The error for a command that the service does not have.
pub fn unknown(command: &str) -> anyhow::Error {
    anyhow::anyhow!("unknown command {command}")
}

/// Decodes a request or a reply.
pub fn decode<M: Message + Default>(body: &[u8]) -> Result<M, anyhow::Error> {
    Ok(M::decode(body)?)
}

/// Whether a command changes nothing (`idempotency_level = NO_SIDE_EFFECTS`): it may be handled twice at a time.
pub fn is_read(service: &str, command: &str) -> bool {
    READS.contains(&(service, command))
}
