//! The fuzz targets over the kept corpora: inputs found by the fuzzer, among them former crashes.

use modelkit::fuzz::{TARGETS, run};
use std::path::Path;

#[test]
fn kept_corpora_pass() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../modelkit/fuzz/corpus");
    for (name, _) in TARGETS {
        let folder = root.join(name);
        let mut ran = 0;
        for file in std::fs::read_dir(&folder).expect("every target has a corpus") {
            let bytes = std::fs::read(file.expect("a readable folder").path());
            run(name, &bytes.expect("a readable file"));
            ran += 1;
        }
        assert!(ran > 0, "the corpus of {name} is empty");
    }
}
