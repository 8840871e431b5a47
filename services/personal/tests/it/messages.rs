//! Messages, announcements, follows, popups.

use chassis::testing::{eventually, shapes};
use proto::auth::v1::{AccountRegistered, CertificationChanged, SessionOpened};
use proto::code;
use proto::common::v1::Push;
use proto::order::v1::{OrderEnded, OrderPaid};
use proto::payment::v1::RefundSucceeded;
use proto::personal::v1::attention_api_client::AttentionApiClient;
use proto::personal::v1::member_popup_api_client::MemberPopupApiClient;
use proto::personal::v1::message_api_client::MessageApiClient;
use proto::personal::v1::*;
use proto::process::v1::{CheckFinished, ResultFinished};
use tokio::sync::broadcast::Receiver;
use xl_personal::publication::{Kind, Saved};

use super::{Running, code_of, op};

impl Running {
    pub async fn register_at(&self, user: &str, at: i64) {
        let registered = AccountRegistered {
            login_id: user.to_owned(),
            account_number: format!("no-{user}"),
            registered_at_ms: at,
            ..Default::default()
        };
        self.publish(&format!("r-{user}"), &registered).await;
        eventually("the account is known", || async {
            let request = self.by(user, UserRequest::default());
            let info = self.profile().query_info(request).await.unwrap();
            (!info.into_inner().account_number.is_empty()).then_some(())
        })
        .await;
    }

    fn inbox(&self) -> MessageApiClient<tonic::transport::Channel> {
        MessageApiClient::new(self.channel())
    }

    pub async fn listed(&self, user: &str, group: &str) -> MessagePage {
        let request = MessageListRequest {
            group: group.to_owned(),
            ..Default::default()
        };
        let page = self.inbox().list_messages(self.by(user, request)).await;
        page.unwrap().into_inner()
    }

    async fn flags(&self, user: &str) -> (bool, bool) {
        let request = self.by(user, UserRequest::default());
        let flags = self.inbox().query_message_is_read(request).await;
        let flags = flags.unwrap().into_inner();
        (flags.isread_all_message, flags.isread_message)
    }

    async fn attend(&self, user: &str, request: AttentionRequest) -> Result<AttentionReply, i32> {
        let mut client = AttentionApiClient::new(self.channel());
        let answer = client.attention(self.by(user, request)).await;
        answer.map(|it| it.into_inner()).map_err(|it| code_of(&it))
    }
}

fn to(operation: &str, target: &str) -> AttentionRequest {
    AttentionRequest {
        operation: operation.to_owned(),
        target_id: target.to_owned(),
        ..Default::default()
    }
}

fn now_shown(content: serde_json::Value) -> Saved {
    Saved {
        content: content.to_string(),
        starts_at: 0,
        ends_at: 0,
        position: 0,
    }
}

