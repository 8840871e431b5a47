//! Alipay's `gateway.do` and WeChat Pay v3, both sides of each: the merchant's requests and parsing, and the provider's
//! verification and responses. Nothing here opens a connection: requests and responses are values, so that the caller
//! chooses the transport and every parser can be tested with arbitrary bytes.
//! Amounts are integer cents everywhere; [`money`] converts Alipay's decimal yuan.

pub mod acknowledgement;
pub mod alipay;
pub mod clock;
mod error;
pub mod html;
pub mod keys;
pub mod money;
mod trade;
pub mod wechat;

pub use acknowledgement::{Acknowledgement, Receipt};
pub use error::ProtocolError;
pub use keys::{Certificate, PrivateKey, PublicKey};
pub use trade::{Failure, Notice, Order, Refund, RefundState, ToldRefund, Trade, TradeState};

/// `bytes` random bytes as lower-case hex.
/// Errors: the system's random generator fails.
pub fn random_hex(bytes: usize) -> Result<String, ProtocolError> {
    let mut random = vec![0; bytes];
    aws_lc_rs::rand::fill(&mut random).map_err(|_| ProtocolError::Key("no randomness"))?;
    Ok(hex::encode(random))
}
