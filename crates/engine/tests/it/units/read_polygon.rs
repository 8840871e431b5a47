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

/// A comb of `teeth` teeth, each 1 wide and `high` high, 1 apart, on a back of height 1.
fn comb(teeth: usize, high: f32) -> Vec<[f32; 3]> {
    let width = (teeth * 2 - 1) as f32;
    let mut points = vec![[0.0, 0.0, 0.0], [width, 0.0, 0.0]];
    for tooth in (0..teeth).rev() {
        let x = (tooth * 2) as f32;
        points.push([x + 1.0, 1.0 + high, 0.0]);
        points.push([x, 1.0 + high, 0.0]);
        if tooth > 0 {
            points.push([x, 1.0, 0.0]);
            points.push([x - 1.0, 1.0, 0.0]);
        }
    }
    points
}

/// A spiral of `turns` windings: few ears at any time.
fn spiral(steps: usize) -> Vec<[f32; 3]> {
    let point = |i: usize, width: f32| {
        let angle = i as f32 * 0.1;
        let radius = 10.0 + angle + width;
        [radius * angle.cos(), radius * angle.sin(), 0.0]
    };
    let out = (0..steps).map(|i| point(i, 2.0));
    out.chain((0..steps).rev().map(|i| point(i, 0.0))).collect()
}

/// The area by the shoelace formula.
fn shoelace(points: &[[f32; 3]]) -> f32 {
    let next = points.iter().cycle().skip(1);
    let sum: f64 = points
        .iter()
        .zip(next)
        .map(|(a, b)| f64::from(a[0]) * f64::from(b[1]) - f64::from(b[0]) * f64::from(a[1]))
        .sum();
    (sum / 2.0).abs() as f32
}

#[test]
fn large_concave_polygons_keep_their_area() {
    let tilted = |points: &[[f32; 3]]| -> Vec<[f32; 3]> {
        points
            .iter()
            .map(|[x, y, _]| [*x, *y, x * 0.5 + y])
            .collect()
    };
    for points in [
        comb(200, 5.0),
        comb(20_000, 100.0),
        spiral(400),
        spiral(5_000),
    ] {
        let wanted = shoelace(&points);
        for mut points in [points.clone(), tilted(&points)] {
            for _ in 0..2 {
                let mut cutter = Cutter::default();
                let mut sum = 0.0;
                cutter.cut(&points, |t| {
                    let flat = t.map(|i| [points[i][0], points[i][1], 0.0]);
                    sum += f64::from(shoelace(&flat));
                });
                assert_eq!(cutter.given_up, 0);
                assert!((sum as f32 / wanted - 1.0).abs() < 1e-3, "{sum} {wanted}");
                points.reverse();
            }
        }
    }
}

#[test]
fn a_hole_reached_by_a_bridge_stays_open() {
    let square = |side: f32| {
        [
            [-side, -side, 0.0],
            [side, -side, 0.0],
            [side, side, 0.0],
            [-side, side, 0.0],
        ]
    };
    let mut points = square(3.0).to_vec();
    points.push([-3.0, -3.0, 0.0]);
    points.extend(square(1.0).iter().rev());
    points.push([-1.0, 1.0, 0.0]);
    let (count, sum) = area(&points);
    assert_eq!((count, sum), (8, 32.0));
}

#[test]
fn a_tangle_is_given_up_and_counted() {
    // Every edge crosses most of the others.
    let n = 20_001;
    let tangle: Vec<[f32; 3]> = (0..n)
        .map(|i| {
            let angle = (i * (n / 2) % n) as f32 / n as f32 * std::f32::consts::TAU;
            [
                angle.cos() * (1.0 + (i % 7) as f32),
                angle.sin() * (1.0 + (i % 5) as f32),
                0.0,
            ]
        })
        .collect();
    let mut cutter = Cutter::default();
    let mut count = 0;
    cutter.cut(&tangle, |_| count += 1);
    assert_eq!((count, cutter.given_up), (n - 2, 1));
}
