//! Rules of what a maker writes.

pub(crate) use chassis::texts::Rule;
use chassis::{BusinessError, ServiceError};

/// Lowest and highest price in cents of what is not free.
const LOWEST_PRICE: i64 = 100;
const HIGHEST_PRICE: i64 = 9_999_999;

pub(super) const NAME: Rule = Rule {
    called: "模型名称",
    lines: false,
};
pub(super) const INTRO: Rule = Rule {
    called: "一句话介绍",
    lines: false,
};
pub(super) const DESCRIPTION: Rule = Rule {
    called: "详细说明",
    lines: true,
};
pub(super) const NOTES: Rule = Rule {
    called: "版本说明",
    lines: true,
};

pub(crate) const STATEMENT: Rule = Rule {
    called: "申请说明",
    lines: true,
};
pub(crate) const SLOGAN: Rule = Rule {
    called: "横幅标语",
    lines: false,
};
pub(crate) const INTRODUCTION: Rule = Rule {
    called: "主页介绍",
    lines: true,
};

/// A price in cents. Errors: it is none that the mall takes.
pub fn price(cents: i64) -> Result<i64, ServiceError> {
    match cents {
        0 | LOWEST_PRICE..=HIGHEST_PRICE => Ok(cents),
        _ => Err(BusinessError::invalid("价格为 0（免费）或 1 至 99,999.99 元").into()),
    }
}
