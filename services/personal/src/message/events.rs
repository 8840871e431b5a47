//! Messages created from events.

use proto::auth::v1::{
    AccountSecured, CertificationDecided, ExportFinished, InvitationQualified, SessionOpened,
};
use proto::order::v1::{OrderEnded, OrderPaid};
use proto::payment::v1::{RefundSucceeded, WithdrawalChanged};
use proto::personal::v1::FeedbackAnswered;
use proto::process::v1::{CheckFinished, ResultFinished};
use proto::transaction::v1::{ModelerChanged, PersonTold};
use proto::{matchup, works};
use serde_json::json;

use super::NewMessage;
use crate::entity::chat_line;

/// Messages to the maker of a listing, who has a page of it.
const LISTING_KINDS: [&str; 7] = [
    "listingApproved",
    "changeApproved",
    "listingChanges",
    "listingRefused",
    "listingFailed",
    "listingTakenDown",
    "listingRestored",
];
/// Opens the user's own feedback with its answers.
const MY_FEEDBACK: &str = "/helpCenter?ask=myFeedback";

pub(crate) fn checked(event: &CheckFinished) -> NewMessage {
    let ready = event.status == "ready";
    NewMessage {
        login_id: event.login_id.clone(),
        // Each check-up of a file ends at another time.
        event: format!("check:{}:{}", event.file_id, event.finished_at_ms),
        group: "modelProcessing",
        kind: if ready { "checkReady" } else { "checkFailed" },
        params: json!({"file": event.file_name}),
        link: "/workbench/myUpload".to_owned(),
        at: event.finished_at_ms,
    }
}

pub(crate) fn finished(event: &ResultFinished) -> NewMessage {
    let done = event.status == "done";
    NewMessage {
        login_id: event.login_id.clone(),
        event: format!("result:{}:{}", event.result_id, event.finished_at_ms),
        group: "modelProcessing",
        kind: if done { "resultDone" } else { "resultFailed" },
        params: json!({"file": event.file_name, "service": event.service_type}),
        link: "/workbench/myUpload".to_owned(),
        at: event.finished_at_ms,
    }
}

pub(crate) fn paid(event: &OrderPaid) -> NewMessage {
    NewMessage {
        login_id: event.owner.clone(),
        event: format!("paid:{}", event.order_id),
        group: "modelTrading",
        kind: match event.pay_method.as_str() {
            "memberFree" => "orderCounted",
            _ => "orderPaid",
        },
        params: json!({"orderNo": event.order_no, "amount": event.payable}),
        link: "/workbench/myOrder".to_owned(),
        at: event.paid_at_ms,
    }
}

pub(crate) fn ended(event: &OrderEnded) -> NewMessage {
    let expired = event.state == "expired";
    NewMessage {
        login_id: event.owner.clone(),
        event: format!("ended:{}", event.order_id),
        group: "modelTrading",
        kind: if expired {
            "orderExpired"
        } else {
            "orderCancelled"
        },
        params: json!({"orderNo": event.order_no}),
        link: "/workbench/myOrder".to_owned(),
        at: event.ended_at_ms,
    }
}

pub(crate) fn refunded(event: &RefundSucceeded) -> NewMessage {
    NewMessage {
        login_id: event.owner.clone(),
        event: format!("refund:{}", event.refund_id),
        group: "modelTrading",
        // An amount of 0: only free counts are returned.
        kind: match event.amount {
            0 => "countReturned",
            _ => "refunded",
        },
        params: json!({"amount": event.amount}),
        link: "/workbench/myOrder".to_owned(),
        at: event.succeeded_at_ms,
    }
}

/// None: the device is known, or it is the account's first one.
pub(crate) fn opened(event: &SessionOpened) -> Option<NewMessage> {
    event.new_device.then(|| NewMessage {
        login_id: event.login_id.clone(),
        event: format!("session:{}", event.session_id),
        group: "systemInformation",
        kind: "newDevice",
        params: json!({"device": event.device, "address": event.remote_addr}),
        link: "/workbench/account/accountManagement".to_owned(),
        at: event.at_ms,
    })
}

