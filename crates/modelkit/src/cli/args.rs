//! Arguments.

use clap::{Args, Parser, Subcommand, ValueEnum};
use facts::Reads;
use std::path::PathBuf;

/// The formats of the list, for the end of the help.
fn formats() -> String {
    let of = |reads| facts::titles(|row| row.reads == reads);
    format!(
        "读入 {} 及含有它们的 {}；{} 只显示版本等信息",
        of(Reads::Model),
        of(Reads::Archive),
        of(Reads::Header)
    )
}

#[derive(Parser)]
#[command(
    name = "modelkit",
    version,
    about = "三维模型的检查、轻量化与格式转换",
    after_help = formats()
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Args, Clone)]
pub struct Common {
    /// 结果以一个 JSON 对象输出到标准输出
    #[arg(long, global = true)]
    pub json: bool,
    /// 进度输出到标准错误的方式
    #[arg(long, global = true, value_enum, default_value = "none")]
    pub progress: ProgressKind,
    /// 用户的原文件名（磁盘上的文件没有扩展名时使用）
    #[arg(long, global = true)]
    pub name: Option<String>,
    /// 内存上限（MB）
    #[arg(long, global = true)]
    pub max_memory_mb: Option<u64>,
    /// CPU 时间上限（秒）
    #[arg(long, global = true)]
    pub max_cpu_seconds: Option<u64>,
    /// 单个输出文件上限（MB）
    #[arg(long, global = true)]
    pub max_output_mb: Option<u64>,
    /// 解压压缩包的时间上限（秒）
    #[arg(long, global = true)]
    pub max_unpack_seconds: Option<u64>,
    /// 禁止本进程使用网络、启动其他程序、读写任务文件夹以外的文件
    #[arg(long, global = true)]
    pub sandbox: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProgressKind {
    None,
    Json,
    Text,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextureKind {
    Keep,
    Webp,
    Ktx2,
    Ktx2Uastc,
}

#[derive(Subcommand)]
pub enum Command {
    /// 显示模型的基本数据
    Info { input: PathBuf },
    /// 检查模型，可同时生成浏览器预览用的 GLB
    Check {
        input: PathBuf,
        /// 预览 GLB 的路径
        #[arg(long)]
        preview: Option<PathBuf>,
        /// 缩略图 PNG 的路径
        #[arg(long)]
        thumb: Option<PathBuf>,
        /// 缩略图边长（像素）
        #[arg(long, default_value_t = 512)]
        thumb_size: u32,
        /// 替身 GLB 的路径：先于预览显示的小模型；预览本身不超过其大小时不生成
        #[arg(long, requires = "preview")]
        proxy: Option<PathBuf>,
        /// 替身的大小上限（字节）
        #[arg(long, default_value_t = crate::proxy::BYTES)]
        proxy_bytes: u64,
    },
    /// 生成替身：在模型传完之前先显示的小 GLB，静止姿态，可以转动查看
    Proxy {
        input: PathBuf,
        /// 输出的 GLB；网页预览本身不超过 --bytes 时不写出
        output: PathBuf,
        /// 大小上限（字节）
        #[arg(long, default_value_t = crate::proxy::BYTES)]
        bytes: u64,
    },
    /// 轻量化：减面、压缩贴图和几何
    Lighten {
        input: PathBuf,
        output: PathBuf,
        #[command(flatten)]
        target: TargetArgs,
        /// 贴图最长边（像素）
        #[arg(long)]
        texture_max: Option<u32>,
        /// 贴图格式（仅 GLB、glTF 输出）：webp 在变小时才替换；ktx2 为 ETC1S，显存占用小；
        /// ktx2-uastc 的法线和数据贴图用 UASTC，更清晰也更大；keep 保持原格式
        #[arg(long, value_enum, default_value = "webp")]
        textures: TextureKind,
        /// 输出 GLB 时不压缩几何
        #[arg(long)]
        plain: bool,
        /// 输出 GLB 时用 Draco 压缩几何（体积更小，解码较慢），而不是 meshopt
        #[arg(long, conflicts_with = "plain")]
        draco: bool,
    },
    /// 转换格式，由输出文件的扩展名决定
    Convert {
        input: PathBuf,
        output: PathBuf,
        /// 输出 GLB 时压缩几何（量化与 EXT_meshopt_compression）
        #[arg(long)]
        compress: bool,
        /// 输出 GLB 时用 Draco 压缩几何
        #[arg(long, conflicts_with = "compress")]
        draco: bool,
        /// 输出 AMRT 时的贴图格式：webp；ktx2 为 ETC1S；ktx2-uastc 的法线和数据贴图用 UASTC
        #[arg(long, value_enum, default_value = "webp")]
        textures: TextureKind,
        #[command(flatten)]
        package: PackageArgs,
    },
    /// 打包成离线文件：一个 ZIP，解开后双击 index.html 即可在浏览器里查看，不需要网络
    Pack {
        input: PathBuf,
        /// 输出的 ZIP
        output: PathBuf,
        #[command(flatten)]
        package: PackageArgs,
        /// 另存包内的模型（AMRT）到该路径
        #[arg(long)]
        preview: Option<PathBuf>,
    },
    /// 生成三维瓦片（3D Tiles 1.1）：倾斜摄影成果（文件夹或压缩包），或单个大模型
    Tile {
        /// 含 Data 和 metadata.xml 的文件夹、压缩包，或模型文件
        input: PathBuf,
        /// 输出文件夹，入口为其中的 tileset.json；以 .zip 或 .3tz 结尾时打包为单个文件
        output: PathBuf,
        /// 不压缩几何
        #[arg(long, group = "geometry")]
        plain: bool,
        /// 用量化与 EXT_meshopt_compression 压缩几何（解码最快；保留原图时的默认）
        #[arg(long, group = "geometry")]
        meshopt: bool,
        /// 用 Draco 压缩几何（体积更小，解码较慢；贴图转为 webp、ktx2 时的默认）
        #[arg(long, group = "geometry")]
        draco: bool,
        /// 贴图格式：keep 保留原图，三角形显示到的像素逐一不变；webp、ktx2 重新压缩，体积更小
        #[arg(long, value_enum, default_value = "keep")]
        textures: TextureKind,
        /// 贴图最长边（像素）；更小的贴图原样保留
        #[arg(long)]
        texture_max: Option<u32>,
        /// 单个大模型每个瓦片的三角形上限
        #[arg(long, default_value_t = 40_000)]
        tile_triangles: usize,
        /// 坐标系，代替 metadata.xml：形如 EPSG:4547、ENU:30.5,114.3（先纬度后经度），或 WKT、PROJ 字符串
        #[arg(long)]
        srs: Option<String>,
        /// 坐标原点 x,y,z，与 --srs 一起使用
        #[arg(
            long,
            requires = "srs",
            value_delimiter = ',',
            num_args = 1,
            allow_hyphen_values = true
        )]
        origin: Option<Vec<f64>>,
    },
    /// 渲染图片（PNG、JPEG、WebP），或转台动画（WebP）与转台拼图（PNG、JPEG）
    Render {
        input: PathBuf,
        /// 由扩展名决定格式：png、jpg、webp
        output: PathBuf,
        #[command(flatten)]
        picture: super::render::PictureArgs,
    },
    /// 生成商品展示资料：带水印的粗略替身、图片、转台、线框图、UV 布局、贴图缩略图和数据
    Showcase {
        input: PathBuf,
        /// 输出文件夹
        output: PathBuf,
        /// 铺在替身颜色贴图上的水印，英文字母、数字或符号
        #[arg(long)]
        mark: String,
        /// 决定替身顶点位置的种子，取商品编号
        #[arg(long)]
        seed: String,
        /// 体检评分，写入 facts.json
        #[arg(long)]
        score: Option<u32>,
    },
    /// 生成示例模型
    Sample {
        /// 示例种类
        #[arg(required_unless_present = "list")]
        kind: Option<String>,
        #[arg(required_unless_present = "list")]
        output: Option<PathBuf>,
        /// 列出全部种类
        #[arg(long)]
        list: bool,
        /// 大致的三角形数（参数化系列不用）
        #[arg(long)]
        triangles: Option<usize>,
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// 参数化系列的参数，如 --set teeth=24，可重复；各系列的参数见 --list
        #[arg(long = "set", value_name = "参数=值", value_parser = setting)]
        set: Vec<(String, f32)>,
    },
}

