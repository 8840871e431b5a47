//! Shares: who may create them and for how long, and what visitors with the link see.

use chassis::testing::{Shape, code_of, message_of, shapes};
use proto::code;
use proto::common::v1::Principal;
use proto::works::v1::share_api_client::ShareApiClient;
use proto::works::v1::share_internal_client::ShareInternalClient;
use proto::works::v1::*;
use tonic::Status;
use tonic::transport::Channel;

use crate::support::{Running, named, own};

const DAY: i64 = 24 * 3_600_000;

impl Running {
    fn shares(&self) -> ShareApiClient<Channel> {
        ShareApiClient::new(self.channel())
    }

    fn now(&self) -> i64 {
        self.test.parts.clock.now_ms()
    }

    /// Whether a time is `ms` milliseconds ahead, with a tolerance for the running clock.
    fn is_in(&self, at: i64, ms: i64) -> bool {
        (at - self.now() - ms).abs() < 120_000
    }

    fn pass(&self, ms: i64) {
        self.test.parts.clock.advance_ms(ms);
    }

    async fn share(&self, user: &str, form: CreateShareRequest) -> Result<Share, Status> {
        let made = self.shares().create_share(self.by(user, form)).await?;
        Ok(made.into_inner())
    }

    async fn change(&self, form: ChangeShareRequest) -> Result<Share, Status> {
        let changed = self.shares().change_share(self.by("u1", form)).await?;
        Ok(changed.into_inner())
    }

    async fn revoke(&self, user: &str, id: &str) -> Result<Share, Status> {
        let request = self.by(user, one(id));
        Ok(self.shares().revoke_share(request).await?.into_inner())
    }

    async fn listed(&self, user: &str) -> MySharesReply {
        let form = MySharesRequest::default();
        let found = self.shares().my_shares(self.by(user, form)).await;
        found.expect("a list").into_inner()
    }

    async fn looks(&self, id: &str) -> Vec<ShareLook> {
        let form = ShareLooksRequest {
            share_id: id.to_owned(),
            ..Default::default()
        };
        let found = self.shares().share_looks(self.by("u1", form)).await;
        found.expect("looks").into_inner().results
    }

    /// Opens a share as the gateway does.
    async fn open(&self, form: OpenShareRequest) -> OpenShareReply {
        let mut gate = ShareInternalClient::new(self.channel());
        let reply = gate.open_share(self.by("", form)).await;
        reply.expect("an answer").into_inner()
    }

    async fn outcome(&self, form: OpenShareRequest) -> String {
        let reply = self.open(form).await;
        if reply.outcome != "open" {
            // Reveals nothing of the work: no title, no poster, no manifest.
            let bare = OpenShareReply {
                outcome: reply.outcome.clone(),
                domains: reply.domains.clone(),
                anywhere: reply.anywhere,
                ..Default::default()
            };
            assert_eq!(reply, bare);
        }
        reply.outcome
    }

    fn member(&self, user: &str, ends_at_ms: i64) {
        let mut members = self.members.lock().unwrap();
        members.insert(user.to_owned(), ends_at_ms);
    }
}

fn one(id: &str) -> ShareRequest {
    ShareRequest {
        share_id: id.to_owned(),
        ..Default::default()
    }
}

fn of(works_id: &str) -> CreateShareRequest {
    CreateShareRequest {
        works_id: works_id.to_owned(),
        ..Default::default()
    }
}

fn link(id: &str) -> OpenShareRequest {
    OpenShareRequest {
        share_id: id.to_owned(),
        ..Default::default()
    }
}

fn framed(id: &str, host: &str) -> OpenShareRequest {
    OpenShareRequest {
        framed: true,
        host: host.to_owned(),
        ..link(id)
    }
}

fn with(id: &str, password: &str) -> OpenShareRequest {
    OpenShareRequest {
        password: password.to_owned(),
        ..link(id)
    }
}

