//! xuanlan-gateway
