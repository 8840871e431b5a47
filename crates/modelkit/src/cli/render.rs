//! `modelkit render`.

use super::done::Done;
use crate::progress::Ctx;
use crate::render::{self, Backdrop, Manner, Options};
use crate::{Error, Result, open};
use clap::Args;
use serde_json::json;
use std::path::Path;

#[derive(Args, Clone)]
pub struct PictureArgs {
    /// 图片尺寸（像素）：边长，或 宽x高
    #[arg(long, default_value = "512", value_parser = size)]
    size: [u32; 2],
    /// 背景：transparent、white、black，或 #RRGGBB 颜色（JPEG 的透明背景改为白色）
    #[arg(long, default_value = "transparent", value_parser = ground)]
    ground: Backdrop,
    /// 在地面上画柔和的阴影（默认）
    #[arg(long, overrides_with = "no_shadow")]
    shadow: bool,
    /// 不画地面阴影
    #[arg(long)]
    no_shadow: bool,
    /// 水平视角（度）：0 为正面，正值转向模型的 +X 一侧；默认按形状选取
    #[arg(long, allow_hyphen_values = true)]
    yaw: Option<f32>,
    /// 俯视角（度），-90 到 90；默认按形状选取
    #[arg(long, allow_hyphen_values = true)]
    pitch: Option<f32>,
    /// 放大倍数，1 到 32，以画面中心为准
    #[arg(long, default_value_t = 1.0)]
    zoom: f32,
    /// 线框：真实的三角形网格
    #[arg(long, group = "manner")]
    wire: bool,
    /// 白模：只看形体，不带材质
    #[arg(long, group = "manner")]
    clay: bool,
    /// 法线
    #[arg(long, group = "manner")]
    normal: bool,
    /// 棋盘格贴图，查看 UV 的拉伸
    #[arg(long, group = "manner")]
    uv: bool,
    /// 绕模型一圈渲染 N 帧：webp 输出为动画，png、jpg 输出为逐行排列的拼图
    #[arg(long, value_name = "N")]
    turntable: Option<u32>,
    /// 动画一圈的时间（秒）
    #[arg(long, default_value_t = 3.0, requires = "turntable")]
    seconds: f32,
}

impl PictureArgs {
    fn manner(&self) -> Manner {
        match (self.wire, self.clay, self.normal, self.uv) {
            (true, ..) => Manner::Wire,
            (_, true, ..) => Manner::Clay,
            (_, _, true, _) => Manner::Normal,
            (_, _, _, true) => Manner::Uv,
            _ => Manner::Shaded,
        }
    }
}

fn size(text: &str) -> std::result::Result<[u32; 2], String> {
    let side = |t: &str| {
        let side = t.trim().parse::<u32>().map_err(|_| "须为边长或 宽x高")?;
        render::check_size(side).map_err(|e| e.to_string())?;
        Ok::<u32, String>(side)
    };
    match text.split_once(['x', 'X', '×', '*']) {
        Some((width, height)) => Ok([side(width)?, side(height)?]),
        None => side(text).map(|s| [s, s]),
    }
}

fn ground(text: &str) -> std::result::Result<Backdrop, String> {
    match text {
        "transparent" => return Ok(Backdrop::Transparent),
        "white" => return Ok(Backdrop::Color([255; 3])),
        "black" => return Ok(Backdrop::Color([0; 3])),
        _ => {}
    }
    let digits = text.strip_prefix('#').unwrap_or(text);
    let number = u32::from_str_radix(digits, 16).ok();
    match number.filter(|_| digits.len() == 6 && digits.is_ascii()) {
        Some(n) => Ok(Backdrop::Color([(n >> 16) as u8, (n >> 8) as u8, n as u8])),
        None => Err("须为 transparent、white、black 或 #RRGGBB".into()),
    }
}

/// Reads a model, or the overview of an oblique delivery, and renders it.
pub fn run(
    input: &Path,
    name: Option<&str>,
    output: &Path,
    args: &PictureArgs,
    ctx: &Ctx,
) -> Result<Done> {
    // Checked before a large model is read.
    render::Kind::of(output)?;
    let reading = ctx.part(0.0, 0.4);
    let scene = match crate::tiles::overview(input, &reading)? {
        Some(scene) => scene,
        None => open::read_path(input, name, &reading)?,
    };
    let options = Options {
        size: args.size,
        backdrop: args.ground,
        shadow: args.shadow || !args.no_shadow,
        yaw: args.yaw,
        pitch: args.pitch,
        zoom: args.zoom,
        manner: args.manner(),
    };
    let part = ctx.part(0.4, 1.0);
    let [width, height] = args.size;
    let bytes = |path: &Path| std::fs::metadata(path).map(|m| m.len());
    let written = |path: &Path| bytes(path).map_err(|e| Error::io(path, &e));
    let Some(frames) = args.turntable else {
        render::render(&scene, output, &options, &part)?;
        return Ok(Done {
            json: json!({"width": width, "height": height, "bytes": written(output)?}),
            text: format!("已渲染 {width}×{height} 图片"),
        });
    };
    let made = render::turntable(&scene, output, &options, frames, args.seconds, &part)?;
    Ok(Done {
        json: json!({
            "width": width,
            "height": height,
            "frames": made.frames,
            "columns": made.columns,
            "duration": made.duration,
            "bytes": written(output)?,
        }),
        text: format!("已渲染转台：{} 帧，每帧 {width}×{height}", made.frames),
    })
}
