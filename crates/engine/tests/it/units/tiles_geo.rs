//! Unit tests of `tiles::geo`.

use modelkit::internals::{Frame, Georeference, NAME, ecef, geodetic, title};

fn near(a: [f64; 3], b: [f64; 3], within: f64) {
    for k in 0..3 {
        assert!((a[k] - b[k]).abs() < within, "{a:?} {b:?}");
    }
}

fn degrees(longitude: f64, latitude: f64, height: f64) -> [f64; 3] {
    ecef([longitude.to_radians(), latitude.to_radians(), height])
}

/// Points that can be checked by hand: the axes of the ellipsoid.
#[test]
fn axes_of_the_ellipsoid() {
    near(degrees(0.0, 0.0, 0.0), [6_378_137.0, 0.0, 0.0], 1e-6);
    near(degrees(90.0, 0.0, 10.0), [0.0, 6_378_147.0, 0.0], 1e-6);
    near(degrees(0.0, 90.0, 0.0), [0.0, 0.0, 6_356_752.314_245], 1e-5);
}

#[test]
fn there_and_back() {
    let place = [116.391_38f64.to_radians(), 39.907_5f64.to_radians(), 44.0];
    near(geodetic(ecef(place)), place, 1e-9);
}

/// Values from PROJ 9.5.1 (`pyproj`), computed independently of this code.
#[test]
fn a_system_is_named_without_its_definition() {
    let long = "+proj=tmerc ".repeat(20);
    for (srs, name) in [
        (
            "PROJCS[\"LOCAL0 / 3-degree Gauss-Kruger CM 113.36E\", GEOGCS[\"China Geodetic Coordinate System 2000\"]]",
            "LOCAL0 / 3-degree Gauss-Kruger CM 113.36E",
        ),
        ("EPSG:4547", "EPSG:4547"),
        ("ENU:30.5,114.3", "ENU:30.5,114.3"),
    ] {
        assert_eq!(title(srs), name);
    }
    assert!(title(&long).ends_with('…') && title(&long).chars().count() == NAME + 1);
}

#[test]
fn map_projections_as_proj_has_them() {
    const WKT: &str = r#"PROJCS["LOCAL0 / 3-degree Gauss-Kruger",GEOGCS["China Geodetic Coordinate System 2000",
        DATUM["China_2000",SPHEROID["CGCS2000",6378137,298.257222101,AUTHORITY["EPSG","1024"]],AUTHORITY["EPSG","1043"]],
        PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],
        AUTHORITY["EPSG","4490"]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],
        PARAMETER["central_meridian",113.37],PARAMETER["scale_factor",1],PARAMETER["false_easting",500000],
        PARAMETER["false_northing",90],UNIT["metre",1,AUTHORITY["EPSG","9001"]],AUTHORITY["EPSG","4547"]]"#;
    let cases = [
        (
            "EPSG:4547",
            [501_027.524, 2_488_718.808, 12.5],
            [-2_398_937.514_582, 5_385_575.607_463, 2_425_247.360_818],
        ),
        (
            "EPSG:32650",
            [448_262.4, 4_417_840.2, 50.0],
            [-2_177_963.261_048, 4_388_499.427_755, 4_070_278.214_185],
        ),
        // The code in the text belongs to another meridian: the parameters take precedence.
        (
            WKT,
            [501_027.524, 2_488_718.808, 0.0],
            [-2_339_585.270_028, 5_411_648.219_164, 2_425_159.426_256],
        ),
        (
            // The easting has the prefix of zone 37.
            "EPSG:4525",
            [37_501_027.524, 2_488_718.808, 12.5],
            [-2_113_790.604_757, 5_503_745.552_060, 2_425_247.360_818],
        ),
        (
            "EPSG:32749",
            [448_262.4, 7_417_840.2, 5.0],
            [-2_051_253.765_366, 5_488_123.514_831, -2_512_174.472_269],
        ),
        (
            "EPSG:4549",
            [448_262.4, 3_417_840.2, 30.0],
            [-2_694_489.651_009, 4_770_466.391_167, 3_254_536.182_130],
        ),
        // Already Earth-centred.
        (
            "EPSG:4978",
            [-2_178_000.0, 4_388_000.0, 4_070_000.0],
            [-2_178_000.0, 4_388_000.0, 4_070_000.0],
        ),
        (
            "EPSG:32650+5773",
            [448_262.4, 4_417_840.2, 50.0],
            [-2_177_963.261_048, 4_388_499.427_755, 4_070_278.214_185],
        ),
    ];
    for (srs, [x, y, z], wanted) in cases {
        let geo = Georeference::parse(srs, [x - 7.0, y, z - 0.5]).unwrap();
        near(geo.ecef([7.0, 0.0, 0.5]).unwrap(), wanted, 1e-3);
        assert_eq!(geo.height_datum_ignored, srs.contains('+'), "{srs}");
    }
    let bessel = "+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=3500000 +y_0=0 +ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7 +units=m +no_defs";
    let geo = Georeference::parse(bessel, [3_500_000.0, 5_400_000.0, 100.0]).unwrap();
    let [longitude, latitude, _] = geodetic(geo.ecef([0.0; 3]).unwrap());
    assert!((longitude.to_degrees() - 8.998_970_824).abs() < 1e-8);
    assert!((latitude.to_degrees() - 48.737_539_271).abs() < 1e-8);
}

