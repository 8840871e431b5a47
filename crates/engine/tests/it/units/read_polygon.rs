//! Unit tests of `read::polygon`.

use modelkit::internals::Cutter;

fn area(points: &[[f32; 3]]) -> (usize, f32) {
    let mut cutter = Cutter::default();
    let mut sum = 0.0;
    let mut count = 0;
    cutter.cut(points, |[a, b, c]| {
        let (a, b, c) = (points[a], points[b], points[c]);
        sum += ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs() / 2.0;
        count += 1;
    });
    (count, sum)
}

#[test]
fn a_concave_polygon_keeps_its_area() {
    // A comb: a fan from the first corner would cover 18, not 12.
    let comb = [
        [0.0, 0.0, 0.0],
        [6.0, 0.0, 0.0],
        [6.0, 3.0, 0.0],
        [4.0, 3.0, 0.0],
        [4.0, 1.0, 0.0],
        [2.0, 1.0, 0.0],
        [2.0, 3.0, 0.0],
        [0.0, 3.0, 0.0],
    ];
    let (count, sum) = area(&comb);
    assert_eq!(count, 6);
    assert!((sum - 14.0).abs() < 1e-4, "{sum}");
    let mut reversed = comb;
    reversed.reverse();
    let (count, sum) = area(&reversed);
    assert_eq!(count, 6);
    assert!((sum - 14.0).abs() < 1e-4, "{sum}");
}

#[test]
fn crossed_flat_and_huge_polygons_end() {
    let bow = [
        [0.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.5, 2.0, 0.0],
    ];
    assert_eq!(area(&bow).0, 3);
    assert_eq!(area(&[[0.0; 3]; 7]).0, 5);
    let star: Vec<[f32; 3]> = (0..5000)
        .map(|i| {
            let angle = i as f32 * 0.001;
            let radius = if i % 2 == 0 { 1.0 } else { 2.0 };
            [radius * angle.cos(), radius * angle.sin(), 0.0]
        })
        .collect();
    assert_eq!(area(&star).0, 4998);
}
