//! Entries.

use chassis::testing::{code_of, shapes};
use proto::@name@::v1::{MyEntriesReply, MyEntriesRequest, SaveEntryRequest};
use proto::auth::v1::AccountClosed;
use proto::code;
use tonic::Status;

use crate::world::World;

async fn save(world: &World, user: &str, title: &str) -> Result<String, Status> {
    let request = SaveEntryRequest {
        title: title.to_owned(),
        ..Default::default()
    };
    let saved = world.entries().save_entry(world.by(user, request)).await?;
    Ok(saved.into_inner().id)
}

async fn list(world: &World, user: &str, keyword: &str) -> MyEntriesReply {
    let request = MyEntriesRequest {
        keyword: keyword.to_owned(),
        ..Default::default()
    };
    let page = world.entries().my_entries(world.by(user, request)).await;
    page.expect("a page").into_inner()
}

#[tokio::test(flavor = "multi_thread")]
async fn users_list_their_own_entries() {
    for shape in shapes() {
        let world = World::start(shape).await;
        let first = save(&world, "u1", "买轴承").await.unwrap();
        world.test.parts.clock.advance_ms(1);
        let second = save(&world, "u1", "画齿轮").await.unwrap();
        save(&world, "u2", "别人的轴承").await.unwrap();
        let all = list(&world, "u1", "").await;
        let ids: Vec<&str> = all.results.iter().map(|entry| entry.id.as_str()).collect();
        assert_eq!((all.total_count, ids), (2, vec![second.as_str(), first.as_str()]));
        assert_eq!(list(&world, "u1", "轴承").await.results[0].id, first);
        let refused = save(&world, "u1", " ").await.unwrap_err();
        assert_eq!(code_of(&refused), code::INVALID);
        world.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_account_is_erased() {
    for shape in shapes() {
        let world = World::start(shape).await;
        for user in ["u1", "u2"] {
            save(&world, user, "买轴承").await.unwrap();
        }
        let closed = AccountClosed {
            closure_id: "c1".to_owned(),
            login_id: "u1".to_owned(),
            pseudonym: "p1".to_owned(),
            round: 1,
        };
        world.publish("c1", &closed).await;
        world.becomes("SELECT COUNT(*) FROM entry", 1).await;
        assert_eq!(list(&world, "u2", "").await.total_count, 1);
        world.test.finish().await;
    }
}
