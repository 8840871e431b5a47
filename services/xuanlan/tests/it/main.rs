//! The program itself, started like a user does.

mod accounts;
mod mall;
mod site;
