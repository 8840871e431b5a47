//! Categories and labels that a model can carry: a fixed tree of two levels.

/// A category with its labels.
pub struct Category {
    pub id: &'static str,
    pub name: &'static str,
    /// Id and name of each.
    pub labels: &'static [(&'static str, &'static str)],
}

/// All categories.
pub const CATEGORIES: &[Category] = &[
    Category {
        id: "10",
        name: "行业",
        labels: &[
            ("1001", "机械制造"),
            ("1002", "建筑园区"),
            ("1003", "能源电力"),
            ("1004", "交通运输"),
            ("1005", "电商家居"),
            ("1006", "文化文物"),
            ("1007", "医疗教育"),
            ("1008", "游戏影视"),
        ],
    },
    Category {
        id: "20",
        name: "类型",
        labels: &[
            ("2001", "零件"),
            ("2002", "设备"),
            ("2003", "建筑"),
            ("2004", "场景"),
            ("2005", "人物"),
            ("2006", "动物"),
            ("2007", "植物"),
            ("2008", "器物"),
        ],
    },
    Category {
        id: "30",
        name: "风格",
        labels: &[
            ("3001", "写实"),
            ("3002", "低多边形"),
            ("3003", "卡通"),
            ("3004", "扫描实景"),
        ],
    },
];

/// Name of a label.
pub fn name_of(id: &str) -> Option<&'static str> {
    let mut all = CATEGORIES.iter().flat_map(|category| category.labels);
    all.find(|(known, _)| *known == id).map(|(_, name)| *name)
}

/// Labels a model carries at most.
const MAX_LABELS: usize = 10;

/// Reads comma-joined ids; `None` if one is unknown or there are too many.
pub fn parse(ids: &str) -> Option<Vec<String>> {
    let mut found: Vec<String> = Vec::new();
    for id in ids.split(',').map(str::trim).filter(|id| !id.is_empty()) {
        if !CATEGORIES
            .iter()
            .any(|c| c.labels.iter().any(|(known, _)| *known == id))
        {
            return None;
        }
        if !found.iter().any(|old| old == id) {
            found.push(id.to_owned());
        }
    }
    (found.len() <= MAX_LABELS).then_some(found)
}
