//! The section `[personal]`.

use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
pub struct PersonalConfig {
    pub listen: String,
    pub credential_seconds: u64,
    pub client_url: String,
    pub words_file: String,
    pub pictures: PicturesConfig,
    pub points: PointsConfig,
    pub popup: Popup,
    pub friend_links: Vec<FriendLink>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Popup {
    pub status: String,
    pub home_img: String,
    pub home_link: String,
    pub workbench_img: String,
    pub workbench_link: String,
    pub rule: i32,
}

#[derive(Debug, Clone, Deserialize)]
pub struct FriendLink {
    pub id: String,
    pub name: String,
    pub link: String,
}

/// Section `[personal.pictures]`.
#[derive(Debug, Clone, Deserialize)]
pub struct PicturesConfig {
    pub max_side: u32,
    pub max_pixels: u64,
    pub max_frames: u32,
    pub at_once: usize,
}

/// Section `[personal.points]`.
#[derive(Debug, Clone, Deserialize)]
pub struct PointsConfig {
    pub register: i64,
    pub upload: i64,
    pub invitation: i64,
}
