//! Categories, industries and regions of needs and profiles.

use chassis::ServiceError;

use crate::state::{invalid, split};

pub(crate) const CATEGORIES: [&str; 8] = [
    "模型轻量化",
    "格式转换",
    "三维建模",
    "倾斜摄影",
    "点云处理",
    "场景搭建",
    "可视化开发",
    "渲染与动画",
];

pub(crate) const INDUSTRIES: [&str; 10] = [
    "智慧工厂",
    "智慧园区",
    "智慧能源",
    "智慧机房",
    "智慧交通",
    "建筑工程",
    "装备制造",
    "文物与展陈",
    "家居电商",
    "教育科研",
];

pub(crate) const REGIONS: [&str; 8] = [
    "远程", "华北", "东北", "华东", "华中", "华南", "西南", "西北",
];

/// Skills are the categories of needs, so that both match.
pub(crate) const SKILLS: [&str; 8] = CATEGORIES;

/// Checks that `name` is in `list`. Errors: the message `lacks`.
pub(crate) fn one_of(list: &[&str], name: &str, lacks: &str) -> Result<String, ServiceError> {
    match list.contains(&name) {
        true => Ok(name.to_owned()),
        false => Err(invalid(lacks)),
    }
}

/// Entries of a list, joined by commas; duplicates are dropped.
pub(crate) fn some_of(
    list: &[&str],
    names: &str,
    most: usize,
    called: &str,
) -> Result<Vec<String>, ServiceError> {
    let mut names = split(names);
    names.sort();
    names.dedup();
    if names.len() > most {
        return Err(invalid(format!("{called}最多选 {most} 项")));
    }
    match names.iter().all(|name| list.contains(&name.as_str())) {
        true => Ok(names),
        false => Err(invalid(format!("请从列表中选择{called}"))),
    }
}

pub(crate) fn to_strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}
