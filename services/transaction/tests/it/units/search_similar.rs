//! Unit tests of `search::similar`.

use xl_transaction::internals::{BYTES, Descriptors};

#[test]
fn the_nearest_come_first_and_what_is_gone_does_not_come() {
    let mut all = Descriptors::default();
    let id = |n: u8| format!("{n:032x}");
    for n in [1, 2, 4, 9] {
        all.put(&id(n), Some([n * 10; BYTES]));
    }
    assert_eq!(all.near(&id(1), 2), [id(2), id(4)]);
    all.put(&id(2), None);
    assert_eq!(all.near(&id(1), 2), [id(4), id(9)]);
    all.put(&id(9), Some([11; BYTES]));
    assert_eq!(all.near(&id(1), 9), [id(9), id(4)]);
    assert!(all.near(&id(2), 9).is_empty() && all.near("x", 9).is_empty());
}

/// Against a plain list, through every order of coming and going.
#[test]
fn what_comes_and_goes_is_known_as_it_is() {
    let mut all = Descriptors::default();
    let mut plain: Vec<(u8, u8)> = Vec::new();
    let mut dice: u32 = 7;
    for _ in 0..2_000 {
        dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (id, form) = ((dice >> 24) as u8 % 60, (dice >> 16) as u8);
        plain.retain(|(known, _)| *known != id);
        let stays = dice & 0x300 != 0;
        if stays {
            plain.push((id, form));
        }
        let named = |id: u8| format!("{id:032x}");
        all.put(&named(id), stays.then_some([form; BYTES]));
        let near = all.near(&named(id), 60);
        let others = plain.iter().filter(|(known, _)| *known != id);
        let mut others: Vec<String> = others.map(|(known, _)| named(*known)).collect();
        let mut found = near.clone();
        others.sort();
        found.sort();
        match stays {
            true => assert_eq!(found, others),
            false => assert!(near.is_empty()),
        }
    }
}
