//! Unit tests of `search::find`.

use xl_transaction::internals::{Hit, several_makers};

#[test]
fn one_maker_does_not_fill_a_page_while_there_are_others() {
    let hit = |(at, seller): (usize, &str)| Hit {
        id: at.to_string(),
        seller: seller.to_owned(),
    };
    let hits: Vec<Hit> = ["a", "a", "a", "a", "a", "b", "a", "c"]
        .into_iter()
        .enumerate()
        .map(hit)
        .collect();
    let ids = |page| -> Vec<String> {
        let arranged = several_makers(hits.clone(), page);
        arranged.into_iter().map(|hit| hit.id).collect()
    };
    assert_eq!(ids(5), ["0", "1", "2", "5", "7", "3", "4", "6"]);
    assert_eq!(ids(8), ["0", "1", "2", "5", "7", "3", "4", "6"]);
    assert_eq!(ids(2), ["0", "1", "2", "3", "4", "5", "6", "7"]);
}
