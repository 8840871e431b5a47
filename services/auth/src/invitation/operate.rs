//! The commands `xuanlan auth invitation …`: operators decide rewards that look like a farm's.

use chassis::Context;
use chassis::messaging::Outbox;
use chassis::process::one_line;
use clap::Subcommand;
use proto::auth::v1::{InvitationListRequest, InvitationSide};

use super::Invitations;
use crate::console::actor::Actor;
use crate::entity::invitation::State;

/// Rows of one list.
const PAGE: i32 = 100;

#[derive(Subcommand)]
pub enum InvitationCommand {
    /// List held rewards, with the reasons.
    List,
    /// Pay both rewards.
    Release {
        id: String,
        /// Name of the operator.
        #[arg(long)]
        by: String,
        /// Reason for the audit log.
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Refuse both rewards.
    Refuse {
        id: String,
        /// Name of the operator.
        #[arg(long)]
        by: String,
        /// Reason for the audit log.
        #[arg(long, default_value = "")]
        reason: String,
    },
}

/// Runs one of the commands.
pub async fn operate(context: &Context, command: InvitationCommand) -> anyhow::Result<()> {
    let outbox = Outbox::new(context.db.clone(), context.clock.clone());
    let invitations = Invitations::new(context, &outbox)?;
    let (id, release, by, reason) = match command {
        InvitationCommand::List => return list(&invitations).await,
        InvitationCommand::Release { id, by, reason } => (id, true, by, reason),
        InvitationCommand::Refuse { id, by, reason } => (id, false, by, reason),
    };
    let actor = Actor::command("invitation", &by)?;
    invitations.decide(&id, release, &reason, &actor).await?;
    Ok(())
}

async fn list(invitations: &Invitations) -> anyhow::Result<()> {
    let mut form = InvitationListRequest {
        state: State::Held.name().to_owned(),
        size: PAGE,
        ..Default::default()
    };
    loop {
        let page = invitations.list(&form).await?;
        for row in page.items {
            let login_id = |side: Option<InvitationSide>| side.unwrap_or_default().login_id;
            let (inviter, invitee) = (login_id(row.inviter), login_id(row.invitee));
            let values = [row.id, inviter, invitee, row.suspicion.join("；")];
            println!("{}", values.map(|value| one_line(&value)).join("\t"));
        }
        if page.next.is_empty() {
            return Ok(());
        }
        form.after = page.next;
    }
}
