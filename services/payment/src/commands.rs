//! The commands that payment answers.

use chassis::ServiceError;
use chassis::bus::command::{Responder, decode, unknown};
use prost::Message;
use proto::payment::v1::{BalancesReply, BalancesRequest, ClearReply, ClearRequest};

use crate::Payment;
use crate::ledger::{self, Account, Kind};

#[async_trait::async_trait]
impl Responder for Payment {
    async fn answer(&self, command: &str, question: &[u8]) -> Result<Vec<u8>, ServiceError> {
        match command {
            "Clear" => {
                let question: ClearRequest = decode(question)?;
                let verdict = self.clear(&question.order_id).await?;
                let reply = ClearReply {
                    verdict: verdict.into(),
                };
                Ok(reply.encode_to_vec())
            }
            "Balances" => {
                let question: BalancesRequest = decode(question)?;
                Ok(self.balances(&question.owner).await?.encode_to_vec())
            }
            other => Err(unknown(other)),
        }
    }
}

impl Payment {
    async fn balances(&self, owner: &str) -> Result<BalancesReply, ServiceError> {
        let db = &self.context.db;
        let coin = Account::of(Kind::Coin, owner);
        let income = Account::of(Kind::Income, owner);
        Ok(BalancesReply {
            cloud_coin: ledger::available(db, &coin).await?,
            income_balance: ledger::available(db, &income).await?,
        })
    }
}
