//! The index page of an archive.

use std::fmt::Write;

use chassis::console::moment;

/// Rows of one area, and the files they are in.
pub struct Listed {
    pub service: String,
    /// Path without extension.
    pub name: String,
    pub title: String,
    pub rows: u64,
}

const STYLE: &str = "body{font:14px/1.7 system-ui,sans-serif;color:#1f2329;max-width:860px;margin:40px auto;padding:0 20px}\
h1{font-size:24px}h2{font-size:16px;margin-top:32px}table{width:100%;border-collapse:collapse}\
td,th{border-bottom:1px solid #e5e6eb;padding:8px;text-align:left}td:nth-child(2){white-space:nowrap}";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn name_of(service: &str) -> &str {
    match service {
        "auth" => "账号与登录",
        "personal" => "资料、消息与会员",
        "process" => "模型与处理",
        "order" => "订单与优惠券",
        "payment" => "支付与账户",
        "transaction" => "发布",
        "works" => "作品与评论",
        "matchup" => "供需对接",
        "analytics" => "访问",
        other => other,
    }
}

pub fn index(listed: &[Listed], left_out: &[String], made_at: i64) -> String {
    let mut body = format!(
        "<h1>玄览云个人数据</h1><p>生成于 {}（北京时间）。JSON 文件内容完整，CSV 文件可以用表格软件打开。\
         其他用户只显示页面上可见的部分；密码、验证码与密钥不在其中。</p>\
         <p>模型文件体积较大，没有打包：process/models.json 与 process/results.json 列出每个文件的名称、大小与 SHA-256，\
         登录后在「工作台 - 我的上传」与「工作台 - 服务结果」下载。</p>",
        moment(made_at)
    );
    let mut service = "";
    for area in listed {
        if area.service != service {
            if !service.is_empty() {
                body += "</table>";
            }
            service = &area.service;
            let _ = write!(
                body,
                "<h2>{}</h2><table><tr><th>内容</th><th>条数</th><th>文件</th></tr>",
                escaped(name_of(service))
            );
        }
        let (title, name) = (escaped(&area.title), escaped(&area.name));
        let files = match area.rows {
            0 => "没有记录".to_owned(),
            _ => format!("<a href=\"{name}.json\">JSON</a> · <a href=\"{name}.csv\">CSV</a>"),
        };
        let _ = write!(
            body,
            "<tr><td>{title}</td><td>{}</td><td>{files}</td></tr>",
            area.rows
        );
    }
    if !service.is_empty() {
        body += "</table>";
    }
    if !left_out.is_empty() {
        body += "<h2>没有打包的大文件</h2><p>以下文件超出打包上限，如需要请联系客服。</p><ul>";
        for path in left_out {
            let _ = write!(body, "<li>{}</li>", escaped(path));
        }
        body += "</ul>";
    }
    format!(
        "<!doctype html><html lang=\"zh-CN\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>玄览云个人数据</title><style>{STYLE}</style></head><body>{body}</body></html>\n"
    )
}