/// AM032: shares of the free edition last three days at most, a member's have no limit.
// covers: X320 X321 X322 X323
#[tokio::test(flavor = "multi_thread")]
async fn shares_last_as_long_as_the_grade_allows() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let work = running.work("u1", "f1", named("齿轮")).await;
        let share = running.share("u1", of(&work)).await.unwrap();
        assert!(running.is_in(share.ends_at, 3 * DAY));
        assert_eq!(share.share_id.len(), 32, "128 bits");
        assert_eq!(
            (share.works_name.as_str(), share.state.as_str()),
            ("齿轮", "open")
        );
        assert!(share.framed && !share.has_password);
        let end = |ends_at: i64| CreateShareRequest {
            ends_at,
            ..of(&work)
        };
        let refused = running
            .share("u1", end(running.now() + 3 * DAY + 60_000))
            .await;
        let refused = refused.unwrap_err();
        assert_eq!(code_of(&refused), code::QUOTA);
        assert_eq!(message_of(&refused), "免费版的分享最长 3 天，会员不限期限");
        for wrong in [1, running.now() - 1, running.now() + 4000 * DAY] {
            let refused = running.share("u1", end(wrong)).await.unwrap_err();
            assert_eq!(code_of(&refused), code::INVALID, "{wrong}");
        }
        // Otherwise it could be extended forever.
        running.pass(DAY);
        let later = ChangeShareRequest {
            share_id: share.share_id.clone(),
            ends_at: Some(running.now() + 3 * DAY + 60_000),
            ..Default::default()
        };
        let refused = running.change(later.clone()).await.unwrap_err();
        assert_eq!(code_of(&refused), code::QUOTA);
        assert_eq!(running.listed("u1").await.longest, 3 * DAY);

        // Slightly later than the limit, because the user's clock is ahead: accepted.
        let ahead = running.share("u1", end(running.now() + 3 * DAY + 5_000));
        assert!(running.is_in(ahead.await.unwrap().ends_at, 3 * DAY));

        running.member("u1", running.now() + 30 * DAY);
        assert_eq!(running.listed("u1").await.longest, 0);
        assert_eq!(running.share("u1", of(&work)).await.unwrap().ends_at, 0);
        let changed = running.change(later).await.unwrap();
        assert!(running.is_in(changed.ends_at, 3 * DAY));
        // An expired membership does not count.
        running.pass(31 * DAY);
        assert_eq!(running.listed("u1").await.longest, 3 * DAY);

        // Drafts and works of other users cannot be shared.
        let draft = running.draft("u1", "f2", named("草稿")).await;
        let refused = running.share("u1", of(&draft)).await.unwrap_err();
        assert_eq!(code_of(&refused), code::CONFLICT);
        let refused = running.share("u2", of(&work)).await.unwrap_err();
        assert_eq!(code_of(&refused), code::NOT_FOUND);
        for refused in [
            running.revoke("u2", &share.share_id).await.unwrap_err(),
            running
                .shares()
                .preview_share(running.by("u2", one(&share.share_id)))
                .await
                .unwrap_err(),
        ] {
            assert_eq!(code_of(&refused), code::NOT_FOUND);
        }
        assert!(running.listed("u2").await.results.is_empty());
        running.test.finish().await;
    }
}

