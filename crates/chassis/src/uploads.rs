//! Uploads that a call names.

use contentscan::is_invisible;

/// Longest key, in bytes, as in S3.
const LONGEST: usize = 1024;

/// Whether a key is that of an upload of this user: below the user's own prefix, without parts that lead elsewhere and without
/// characters that make a name read as another one.
pub fn is_own(login_id: &str, key: &str) -> bool {
    let inside = objectstore::user_prefix(login_id).ok();
    let inside = inside.and_then(|own| key.strip_prefix(&own).map(str::to_owned));
    inside.is_some_and(|inside| {
        let odd = |part: &str| matches!(part, "" | "." | "..");
        key.len() <= LONGEST && !inside.split('/').any(odd) && !key.chars().any(is_invisible)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_keys_below_the_own_prefix_are_own() {
        for own in ["u/u1/a.glb", "u/u1/free/2026/齿轮-1.glb"] {
            assert!(is_own("u1", own), "{own}");
        }
        let long = format!("u/u1/{}", "x".repeat(LONGEST));
        let others = [
            "u/u1/",
            "u/u1",
            "u/u12/a.glb",
            "u/u2/a.glb",
            "s/u1/a.glb",
            "u/u1//a.glb",
            "u/u1/./a.glb",
            "u/u1/../u2/a.glb",
            "u/u1/a/..",
            "u/u1/a\n.glb",
            "u/u1/a\u{202e}bpj.glb",
            "u/u1/a\u{200b}.glb",
            &long,
        ];
        for other in others {
            assert!(!is_own("u1", other), "{other:?}");
        }
    }
}
