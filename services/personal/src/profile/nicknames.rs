//! Nicknames that replace a refused one.

use rand::seq::IndexedRandom;

/// Their number is set by the contract.
pub const PRESETS: [&str; 26] = [
    "青山远客",
    "云间画匠",
    "山月听风",
    "墨色流年",
    "星野拾光",
    "溪桥晚照",
    "松间明月",
    "竹影清风",
    "江上渔火",
    "雪夜归舟",
    "远岫孤云",
    "梧桐夜雨",
    "长亭秋色",
    "石径寻梅",
    "碧海潮生",
    "晓看天色",
    "南窗寄傲",
    "北冥有鱼",
    "东篱采菊",
    "西楼望月",
    "半盏清茶",
    "一蓑烟雨",
    "千里江山",
    "万象玄览",
    "落霞孤鹜",
    "空谷幽兰",
];

/// One of them.
pub fn any() -> &'static str {
    PRESETS
        .choose(&mut rand::rng())
        .copied()
        .unwrap_or(PRESETS[0])
}
