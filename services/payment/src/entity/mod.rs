//! The tables.

pub mod account;
pub mod attempt;
pub mod bank_card;
pub mod earning;
pub mod entry;
pub mod hold;
pub mod ledger_transaction;
pub mod misfit;
pub mod operator_log;
pub mod order_version;
pub mod refund;
pub mod settlement;
pub mod statement;
pub mod withdrawal;
