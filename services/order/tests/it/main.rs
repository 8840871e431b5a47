//! The service against real backends.
