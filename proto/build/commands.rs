//! Generates the Rust code for commands: per command a function that sends it, and a trait with a method that handles it.

use std::fmt::Write;

use crate::messaging::{Commands, Messaging, camel, function, owner, rust_type};

/// Code for the commands of a package's service.
pub fn of_package(messaging: &Messaging, package: &str) -> String {
    let service = owner(package);
    messaging
        .commands
        .iter()
        .filter(|commands| commands.service == service)
        .map(of_service)
        .collect()
}

/// The table of commands that change nothing.
pub fn table(messaging: &Messaging) -> String {
    let mut text =
        "/// Service and name of each command that changes nothing.\npub const READS: &[(&str, &str)] = &[\n".to_owned();
    for commands in &messaging.commands {
        for command in commands.commands.iter().filter(|command| command.reads) {
            let _ = writeln!(text, "    ({:?}, {:?}),", commands.service, command.name);
        }
    }
    text + "];\n"
}

fn of_service(commands: &Commands) -> String {
    let service = &commands.service;
    let name = format!("{}Commands", camel(service));
    let (mut senders, mut methods, mut arms) = (String::new(), String::new(), String::new());
    for command in &commands.commands {
        let method = function(&command.name);
        let (request, reply) = (rust_type(&command.request), rust_type(&command.reply));
        let _ = write!(
            senders,
            "
    /// Sends `{service}.{command}` and waits for the reply. Without one it may have been carried out: send it again.
    pub async fn {method}<Bus: crate::commands::Requester>(
        bus: &Bus,
        request: &{request},
    ) -> Result<{reply}, Bus::Error> {{
        bus.request({service:?}, {command:?}, request).await
    }}
",
            command = command.name
        );
        let _ = write!(
            methods,
            "
    /// Handles `{service}.{command}`.
    fn {method}(
        &self,
        request: {request},
    ) -> impl Future<Output = Result<{reply}, Error>> + Send;
",
            command = command.name
        );
        let _ = write!(
            arms,
            "
            {command:?} => {{
                let request = crate::commands::decode(body)?;
                let reply = self.0.{method}(request).await?;
                Ok(prost::Message::encode_to_vec(&reply))
            }}",
            command = command.name
        );
    }
    format!(
        "
/// Sends commands to {service}. Each is idempotent.
pub struct {name};

impl {name} {{{senders}}}

/// Handles the commands of {service}.
pub trait {name}Handler<Error>: Send + Sync {{{methods}}}

/// Decodes the commands of {service} and passes each to its method of [`{name}Handler`].
pub struct {name}Server<Handler>(pub Handler);

impl<Error, Handler> crate::commands::Server<Error> for {name}Server<Handler>
where
    Error: From<anyhow::Error> + Send,
    Handler: {name}Handler<Error>,
{{
    const SERVICE: &'static str = {service:?};

    async fn handle(&self, command: &str, body: &[u8]) -> Result<Vec<u8>, Error> {{
        match command {{{arms}
            other => Err(crate::commands::unknown(other).into()),
        }}
    }}
}}
"
    )
}
