//! Certifications and invitations as the console's calls show and decide them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chassis::failpoint::Failure;
use image::ImageFormat;
use proto::auth::v1::certification_console_api_client::CertificationConsoleApiClient;
use proto::auth::v1::invitation_console_api_client::InvitationConsoleApiClient;

use super::*;
use crate::certification::{by_command, enterprise, form, id_card, mine, submit};
use crate::world::{Person, refusal};

impl World {
    fn desk(&self) -> CertificationConsoleApiClient<Routes> {
        CertificationConsoleApiClient::new(self.routes())
    }

    fn pairs(&self) -> InvitationConsoleApiClient<Routes> {
        InvitationConsoleApiClient::new(self.routes())
    }

    async fn queue(
        &self,
        agent: &Agent,
        form: CertificationQueueRequest,
    ) -> CertificationQueueReply {
        let request = self.by(agent, form).await;
        let found = self.desk().certification_queue(request).await;
        found.unwrap().into_inner()
    }

    async fn shown(&self, agent: &Agent, id: &str) -> CertificationShowReply {
        let request = self.by(agent, CertificationShowRequest { id: id.to_owned() });
        let found = self.desk().certification_show(request.await).await;
        found.unwrap().into_inner()
    }

    async fn list(&self, agent: &Agent, form: InvitationListRequest) -> InvitationListReply {
        let request = self.by(agent, form).await;
        let found = self.pairs().invitation_list(request).await;
        found.unwrap().into_inner()
    }
}

/// Submitted by a person and an enterprise; the queue, a view of each part, a claim, a refusal and an approval.
pub async fn certifications(world: &World, anna: &Agent, seen: &mut Seen) {
    let person = world.register("13900000011", "xuanlan1").await;
    let firm = world.register("13900000012", "xuanlan1").await;
    let number = id_card("19900307", 12);
    let filled = form(world, &person, &number).await;
    submit(world, &person, filled.clone()).await.unwrap();
    world.advance_seconds(1);
    enterprise(world, &firm).await.unwrap();

    // Oldest first, page by page, masked; filters by kind and account.
    let first = CertificationQueueRequest {
        size: 1,
        ..Default::default()
    };
    let page = world.queue(anna, first.clone()).await;
    assert_eq!((page.waiting, page.items.len()), (2, 1));
    assert_eq!(page.items[0].login_id, person.login_id);
    assert_eq!(page.oldest_at, page.items[0].submitted_at);
    assert!(!page.items[0].number.contains(&number[3..10]));
    let after = CertificationQueueRequest {
        after: page.next,
        ..first
    };
    let second = world.queue(anna, after).await;
    assert_eq!(
        (second.items[0].login_id.as_str(), second.next.as_str()),
        (firm.login_id.as_str(), "")
    );
    for (kind, state, count) in [
        ("enterprise", "", 1),
        ("developer", "all", 0),
        ("", "approved", 0),
        ("", "all", 2),
    ] {
        let narrowed = CertificationQueueRequest {
            kind: kind.to_owned(),
            state: state.to_owned(),
            ..Default::default()
        };
        assert_eq!(world.queue(anna, narrowed).await.items.len(), count);
    }
    for (kind, state, after) in [("x", "", ""), ("", "preparing", ""), ("", "", "x")] {
        let wrong = CertificationQueueRequest {
            kind: kind.to_owned(),
            state: state.to_owned(),
            after: after.to_owned(),
            ..Default::default()
        };
        let request = world.by(anna, wrong).await;
        let wrong = world.desk().certification_queue(request).await;
        assert_eq!(refused(&wrong.unwrap_err()), code::INVALID);
    }

    let id = page.items[0].id.clone();
    let claim = |release| CertificationClaimRequest {
        id: id.clone(),
        release,
    };
    let held = deed!(
        world,
        anna,
        seen,
        "K74",
        CertificationConsoleApiClient.certification_claim(claim(false))
    );
    assert_eq!(held.claimed_by, anna.name);
    let shown = world.shown(anna, &id).await;
    assert_eq!(shown.parts, ["details", "front", "back"]);
    assert_eq!((shown.check_status, shown.history.len()), (0, 0));

    // In clear, and a picture with the reviewer's name over it: one entry each.
    let reveal = |part: &str| CertificationRevealRequest {
        id: id.clone(),
        part: part.to_owned(),
    };
    let details = deed!(
        world,
        anna,
        seen,
        "K73",
        CertificationConsoleApiClient.certification_reveal(reveal("details"))
    );
    let stated: Vec<_> = details
        .fields
        .iter()
        .map(|field| field.value.as_str())
        .collect();
    assert_eq!(stated, ["张三丰", number.as_str()]);
    let front = deed!(
        world,
        anna,
        seen,
        "K73",
        CertificationConsoleApiClient.certification_reveal(reveal("front"))
    );
    let bytes = STANDARD.decode(front.picture).unwrap();
    assert_eq!(image::guess_format(&bytes).unwrap(), ImageFormat::Jpeg);
    let picture = image::load_from_memory(&bytes).unwrap().to_luma8();
    let marked = picture
        .pixels()
        .filter(|point| (80..160).contains(&point.0[0]));
    assert!(marked.count() > 2_000, "a name over a ground of shade 30");
    let before = world.rows("audit").await;
    let request = world.by(anna, reveal("license")).await;
    let missing = world.desk().certification_reveal(request).await;
    assert_eq!(refused(&missing.unwrap_err()), code::NOT_FOUND);
    assert_eq!(world.rows("audit").await, before, "nothing was seen");

    // Killed between the effect and its entry: neither stays.
    let decide = |approve, reason: &str| CertificationDecideRequest {
        id: id.clone(),
        approve,
        reason: reason.to_owned(),
        ..Default::default()
    };
    let fail = &world.context.fail;
    fail.arm("auth.certification.deciding", Failure::Error, 1);
    let request = world.by(anna, decide(true, "证件清晰")).await;
    assert!(world.desk().certification_decide(request).await.is_err());
    assert_eq!(world.rows("audit").await, before);
    assert_eq!(
        world.shown(anna, &id).await.item.unwrap().state,
        "submitted"
    );

    // The refusal's reason is shown to the owner; the next try is claimed from the command line.
    let refusal_of = decide(false, "证件照片不清晰");
    deed!(
        world,
        anna,
        seen,
        "K70",
        CertificationConsoleApiClient.certification_decide(refusal_of)
    );
    let reply = mine(world, &person).await.certifications.remove(0);
    assert_eq!(reply.cause.as_deref(), Some("证件照片不清晰"));
    let again = form(world, &person, &number).await;
    submit(world, &person, again).await.unwrap();
    let id = mine(world, &person).await.certifications[0].id.clone();
    let desk = crate::certification::operators(world);
    desk.claim(&id, false, &by_command("bert")).await.unwrap();
    let decide = CertificationDecideRequest {
        id: id.clone(),
        approve: true,
        reason: "证件清晰".to_owned(),
        ..Default::default()
    };
    let request = world.by(anna, decide.clone()).await;
    let taken = world.desk().certification_decide(request).await;
    assert_eq!(
        refusal(&taken.unwrap_err()),
        (code::CONFLICT, "bert正在审核该认证".to_owned())
    );
    desk.claim(&id, true, &by_command("bert")).await.unwrap();
    deed!(
        world,
        anna,
        seen,
        "K70",
        CertificationConsoleApiClient.certification_decide(decide)
    );
    let shown = world.shown(anna, &id).await;
    assert_eq!((shown.check_status, shown.history.len()), (1, 1));
    assert!(shown.pictures_until > 0);
    let request = world.by(anna, claim(true)).await;
    let late = world.desk().certification_claim(request).await;
    assert_eq!(refused(&late.unwrap_err()), code::CONFLICT);
}

