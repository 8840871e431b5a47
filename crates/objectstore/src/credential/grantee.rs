//! For whom credentials and links are.

use std::time::Duration;

/// Longest life of a link that ends with a session; the store remembers ended sessions for longer.
pub const MAX_LINK_LIFE: Duration = Duration::from_secs(3600);

/// A signed-in user. What is issued to one ends with the session.
#[derive(Debug, Clone, Copy)]
pub struct Grantee<'a> {
    /// User id.
    pub user: &'a str,
    /// Session id, which stays when the session's token is renewed. Empty: none, what is issued ends by its time alone.
    pub session: &'a str,
    /// What is left of the session's life; `None`: not known.
    pub left: Option<Duration>,
}

impl<'a> Grantee<'a> {
    /// A user without a session.
    pub fn without_session(user: &'a str) -> Self {
        Self {
            user,
            session: "",
            left: None,
        }
    }

    /// At most `wanted`, in whole seconds, and no longer than the session.
    pub(crate) fn life(&self, wanted: Duration) -> Duration {
        let life = self.left.map_or(wanted, |left| left.min(wanted));
        Duration::from_secs(life.as_secs().max(1))
    }
}
