//! The ledger and the service's own parts against real backends.

mod invitations;
mod ledger;
mod units;
mod withdrawals;
