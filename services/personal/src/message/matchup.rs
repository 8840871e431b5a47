//! Messages about needs, offers and providers.

/// All kinds. The first word of a kind names its subject.
pub const KINDS: [&str; 14] = [
    "demandApproved",
    "demandRefused",
    "demandHidden",
    "demandExpired",
    "demandOffered",
    "demandWithdrawn",
    "demandClosed",
    "demandRated",
    "offerChosen",
    "offerLost",
    "offerEnded",
    "providerApproved",
    "providerRefused",
    "providerHidden",
];

/// Title and text, to which a reason may be added. None: not a matchup message.
pub fn words(kind: &str, demand: &str) -> Option<(&'static str, String)> {
    let words = match kind {
        "demandApproved" => (
            "需求审核已通过",
            format!("您的需求「{demand}」已通过审核，正在需求市场展示"),
        ),
        "demandRefused" => (
            "需求审核未通过",
            format!("您的需求「{demand}」未通过审核，修改后可以重新提交"),
        ),
        "demandHidden" => ("需求已被下架", format!("您的需求「{demand}」已被平台下架")),
        "demandExpired" => (
            "需求已过期",
            format!("您的需求「{demand}」到期时没有选定服务商，修改日期后可以重新提交"),
        ),
        "demandOffered" => ("需求有新报价", format!("您的需求「{demand}」收到报价")),
        "demandWithdrawn" => (
            "需求已撤回",
            format!("您报价的需求「{demand}」已由发布者撤回"),
        ),
        "demandClosed" => (
            "对接已结束",
            format!("需求「{demand}」的对接已结束，您可以评价对方"),
        ),
        "demandRated" => ("收到新的评价", format!("对方评价了需求「{demand}」的对接")),
        "offerChosen" => (
            "您的报价已被选定",
            format!("您对需求「{demand}」的报价已被选定，可以查看对方的联系方式"),
        ),
        "offerLost" => (
            "报价未被选定",
            format!("需求「{demand}」的发布者选定了其他服务商"),
        ),
        "offerEnded" => (
            "报价已失效",
            format!("您报价的需求「{demand}」已到期或下架，没有选定服务商"),
        ),
        "providerApproved" => (
            "服务商资料已通过审核",
            "您的服务商资料正在服务市场展示".to_owned(),
        ),
        "providerRefused" => (
            "服务商资料未通过审核",
            "您的服务商资料未通过审核，修改后可以重新提交".to_owned(),
        ),
        "providerHidden" => (
            "服务商资料已被下架",
            "您的服务商资料已被平台下架".to_owned(),
        ),
        _ => return None,
    };
    Some(words)
}