pub(crate) fn secured(event: &AccountSecured) -> NewMessage {
    NewMessage {
        login_id: event.login_id.clone(),
        event: format!("secured:{}:{}", event.what, event.at_ms),
        group: "systemInformation",
        kind: "secured",
        params: json!({"what": event.what}),
        link: "/workbench/account/accountManagement".to_owned(),
        at: event.at_ms,
    }
}

pub(crate) fn exported(event: &ExportFinished) -> NewMessage {
    NewMessage {
        login_id: event.login_id.clone(),
        event: format!("export:{}", event.export_id),
        group: "systemInformation",
        kind: match event.ready {
            true => "exportReady",
            false => "exportFailed",
        },
        params: json!({"until": event.expires_at_ms}),
        link: "/workbench/account/accountManagement".to_owned(),
        at: event.at_ms,
    }
}

pub(crate) const CHAT_ANSWERED: &str = "chatAnswered";

/// Support has answered; read once the conversation is.
pub(crate) fn chat_answered(login_id: &str, line: &chat_line::Model) -> NewMessage {
    NewMessage {
        login_id: login_id.to_owned(),
        event: format!("chat:{}", line.id),
        group: "systemInformation",
        kind: CHAT_ANSWERED,
        params: json!({"answer": start_of(&line.content)}),
        link: "/helpCenter?ask=chat".to_owned(),
        at: line.created_at,
    }
}

/// Coins of an invitation have arrived.
pub(crate) fn invited(event: &InvitationQualified) -> NewMessage {
    NewMessage {
        login_id: event.login_id.clone(),
        event: format!("invitation:{}:{}", event.invitation_id, event.side),
        group: "systemInformation",
        kind: "invitationRewarded",
        params: json!({"side": event.side, "cents": event.cents}),
        link: "/workbench/account/myExtension".to_owned(),
        at: event.qualified_at_ms,
    }
}

