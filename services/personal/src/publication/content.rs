//! Content of each kind of publication, and its rules.

use chassis::BusinessError;
use proto::personal::v1::publication_content::Of;
use proto::personal::v1::{
    AnnouncementContent, ClientVersionContent, FriendLinkContent, MemberPopupContent, PopupContent,
    PublicationContent,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::entity::publication::Kind;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Announcement {
    pub title: String,
    pub content: String,
    #[serde(default)]
    pub link: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Popup {
    /// 0 after registration, 1 home page, 2 workbench.
    pub place: i32,
    #[serde(default)]
    pub img: String,
    #[serde(default)]
    pub jump_link: String,
    /// 1 always; otherwise once a day and type.
    #[serde(default)]
    pub pop_rule: i32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MemberPopup {
    pub tip_text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FriendLink {
    pub name: String,
    pub link: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClientVersion {
    #[serde(default)]
    pub version: String,
    pub file_url: String,
    #[serde(default)]
    pub sha256: String,
    #[serde(default)]
    pub notes: String,
}

/// Validates content of `kind`. `uploaded`: whether an address is a picture in our store.
pub(super) fn check(
    kind: Kind,
    json: &str,
    uploaded: impl Fn(&str) -> bool,
) -> Result<(), BusinessError> {
    match kind {
        Kind::Announcement => {
            let of: Announcement = read(json)?;
            text("标题", &of.title, 1, 100)?;
            text("内容", &of.content, 1, 5_000)?;
            address("链接", &of.link, true)
        }
        Kind::Popup => {
            let of: Popup = read(json)?;
            if !(0..=2).contains(&of.place) {
                return Err(BusinessError::invalid("弹窗位置只能是 0、1 或 2"));
            }
            if !(0..=1).contains(&of.pop_rule) {
                return Err(BusinessError::invalid("弹出频率只能是 0 或 1"));
            }
            let nothing = of.img.is_empty() && of.place == 0;
            if !nothing && !is_page(&of.img) && !uploaded(&of.img) {
                // Pages load no external pictures: the ad would never be shown.
                return Err(BusinessError::invalid("请上传图片，或填写站内路径"));
            }
            address("跳转链接", &of.jump_link, true)
        }
        Kind::MemberPopup => text("提示文字", &read::<MemberPopup>(json)?.tip_text, 1, 500),
        Kind::FriendLink => {
            let of: FriendLink = read(json)?;
            text("名称", &of.name, 1, 50)?;
            address("链接", &of.link, false)
        }
        Kind::ClientVersion => {
            let of: ClientVersion = read(json)?;
            text("版本号", &of.version, 1, 32)?;
            text("更新说明", &of.notes, 0, 5_000)?;
            let sum = &of.sha256;
            if !sum.is_empty() && (sum.len() != 64 || !sum.bytes().all(|b| b.is_ascii_hexdigit())) {
                return Err(BusinessError::invalid("SHA-256 应为 64 位十六进制"));
            }
            address("安装包地址", &of.file_url, false)
        }
    }
}

pub(super) fn read<T: DeserializeOwned>(json: &str) -> Result<T, BusinessError> {
    serde_json::from_str(json).map_err(|_| BusinessError::invalid("内容格式不正确"))
}

fn text(name: &str, value: &str, least: usize, most: usize) -> Result<(), BusinessError> {
    let length = value.trim().chars().count();
    if (least..=most).contains(&length) {
        return Ok(());
    }
    Err(BusinessError::invalid(format!(
        "{name}长度应在 {least} 到 {most} 个字符"
    )))
}

/// A page of the site or an https address; never a script.
fn address(name: &str, value: &str, may_be_empty: bool) -> Result<(), BusinessError> {
    if (value.is_empty() && may_be_empty) || is_page(value) || is_web(value) {
        return Ok(());
    }
    Err(BusinessError::invalid(format!(
        "{name}应为站内路径，或以 https:// 开头的地址"
    )))
}

fn is_plain(address: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || contentscan::is_ignorable(c);
    address.len() <= 2_000 && !address.chars().any(odd)
}

/// A complete https address that shows its host: no name and password before it, which hide where it leads.
fn is_web(address: &str) -> bool {
    let parsed = Url::parse(address).ok();
    let Some((parsed, rest)) = parsed.zip(address.strip_prefix("https://")) else {
        return false;
    };
    let host = rest
        .chars()
        .next()
        .is_some_and(|c| !matches!(c, '/' | '\\'));
    let shown = parsed.username().is_empty() && parsed.password().is_none();
    host && shown && is_plain(address)
}

/// A path of the site.
fn is_page(address: &str) -> bool {
    let elsewhere = address.starts_with("//") || address.starts_with("/\\");
    address.starts_with('/') && !elsewhere && is_plain(address)
}

/// The picture named by the content; empty: none.
pub(super) fn picture(kind: Kind, json: &str) -> String {
    let of = (kind == Kind::Popup).then(|| read::<Popup>(json).ok());
    of.flatten().map(|of| of.img).unwrap_or_default()
}

/// Kind and JSON of a form.
pub(super) fn of_form(form: Option<PublicationContent>) -> Result<(Kind, String), BusinessError> {
    let of = form.and_then(|form| form.of);
    match of.ok_or_else(|| BusinessError::invalid("请填写内容"))? {
        Of::Announcement(of) => written(
            Kind::Announcement,
            &Announcement {
                title: of.title,
                content: of.content,
                link: of.link,
            },
        ),
        Of::Popup(of) => written(
            Kind::Popup,
            &Popup {
                place: of.place,
                img: of.img,
                jump_link: of.jump_link,
                pop_rule: of.pop_rule,
            },
        ),
        Of::MemberPopup(of) => written(
            Kind::MemberPopup,
            &MemberPopup {
                tip_text: of.tip_text,
            },
        ),
        Of::FriendLink(of) => written(
            Kind::FriendLink,
            &FriendLink {
                name: of.name,
                link: of.link,
            },
        ),
        Of::ClientVersion(of) => written(
            Kind::ClientVersion,
            &ClientVersion {
                version: of.version,
                file_url: of.file_url,
                sha256: of.sha256,
                notes: of.notes,
            },
        ),
    }
}

fn written<T: Serialize>(kind: Kind, of: &T) -> Result<(Kind, String), BusinessError> {
    let json = serde_json::to_string(of);
    let json = json.map_err(|_| BusinessError::invalid("内容格式不正确"))?;
    Ok((kind, json))
}

/// Form fields from the JSON of a kind; none if an older version wrote it in another format.
pub(super) fn to_form(kind: Kind, json: &str) -> Option<PublicationContent> {
    let of = match kind {
        Kind::Announcement => {
            let of: Announcement = read(json).ok()?;
            Of::Announcement(AnnouncementContent {
                title: of.title,
                content: of.content,
                link: of.link,
            })
        }
        Kind::Popup => {
            let of: Popup = read(json).ok()?;
            Of::Popup(PopupContent {
                place: of.place,
                img: of.img,
                jump_link: of.jump_link,
                pop_rule: of.pop_rule,
            })
        }
        Kind::MemberPopup => {
            let of: MemberPopup = read(json).ok()?;
            Of::MemberPopup(MemberPopupContent {
                tip_text: of.tip_text,
            })
        }
        Kind::FriendLink => {
            let of: FriendLink = read(json).ok()?;
            Of::FriendLink(FriendLinkContent {
                name: of.name,
                link: of.link,
            })
        }
        Kind::ClientVersion => {
            let of: ClientVersion = read(json).ok()?;
            Of::ClientVersion(ClientVersionContent {
                version: of.version,
                file_url: of.file_url,
                sha256: of.sha256,
                notes: of.notes,
            })
        }
    };
    Some(PublicationContent { of: Some(of) })
}
