//! The index and the database: what is shown is the database's, and a difference is found.

use chassis::testing::{code_of, eventually};
use proto::code;
use proto::transaction::v1::*;

use super::Mall;
/// A change that the index has not seen is shown all the same.
pub(super) async fn the_database_says_what_is_shown(mall: &Mall) {
    let id = &mall.ids[0];
    // Asked before each change too: what is kept of an answer has no price and no state.
    assert_eq!(mall.by_word("行星齿轮组").await.results[0].price, 1_990);
    // The revision stays: the index takes it for what it has.
    mall.sql(&format!("UPDATE listing SET price = 123 WHERE id = '{id}'"))
        .await;
    assert_eq!(mall.cards(std::slice::from_ref(id)).await[0].price, 123);
    assert_eq!(
        mall.detail(id)
            .await
            .expect("shown")
            .listing
            .expect("one")
            .price,
        123
    );
    assert_eq!(mall.by_word("行星齿轮组").await.results[0].price, 123);
    let found = mall.found(ModelListRequest {
        price_min: Some(1_990),
        price_max: Some(1_990),
        ..Default::default()
    });
    assert_eq!(
        found.await.expect("found").total_count,
        1,
        "the index is behind"
    );
    let similar = SimilarModelsRequest {
        model_id: id.clone(),
        size: 3,
    };
    let similar = mall
        .client()
        .similar_models(mall.running.by("", similar))
        .await;
    assert_eq!(similar.expect("similar").into_inner().results.len(), 3);
    let author = AuthorRequest {
        author_id: "u1".to_owned(),
    };
    let author = mall
        .client()
        .author_detail(mall.running.by("", author))
        .await;
    assert_eq!(
        author
            .expect("author")
            .into_inner()
            .author
            .expect("one")
            .models,
        4
    );
    let detail = mall.detail(id).await.expect("shown");
    let shown = mall.cards(std::slice::from_ref(id)).await;
    assert_eq!(shown[0].seller_name, "模型师u1");
    assert_eq!(detail.author.as_ref().expect("one").nickname, "模型师u1");
    assert_eq!(detail.category_names.len(), 2);
    assert_eq!(detail.versions.len(), 1);
    assert!(!detail.pictures.is_empty() && detail.proxy_url.contains("proxy.glb"));
    assert!(
        !format!("{detail:?}").contains("source.glb"),
        "the source has no address"
    );
    // A state likewise: the answer before is kept, the index does not know.
    let shown = async || {
        let found = mall.by_word("行星齿轮组").await.results;
        found.iter().any(|one| &one.listing_id == id)
    };
    let becomes = |state| format!("UPDATE listing SET state = '{state}' WHERE id = '{id}'");
    assert!(shown().await);
    mall.sql(&becomes("takendown")).await;
    assert!(!shown().await, "taken down, and shown");
    mall.sql(&becomes("listed")).await;
    // The comparison may have come between.
    eventually("it is back", || async { shown().await.then_some(()) }).await;
}

pub(super) async fn nobody_sees_what_is_not_listed(mall: &Mall) {
    let draft = mall
        .running
        .draft("u9", "f9")
        .await
        .listing
        .expect("one")
        .listing_id;
    let gone = &mall.ids[3];
    assert_eq!(mall.running.withdraw("u1", gone).await, "withdrawn");
    for id in [&draft, gone] {
        let answer = mall.detail(id).await.expect_err("hidden");
        assert_eq!(code_of(&answer), code::NOT_FOUND);
        assert!(mall.cards(std::slice::from_ref(id)).await.is_empty());
        let similar = SimilarModelsRequest {
            model_id: id.clone(),
            size: 3,
        };
        let answer = mall
            .client()
            .similar_models(mall.running.by("", similar))
            .await;
        assert_eq!(code_of(&answer.expect_err("hidden")), code::NOT_FOUND);
    }
    let author = AuthorRequest {
        author_id: "u9".to_owned(),
    };
    let answer = mall
        .client()
        .author_detail(mall.running.by("", author))
        .await
        .expect("a person")
        .into_inner();
    assert_eq!(answer.author.map(|one| one.models), Some(0));
    assert!(answer.categories.is_empty());
    mall.until(6).await;
    // The back way: shown again.
    assert_eq!(mall.running.relist("u1", gone).await, "listed");
    mall.until(7).await;
}

/// A category and a model that get other names are found and suggested by those, and no longer by the ones before.
pub(super) async fn names_are_followed(mall: &Mall) {
    let suggested = async |typed: &str| {
        let form = SuggestRequest {
            keyword: typed.to_owned(),
        };
        let answer = mall.client().suggest(mall.running.by("", form)).await;
        answer.expect("suggestions").into_inner().results.len()
    };
    assert_eq!(mall.by_word("轴承").await.total_count, 3);
    assert!(suggested("轴承").await > 0);
    let form = CategorySaveRequest {
        id: "c1002".to_owned(),
        name: "书房摆设".to_owned(),
        parent_id: "c10".to_owned(),
        position: 2,
        offered: true,
        reason: "改名".to_owned(),
    };
    let saved = mall
        .running
        .console()
        .category_save(mall.running.by_operator("anna", form))
        .await;
    saved.expect("saved");
    eventually("the new name is found", || async {
        (mall.by_word("书房").await.total_count == 3).then_some(())
    })
    .await;
    assert_eq!(mall.by_word("轴承").await.total_count, 0);
    assert_eq!(suggested("轴承").await, 0);
    assert!(suggested("shufang").await > 0);

    let (id, running) = (&mall.ids[6], &mall.running);
    assert!(suggested("石拱").await > 0);
    let form = SaveListingRequest {
        listing_id: id.clone(),
        name: Some("赵州风格桥梁".to_owned()),
        ..Default::default()
    };
    running.save("u3", form).await.expect("saved");
    assert_eq!(running.submit("u3", id).await, "listed");
    running.decide(id, 2, "approve").await.expect("approved");
    eventually("the new name is suggested", || async {
        (suggested("赵州").await > 0).then_some(())
    })
    .await;
    assert_eq!(suggested("石拱").await, 0);
    // Changed texts are no version to buyers.
    let versions = mall.detail(id).await.expect("shown").versions;
    let numbers: Vec<i32> = versions.iter().map(|one| one.number).collect();
    assert_eq!(numbers, [1]);
}

/// A change that no round looks back to is found by the comparison.
pub(super) async fn a_difference_is_found(mall: &Mall) {
    let id = &mall.ids[1];
    mall.sql(&format!(
        "UPDATE listing SET state = 'removed', updated_at = 1 WHERE id = '{id}'"
    ))
    .await;
    assert!(mall.cards(std::slice::from_ref(id)).await.is_empty());
    mall.until(6).await;
}
