//! The demo's accounts. Their passwords are in the README, so they belong to trials that only this machine or its private
//! network reaches.

use std::time::Duration;

use chassis::Context;
use xl_auth::admin::{AccountSpec, add_account, retire_password};

/// Phone numbers and passwords; the README names them.
const ACCOUNTS: [(&str, &str); 2] = [("13800000001", "xuanlan1"), ("13800000002", "xuanlan2")];

/// Longest wait for an account's profile, and pause between two looks.
pub(super) const PROFILE_PATIENCE: Duration = Duration::from_secs(60);
pub(super) const PERIOD: Duration = Duration::from_millis(250);

/// Cents of cloud coins that each account begins with.
const COINS: i64 = 300_000;

/// Adds the accounts, each with coins so that everything can be bought from the start. What exists is kept. Returns the login
/// id of the first one, who owns the demo's models.
pub async fn add(auth: &Context, payment: &Context) -> anyhow::Result<String> {
    let [owner, other] = ACCOUNTS;
    let (owner, _) =
        tokio::try_join!(add_one(auth, payment, owner), add_one(auth, payment, other))?;
    Ok(owner)
}

async fn add_one(
    auth: &Context,
    payment: &Context,
    (phone, password): (&str, &str),
) -> anyhow::Result<String> {
    let spec = AccountSpec {
        phone: phone.to_owned(),
        password: password.to_owned(),
        profession: "modeler".to_owned(),
        ..Default::default()
    };
    let added = add_account(auth, &spec).await?;
    let key = format!("demo:{}", added.login_id);
    xl_payment::admin::grant(payment, &added.login_id, COINS, &key).await?;
    Ok(added.login_id)
}

/// Closes the accounts of an earlier trial to whoever knows the README. One whose owner has changed the password stays as it is.
pub async fn retire(auth: &Context) -> anyhow::Result<()> {
    for (phone, password) in ACCOUNTS {
        if retire_password(auth, phone, password).await? {
            tracing::warn!(
                phone,
                "a demo account of an earlier trial still had its published password: it was replaced by a random one, and its \
                 sessions were ended. To use the account, set a new password: XUANLAN__DATA__DIR=<data folder> \
                 XUANLAN_PASSWORD=<new password> xuanlan auth account set-password --phone {phone}"
            );
        }
    }
    Ok(())
}

/// The random end of an id; its beginning is the time.
pub(super) fn unguessable() -> String {
    let id = chassis::ids::new_id();
    id[id.len() - 16..].to_owned()
}
