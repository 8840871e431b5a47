//! Texts of messages. Rows store a kind and parameters; the text is produced on read.

use chassis::console::moment;
use serde_json::Value;

/// Message groups with a page of their own.
pub(crate) const GROUPS: [&str; 9] = [
    "announcement",
    "attention",
    "comments",
    "commentsAndReplies",
    "modelApply",
    "modelProcessing",
    "modelTrading",
    "replies",
    "systemInformation",
];

/// Title and content of a message, both plain text.
pub(crate) fn words(kind: &str, params: &Value) -> (String, String) {
    let text = |name: &str| params[name].as_str().unwrap_or_default().to_owned();
    if let Some((title, happened)) = super::matchup::words(kind, &text("demand")) {
        return (title.to_owned(), because(&happened, &text("reason")));
    }
    let (title, content) = match kind {
        "checkReady" => (
            "模型体检完成",
            format!("文件「{}」已通过体检，可以开始处理。", text("file")),
        ),
        "checkFailed" => (
            "模型体检未通过",
            format!("文件「{}」未通过体检，请查看体检日志后重试。", text("file")),
        ),
        "resultDone" => (
            "模型处理完成",
            format!(
                "文件「{}」的{}已完成。",
                text("file"),
                service(&text("service"))
            ),
        ),
        "resultFailed" => (
            "模型处理失败",
            format!(
                "文件「{}」的{}失败，可以重新提交。",
                text("file"),
                service(&text("service"))
            ),
        ),
        "orderPaid" => (
            "订单支付成功",
            format!("订单 {} 已支付 {} 元。", text("orderNo"), yuan(params)),
        ),
        "orderCounted" => (
            "订单支付成功",
            format!("订单 {} 已用会员免费次数抵扣。", text("orderNo")),
        ),
        "orderCancelled" => ("订单已取消", format!("订单 {} 已取消。", text("orderNo"))),
        "orderExpired" => (
            "订单已过期",
            format!("订单 {} 超时未支付，已自动关闭。", text("orderNo")),
        ),
        "refunded" => (
            "退款到账",
            format!("一笔 {} 元的款项已原路退回。", yuan(params)),
        ),
        "countReturned" => (
            "免费次数已退回",
            "该模型由会员免费次数抵扣，没有扣款；扣过的次数已返还。".to_owned(),
        ),
        "withdrawalPaid" => (
            "提现已打款",
            format!(
                "您提现的 {} 元已汇至{}尾号 {} 的银行卡。",
                yuan_of(params, "arrives"),
                text("bank"),
                text("last4")
            ),
        ),
        "withdrawalRefused" => (
            "提现未通过",
            format!(
                "您提现 {} 元的申请未通过：{}。款项已退回可用收入。",
                yuan(params),
                text("cause")
            ),
        ),
        "withdrawalFailed" => (
            "提现失败",
            format!(
                "您提现的 {} 元未能汇出：{}。款项已退回可用收入，请核对银行卡后重新申请。",
                yuan(params),
                text("cause")
            ),
        ),
        "newDevice" => (
            "新设备登录提醒",
            format!(
                "您的账号在新设备{}登录（IP {}）。若非本人操作，请立即修改密码。",
                device(&text("device")),
                text("address")
            ),
        ),
        "secured" => (
            "账号安全提醒",
            format!(
                "您的账号{}。若非本人操作，请立即联系客服。",
                secured(&text("what"))
            ),
        ),
        "exportReady" => (
            "个人数据已准备好",
            format!(
                "您申请的个人数据已打包完成，请在 {} 前到账号管理下载，到期自动删除。",
                moment(params["until"].as_i64().unwrap_or_default())
            ),
        ),
        "exportFailed" => (
            "个人数据打包失败",
            "您申请的个人数据没有打包成功，请到账号管理重新申请。".to_owned(),
        ),
        "certified" => (
            "认证已通过",
            format!("您提交的{}已通过审核。", certification(&text("kind"))),
        ),
        "notCertified" => (
            "认证未通过",
            match text("cause").as_str() {
                "" => "您提交的认证未通过审核。".to_owned(),
                cause => format!(
                    "您提交的{}未通过审核：{cause}",
                    certification(&text("kind"))
                ),
            },
        ),
        "modelerApproved" => (
            "模型师申请已通过",
            "您已成为模型师，可以在工作台的模型师中心查看上架与订单、设置主页。".to_owned(),
        ),
        "modelerRefused" => (
            "模型师申请未通过",
            format!(
                "您的模型师申请未通过审核：{}。修改后可以重新申请。",
                text("cause")
            ),
        ),
        "modelerFrozen" => (
            "模型师账户已冻结",
            format!(
                "您的模型师账户已冻结，商城暂不展示您的模型。原因：{}。如有疑问请联系客服。",
                text("cause")
            ),
        ),
        "modelerUnfrozen" => (
            "模型师账户已解冻",
            "您的模型师账户已解冻，商城重新展示您的模型。".to_owned(),
        ),
        "invitationRewarded" => (
            "推广奖励已到账",
            match text("side").as_str() {
                "inviter" => format!(
                    "您邀请的用户已有首个模型通过体检，{} 元云币已存入您的账户。",
                    yuan_of(params, "cents")
                ),
                _ => format!(
                    "您的首个模型已通过体检，{} 元云币的推广奖励已存入您的账户。",
                    yuan_of(params, "cents")
                ),
            },
        ),
        "followed" => (
            "新增关注",
            match text("name").as_str() {
                "" => "有一位用户关注了您。".to_owned(),
                name => format!("{name} 关注了您。"),
            },
        ),
        "chatAnswered" => (
            "客服已回复",
            format!("在线客服回复了您：{}", text("answer")),
        ),
        "feedbackClosed" => (
            "反馈已处理完毕",
            "您的反馈已处理完毕并关闭。如仍有问题，请重新提交反馈。".to_owned(),
        ),
        "feedbackAnswered" => (
            "反馈已回复",
            format!("您的反馈有新的回复：{}", text("answer")),
        ),
        "modelReviewed" => (
            "模型有新评价",
            match text("reason").as_str() {
                "" => format!("您的模型「{}」收到一条评价。", text("model")),
                said => format!("您的模型「{}」收到一条评价：{said}", text("model")),
            },
        ),
        "reviewAnswered" => (
            "作者回复了评价",
            format!(
                "您对「{}」的评价有了作者回复：{}",
                text("model"),
                text("reason")
            ),
        ),
        "reviewHidden" => (
            "评价已被隐藏",
            because(
                &format!("您对「{}」的评价已被隐藏", text("model")),
                &text("reason"),
            ),
        ),
        "listingApproved" => (
            "模型已上架",
            format!("您的模型「{}」已通过审核并上架。", text("model")),
        ),
        "changeApproved" => (
            "模型更新已通过审核",
            format!(
                "您对模型「{}」的更新已通过审核，商城已展示新内容。",
                text("model")
            ),
        ),
        "listingChanges" => (
            "模型需要修改",
            because(
                &format!("您的模型「{}」需要修改后重新提交", text("model")),
                &text("reason"),
            ),
        ),
        "listingRefused" => (
            "模型审核未通过",
            because(
                &format!("您的模型「{}」未通过审核", text("model")),
                &text("reason"),
            ),
        ),
        "listingFailed" => (
            "模型展示图制作失败",
            because(
                &format!("您的模型「{}」无法制作展示图，未能提交审核", text("model")),
                &text("reason"),
            ),
        ),
        "listingTakenDown" => (
            "模型已被平台下架",
            because(
                &format!("您的模型「{}」已被平台下架", text("model")),
                &text("reason"),
            ),
        ),
        "listingRestored" => (
            "模型已恢复上架",
            because(
                &format!("您的模型「{}」已由平台恢复上架", text("model")),
                &text("reason"),
            ),
        ),
        "listingRemoved" => (
            "模型已被平台删除",
            because(
                &format!(
                    "您的模型「{}」已被平台删除，已购买的用户不受影响",
                    text("model")
                ),
                &text("reason"),
            ),
        ),
        "versionAdded" => (
            "模型有新版本",
            match text("reason").as_str() {
                "" => format!("您拥有的模型「{}」发布了新版本，可以下载。", text("model")),
                notes => format!(
                    "您拥有的模型「{}」发布了新版本，可以下载。版本说明：{notes}",
                    text("model")
                ),
            },
        ),
        "workCommented" => (
            "作品有新评论",
            format!(
                "您的作品「{}」收到一条评论：{}",
                text("work"),
                text("reason")
            ),
        ),
        "commentAnswered" => (
            "评论有新回复",
            format!(
                "您在「{}」下的评论收到回复：{}",
                text("work"),
                text("reason")
            ),
        ),
        "commentHidden" => (
            "评论已被隐藏",
            because(
                &format!("您在「{}」下的评论已被隐藏", text("work")),
                &text("reason"),
            ),
        ),
        "workApproved" => (
            "作品审核已通过",
            format!("您的作品「{}」已通过审核。", text("work")),
        ),
        "workRefused" => (
            "作品审核未通过",
            because(
                &format!("您的作品「{}」未通过审核", text("work")),
                &text("reason"),
            ),
        ),
        "workHidden" => (
            "作品已被隐藏",
            because(
                &format!("您的作品「{}」已被平台隐藏", text("work")),
                &text("reason"),
            ),
        ),
        "pictureAccepted" => (
            "图片审核已通过",
            "您提交的图片已通过人工审核，重新选择该图片即可使用。".to_owned(),
        ),
        "pictureRefused" => (
            "图片审核未通过",
            because("您提交的图片未通过人工审核", &text("cause")),
        ),
        "textRefused" => (
            "资料审核未通过",
            match text("place").as_str() {
                "nickname" => because("您的昵称未通过审核，已为您更换", &text("cause")),
                _ => because("您的简介未通过审核，已被清空", &text("cause")),
            },
        ),
        _ => ("系统消息", String::new()),
    };
    (title.to_owned(), content)
}