/// However a share ends, link, frame and password reveal only that, and addresses issued before expire within 10 minutes.
#[tokio::test(flavor = "multi_thread")]
async fn what_has_ended_is_gone_by_every_way() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let work = running.work("u1", "f1", named("齿轮")).await;
        let gone = async |id: &str, why: &str| {
            for way in [link(id), framed(id, "a.test"), with(id, "secret")] {
                assert_eq!(running.outcome(way).await, "gone", "{why}");
            }
        };
        let made = async |form: CreateShareRequest| running.share("u1", form).await.unwrap();

        let share = made(of(&work)).await;
        let open = running.open(link(&share.share_id)).await;
        assert_eq!(
            (open.outcome.as_str(), open.name.as_str()),
            ("open", "齿轮")
        );
        assert!(open.anywhere && open.domains.is_empty());
        assert!(!open.poster_url.is_empty());
        if let Shape::Servers = shape {
            assert!(
                open.model_url.contains("X-Amz-Expires=600"),
                "{}",
                open.model_url
            );
        }
        // Revoked: at once, and idempotent.
        let revoked = running.revoke("u1", &share.share_id).await.unwrap();
        assert_eq!(revoked.state, "revoked");
        gone(&share.share_id, "revoked").await;
        let again = running.revoke("u1", &share.share_id).await.unwrap();
        assert_eq!(again.revoked_at, revoked.revoked_at);
        let change = ChangeShareRequest {
            share_id: share.share_id.clone(),
            max_views: Some(3),
            ..Default::default()
        };
        assert_eq!(
            code_of(&running.change(change).await.unwrap_err()),
            code::CONFLICT
        );

        // Number of views: concurrent visitors cannot exceed it.
        let share = made(CreateShareRequest {
            max_views: 3,
            ..of(&work)
        })
        .await;
        let id = share.share_id.as_str();
        // A crawler that follows the links of a chat sees nothing, and uses up no view.
        let robot = Principal {
            user_agent: "Mozilla/5.0 (compatible; Googlebot/2.1)".to_owned(),
            ..Default::default()
        };
        let seen = ShareInternalClient::new(running.channel())
            .open_share(running.signed(robot, link(id)))
            .await;
        assert_eq!(seen.unwrap().into_inner().outcome, "none");
        let opened = futures::future::join_all((0..12).map(|_| running.outcome(link(id)))).await;
        let in_ = opened.iter().filter(|outcome| *outcome == "open").count();
        assert_eq!(in_, 3, "{opened:?}");
        gone(id, "looked at").await;
        let listed = running.listed("u1").await.results;
        let seen = listed.iter().find(|one| one.share_id == id).unwrap();
        assert_eq!((seen.views, seen.state.as_str()), (3, "ended"));

        // Expired by the clock.
        let share = made(CreateShareRequest {
            ends_at: running.now() + DAY,
            ..of(&work)
        })
        .await;
        running.pass(DAY - 120_000);
        assert_eq!(running.outcome(link(&share.share_id)).await, "open");
        running.pass(120_000);
        gone(&share.share_id, "over").await;

        // The work is withdrawn.
        let share = made(of(&work)).await;
        let withdraw = running.by("u1", own(&work));
        running.authors().withdraw_work(withdraw).await.unwrap();
        gone(&share.share_id, "withdrawn").await;
        assert_eq!(running.listed("u1").await.results[0].state, "closed");
        let delete = running.by("u1", own(&work));
        running.authors().delete_work(delete).await.unwrap();
        assert_eq!(running.outcome(link(&share.share_id)).await, "none");
        assert_eq!(running.number("SELECT COUNT(*) FROM works_share").await, 0);
        assert_eq!(running.number("SELECT COUNT(*) FROM share_look").await, 0);
        for nothing in ["", "x", &"0".repeat(32), &"G".repeat(32)] {
            assert_eq!(running.outcome(link(nothing)).await, "none");
        }
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_wrong_passwords_stop_for_a_while() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let work = running.work("u1", "f1", named("齿轮")).await;
        let form = CreateShareRequest {
            password: "芝麻开门".to_owned(),
            ..of(&work)
        };
        let share = running.share("u1", form).await.unwrap();
        assert!(share.has_password);
        let id = share.share_id.as_str();
        assert_eq!(running.outcome(link(id)).await, "password");
        assert_eq!(running.outcome(framed(id, "a.test")).await, "password");
        assert_eq!(running.outcome(with(id, &"长".repeat(60))).await, "wrong");
        for _ in 0..18 {
            assert_eq!(running.outcome(with(id, "open")).await, "wrong");
        }
        // The right one is not counted.
        assert_eq!(running.outcome(with(id, "芝麻开门")).await, "open");
        assert_eq!(running.outcome(with(id, "open")).await, "wrong");
        assert_eq!(running.outcome(with(id, "芝麻开门")).await, "wait");
        running.pass(15 * 60_000);
        assert_eq!(running.outcome(with(id, "芝麻开门")).await, "open");
        // Only opened ones are counted.
        assert_eq!(running.listed("u1").await.results[0].views, 2);
        let change = |password: &str| ChangeShareRequest {
            share_id: id.to_owned(),
            password: Some(password.to_owned()),
            ..Default::default()
        };
        for wrong in ["abc", &"a".repeat(33)] {
            let refused = running.change(change(wrong)).await.unwrap_err();
            assert_eq!(code_of(&refused), code::INVALID);
        }
        running.change(change("another")).await.unwrap();
        assert_eq!(running.outcome(with(id, "芝麻开门")).await, "wrong");
        assert_eq!(running.outcome(with(id, "another")).await, "open");
        assert!(!running.change(change("")).await.unwrap().has_password);
        assert_eq!(running.outcome(link(id)).await, "open");
        let kept = "SELECT COUNT(*) FROM works_share WHERE password_hash LIKE '%another%'";
        assert_eq!(running.number(kept).await, 0);
        running.test.finish().await;
    }
}

