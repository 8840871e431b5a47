//! The one program of the product, `xuanlan`.
//!
//! `xuanlan run` starts gateway, services, object store and sandbox in one process; `xuanlan auth`, `xuanlan gateway` …
//! start one of them, or run a command of its operators; `xuanlan modelkit …` is the 3D engine, which workers start as a
//! child process.

mod demo;
mod modules;
mod ports;
mod run;
mod settings;

use std::path::PathBuf;

use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};

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

/// What is no service; those add themselves ([`modules::MODULES`]).
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
    /// API gateway: pipeline before every call, pushes to browsers, files of the frontend
    Gateway(gateway::process::Arguments),
    /// S3-compatible object store on a local disk
    Objectstore(store::Arguments),
    /// 运营后台的人员
    #[command(subcommand)]
    Operator(OperatorCommand),
    /// SMS inbox, slider answers and payment providers, for trying the product out
    Sandbox(sandbox::process::Arguments),
}

#[derive(Subcommand)]
enum OperatorCommand {
    /// 新增一名运营人员，打印 24 小时内有效、只能使用一次的注册链接
    Add {
        /// 2 至 32 个字母、数字、点或连字符
        name: String,
        /// 角色编号；可重复
        #[arg(long, default_value = xl_auth::operator::ADMIN)]
        role: Vec<String>,
        #[command(flatten)]
        installation: Installation,
    },
    /// 为丢失密码或验证器的运营人员打印新的注册链接；原有的密码、验证器和会话全部作废
    Reset {
        name: String,
        #[command(flatten)]
        installation: Installation,
    },
}

#[derive(clap::Args)]
struct Installation {
    /// `xuanlan run` 的数据文件夹；分布式部署用 --config
    #[arg(long, default_value = "data", conflicts_with = "config")]
    data: PathBuf,
    /// auth 的配置文件
    #[arg(long, env = "XUANLAN_CONFIG")]
    config: Option<PathBuf>,
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
    /// 运营后台端口；默认为网站端口加 3
    #[arg(long)]
    pub console_port: Option<u16>,
    /// 访问统计端口；默认为网站端口加 4
    #[arg(long)]
    pub analytics_port: Option<u16>,
    /// 分享与嵌入端口；默认为网站端口加 5
    #[arg(long)]
    pub embed_port: Option<u16>,
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

fn command_line() -> clap::Command {
    let services = modules::MODULES
        .iter()
        .map(|module| chassis::process::command(*module));
    Cli::command().subcommands(services)
}

async fn dispatch(arguments: &ArgMatches) -> anyhow::Result<()> {
    if let Some((name, own)) = arguments.subcommand()
        && let Some(module) = modules::find(name)
    {
        return chassis::process::run(module, own).await;
    }
    match Cli::from_arg_matches(arguments)?.command {
        Command::Run(options) => run::run(options).await,
        Command::Gateway(arguments) => gateway::process::run(arguments).await,
        Command::Objectstore(arguments) => store::run(arguments).await,
        Command::Operator(command) => operator(command).await,
        Command::Sandbox(arguments) => sandbox::process::run(arguments).await,
        // Handled before the runtime starts.
        Command::Modelkit { .. } => Ok(()),
    }
}

/// `xuanlan auth operator …` where the installation is named in the words of `xuanlan run`.
async fn operator(command: OperatorCommand) -> anyhow::Result<()> {
    use xl_auth::operator::command::OperatorCommand as Own;
    let (command, Installation { data, config }) = match command {
        OperatorCommand::Add {
            name,
            role,
            installation,
        } => (Own::Add { name, role }, installation),
        OperatorCommand::Reset { name, installation } => (Own::Reset { name }, installation),
    };
    let mut variables: Vec<(String, String)> = std::env::vars()
        .filter(|(name, _)| name.starts_with("XUANLAN__"))
        .collect();
    if config.is_none() {
        let data = data
            .canonicalize()
            .map_err(|error| anyhow::anyhow!("没有数据文件夹 {}：{error}", data.display()))?;
        variables.push(("XUANLAN__DATA__DIR".into(), data.display().to_string()));
    }
    let mut settings =
        chassis::Settings::load_from(&modules::defaults(), config.as_deref(), variables)?;
    if config.is_none()
        && let Ok(address) = std::fs::read_to_string(data.join(run::CONSOLE_ADDRESS))
    {
        settings.put("gateway.console.public_address", address)?;
    }
    let shutdown = chassis::Shutdown::new();
    let parts = chassis::Parts::open_beside(settings, shutdown.clone()).await?;
    let context = parts.context(xl_auth::NAME).await?;
    xl_auth::migrate(&context).await?;
    let outcome = xl_auth::operator::command::operate(&context, command).await;
    shutdown.finish(std::time::Duration::from_secs(5)).await;
    outcome
}

fn main() {
    let mut arguments = std::env::args_os().skip(1);
    // The engine starts before anything else: it limits itself, and needs no runtime.
    if arguments.next().is_some_and(|first| first == "modelkit") {
        let engine = std::iter::once("modelkit".into()).chain(arguments);
        std::process::exit(engine::main(engine));
    }
    chassis::prepare_process();
    let arguments = command_line().get_matches();
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
    let outcome = runtime.block_on(dispatch(&arguments));
    // A child process that does not end must not hold the terminal.
    runtime.shutdown_timeout(std::time::Duration::from_secs(2));
    if let Err(error) = outcome {
        eprintln!("\n{error:#}");
        std::process::exit(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scripts/run` prints its help before the program is built.
    #[test]
    fn scripts_run_knows_every_option() {
        let command = clap::Command::new("run")
            .bin_name("scripts/run")
            .about("构建并启动玄览云：全部服务在一个进程里");
        let help = RunOptions::augment_args(command).render_help().to_string();
        let written = include_str!("../../../scripts/run-help.txt");
        assert_eq!(written, help, "scripts/run-help.txt has to be:\n{help}");
    }

    #[test]
    fn every_part_is_a_subcommand() {
        command_line().debug_assert();
        for words in [
            &["run", "--port", "0"][..],
            &["gateway"],
            &["gateway", "new-keys"],
            &["objectstore", "serve", "--config", "/a.toml"],
            &["sandbox", "keys", "--address", "http://127.0.0.1:1"],
            &["auth", "--config", "/a.toml", "serve"],
            &["auth", "account", "add", "--phone", "1", "--password", "2"],
            &["auth", "operator", "add", "anna"],
            &["auth", "audit", "verify"],
            &["operator", "add", "anna", "--data", "/d"],
            &["auth", "invitation", "release", "1", "--by", "a"],
            &["personal", "feedback", "answer", "1", "text", "--by", "a"],
            &[
                "personal",
                "publication",
                "publish",
                "announcement",
                "/a.json",
                "--by",
                "a",
            ],
            &[
                "personal", "word", "put", "x", "--action", "replace", "--by", "a",
            ],
            &["order", "dead", "list"],
            &["payment", "audit"],
            &[
                "payment",
                "settle",
                "1",
                "--by",
                "return",
                "--cents",
                "0",
                "--operator",
                "a",
                "--reason",
                "b",
            ],
            &["process", "migrate", "--config", "/a.toml"],
        ] {
            let line = [&["xuanlan"][..], words].concat();
            assert!(
                command_line().try_get_matches_from(&line).is_ok(),
                "{line:?}"
            );
        }
        assert!(
            command_line()
                .try_get_matches_from(["xuanlan", "order", "audit"])
                .is_err()
        );
    }
}
