//! From the released file to the mall, and what becomes of it there.

use chassis::testing::{code_of, eventually, shapes};
use proto::auth::v1::AccountClosed;
use proto::code;
use proto::transaction::v1::*;
use tokio::task::JoinSet;

use crate::support::{Running, ids};

fn id_of(listing: &MakerListing) -> String {
    listing.listing.clone().expect("shown").listing_id
}

/// PB003, PB004.
#[tokio::test(flavor = "multi_thread")]
async fn a_released_file_becomes_a_listing() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let draft = running.draft("u1", "f1").await;
        let id = id_of(&draft);
        assert_eq!(draft.state, "draft");
        let shown = draft.listing.clone().unwrap();
        assert_eq!((shown.name.as_str(), shown.price), ("齿轮 f1", -1));
        assert!(shown.thumb_url.contains("d/u1/f1/thumb.png"), "{shown:?}");

        // Released again it stays one draft; what is missing is reported, and keeps it from being handed in.
        running.draft("u1", "f1").await;
        assert_eq!(running.page("u1", "", "").await.total_count, 1);
        let missing = running.detail("u1", &id).await.unwrap().missing;
        assert_eq!(missing, ["请选择分类", "请填写一句话介绍", "请填写价格"]);
        assert_eq!(running.submit("u1", &id).await, "请选择分类");
        let saved = running.fill_in("u1", &id).await;
        assert!(saved.missing.is_empty());
        let stale = SaveListingRequest {
            listing_id: id.clone(),
            revision: saved.revision - 1,
            price: Some(0),
            ..Default::default()
        };
        let refused = running.save("u1", stale).await.unwrap_err();
        assert_eq!(code_of(&refused), code::CONFLICT);

        assert_eq!(running.submit("u1", &id).await, "making");
        assert_eq!(running.submit("u1", &id).await, "模型已在审核中");
        eventually("pictures are asked for", || async {
            let asked = running.studio.0.lock().unwrap().len();
            (asked == 1).then_some(())
        })
        .await;
        running.pictured(&id, 1, "ready").await;
        let submitted = running.in_state("u1", &id, "submitted").await;
        assert!(submitted.versions[0].proxy_url.contains("proxy.glb"));
        let changed = SaveListingRequest {
            listing_id: id.clone(),
            name: Some("别的".to_owned()),
            ..Default::default()
        };
        let refused = running.save("u1", changed.clone()).await.unwrap_err();
        assert_eq!(code_of(&refused), code::CONFLICT);

        // Asked to change it, its maker does, and hands it in again: the pictures are not made twice.
        running.decide(&id, 1, "changes").await.unwrap();
        let rejected = running.detail("u1", &id).await.unwrap();
        assert_eq!(
            (rejected.state.as_str(), rejected.reason.as_str()),
            ("rejected", "贴图缺失，请补齐")
        );
        let in_list = |page: MyListingsReply| page.results[0].decision.clone();
        assert_eq!(rejected.decision, "changes");
        assert_eq!(in_list(running.page("u1", "", "").await), "changes");
        running.save("u1", changed).await.unwrap();
        assert_eq!(running.submit("u1", &id).await, "submitted");
        // What was decided before is not said of what waits, and the last decision counts.
        assert_eq!(in_list(running.page("u1", "", "").await), "");
        running.decide(&id, 1, "refuse").await.unwrap();
        assert_eq!(running.detail("u1", &id).await.unwrap().decision, "refused");
        assert_eq!(in_list(running.page("u1", "", "").await), "refused");
        assert_eq!(running.submit("u1", &id).await, "submitted");
        running.decide(&id, 1, "approve").await.unwrap();
        assert_eq!(running.studio.0.lock().unwrap().len(), 1);

        assert_eq!(running.page("u1", "", "").await.total_count, 0);
        let released = running.page("u1", "true", "").await.results;
        assert_eq!((released.len(), released[0].state.as_str()), (1, "listed"));
        let listed = released[0].listing.clone().unwrap();
        assert_eq!((listed.name.as_str(), listed.version), ("别的", 1));
        assert!(listed.listed_at > 0 && listed.thumb_url.contains("1.webp"));
        let records = running.detail("u1", &id).await.unwrap().records;
        let actions: Vec<&str> = records.iter().map(|one| one.action.as_str()).collect();
        let before = ["submitted", "changes", "submitted"];
        assert_eq!(actions[..2], ["approved", "submitted"]);
        assert_eq!(actions[2..], [["refused"].as_slice(), &before].concat());
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_listed_is_sold_as_it_was_approved_until_something_else_is() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.listed("u1", "f1").await;
        // The price holds at once and is kept; a text waits.
        let form = SaveListingRequest {
            listing_id: id.clone(),
            price: Some(990),
            intro: Some("现在有三十二齿".to_owned()),
            ..Default::default()
        };
        running.save("u1", form).await.unwrap();
        let prices = "SELECT COUNT(*) FROM price_change";
        assert_eq!(running.number(prices).await, 2);
        let sold = "SELECT COUNT(*) FROM listing WHERE intro = '模数 2，二十四齿' AND price = 990";
        assert_eq!(running.number(sold).await, 1);
        assert_eq!(running.submit("u1", &id).await, "listed");
        let mine = running.detail("u1", &id).await.unwrap();
        assert_eq!(
            (mine.state.as_str(), mine.version_state.as_str()),
            ("listed", "submitted")
        );
        assert_eq!(mine.listing.unwrap().intro, "现在有三十二齿");
        running.decide(&id, 2, "approve").await.unwrap();
        let sold =
            "SELECT COUNT(*) FROM listing WHERE intro = '现在有三十二齿' AND current_version = 1";
        assert_eq!(running.number(sold).await, 1);

        // Another file is a version of its own; the draft that was made of it goes.
        running.draft("u1", "f2").await;
        let version = AddVersionRequest {
            listing_id: id.clone(),
            file_id: "f2".to_owned(),
            notes: "齿形修正".to_owned(),
            ..Default::default()
        };
        let call = running
            .maker()
            .add_version(running.by("u1", version.clone()))
            .await;
        assert_eq!(call.unwrap().into_inner().version_state, "making");
        assert_eq!(running.page("u1", "", "").await.total_count, 0);
        let again = running.maker().add_version(running.by("u1", version)).await;
        assert_eq!(code_of(&again.unwrap_err()), code::CONFLICT);
        running.pictured(&id, 3, "ready").await;
        let wanted = "SELECT COUNT(*) FROM listing_version WHERE state = 'submitted'";
        eventually("the version", || async {
            (running.number(wanted).await == 1).then_some(())
        })
        .await;
        assert_eq!(
            running
                .number("SELECT CAST(current_version AS BIGINT) FROM listing")
                .await,
            1
        );
        running.decide(&id, 3, "approve").await.unwrap();
        assert_eq!(
            running
                .number("SELECT CAST(current_version AS BIGINT) FROM listing")
                .await,
            3
        );

        // Off the mall and on it again.
        assert_eq!(running.withdraw("u1", &id).await, "withdrawn");
        assert_eq!(running.relist("u1", &id).await, "listed");
        assert_eq!(
            running.relist("u1", &id).await,
            "只有已下架的模型可以重新上架"
        );
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_of_a_listing_are_taken_back_and_given_up() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.listed("u1", "f1").await;
        let say = async |intro: &str| {
            let form = SaveListingRequest {
                listing_id: id.clone(),
                intro: Some(intro.to_owned()),
                ..Default::default()
            };
            running.save("u1", form).await
        };
        let intro = |listing: MakerListing| listing.listing.expect("shown").intro;
        assert_eq!(
            running.take_back("u1", &id, false).await.unwrap_err(),
            "没有在审核中的修改"
        );
        assert_eq!(
            running.take_back("u1", &id, true).await.unwrap_err(),
            "没有可以放弃的修改"
        );
        // Out of review it can be edited and handed in again.
        say("三十二齿").await.unwrap();
        running.submit("u1", &id).await;
        assert_eq!(code_of(&say("别的").await.unwrap_err()), code::CONFLICT);
        assert!(running.take_back("u2", &id, false).await.is_err());
        let open = running.take_back("u1", &id, false).await.unwrap();
        assert_eq!(
            (open.state.as_str(), open.version_state.as_str()),
            ("listed", "")
        );
        assert!(running.decide(&id, 2, "approve").await.is_err());
        say("三十四齿").await.unwrap();
        assert_eq!(running.submit("u1", &id).await, "listed");
        // Given up, under review too, it is what was approved last; its number is not used again.
        let before = running.take_back("u1", &id, true).await.unwrap();
        assert_eq!(before.version_state, "ready");
        assert_eq!(intro(before), "模数 2，二十四齿");
        assert!(running.decide(&id, 2, "approve").await.is_err());
        let again = say("三十六齿").await.unwrap();
        assert_eq!(again.versions[0].number, 3);

        // Another file takes along what was said; given up it is free for another version, and what is made of it goes.
        running.draft("u1", "f2").await;
        assert_eq!(
            running.add_version("u1", &id, "f2").await.unwrap(),
            "making"
        );
        let mine = running.detail("u1", &id).await.unwrap();
        let states: Vec<&str> = mine.versions.iter().map(|one| one.state.as_str()).collect();
        assert_eq!(states, ["making", "discarded", "discarded", "ready"]);
        assert_eq!(intro(mine), "三十六齿");
        running.take_back("u1", &id, true).await.unwrap();
        let objects = running.test.parts.objects.clone();
        let late = format!("m/{id}/4/source.glb");
        let bytes = bytes::Bytes::from_static(b"glTF");
        let put = objects.put_bytes(&late, bytes, "model/gltf-binary");
        put.await.unwrap();
        running.pictured(&id, 4, "ready").await;
        eventually("it is removed", || async {
            objects.head(&late).await.unwrap().is_none().then_some(())
        })
        .await;
        assert_eq!(
            running.add_version("u1", &id, "f2").await.unwrap(),
            "making"
        );
        let records = running.detail("u1", &id).await.unwrap().records;
        let count = |action: &str| records.iter().filter(|one| one.action == action).count();
        assert_eq!((count("takenBack"), count("discarded")), (1, 2));

        // What was never shown is withdrawn or deleted.
        let draft = id_of(&running.draft("u1", "f3").await);
        assert!(running.take_back("u1", &draft, true).await.is_err());
        running.test.finish().await;
    }
}

