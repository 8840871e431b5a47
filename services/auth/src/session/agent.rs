//! Words for people about a browser, from what it calls itself. Anybody may call themselves anything, so nothing is decided
//! by them.

use crate::entity::session::Kind;

/// Longest name of a browser that is kept, in characters.
const LONGEST: usize = 256;

/// The first that is found: browsers carry the names of those they descend from.
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

/// What a browser is, and words for it; empty where it does not say.
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

/// As it is kept: without what no browser's name has.
pub fn kept(user_agent: &str) -> String {
    let printable = user_agent.chars().filter(|c| !c.is_control());
    printable.take(LONGEST).collect()
}
