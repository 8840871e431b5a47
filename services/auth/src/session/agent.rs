//! Display names for browsers, derived from their user agents. Those can be forged, so no decision depends on them.

use crate::entity::session::Kind;

/// Longest user agent stored, in characters.
const LONGEST: usize = 256;

/// The first match counts: browsers carry the names of their ancestors.
const BROWSERS: [(&str, &str); 11] = [
    ("MicroMessenger/", "微信"),
    ("QQBrowser/", "QQ浏览器"),
    ("QQ/", "QQ"),
    ("HuaweiBrowser/", "华为浏览器"),
    ("MiuiBrowser/", "小米浏览器"),
    ("UCBrowser/", "UC浏览器"),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

const SYSTEMS: [(&str, &str, Kind); 9] = [
    ("OpenHarmony", "鸿蒙", Kind::Mobile),
    ("HarmonyOS", "鸿蒙", Kind::Mobile),
    ("iPhone", "iPhone", Kind::Mobile),
    ("iPad", "iPad", Kind::Mobile),
    ("Android", "Android", Kind::Mobile),
    ("Windows", "Windows", Kind::Desktop),
    ("Macintosh", "macOS", Kind::Desktop),
    ("CrOS", "ChromeOS", Kind::Desktop),
    ("Linux", "Linux", Kind::Desktop),
];

/// Kind and display name of a browser; the name is empty if unknown.
pub fn read(user_agent: &str) -> (Kind, String) {
    let browser = BROWSERS
        .iter()
        .find(|(mark, _)| user_agent.contains(mark))
        .map(|(_, name)| *name);
    let system = SYSTEMS.iter().find(|(mark, ..)| user_agent.contains(mark));
    let words = [browser, system.map(|(_, name, _)| *name)];
    let words: Vec<&str> = words.into_iter().flatten().collect();
    let kind = match (browser, system) {
        (Some(_), Some((_, _, kind))) => *kind,
        _ => Kind::Other,
    };
    (kind, words.join(" · "))
}

/// The user agent to store: without control characters.
pub fn kept(user_agent: &str) -> String {
    let printable = user_agent.chars().filter(|c| !c.is_control());
    printable.take(LONGEST).collect()
}