/// A draft that its maker has described is not lost to a version of another model, and a draft is there again when the file is free.
#[tokio::test(flavor = "multi_thread")]
async fn files_are_named_with_what_they_are_used_for() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.listed("u1", "f1").await;
        let draft = id_of(&running.draft("u1", "f2").await);
        running.draft("u2", "f9").await;
        let uses = async || -> Vec<(String, String, String, bool, bool)> {
            let form = FileUsesRequest {
                file_ids: "f1,f2,f9,unknown".to_owned(),
                ..Default::default()
            };
            let reply = running.maker().file_uses(running.by("u1", form)).await;
            let mut uses: Vec<_> = reply
                .unwrap()
                .into_inner()
                .results
                .into_iter()
                .map(|one| {
                    let listing = one.listing_id;
                    (one.file_id, listing, one.state, one.released, one.described)
                })
                .collect();
            uses.sort();
            uses
        };
        let used = |file: &str, id: &str, state: &str, released, described| {
            let [file, id, state] = [file, id, state].map(str::to_owned);
            (file, id, state, released, described)
        };
        let first = used("f1", &id, "listed", true, false);
        let second = used("f2", &draft, "draft", false, false);
        assert_eq!(uses().await, [first.clone(), second]);
        running.fill_in("u1", &draft).await;
        let described = used("f2", &draft, "draft", false, true);
        assert_eq!(uses().await, [first.clone(), described.clone()]);
        let refused = running.add_version("u1", &id, "f2").await.unwrap_err();
        assert_eq!(code_of(&refused), code::CONFLICT);
        assert_eq!(uses().await, [first.clone(), described]);
        let form = AddVersionRequest {
            listing_id: id.clone(),
            file_id: "f2".to_owned(),
            notes: "齿形修正".to_owned(),
            give_up_draft: true,
            ..Default::default()
        };
        let added = running.maker().add_version(running.by("u1", form)).await;
        assert_eq!(added.unwrap().into_inner().version_state, "making");
        assert!(running.detail("u1", &draft).await.is_err());
        let both = used("f2", &id, "listed", true, false);
        assert_eq!(uses().await, [first.clone(), both]);
        running.take_back("u1", &id, true).await.unwrap();
        let again = uses().await;
        assert_eq!(again.len(), 2);
        assert_eq!((again[1].2.as_str(), again[1].4), ("draft", false));
        assert_ne!(again[1].1, draft);
        for files in [String::new(), vec!["f"; 101].join(",")] {
            let form = FileUsesRequest {
                file_ids: files,
                ..Default::default()
            };
            let refused = running.maker().file_uses(running.by("u1", form)).await;
            assert_eq!(code_of(&refused.unwrap_err()), code::INVALID);
        }
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn makers_are_told_what_was_decided_and_owners_of_new_versions() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = id_of(&running.draft("u1", "f1").await);
        running.fill_in("u1", &id).await;
        running.submit("u1", &id).await;
        running.pictured(&id, 1, "ready").await;
        running.in_state("u1", &id, "submitted").await;
        let reason = || "贴图缺失，请补齐".to_owned();
        let to_maker = |reason: String| vec![("u1".to_owned(), reason)];
        running.decide(&id, 1, "changes").await.unwrap();
        assert_eq!(running.told("listingChanges").await, to_maker(reason()));
        running.submit("u1", &id).await;
        running.decide(&id, 1, "refuse").await.unwrap();
        assert_eq!(running.told("listingRefused").await, to_maker(reason()));
        running.submit("u1", &id).await;
        running.decide(&id, 1, "approve").await.unwrap();
        assert_eq!(
            running.told("listingApproved").await,
            to_maker(String::new())
        );

        running.price("u1", &id, 0).await;
        for owner in ["u2", "u3", "x0123456789abcdef"] {
            running.take_free(owner, &id).await.unwrap();
        }
        running.draft("u1", "f2").await;
        running.add_version("u1", &id, "f2").await.unwrap();
        running.pictured(&id, 2, "failed").await;
        eventually("the maker is told", || async {
            (running.told("listingFailed").await.len() == 1).then_some(())
        })
        .await;
        running.submit("u1", &id).await;
        running.pictured(&id, 2, "ready").await;
        eventually("it waits for an operator", || async {
            let mine = running.detail("u1", &id).await.unwrap();
            (mine.version_state == "submitted").then_some(())
        })
        .await;
        running.decide(&id, 2, "approve").await.unwrap();
        let mut told = eventually("owners are told", || async {
            let told = running.told("versionAdded").await;
            (told.len() >= 2).then_some(told)
        })
        .await;
        told.sort();
        let owner = |id: &str| (id.to_owned(), "齿形修正".to_owned());
        assert_eq!(told, [owner("u2"), owner("u3")]);
        assert_eq!(
            running.told("changeApproved").await,
            to_maker(String::new())
        );
        // Texts are no version.
        let form = SaveListingRequest {
            listing_id: id.clone(),
            intro: Some("三十二齿".to_owned()),
            ..Default::default()
        };
        running.save("u1", form).await.unwrap();
        running.submit("u1", &id).await;
        running.decide(&id, 3, "approve").await.unwrap();
        assert_eq!(running.number("SELECT COUNT(*) FROM version_news").await, 0);

        running.take_down(&id).await;
        let complaint = to_maker("有人投诉".to_owned());
        assert_eq!(running.told("listingTakenDown").await, complaint);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_without_a_draft_gets_one_when_it_is_released_again() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let first = id_of(&running.draft("u1", "f1").await);
        let form = MyListingRequest {
            listing_id: first.clone(),
            ..Default::default()
        };
        let deleted = running.maker().delete_listing(running.by("u1", form)).await;
        deleted.unwrap();
        let event = running.released("u1", "f1");
        running.publish("again", &event).await;
        let second = eventually("the draft", || async {
            running.page("u1", "", "").await.results.pop()
        })
        .await;
        assert_ne!(id_of(&second), first);
        running.publish("once more", &event).await;
        running.draft("u1", "f2").await;
        assert_eq!(running.page("u1", "", "").await.total_count, 2);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_that_cannot_be_made_are_told_and_a_withdrawn_one_keeps_what_was_made() {
    for shape in shapes() {
        let running = Running::start(shape, false).await;
        let gone = id_of(&running.draft("u1", "gone").await);
        running.fill_in("u1", &gone).await;
        running.submit("u1", &gone).await;
        let failed = running.in_state("u1", &gone, "rejected").await;
        assert_eq!(failed.reason, "文件不存在或已被删除");

        let id = id_of(&running.draft("u1", "f1").await);
        running.fill_in("u1", &id).await;
        running.submit("u1", &id).await;
        running.pictured(&id, 1, "failed").await;
        let failed = running.in_state("u1", &id, "rejected").await;
        assert_eq!(failed.reason, "模型没有可以显示的面");
        assert_eq!(running.submit("u1", &id).await, "making");
        assert_eq!(running.withdraw("u1", &id).await, "draft");
        running.pictured(&id, 1, "ready").await;
        let kept = "SELECT COUNT(*) FROM listing_version WHERE source_key <> ''";
        eventually("what was made", || async {
            (running.number(kept).await == 1).then_some(())
        })
        .await;
        // No operator is asked here.
        assert_eq!(running.submit("u1", &id).await, "listed");

        let draft = id_of(&running.draft("u1", "f3").await);
        let form = |id: &str| MyListingRequest {
            listing_id: id.to_owned(),
            ..Default::default()
        };
        let refused = running
            .maker()
            .delete_listing(running.by("u1", form(&id)))
            .await;
        assert_eq!(code_of(&refused.unwrap_err()), code::CONFLICT);
        let deleted = running
            .maker()
            .delete_listing(running.by("u1", form(&draft)))
            .await;
        assert!(deleted.is_ok() && running.detail("u1", &draft).await.is_err());
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_made_of_a_draft_goes_with_it_and_who_leaves_takes_nothing_from_buyers() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let objects = running.test.parts.objects.clone();
        let put = async |id: &str| {
            let key = format!("m/{id}/1/source.glb");
            let bytes = bytes::Bytes::from_static(b"glTF");
            objects
                .put_bytes(&key, bytes, "model/gltf-binary")
                .await
                .unwrap();
            key
        };
        let gone = async |key: &str| {
            eventually("it is removed", || async {
                objects.head(key).await.unwrap().is_none().then_some(())
            })
            .await;
        };
        // Deleted while its pictures were made: what comes of it goes too.
        let draft = id_of(&running.draft("u1", "f1").await);
        let key = put(&draft).await;
        let form = MyListingRequest {
            listing_id: draft.clone(),
            ..Default::default()
        };
        running
            .maker()
            .delete_listing(running.by("u1", form))
            .await
            .unwrap();
        gone(&key).await;
        put(&draft).await;
        running.pictured(&draft, 1, "ready").await;
        gone(&key).await;

        let listed = running.listed("u1", "f2").await;
        let kept = put(&listed).await;
        let draft = id_of(&running.draft("u1", "f3").await);
        let key = put(&draft).await;
        let other = running.listed("u2", "f4").await;
        let left = AccountClosed {
            closure_id: "c1".to_owned(),
            login_id: "u1".to_owned(),
            pseudonym: "p1".to_owned(),
            round: 1,
        };
        running.publish("left", &left).await;
        gone(&key).await;
        let withdrawn = "SELECT COUNT(*) FROM listing WHERE seller = 'p1' AND state = 'withdrawn'";
        assert_eq!(running.number(withdrawn).await, 1);
        assert_eq!(running.number("SELECT COUNT(*) FROM listing").await, 2);
        assert!(objects.head(&kept).await.unwrap().is_some());
        assert_eq!(running.detail("u2", &other).await.unwrap().state, "listed");
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_hand_in_at_once_one_does_and_strangers_find_nothing() {
    for shape in shapes() {
        let running = std::sync::Arc::new(Running::start(shape, true).await);
        let id = id_of(&running.draft("u1", "f1").await);
        running.fill_in("u1", &id).await;
        let mut all = JoinSet::new();
        for _ in 0..64 {
            let (running, id) = (running.clone(), id.clone());
            all.spawn(async move { running.submit("u1", &id).await });
        }
        let answers = all.join_all().await;
        let making = answers.iter().filter(|answer| *answer == "making").count();
        assert_eq!(making, 1, "{answers:?}");
        assert_eq!(running.number("SELECT COUNT(*) FROM approval").await, 1);

        let stranger = running.detail("u2", &id).await.unwrap_err();
        assert_eq!(code_of(&stranger), code::NOT_FOUND);
        let form = SaveListingRequest {
            listing_id: id.clone(),
            price: Some(0),
            ..Default::default()
        };
        assert!(running.save("u2", form).await.is_err());
        let both = format!("{id},{}", "0".repeat(32));
        for who in ["u2", "u1"] {
            let call = running
                .maker()
                .withdraw_listings(running.by(who, ids(&both)))
                .await;
            assert_eq!(code_of(&call.unwrap_err()), code::NOT_FOUND);
        }
        let theirs = running.draft("u2", "f9").await;
        let steal = AddVersionRequest {
            listing_id: id_of(&theirs),
            file_id: "f1".to_owned(),
            notes: "x".to_owned(),
            ..Default::default()
        };
        assert!(
            running
                .maker()
                .add_version(running.by("u2", steal))
                .await
                .is_err()
        );

        // Words that are not published, prices that are none, too much at once.
        let bad = |change: fn(&mut SaveListingRequest)| {
            let mut form = SaveListingRequest {
                listing_id: id_of(&theirs),
                ..Default::default()
            };
            change(&mut form);
            form
        };
        for (form, code) in [
            (
                bad(|form| form.name = Some("赌博网站".to_owned())),
                code::TEXT_REFUSED,
            ),
            (bad(|form| form.name = Some(" ".to_owned())), code::INVALID),
            (bad(|form| form.price = Some(99)), code::INVALID),
            (
                bad(|form| form.category_id = Some("c99".to_owned())),
                code::INVALID,
            ),
            (
                bad(|form| form.origin = Some("stolen".to_owned())),
                code::INVALID,
            ),
            (
                bad(|form| form.label_ids = Some("9".to_owned())),
                code::INVALID,
            ),
        ] {
            let refused = running.save("u2", form.clone()).await.unwrap_err();
            assert_eq!(code_of(&refused), code, "{form:?}");
        }
        let many = (0..51).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
        let call = running
            .maker()
            .submit_listings(running.by("u2", ids(&many)))
            .await;
        assert_eq!(code_of(&call.unwrap_err()), code::INVALID);
    }
}