/// The first 200 characters; … stands for the rest.
fn start_of(text: &str) -> String {
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The answer to feedback, cut to 200 characters.
pub(crate) fn answered(event: &FeedbackAnswered) -> NewMessage {
    NewMessage {
        login_id: event.login_id.clone(),
        event: format!("feedback:{}:{}", event.feedback_id, event.answered_at_ms),
        group: "systemInformation",
        kind: "feedbackAnswered",
        params: json!({"answer": start_of(&event.content)}),
        link: MY_FEEDBACK.to_owned(),
        at: event.answered_at_ms,
    }
}

pub(crate) fn feedback_closed(login_id: &str, id: &str, at: i64) -> NewMessage {
    NewMessage {
        login_id: login_id.to_owned(),
        event: format!("feedback:{id}:closed"),
        group: "systemInformation",
        kind: "feedbackClosed",
        params: json!({}),
        link: MY_FEEDBACK.to_owned(),
        at,
    }
}

/// None: an unknown kind, published by a newer version of the mall.
pub(crate) fn message_of(event: &PersonTold) -> Option<NewMessage> {
    let detail = format!("/transaction/detail?id={}", event.listing_id);
    let (group, kind, link) = match event.what.as_str() {
        "modelReviewed" => ("comments", "modelReviewed", detail),
        "reviewAnswered" => ("replies", "reviewAnswered", detail),
        "reviewHidden" => ("systemInformation", "reviewHidden", detail),
        "versionAdded" => (
            "modelTrading",
            "versionAdded",
            "/workbench/myModel".to_owned(),
        ),
        // It has no page any more.
        "listingRemoved" => (
            "modelTrading",
            "listingRemoved",
            "/publishCenter".to_owned(),
        ),
        what => {
            let kind = LISTING_KINDS.iter().find(|kind| **kind == what)?;
            let own = format!("/publishCenter/details?listingId={}", event.listing_id);
            ("modelTrading", *kind, own)
        }
    };
    Some(NewMessage {
        login_id: event.login_id.clone(),
        event: format!("{kind}:{}:{}", event.thing_id, event.at_ms),
        group,
        kind,
        params: json!({"model": event.name, "reason": event.reason}),
        link,
        at: event.at_ms,
    })
}

/// None: an unknown kind, published by a newer version of works.
pub(crate) fn of_work(event: &works::v1::PersonTold) -> Option<NewMessage> {
    let (group, kind) = match event.what.as_str() {
        "workCommented" => ("comments", "workCommented"),
        "commentAnswered" => ("replies", "commentAnswered"),
        "commentHidden" => ("systemInformation", "commentHidden"),
        "workApproved" => ("systemInformation", "workApproved"),
        "workRefused" => ("systemInformation", "workRefused"),
        "workHidden" => ("systemInformation", "workHidden"),
        _ => return None,
    };
    Some(NewMessage {
        login_id: event.login_id.clone(),
        event: format!("{kind}:{}:{}", event.thing_id, event.at_ms),
        group,
        kind,
        params: json!({"work": event.name, "reason": event.reason}),
        link: event.prev_path.clone(),
        at: event.at_ms,
    })
}

/// None: an unknown kind, published by a newer version of matchup.
pub(crate) fn of_matchup(event: &matchup::v1::PersonTold) -> Option<NewMessage> {
    let kind = super::matchup::KINDS
        .iter()
        .find(|kind| **kind == event.what)?;
    Some(NewMessage {
        login_id: event.login_id.clone(),
        event: format!("{kind}:{}:{}", event.thing_id, event.at_ms),
        group: "systemInformation",
        kind,
        params: json!({"demand": event.name, "reason": event.reason}),
        link: event.prev_path.clone(),
        at: event.at_ms,
    })
}

/// A page for each kind shows its state, the cause, and the way to another try.
pub(crate) fn certification(event: CertificationDecided) -> NewMessage {
    let page = match event.kind.as_str() {
        "enterprise" => "/workbench/information/firm",
        "developer" => "/workbench/authInfo?nowType=MAKE_MODEL",
        _ => "/workbench/information",
    };
    let kind = match event.approved {
        true => "certified",
        false => "notCertified",
    };
    NewMessage {
        login_id: event.login_id,
        event: format!("certification:{}", event.certification_id),
        group: "systemInformation",
        kind,
        params: json!({"kind": event.kind, "cause": event.cause}),
        link: page.to_owned(),
        at: event.decided_at_ms,
    }
}

/// None: the user's own action.
pub(crate) fn modeler(event: &ModelerChanged) -> Option<NewMessage> {
    let kind = match event.action.as_str() {
        "approved" => "modelerApproved",
        "refused" => "modelerRefused",
        "frozen" => "modelerFrozen",
        "unfrozen" => "modelerUnfrozen",
        _ => return None,
    };
    Some(NewMessage {
        login_id: event.login_id.clone(),
        event: format!("modeler:{}:{}", event.login_id, event.version),
        group: "modelApply",
        kind,
        params: json!({"cause": event.reason}),
        link: "/workbench/modelMaker".to_owned(),
        at: event.changed_at_ms,
    })
}

/// None: still in progress, or ended by the user.
pub(crate) fn withdrawn(event: &WithdrawalChanged) -> Option<NewMessage> {
    let kind = match event.state.as_str() {
        "paid" => "withdrawalPaid",
        "refused" => "withdrawalRefused",
        "failed" => "withdrawalFailed",
        _ => return None,
    };
    Some(NewMessage {
        login_id: event.owner.clone(),
        event: format!("withdrawal:{}", event.withdrawal_id),
        group: "modelTrading",
        kind,
        params: json!({
            "amount": event.amount,
            "arrives": event.amount - event.fee,
            "bank": event.bank_name,
            "last4": event.last4,
            "cause": event.reason,
        }),
        link: "/workbench/account/accountWithdrawals".to_owned(),
        at: event.changed_at_ms,
    })
}

pub(crate) fn picture_decided(
    login_id: &str,
    case: &str,
    accepted: bool,
    cause: &str,
    at: i64,
) -> NewMessage {
    NewMessage {
        login_id: login_id.to_owned(),
        event: format!("review:{case}"),
        group: "systemInformation",
        kind: match accepted {
            true => "pictureAccepted",
            false => "pictureRefused",
        },
        params: json!({"cause": if accepted { "" } else { cause }}),
        link: String::new(),
        at,
    }
}

pub(crate) fn text_refused(
    login_id: &str,
    case: &str,
    place: &str,
    cause: &str,
    at: i64,
) -> NewMessage {
    NewMessage {
        login_id: login_id.to_owned(),
        event: format!("review:{case}"),
        group: "systemInformation",
        kind: "textRefused",
        params: json!({"place": place, "cause": cause}),
        link: String::new(),
        at,
    }
}
