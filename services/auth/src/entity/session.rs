//! A signed-in browser: its token is kept as a hash only.

use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// How the session was opened.
    pub enum Method {
        Password = "password",
        Sms = "sms",
        Register = "register",
        WeChat = "wechat",
        Qq = "qq",
        /// A session that an earlier version opened.
        Unknown = "unknown",
    }
}

chassis::column_enum! {
    /// The kind of device that signed in.
    pub enum Kind {
        Desktop = "desktop",
        Mobile = "mobile",
        /// A program, or an unknown browser.
        Other = "other",
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "session")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub login_id: String,
    /// Lower-case hex SHA-256 of the token.
    #[sea_orm(unique)]
    pub token_hash: String,
    /// Address that signed in.
    pub remote_addr: String,
    /// When it was opened, which its absolute end counts from.
    pub created_at: i64,
    pub expires_at: i64,
    /// Within ten minutes of the last call.
    pub last_seen_at: i64,
    pub kind: Kind,
    pub method: Method,
    /// The browser's user agent.
    pub user_agent: String,
    /// Id of the known device; empty for a session that an earlier version opened.
    pub device: String,
    /// Until when it may change ways into the account.
    pub confirmed_until: i64,
}

chassis::owned!(LoginId);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
