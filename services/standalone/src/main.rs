//! The `xuanlan` binary: gateway, every service, the object store and the sandbox in one process.
//!
//! `xuanlan run` starts all of it; `xuanlan modelkit …` is the 3D engine, which workers start as a child process.

mod demo;
mod run;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "xuanlan",
    version,
    about = "玄览云：三维模型云平台，一个进程即可运行"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// 启动全部服务
    Run(RunOptions),
    /// 三维引擎（检查、轻量化、转换、示例）；用 `xuanlan modelkit --help` 查看
    #[command(disable_help_flag = true)]
    Modelkit {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

#[derive(Args, Clone)]
pub struct RunOptions {
    /// 监听地址；0.0.0.0 让其他机器也能访问
    #[arg(long, default_value = "127.0.0.1")]
    pub host: String,
    /// 网站端口
    #[arg(long, default_value_t = 7080)]
    pub port: u16,
    /// 对象存储端口；默认为网站端口加 1
    #[arg(long)]
    pub store_port: Option<u16>,
    /// 沙箱端口；默认为网站端口加 2
    #[arg(long)]
    pub sandbox_port: Option<u16>,
    /// 数据文件夹
    #[arg(long, default_value = "data")]
    pub data: PathBuf,
    /// 已构建的前端文件夹
    #[arg(long, default_value = "frontend/dist")]
    pub frontend: PathBuf,
    /// 配置文件，覆盖默认值
    #[arg(long)]
    pub config: Option<PathBuf>,
    /// 浏览器访问时使用的主机名；默认与监听地址相同
    #[arg(long)]
    pub public_host: Option<String>,
    /// 不启动沙箱（没有短信收件箱，需要自行配置短信服务）
    #[arg(long)]
    pub no_sandbox: bool,
    /// 首次启动时不创建演示账号和演示模型
    #[arg(long)]
    pub no_demo: bool,
}

fn main() {
    let mut arguments = std::env::args_os().skip(1);
    // The engine starts before anything else: it limits itself, and needs no runtime.
    if arguments.next().is_some_and(|first| first == "modelkit") {
        let engine = std::iter::once("modelkit".into()).chain(arguments);
        std::process::exit(modelkit::cli::main(engine));
    }
    chassis::prepare_process();
    let Command::Run(options) = Cli::parse().command else {
        return;
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("无法启动：{error}");
            std::process::exit(1);
        }
    };
    let outcome = runtime.block_on(run::run(options));
    // A child process that does not want to end must not hold the terminal.
    runtime.shutdown_timeout(std::time::Duration::from_secs(2));
    if let Err(error) = outcome {
        eprintln!("\n{error:#}");
        std::process::exit(1);
    }
}
