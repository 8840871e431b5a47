//! Pushes to browsers: STOMP 1.2 over WebSocket. A push may be lost; clients can always query the state.

pub mod connection;
pub mod frame;
pub mod hub;