/// MS001, MS002, MS003, AM076: each event gives one message in its own group; the flags follow.
#[tokio::test]
async fn events_become_messages_once() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        running.register_at("u1", 5).await;
        assert_eq!(running.flags("u1").await, (true, true));
        let mut pushes = running.test.parts.bus.pushes();
        let name = "<img src=x onerror=alert(1)>.glb";
        let checked = CheckFinished {
            file_id: "f1".into(),
            login_id: "u1".into(),
            status: "ready".into(),
            file_name: name.into(),
            finished_at_ms: 10,
            ..Default::default()
        };
        // The same event again, and the same fact under another event id.
        for id in ["c1", "c1", "c2"] {
            running.publish(id, &checked).await;
        }
        let done = ResultFinished {
            result_id: "s1".into(),
            login_id: "u1".into(),
            status: "failed".into(),
            service_type: "convert".into(),
            file_name: "泵.stp".into(),
            finished_at_ms: 11,
            ..Default::default()
        };
        running.publish("s1", &done).await;
        let paid = OrderPaid {
            order_id: "o1".into(),
            order_no: "XL1".into(),
            owner: "u1".into(),
            payable: 12_305,
            paid_at_ms: 12,
            ..Default::default()
        };
        running.publish("o1", &paid).await;
        let ended = OrderEnded {
            order_id: "o2".into(),
            order_no: "XL2".into(),
            owner: "u1".into(),
            state: "expired".into(),
            ended_at_ms: 13,
        };
        running.publish("o2", &ended).await;
        let refunded = RefundSucceeded {
            refund_id: "b1".into(),
            owner: "u1".into(),
            amount: 5,
            succeeded_at_ms: 14,
            ..Default::default()
        };
        running.publish("b1", &refunded).await;
        for (id, new_device) in [("i1", false), ("i2", true)] {
            let opened = SessionOpened {
                login_id: "u1".into(),
                session_id: id.into(),
                device: "Chrome · Windows".into(),
                new_device,
                at_ms: 15,
                ..Default::default()
            };
            running.publish(id, &opened).await;
        }
        let all = eventually("all are told", || async {
            let all = running.listed("u1", "").await;
            (all.total_count >= 6).then_some(all)
        })
        .await;
        let kinds: Vec<&str> = all.results.iter().map(|one| one.kind.as_str()).collect();
        assert_eq!(
            kinds,
            [
                "newDevice",
                "refunded",
                "orderExpired",
                "orderPaid",
                "resultFailed",
                "checkReady"
            ],
            "{shape:?}"
        );
        assert!(all.results[5].content.contains(name), "text stays text");
        assert!(all.results[3].content.contains("123.05 元"));
        assert_eq!(running.listed("u1", "modelTrading").await.total_count, 3);
        assert_eq!(running.listed("u1", "modelProcessing").await.total_count, 2);
        assert_eq!(running.listed("u1", "comments").await.total_count, 0);
        assert_eq!(running.listed("u2", "").await.total_count, 0);
        assert_eq!(running.flags("u1").await, (false, false));
        let pushed = eventually("the page is told", || {
            let push = pushes.try_recv();
            async move { push.ok().filter(|push| push.user_id == "u1") }
        })
        .await;
        let pushed: serde_json::Value = serde_json::from_str(&pushed.json).unwrap();
        assert_eq!(pushed["type"], "MESSAGE");
        assert!(pushed["unread"]["total"].as_i64().unwrap() > 0);

        // A stranger can neither read nor delete them.
        let ids = MessageSelection {
            ids: all.results[0].id.clone(),
            ..Default::default()
        };
        let strange = running.by("u2", ids.clone());
        running.inbox().delete_messages(strange).await.unwrap();
        assert_eq!(running.listed("u1", "").await.total_count, 6);
        let own = running.by("u1", ids.clone());
        let left = running
            .inbox()
            .read_messages(own)
            .await
            .unwrap()
            .into_inner();
        assert_eq!(left.total, 5);
        let own = running.by("u1", ids);
        running.inbox().delete_messages(own).await.unwrap();
        let rest = running.by("u1", MessageSelection::default());
        let left = running
            .inbox()
            .read_messages(rest)
            .await
            .unwrap()
            .into_inner();
        assert_eq!((left.total, running.flags("u1").await), (0, (true, true)));
        running.test.finish().await;
    }
}

/// Each kind that the mall publishes is a message with words of its own, and leads to a page.
#[tokio::test]
async fn makers_and_owners_read_what_became_of_models() {
    let kinds = [
        ("listingApproved", "/publishCenter/details?listingId=l1"),
        ("changeApproved", "/publishCenter/details?listingId=l1"),
        ("listingChanges", "/publishCenter/details?listingId=l1"),
        ("listingRefused", "/publishCenter/details?listingId=l1"),
        ("listingFailed", "/publishCenter/details?listingId=l1"),
        ("listingTakenDown", "/publishCenter/details?listingId=l1"),
        ("listingRestored", "/publishCenter/details?listingId=l1"),
        ("listingRemoved", "/publishCenter"),
        ("versionAdded", "/workbench/myModel"),
    ];
    for shape in shapes() {
        let running = Running::start(shape).await;
        running.register_at("u1", 5).await;
        for (at, (what, _)) in kinds.iter().enumerate() {
            let event = proto::transaction::v1::PersonTold {
                login_id: "u1".into(),
                what: (*what).into(),
                thing_id: "l1-1".into(),
                listing_id: "l1".into(),
                name: "直齿轮".into(),
                reason: "贴图缺失".into(),
                at_ms: at as i64 + 10,
            };
            running.publish(what, &event).await;
        }
        let all = eventually("all are told", || async {
            let all = running.listed("u1", "modelTrading").await;
            (all.total_count >= kinds.len() as i64).then_some(all)
        })
        .await;
        let titles: std::collections::BTreeSet<&str> =
            all.results.iter().map(|one| one.title.as_str()).collect();
        assert_eq!(titles.len(), kinds.len());
        for (kind, link) in kinds {
            let one = all.results.iter().find(|one| one.kind == kind);
            let one = one.unwrap_or_else(|| panic!("no message {kind}"));
            assert_eq!(one.link, link, "{kind}");
            assert!(
                one.content.contains("「直齿轮」"),
                "{kind}: {}",
                one.content
            );
            let told_why = !matches!(kind, "listingApproved" | "changeApproved");
            assert_eq!(one.content.contains("贴图缺失"), told_why, "{kind}");
        }
        running.test.finish().await;
    }
}