fn setting(text: &str) -> Result<(String, f32), String> {
    let parts = text
        .split_once('=')
        .map(|(name, value)| (name.trim(), value.trim().parse()));
    match parts {
        Some((name, Ok(value))) => Ok((name.to_owned(), value)),
        _ => Err("须为 参数=数值".into()),
    }
}

/// Metadata and options of AMRT files and offline packages.
#[derive(Args, Clone)]
pub struct PackageArgs {
    /// AMRT、离线包：贴图最长边（像素）
    #[arg(long)]
    pub texture_max: Option<u32>,
    /// AMRT、离线包：标题，默认取文件名
    #[arg(long)]
    pub title: Option<String>,
    /// AMRT、离线包：作者
    #[arg(long)]
    pub author: Option<String>,
    /// AMRT、离线包：许可
    #[arg(long)]
    pub license: Option<String>,
}

#[derive(Args, Clone)]
#[group(required = true, multiple = false)]
pub struct TargetArgs {
    /// 保留的三角形比例（0–1）
    #[arg(long)]
    pub ratio: Option<f64>,
    /// 保留的三角形数
    #[arg(long)]
    pub triangles: Option<usize>,
    /// 输出文件的目标大小（MB）
    #[arg(long)]
    pub size_mb: Option<f64>,
    /// 允许的误差（相对包围盒对角线）
    #[arg(long)]
    pub error: Option<f64>,
}
