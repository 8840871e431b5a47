//! xuanlan-chassis