/// What open pages are told next about announcements: the id of a new one; empty: something about those known has changed.
async fn next_announcement(pushes: &mut Receiver<Push>) -> String {
    let push = eventually("everybody is told", || {
        let push = pushes.try_recv();
        async move { push.ok().filter(|push| push.user_id == "#everybody") }
    })
    .await;
    let told: serde_json::Value = serde_json::from_str(&push.json).unwrap();
    assert_eq!(
        (&told["type"], &told["group"]),
        (&"MESSAGE".into(), &"announcement".into())
    );
    told["id"].as_str().unwrap_or_default().to_owned()
}

/// One announcement is one row for all lists; new accounts have no old unread ones.
#[tokio::test]
async fn an_announcement_is_one_row_for_all() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let personal = running.replica().await;
        for user in ["u1", "u2"] {
            running.register_at(user, 5).await;
        }
        let mut pushes = running.test.parts.bus.pushes();
        let content =
            serde_json::json!({"title": "维护", "content": "<b>今晚</b>维护", "link": ""});
        let draft = personal
            .save_publication(None, None, Kind::Announcement, now_shown(content), &op())
            .await
            .unwrap();
        assert_eq!(running.listed("u1", "").await.total_count, 0, "a draft");
        let id = draft.publication_id;
        personal.publish(&id, draft.version, &op()).await.unwrap();
        assert_eq!(next_announcement(&mut pushes).await, id);
        for user in ["u1", "u2"] {
            let listed = running.listed(user, "announcement").await;
            assert_eq!(listed.total_count, 1, "{shape:?}");
            assert_eq!(listed.results[0].content, "<b>今晚</b>维护");
            assert_eq!(running.flags(user).await, (false, true));
        }
        let named = MessageSelection {
            ids: id.clone(),
            ..Default::default()
        };
        let read = running.by("u1", named.clone());
        running.inbox().read_messages(read).await.unwrap();
        assert_eq!(running.flags("u1").await, (true, true));
        assert_eq!(running.flags("u2").await, (false, true));
        let kept = running
            .inbox()
            .delete_messages(running.by("u1", named))
            .await;
        assert_eq!(code_of(&kept.unwrap_err()), code::INVALID);
        running.register_at("u3", i64::MAX / 2).await;
        assert_eq!(running.flags("u3").await, (true, true));

        // A correction, then restoring: neither makes it unread again.
        let content = serde_json::json!({"title": "维护", "content": "改期", "link": ""});
        let second = personal
            .save_publication(
                Some(&id),
                None,
                Kind::Announcement,
                now_shown(content),
                &op(),
            )
            .await
            .unwrap();
        personal.publish(&id, second.version, &op()).await.unwrap();
        assert_eq!(running.listed("u1", "").await.results[0].content, "改期");
        assert_eq!(next_announcement(&mut pushes).await, "", "a correction");
        personal
            .restore_publication(&id, draft.version, "", &op())
            .await
            .unwrap();
        assert_eq!(
            running.listed("u1", "").await.results[0].content,
            "<b>今晚</b>维护"
        );
        assert_eq!(running.flags("u1").await, (true, true));
        assert_eq!(next_announcement(&mut pushes).await, "", "restored");
        assert_eq!(personal.revisions(&id).await.unwrap().len(), 3);
        personal.withdraw(&id, "", &op()).await.unwrap();
        assert_eq!(next_announcement(&mut pushes).await, "", "withdrawn");
        assert_eq!(running.listed("u2", "").await.total_count, 0);
        let script =
            serde_json::json!({"title": "x", "content": "x", "link": "javascript:alert(1)"});
        let refused = personal
            .save_publication(None, None, Kind::Announcement, now_shown(script), &op())
            .await;
        assert!(refused.is_err());
        running.test.finish().await;
    }
}

