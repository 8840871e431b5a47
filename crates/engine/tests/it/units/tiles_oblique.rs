//! Unit tests of `tiles::oblique`.

use modelkit::internals::grid;

#[test]
fn places_in_the_grid_are_read_from_names() {
    assert_eq!(grid("Tile_+012_-003"), Some([12, -3]));
    assert_eq!(grid("Tile_p012_m003"), Some([12, -3]));
    assert_eq!(grid("Block_7_8"), Some([7, 8]));
    for none in ["Tile", "Tile_a_b", "Tile_1", "Tile_pp1_1", "Tile_9999999_1"] {
        assert_eq!(grid(none), None, "{none}");
    }
}