/// The decision, with the reason if one was given.
fn because(decided: &str, cause: &str) -> String {
    match cause {
        "" => format!("{decided}。"),
        cause => format!("{decided}：{cause}"),
    }
}

/// Cents of `amount` as yuan.
fn yuan(params: &Value) -> String {
    yuan_of(params, "amount")
}

/// Cents of a parameter as yuan.
fn yuan_of(params: &Value, name: &str) -> String {
    let cents = params[name].as_i64().unwrap_or_default();
    format!("{}.{:02}", cents / 100, cents % 100)
}

fn service(kind: &str) -> &'static str {
    match kind {
        "lightweight" => "轻量化",
        "convert" => "格式转换",
        "tile" => "3DTiles 切片",
        "offline" => "离线包",
        "amrt" => "AMRT 转换",
        _ => "处理",
    }
}

fn certification(kind: &str) -> &'static str {
    match kind {
        "personal" => "个人认证",
        "enterprise" => "企业认证",
        "developer" => "开发者认证",
        _ => "认证",
    }
}

fn device(name: &str) -> String {
    match name {
        "" => String::new(),
        name => format!("（{name}）"),
    }
}

fn secured(what: &str) -> &'static str {
    match what {
        "phone" => "更换了手机号",
        "password" => "修改了密码",
        "email" => "绑定了邮箱",
        "secondFactorOn" => "开启了两步验证",
        "secondFactorOff" => "关闭了两步验证",
        "recoveryCodes" => "重新生成了恢复码",
        "identityLinked" => "绑定了微信或QQ",
        "identityUnlinked" => "解绑了微信或QQ",
        "closing" => "已申请注销，到期前可随时在账号管理中撤销",
        "kept" => "撤销了注销申请",
        "export" => "申请了导出全部个人数据",
        "secondFactorReset" => "的两步验证已由客服应您的请求关闭",
        "identityRemoved" => "的微信或QQ绑定已由客服解除",
        "exportFetched" => "下载了导出的个人数据",
        _ => "的安全设置有变更",
    }
}
