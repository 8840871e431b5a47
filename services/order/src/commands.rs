//! The commands that order answers.

use chassis::ServiceError;
use chassis::bus::command::{Responder, decode, unknown};
use prost::Message;
use proto::order::v1::{BeginRequest, CountsRequest};

use crate::Orders;

#[async_trait::async_trait]
impl Responder for Orders {
    async fn answer(&self, command: &str, question: &[u8]) -> Result<Vec<u8>, ServiceError> {
        match command {
            "Begin" => {
                let question: BeginRequest = decode(question)?;
                Ok(self.begin(&question).await?.encode_to_vec())
            }
            "Counts" => {
                let question: CountsRequest = decode(question)?;
                Ok(self.counts(&question.owner).await?.encode_to_vec())
            }
            other => Err(unknown(other)),
        }
    }
}
