//! Alipay's `gateway.do` and WeChat Pay v3, each from both sides: what a merchant sends and reads, and what the provider
//! checks and answers. Nothing here opens a connection: requests and answers are values, so that whoever sends them
//! chooses how, and every reader can be tried with any bytes.
//!
//! Amounts are integer cents everywhere; Alipay's text of yuan is made and read in [`money`].

pub mod alipay;
pub mod clock;
mod error;
pub mod html;
pub mod keys;
pub mod money;
mod trade;
pub mod wechat;

pub use error::ProtocolError;
pub use keys::{Certificate, PrivateKey, PublicKey};
pub use trade::{Failure, Order, Refund, RefundState, Trade, TradeState};

/// So many random bytes in lower-case hex.
///
/// Errors: the system has no randomness.
pub fn random_hex(bytes: usize) -> Result<String, ProtocolError> {
    let mut random = vec![0; bytes];
    aws_lc_rs::rand::fill(&mut random).map_err(|_| ProtocolError::Key("no randomness"))?;
    Ok(hex::encode(random))
}