/// Frames of hosts that are not named are refused; a private work needs named hosts.
#[tokio::test(flavor = "multi_thread")]
async fn only_the_named_hosts_frame_it() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let work = running.work("u1", "f1", named("齿轮")).await;
        let form = CreateShareRequest {
            domains: "a.test, *.b.test:81".to_owned(),
            ..of(&work)
        };
        let share = running.share("u1", form).await.unwrap();
        let id = share.share_id.as_str();
        assert_eq!(share.domains, ["a.test", "*.b.test:81"]);
        for (host, expected) in [
            ("a.test", "open"),
            ("x.b.test:81", "open"),
            ("x.b.test", "stranger"),
            ("evil.test", "stranger"),
            ("a.test.evil.test", "stranger"),
            ("", "stranger"),
        ] {
            assert_eq!(running.outcome(framed(id, host)).await, expected, "{host}");
        }
        // The link works for everyone who has it.
        assert_eq!(running.outcome(link(id)).await, "open");
        let open = running.open(framed(id, "a.test")).await;
        assert!(!open.anywhere && open.domains == share.domains);
        for wrong in ["a.test; script-src *", "*", "javascript:x"] {
            let form = CreateShareRequest {
                domains: wrong.to_owned(),
                ..of(&work)
            };
            let refused = running.share("u1", form).await.unwrap_err();
            assert_eq!(code_of(&refused), code::INVALID, "{wrong}");
        }

        let private = SaveWorkRequest {
            works_id: work.clone(),
            visibility: Some("private".to_owned()),
            ..Default::default()
        };
        running.save("u1", private).await.unwrap();
        let share = running.share("u1", of(&work)).await.unwrap();
        assert!(!share.framed);
        let id = share.share_id.as_str();
        assert_eq!(running.outcome(link(id)).await, "open");
        assert_eq!(running.outcome(framed(id, "a.test")).await, "stranger");
        let own_site = OpenShareRequest {
            own_site: true,
            ..framed(id, "site.test")
        };
        assert_eq!(running.outcome(own_site).await, "open");
        running.test.finish().await;
    }
}

/// Views have time, host and length; a preview is not counted, and works for its owner for ten minutes.
// covers: X324 X325
#[tokio::test(flavor = "multi_thread")]
async fn owners_know_who_looked_and_preview_without_counting() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let work = running.work("u1", "f1", named("齿轮")).await;
        let form = CreateShareRequest {
            password: "secret".to_owned(),
            max_views: 1,
            options: r##"{"autostart":true,"background":"#102030"}"##.to_owned(),
            ..of(&work)
        };
        let share = running.share("u1", form).await.unwrap();
        let id = share.share_id.as_str();
        let request = running.by("u1", one(id));
        let preview = running.shares().preview_share(request).await.unwrap();
        let preview = preview.into_inner().preview;
        let seen = |preview: &str, own_site: bool| OpenShareRequest {
            preview: preview.to_owned(),
            own_site,
            ..framed(id, "site.test")
        };
        let open = running.open(seen(&preview, true)).await;
        assert_eq!((open.outcome.as_str(), open.look_id.as_str()), ("open", ""));
        assert!(open.options.contains("#102030"), "{}", open.options);
        assert_eq!(running.outcome(seen(&preview, false)).await, "password");
        assert_eq!(
            running.outcome(seen(&"0".repeat(32), true)).await,
            "password"
        );
        assert!(running.looks(id).await.is_empty());

        let form = OpenShareRequest {
            password: "secret".to_owned(),
            ..framed(id, "a.test")
        };
        let look = running.open(form).await.look_id;
        let answer = async |look_id: &str, seconds: i32| {
            let form = ShareLookedRequest {
                share_id: id.to_owned(),
                look_id: look_id.to_owned(),
                seconds,
            };
            let mut gate = ShareInternalClient::new(running.channel());
            gate.share_looked(running.by("", form)).await.unwrap();
        };
        answer(&look, 30).await;
        answer(&look, 20).await;
        answer(&look, -1).await;
        answer(&look, 90_000).await;
        answer(&"0".repeat(32), 40).await;
        let looks = running.looks(id).await;
        assert_eq!(looks.len(), 1);
        assert_eq!((looks[0].host.as_str(), looks[0].seconds), ("a.test", 30));
        assert!(running.is_in(looks[0].at, 0));
        // Its owner can still preview it.
        assert_eq!(running.outcome(seen(&preview, true)).await, "open");
        running.pass(600_000);
        assert_eq!(running.outcome(seen(&preview, true)).await, "gone");
        running.test.finish().await;
    }
}
