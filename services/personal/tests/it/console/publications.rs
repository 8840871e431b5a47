//! Publications.

use std::collections::BTreeSet;

use chassis::testing::PATIENCE;
use image::ImageFormat;
use proto::code;
use proto::personal::v1::publication_console_api_client::PublicationConsoleApiClient;
use proto::personal::v1::publication_content::Of;
use proto::personal::v1::*;

use super::{DAY_MS, Desk, reason};
use crate::pictures::{encoded, picture, qr};

fn announcement(title: &str, link: &str) -> Option<PublicationContent> {
    let of = AnnouncementContent {
        title: title.to_owned(),
        content: "<b>今晚</b>维护".to_owned(),
        link: link.to_owned(),
    };
    Some(PublicationContent {
        of: Some(Of::Announcement(of)),
    })
}

fn client_version(version: &str) -> Option<PublicationContent> {
    let of = ClientVersionContent {
        version: version.to_owned(),
        file_url: "https://files.example/xuanlan.exe".to_owned(),
        notes: "更稳定".to_owned(),
        ..Default::default()
    };
    Some(PublicationContent {
        of: Some(Of::ClientVersion(of)),
    })
}

pub async fn publications(desk: &Desk) {
    let mut client = PublicationConsoleApiClient::new(desk.channel());
    let mut pushes = desk.running.test.parts.bus.pushes();
    let draft = PublicationSaveRequest {
        content: announcement("维护", "/pricePage"),
        ..Default::default()
    };
    let wrong = [
        PublicationSaveRequest::default(),
        PublicationSaveRequest {
            content: announcement("维护", "javascript:alert(1)"),
            ..draft.clone()
        },
        PublicationSaveRequest {
            content: announcement("维护", "http://plain.example"),
            ..draft.clone()
        },
        PublicationSaveRequest {
            content: announcement("维护", "https:///nowhere"),
            ..draft.clone()
        },
        PublicationSaveRequest {
            content: announcement("维护", "https://bank.example@evil.example/"),
            ..draft.clone()
        },
        PublicationSaveRequest {
            content: announcement("维护", "https://a.example/\u{202e}gpj"),
            ..draft.clone()
        },
        PublicationSaveRequest {
            content: client_version(""),
            ..draft.clone()
        },
        PublicationSaveRequest {
            content: announcement(&"长".repeat(101), ""),
            ..draft.clone()
        },
        PublicationSaveRequest {
            starts_at: 2,
            ends_at: 1,
            ..draft.clone()
        },
    ];
    for wrong in wrong {
        let refused = desk.refused(client.publication_save(desk.by(wrong))).await;
        assert_eq!(refused, code::INVALID);
    }
    let save = client.publication_save(desk.by(draft.clone()));
    let first = desk.deed("K82", save).await;
    let publish = |version: i64| {
        desk.by(PublicationPublishRequest {
            id: first.id.clone(),
            version,
        })
    };
    let listed = async || {
        let page = desk.running.listed("u1", "announcement").await;
        let titles = page.results.into_iter().map(|one| one.title);
        titles.collect::<Vec<_>>()
    };
    assert!(listed().await.is_empty(), "a draft");
    desk.deed("K83", client.publication_publish(publish(1)))
        .await;
    // Listed at once, and pushed to open pages.
    assert_eq!(listed().await, ["维护"]);
    let reply = async {
        loop {
            let push = pushes.recv().await.expect("a push");
            if push.user_id == "#everybody" {
                return push.json;
            }
        }
    };
    let reply = tokio::time::timeout(PATIENCE, reply).await;
    assert!(reply.expect("a push").contains(&first.id));
    let again = desk.refused(client.publication_publish(publish(1))).await;
    assert_eq!(again, code::CONFLICT, "published twice");

    // Of two concurrent writers the second is refused.
    let second = PublicationSaveRequest {
        id: first.id.clone(),
        content: announcement("改期", ""),
        base_version: 1,
        ..Default::default()
    };
    let save = client.publication_save(desk.by(second.clone()));
    assert_eq!(desk.deed("K82", save).await.version, 2);
    let late = desk.refused(client.publication_save(desk.by(second))).await;
    assert_eq!(late, code::CONFLICT);
    assert_eq!(listed().await, ["维护"], "until it is published");
    desk.deed("K83", client.publication_publish(publish(2)))
        .await;
    assert_eq!(listed().await, ["改期"]);
    let back = PublicationRestoreRequest {
        id: first.id.clone(),
        version: 1,
        reason: reason(),
    };
    let restored = client.publication_restore(desk.by(back));
    assert_eq!(desk.deed("K85", restored).await.version, 3);
    assert_eq!(listed().await, ["维护"], "the way back");
    let show = PublicationShowRequest {
        id: first.id.clone(),
    };
    let shown = client.publication_show(desk.by(show)).await;
    let shown = shown.expect("shown").into_inner();
    let known = |of: &PublicationRevision| (of.version, of.restored_from, of.published_at > 0);
    let revisions: Vec<_> = shown.revisions.iter().map(known).collect();
    assert_eq!(revisions, [(3, 1, true), (2, 0, true), (1, 0, true)]);
    assert_eq!(shown.revisions[0].saved_by, "anna");
    let item = shown.publication.expect("an item");
    assert_eq!((item.state.as_str(), item.published_version), ("shown", 3));
    assert_eq!(item.content, announcement("维护", "/pricePage"));
    let withdraw = |why: &str| {
        desk.by(PublicationWithdrawRequest {
            id: first.id.clone(),
            reason: why.to_owned(),
        })
    };
    let silent = desk
        .refused(client.publication_withdraw(withdraw(" ")))
        .await;
    assert_eq!(silent, code::INVALID);
    assert_eq!(listed().await, ["维护"], "without a reason nothing is done");
    desk.deed("K84", client.publication_withdraw(withdraw("错了")))
        .await;
    assert!(listed().await.is_empty());
    let twice = desk
        .refused(client.publication_withdraw(withdraw("错了")))
        .await;
    assert_eq!(twice, code::CONFLICT);

    scheduled(desk).await;
    offered(desk).await;
    pictures(desk).await;
}

