//! Call requests.

use proto::code;
use proto::personal::v1::lead_api_client::LeadApiClient;
use proto::personal::v1::lead_console_api_client::LeadConsoleApiClient;
use proto::personal::v1::*;

use super::{Desk, reason};

async fn list(desk: &Desk, state: &str, keyword: &str, after: String) -> LeadListReply {
    let form = LeadListRequest {
        state: state.to_owned(),
        keyword: keyword.to_owned(),
        after,
        size: 1,
    };
    let mut client = LeadConsoleApiClient::new(desk.channel());
    client
        .lead_list(desk.by(form))
        .await
        .expect("a list")
        .into_inner()
}

pub async fn leads(desk: &Desk) {
    let running = &desk.running;
    let mut public = LeadApiClient::new(desk.channel());
    for (number, company) in [(0, "北岸机械"), (1, "100% 模型")] {
        running.test.parts.clock.advance_ms(1);
        let form = ApplicationRecord {
            company_name: company.to_owned(),
            contact_name: "周宁".to_owned(),
            contact_phone: format!("1380013800{number}"),
            demand: "整理两千个零件".to_owned(),
            visitor_id: format!("visitor0000000000{number}"),
        };
        let saved = public.save_application_record(running.by("", form)).await;
        saved.expect("saved");
    }
    // New leads oldest first, others newest first.
    let first = list(desk, "new", "", String::new()).await;
    let lead = first.leads[0].clone();
    assert_eq!(
        (
            lead.company_name.as_str(),
            lead.phone_masked.as_str(),
            first.waiting
        ),
        ("北岸机械", "138****8000", 2)
    );
    assert_eq!(first.waiting_since, lead.created_at);
    let second = list(desk, "new", "", first.next).await;
    assert_eq!(
        (second.leads[0].company_name.as_str(), second.next.as_str()),
        ("100% 模型", "")
    );
    assert_eq!(
        list(desk, "", "", String::new()).await.leads[0].company_name,
        "100% 模型"
    );
    let found = list(desk, "", "0%", String::new()).await;
    assert_eq!(
        (found.leads[0].company_name.as_str(), found.next.as_str()),
        ("100% 模型", "")
    );
    assert!(list(desk, "", "%机", String::new()).await.leads.is_empty());

    let mut client = LeadConsoleApiClient::new(desk.channel());
    let one = || {
        desk.by(LeadRequest {
            id: lead.id.clone(),
        })
    };
    let shown = client.lead_show(one()).await.expect("shown").into_inner();
    assert_eq!(
        (shown.demand.as_str(), shown.note.as_str()),
        ("整理两千个零件", "")
    );
    let phone = desk.deed("K264", client.lead_phone(one())).await.phone;
    assert_eq!(phone, "13800138000");

    let moving = |known: &str, state: &str, note: &str| {
        desk.by(LeadMoveRequest {
            id: lead.id.clone(),
            known_state: known.to_owned(),
            state: state.to_owned(),
            note: note.to_owned(),
        })
    };
    let moved = desk
        .deed(
            "K265",
            client.lead_move(moving("new", "contacted", "周四再打")),
        )
        .await;
    let after = moved.lead.expect("a lead");
    assert_eq!(
        (
            after.state.as_str(),
            after.operator.as_str(),
            moved.note.as_str()
        ),
        ("contacted", "anna", "周四再打")
    );
    let late = desk
        .refused(client.lead_move(moving("new", "closed", "")))
        .await;
    assert_eq!(late, code::CONFLICT, "somebody has moved it");
    let back = desk
        .refused(client.lead_move(moving("contacted", "new", "")))
        .await;
    assert_eq!(back, code::CONFLICT);
    let wrong = desk
        .refused(client.lead_move(moving("contacted", "sold", "")))
        .await;
    assert_eq!(wrong, code::INVALID);
    let noted = desk
        .deed(
            "K265",
            client.lead_move(moving("contacted", "contacted", "已约")),
        )
        .await;
    assert_eq!(noted.note, "已约");
    desk.deed(
        "K265",
        client.lead_move(moving("contacted", "closed", "已签")),
    )
    .await;
    // A closed lead makes room: the same visitor may apply again.
    let asked = IsSubmittedRequest {
        visitor_id: "visitor00000000000".to_owned(),
    };
    let asked = public.is_submitted(running.by("", asked)).await;
    assert!(!asked.expect("answered").into_inner().submitted);

    let remove = || {
        let (id, reason) = (lead.id.clone(), reason());
        desk.by(LeadRemoveRequest { id, reason })
    };
    desk.deed("K266", client.lead_remove(remove())).await;
    assert_eq!(
        desk.refused(client.lead_remove(remove())).await,
        code::NOT_FOUND
    );
    assert_eq!(
        desk.refused(client.lead_phone(one())).await,
        code::NOT_FOUND
    );
}