#[test]
fn a_name_by_the_scheme_of_ogc_is_a_code() {
    let origin = [501_027.5, 2_488_718.8, 12.5];
    let code = Georeference::parse("EPSG:4547", origin).unwrap();
    for srs in [
        "urn:ogc:def:crs:EPSG::4547",
        "URN:OGC:DEF:CRS:epsg:9.8:4547",
    ] {
        let geo = Georeference::parse(srs, origin).unwrap();
        assert_eq!(geo.ecef([0.0; 3]).unwrap(), code.ecef([0.0; 3]).unwrap());
        assert_eq!(geo.name, "EPSG:4547");
    }
    assert!(Georeference::parse("urn:ogc:def:crs:OGC::CRS84", origin).is_err());
}

#[test]
fn a_frame_keeps_points_where_they_are() {
    let geo = Georeference::parse("EPSG:4547", [501_027.5, 2_488_718.8, 12.5]).unwrap();
    for reach in [100.0, 20_000.0] {
        let frame = Frame::new(&geo, [10.0, 20.0, 5.0], reach).unwrap();
        for p in [
            [10.0, 20.0, 5.0],
            [10.0 + reach, 20.0 - reach, 80.0],
            [0.0, reach, -3.0],
        ] {
            let [x, y, z] = frame.place(p);
            let m = &frame.matrix;
            let back = std::array::from_fn(|r| m[r] * x + m[4 + r] * y + m[8 + r] * z + m[12 + r]);
            near(back, geo.ecef(p).unwrap(), 0.003);
        }
    }
}

#[test]
fn beijing_in_earth_centred_coordinates() {
    near(
        degrees(116.391_38, 39.907_5, 44.0),
        [
            -2_177_757.260_516_5,
            4_388_721.299_925_95,
            4_070_140.722_355_948,
        ],
        1e-6,
    );
}

#[test]
fn local_origin_is_the_point_itself() {
    let geo = Georeference::parse("ENU:39.9,116.3", [0.0; 3]).unwrap();
    near(geo.ecef([0.0; 3]).unwrap(), degrees(116.3, 39.9, 0.0), 1e-6);
    // A hundred metres up is a hundred metres of height.
    near(
        geo.ecef([0.0, 0.0, 100.0]).unwrap(),
        degrees(116.3, 39.9, 100.0),
        1e-6,
    );
}

#[test]
fn unknown_systems_are_named() {
    for srs in [
        "EPSG:1",
        "EPSG:x",
        "ENU:1",
        "PROJCS[",
        "",
        "EPSG:99999999",
        "ENU:99,500,1",
    ] {
        assert!(Georeference::parse(srs, [0.0; 3]).is_err(), "{srs}");
    }
}

#[test]
fn degrees_are_those_of_the_origin_alone() {
    let wanted = degrees(116.3, 39.9, 40.0);
    for (srs, origin) in [
        ("EPSG:4490", [116.3, 39.9, 40.0]),
        // Latitude first: 116 can only be a longitude.
        ("EPSG:4326", [39.9, 116.3, 40.0]),
        ("+proj=longlat +datum=WGS84 +no_defs", [116.3, 39.9, 40.0]),
    ] {
        let geo = Georeference::parse(srs, origin).unwrap();
        assert!(geo.in_degrees);
        near(geo.ecef([0.0; 3]).unwrap(), wanted, 1e-6);
        let up = geo.ecef([0.0, 0.0, 100.0]).unwrap();
        near(up, degrees(116.3, 39.9, 140.0), 1e-6);
    }
    for origin in [[0.0; 3], [501_027.0, 2_488_718.0, 0.0]] {
        assert!(Georeference::parse("EPSG:4490", origin).is_err());
    }
}
