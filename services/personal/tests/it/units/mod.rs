//! Tests of the library's private functions, through `internals`.

mod feedback_annex;
mod leads;
mod membership_terms;
mod message_matchup;
mod pictures_address;
mod pictures_judge;
mod pictures_sweep;
mod profile_nicknames;