#[tokio::test]
async fn people_follow_each_other() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        for user in ["u1", "u2"] {
            running.register_at(user, 5).await;
        }
        for _ in 0..2 {
            let followed = running.attend("u1", to("follow", "u2")).await.unwrap();
            assert_eq!((followed.following, followed.following_count), (true, 1));
        }
        let fans = running.attend("u2", to("fans", "")).await.unwrap();
        assert_eq!((fans.total_count, fans.results[0].following), (1, false));
        assert_eq!(fans.results[0].target_id, "u1");
        let shown = |of: &Followed| (of.account_number.clone(), of.certified.clone());
        assert_eq!(shown(&fans.results[0]), ("no-u1".to_owned(), String::new()));
        for (version, company) in [(1, ""), (2, "玄览测试有限公司")] {
            let certified = CertificationChanged {
                login_id: "u1".into(),
                version,
                check_status: 1,
                company_name: company.into(),
                ..Default::default()
            };
            running.publish(&format!("c{version}"), &certified).await;
            let expected = if company.is_empty() {
                "personal"
            } else {
                "enterprise"
            };
            eventually("the mark is shown", || async {
                let fans = running.attend("u2", to("fans", "")).await.unwrap();
                (fans.results[0].certified == expected).then_some(())
            })
            .await;
        }
        let number = AttentionRequest {
            account_number: "no-u1".into(),
            ..to("follow", "")
        };
        running.attend("u2", number).await.unwrap();
        let list = running.attend("u1", to("list", "")).await.unwrap();
        assert!(list.results[0].following && list.results[0].followed_by);
        let told = running.listed("u2", "attention").await.results;
        assert_eq!(told.len(), 1);
        let selection = MessageSelection {
            ids: told[0].id.clone(),
            ..Default::default()
        };
        let mut inbox = running.inbox();
        let deleted = inbox.delete_messages(running.by("u2", selection)).await;
        deleted.unwrap();
        running.attend("u1", to("unfollow", "u2")).await.unwrap();
        running.attend("u1", to("follow", "u2")).await.unwrap();
        // Following again sends no second message, also if the first was deleted.
        assert_eq!(running.listed("u2", "attention").await.total_count, 0);
        for (operation, target, expected) in [
            ("follow", "u1", code::INVALID),
            ("follow", "nobody", code::NOT_FOUND),
            ("erase", "u2", code::NOT_FOUND),
        ] {
            let refused = running.attend("u1", to(operation, target)).await;
            assert_eq!(refused.unwrap_err(), expected, "{operation} {target}");
        }
        running.test.finish().await;
    }
}

/// PP007, PP008, PP010, PP011, AM017, AM018: ads by type; a member popup until it is closed.
#[tokio::test]
async fn popups_are_shown_as_published() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let personal = running.replica().await;
        let popup_of = |kind: Option<i32>| {
            let request = PopupRequest {
                r#type: kind,
                ..Default::default()
            };
            let request = running.by("", request);
            let mut site = running.site();
            async move { site.get_popup_settings(request).await.unwrap().into_inner() }
        };
        for (place, img) in [(1, "/home.png"), (2, "/work.png")] {
            let ad = serde_json::json!({"place": place, "img": img, "jumpLink": "/pricePage", "popRule": place - 1});
            let saved = personal
                .save_publication(None, None, Kind::Popup, now_shown(ad), &op())
                .await
                .unwrap();
            personal
                .publish(&saved.publication_id, 1, &op())
                .await
                .unwrap();
        }
        assert_eq!(popup_of(Some(1)).await.img.as_deref(), Some("/home.png"));
        assert_eq!(popup_of(Some(2)).await.img.as_deref(), Some("/work.png"));
        assert_eq!(popup_of(Some(7)).await.pop_rule, Some(1));
        assert_eq!(popup_of(None).await.status, "0");

        let text = serde_json::json!({"tipText": "会员日"});
        let saved = personal
            .save_publication(None, None, Kind::MemberPopup, now_shown(text), &op())
            .await
            .unwrap();
        let id = saved.publication_id;
        personal.publish(&id, 1, &op()).await.unwrap();
        let mut client = MemberPopupApiClient::new(running.channel());
        let asked = MemberPopupRequest {
            r#type: 1,
            is_json: true,
            ..Default::default()
        };
        let shown = client
            .get_member_popup(running.by("u1", asked.clone()))
            .await;
        let shown = shown.unwrap().into_inner().popup.unwrap();
        assert_eq!(
            (shown.id.as_str(), shown.tip_text.as_str()),
            (id.as_str(), "会员日")
        );
        let close = MemberPopupClosed {
            popup_id: id,
            is_json: true,
            ..Default::default()
        };
        client
            .cancel_member_popup(running.by("u1", close))
            .await
            .unwrap();
        let again = client
            .get_member_popup(running.by("u1", asked.clone()))
            .await;
        assert!(again.unwrap().into_inner().popup.is_none());
        let other = client.get_member_popup(running.by("u2", asked)).await;
        assert!(other.unwrap().into_inner().popup.is_some());
        running.test.finish().await;
    }
}