/// Two held pairs from one address: one is released, the other refused.
pub async fn invitations(world: &World, anna: &Agent, seen: &mut Seen) {
    let host = world.register("13900000021", "xuanlan1").await;
    let code = world.extension(&host).await.invite_code;
    let address = world.address_of(&host).await;
    let mut guests: Vec<Person> = Vec::new();
    for phone in ["13900000022", "13900000023", "13900000024"] {
        guests.push(world.register(phone, "xuanlan1").await);
    }
    for (guest, from) in guests.iter().zip([address.as_str(), &address, "127.0.0.1"]) {
        world.bring_from(guest, &code, from).await.unwrap();
        world.advance_seconds(1);
    }
    for guest in &guests[..2] {
        world.uploaded(&guest.phone, guest).await;
    }
    let asked = |state: &str, suspicion: &str| InvitationListRequest {
        state: state.to_owned(),
        suspicion: suspicion.to_owned(),
        ..Default::default()
    };
    let held = eventually("both are held", || async {
        let found = world.list(anna, asked("held", "")).await;
        (found.waiting == 2).then_some(found)
    })
    .await;
    assert_eq!(
        held.items[0].invitee.as_ref().unwrap().login_id,
        guests[0].login_id
    );
    assert_eq!(held.oldest_at, held.items[0].created_at);
    for (state, suspicion, count) in [
        ("", "", 3),
        ("", "any", 2),
        ("", "address", 2),
        ("", "device", 0),
        ("pending", "", 1),
    ] {
        let found = world.list(anna, asked(state, suspicion)).await.items;
        assert_eq!(found.len(), count, "{state} {suspicion}");
    }
    let wrong = world.by(anna, asked("", "moon")).await;
    let wrong = world.pairs().invitation_list(wrong).await;
    assert_eq!(refused(&wrong.unwrap_err()), code::INVALID);
    let one = InvitationListRequest {
        login_id: guests[2].login_id.clone(),
        size: 1,
        ..Default::default()
    };
    assert_eq!(world.list(anna, one).await.items.len(), 1);

    let show = InvitationShowRequest {
        id: held.items[0].id.clone(),
    };
    let request = world.by(anna, show).await;
    let shown = world.pairs().invitation_show(request).await;
    let shown = shown.unwrap().into_inner();
    assert_eq!(
        (
            shown.inviter_pairs,
            shown.inviter_pairs_day,
            shown.inviter_held
        ),
        (3, 3, 2)
    );
    assert!(shown.chain.is_empty() && shown.inviter_since > 0);

    let decide = |at: usize| InvitationDecideRequest {
        id: held.items[at].id.clone(),
        reason: "核实为同一家庭".to_owned(),
    };
    deed!(
        world,
        anna,
        seen,
        "K77",
        InvitationConsoleApiClient.invitation_release(decide(0))
    );
    deed!(
        world,
        anna,
        seen,
        "K78",
        InvitationConsoleApiClient.invitation_refuse(decide(1))
    );
    let request = world.by(anna, decide(1)).await;
    let late = world.pairs().invitation_release(request).await;
    assert_eq!(refused(&late.unwrap_err()), code::CONFLICT);
    let request = world.by(anna, Empty {}).await;
    let figures = world.pairs().invitation_figures(request).await;
    let figures = figures.unwrap().into_inner();
    assert_eq!(
        (
            figures.pending,
            figures.held,
            figures.qualified,
            figures.refused
        ),
        (1, 0, 1, 1)
    );
    let month = figures.months.last().unwrap();
    assert_eq!(
        (figures.months.len(), month.brought, month.qualified),
        (12, 3, 1)
    );
}