/// The site is told all of a client version.
async fn offered(desk: &Desk) {
    let mut client = PublicationConsoleApiClient::new(desk.channel());
    let draft = PublicationSaveRequest {
        content: client_version("1.2"),
        ..Default::default()
    };
    let saved = desk
        .deed("K82", client.publication_save(desk.by(draft)))
        .await;
    let publish = PublicationPublishRequest {
        id: saved.id,
        version: saved.version,
    };
    desk.deed("K83", client.publication_publish(desk.by(publish)))
        .await;
    let mut site = desk.running.site();
    let newest = site.get_latest_client_version(desk.running.by("", UserRequest::default()));
    let newest = newest.await.expect("a version").into_inner();
    assert_eq!(
        newest,
        ClientVersion {
            file_url: Some("https://files.example/xuanlan.exe".to_owned()),
            version: Some("1.2".to_owned()),
            sha256: Some(String::new()),
            notes: Some("更稳定".to_owned()),
        }
    );
}

/// The picture of an ad: uploaded, kept while a revision names it, swept when none does.
async fn pictures(desk: &Desk) {
    let mut client = PublicationConsoleApiClient::new(desk.channel());
    let parts = &desk.running.test.parts;
    let upload = |data: Vec<u8>| desk.by(PublicationPictureRequest { data });
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec();
    for wrong in [svg, Vec::new(), vec![0; 3 * 1024 * 1024 + 1]] {
        let refused = desk.refused(client.publication_picture(upload(wrong)));
        assert_eq!(refused.await, code::IMAGE_REFUSED);
    }
    // A poster with a QR code is accepted: the operator has chosen it.
    let poster = encoded(&qr("https://elsewhere.example/join"), ImageFormat::Png);
    let used = client.publication_picture(upload(poster));
    let used = desk.deed("K86", used).await;
    let unused = encoded(&picture(8), ImageFormat::Jpeg);
    let unused = client.publication_picture(upload(unused));
    let unused = desk.deed("K86", unused).await;
    assert_eq!((unused.width, unused.height), (192, 192));
    let ad = |id: &str, base_version: i64, img: &str| {
        let of = PopupContent {
            place: 1,
            img: img.to_owned(),
            ..Default::default()
        };
        desk.by(PublicationSaveRequest {
            id: id.to_owned(),
            base_version,
            content: Some(PublicationContent {
                of: Some(Of::Popup(of)),
            }),
            ..Default::default()
        })
    };
    let store = used.img.split("/p/").next().expect("an address");
    let fresh = format!("{store}/p/{}.png", "0".repeat(64));
    for elsewhere in [
        "https://elsewhere.example/a.png",
        "//a.example/b.png",
        &fresh,
    ] {
        let refused = desk.refused(client.publication_save(ad("", 0, elsewhere)));
        assert_eq!(refused.await, code::INVALID, "{elsewhere}");
    }
    let first = client.publication_save(ad("", 0, &used.img));
    let first = desk.deed("K82", first).await;
    // A later revision without it: the first one can be restored and still needs it.
    let second = client.publication_save(ad(&first.id, 1, "/home.png"));
    desk.deed("K82", second).await;
    parts.clock.advance_ms(DAY_MS + 1);
    let swept = desk.running.replica().await.sweep_objects().await;
    swept.expect("a round");
    let show = |img: &str| {
        desk.by(PublicationPictureShowRequest {
            img: img.to_owned(),
            offset: 0,
        })
    };
    let kept = client.publication_picture_show(show(&used.img)).await;
    let kept = kept.expect("kept").into_inner();
    assert!(kept.content_type.starts_with("image/") && kept.next_offset == 0);
    let gone = client.publication_picture_show(show(&unused.img));
    assert_eq!(desk.refused(gone).await, code::NOT_FOUND);
    let late = client.publication_save(ad(&first.id, 2, &unused.img));
    assert_eq!(desk.refused(late).await, code::INVALID);
    let again = client.publication_save(ad(&first.id, 2, &used.img));
    desk.deed("K82", again).await;
    let back = PublicationRestoreRequest {
        id: first.id.clone(),
        version: 1,
        reason: reason(),
    };
    let back = client.publication_restore(desk.by(back));
    desk.deed("K85", back).await;
    let private = show("private/u/u1/a.png");
    let private = client.publication_picture_show(private);
    assert_eq!(desk.refused(private).await, code::NOT_FOUND);
    parts.clock.advance_ms(-(DAY_MS + 1));
}

