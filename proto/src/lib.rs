//! All interfaces of the product: types, stubs, typed events and commands generated from the `.proto` files in this crate, the call
//! catalogue read from their options, and the published OpenAPI contract made from both.

pub mod calls;
pub mod catalogue;
pub mod commands;
pub mod contract;
pub mod events;
pub mod json;
pub mod openapi;
pub mod pages;
pub mod pushes;
pub mod rules;

// One module per package: `order::v1` for `xuanlan.order.v1`.
include!(concat!(env!("OUT_DIR"), "/packages.rs"));

/// The encoded `FileDescriptorSet` of all interfaces, including custom options and comments.
pub static DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// Business codes of the envelope (`resp_code`), defined here only; docs/errors.md explains each.
pub mod code {
    pub const SUCCESS: i32 = 60000;
    /// An argument is missing or wrong; the message names it.
    pub const INVALID: i32 = 60100;
    /// A call that writes received an unknown field.
    pub const UNKNOWN_FIELD: i32 = 60101;
    /// The text was refused by the content scan.
    pub const TEXT_REFUSED: i32 = 60102;
    /// The picture was refused by the content scan.
    pub const IMAGE_REFUSED: i32 = 60103;
    /// The object does not exist or does not belong to the caller.
    pub const NOT_FOUND: i32 = 60104;
    /// The object is not in a state that allows this.
    pub const CONFLICT: i32 = 60105;
    /// A quota is used up.
    pub const QUOTA: i32 = 60106;
    /// Insufficient funds.
    pub const NO_FUNDS: i32 = 60107;
    /// The server's disk is full.
    pub const DISK_FULL: i32 = 60108;
    /// Password login: the account is not registered.
    pub const NOT_REGISTERED: i32 = 60200;
    /// Password login: the slider is required.
    pub const SLIDER_DEMANDED: i32 = 60201;
    /// The SMS was not sent.
    pub const SMS_NOT_SENT: i32 = 60202;
    /// Account and password do not match.
    pub const WRONG_PASSWORD: i32 = 60203;
    /// The SMS code is wrong, used or expired.
    pub const WRONG_CODE: i32 = 60204;
    /// The account exists already.
    pub const ACCOUNT_EXISTS: i32 = 60205;
    /// The account has a second factor, which is missing or wrong.
    pub const SECOND_FACTOR: i32 = 60206;
    /// The session has to confirm its identity first.
    pub const CONFIRM_IDENTITY: i32 = 60207;
    /// Others have used up the number's codes: the account's password opens it.
    pub const SHOW_PASSWORD: i32 = 60208;
    /// The account is frozen.
    pub const FROZEN: i32 = 60211;
    /// Success with a message for the caller.
    pub const NOTED: i32 = 60212;
    /// An operator has to confirm the second factor (again) before this call.
    pub const NOT_FRESH: i32 = 60210;
    /// Unknown client or wrong client secret.
    pub const BAD_CLIENT: i32 = 60301;
    /// The signature is missing, malformed or wrong.
    pub const BAD_SIGNATURE: i32 = 60302;
    /// The signature's time is too far off; `datas.serverTime` is the server time (Unix ms).
    pub const STALE: i32 = 60303;
    /// The signature was used before.
    pub const REPLAYED: i32 = 60304;
    /// The owner field names another user than the token.
    pub const FOREIGN: i32 = 60403;
    /// The service of this call is not open yet.
    pub const NOT_OPEN: i32 = 60404;
}