/// A friend link from tomorrow for a day, and pages of the list.
async fn scheduled(desk: &Desk) {
    let mut client = PublicationConsoleApiClient::new(desk.channel());
    let clock = &desk.running.test.parts.clock;
    // Newer than the seeded ones.
    clock.advance_ms(1);
    let now = clock.now_ms();
    let of = FriendLinkContent {
        name: "明日".to_owned(),
        link: "https://tomorrow.example".to_owned(),
    };
    let link = PublicationSaveRequest {
        content: Some(PublicationContent {
            of: Some(Of::FriendLink(of)),
        }),
        starts_at: now + DAY_MS,
        ends_at: now + 2 * DAY_MS,
        ..Default::default()
    };
    let saved = desk
        .deed("K82", client.publication_save(desk.by(link)))
        .await;
    let publish = PublicationPublishRequest {
        id: saved.id.clone(),
        version: saved.version,
    };
    desk.deed("K83", client.publication_publish(desk.by(publish)))
        .await;
    for (state, shown) in [("scheduled", false), ("shown", true), ("ended", false)] {
        let page = PublicationListRequest {
            kind: "friendLink".to_owned(),
            state: state.to_owned(),
            size: 1,
            ..Default::default()
        };
        let page = client.publication_list(desk.by(page)).await;
        let page = page.expect("a list").into_inner().publications;
        assert_eq!(page.first().map(|one| &one.id), Some(&saved.id), "{state}");
        let request = desk.running.by("", UserRequest::default());
        let links = desk.running.site().friendlink_list(request).await;
        let mut links = links.expect("links").into_inner().links.into_iter();
        assert_eq!(links.any(|link| link.id == saved.id), shown, "{state}");
        clock.advance_ms(DAY_MS + 1);
    }
    clock.advance_ms(-3 * (DAY_MS + 1));
    let mut after = String::new();
    let mut all = Vec::new();
    loop {
        let page = PublicationListRequest {
            size: 1,
            after,
            ..Default::default()
        };
        let page = client.publication_list(desk.by(page)).await;
        let page = page.expect("a page").into_inner();
        all.extend(page.publications.into_iter().map(|one| one.id));
        after = page.next;
        if after.is_empty() {
            break;
        }
    }
    let unique: BTreeSet<&String> = all.iter().collect();
    assert!(all.len() >= 2 && unique.len() == all.len(), "{all:?}");
}
