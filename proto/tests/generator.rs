//! Tests the code generated for calls, events and commands, and that the generator refuses .proto files that break a rule with a
//! sentence that names the rule.

use std::path::Path;

use prost_reflect::DescriptorPool;

#[path = "../build/calls.rs"]
mod calls;
#[path = "../build/commands.rs"]
mod commands;
#[path = "../build/events.rs"]
mod events;
#[path = "../build/messaging.rs"]
mod messaging;
#[path = "../build/packages.rs"]
mod packages;
#[path = "../build/pages.rs"]
mod pages;
#[path = "../build/rows.rs"]
mod rows;
#[path = "../build/rules.rs"]
mod rules;

const ORDER_API: &str = "message Empty {} service OrderApi { rpc Get(Empty) returns (Empty); }";

/// Compiles files below `xuanlan/` together with the options, and reads events and commands.
fn read(files: &[(&str, &str)]) -> Result<(DescriptorPool, messaging::Messaging), String> {
    // One folder per test: tests are processes that run in parallel.
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut paths = Vec::new();
    for (path, text) in files {
        let package = Path::new(path).parent().unwrap().to_str().unwrap();
        let package = package.replace('/', ".");
        let text = format!(
            "syntax = \"proto3\";\npackage xuanlan.{package};\n\
             import \"xuanlan/options/v1/call.proto\"; \
             import \"xuanlan/options/v1/messaging.proto\"; \
             import \"xuanlan/options/v1/rule.proto\";\n{text}"
        );
        let path = folder.join("xuanlan").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        paths.push(path);
    }
    let includes = [folder, Path::new(env!("CARGO_MANIFEST_DIR"))];
    let mut compiler = protox::Compiler::new(includes).unwrap();
    compiler.include_imports(true);
    let opened = compiler.open_files(paths);
    opened.map_err(|error| format!("{error} {error:?}"))?;
    let encoded = compiler.encode_file_descriptor_set();
    let pool = DescriptorPool::decode(encoded.as_slice()).unwrap();
    let messaging = messaging::read(&pool)?;
    Ok((pool, messaging))
}

fn event(name: &str, option: &str) -> String {
    format!("message {name} {{ option (xuanlan.options.v1.event) = {{{option}}}; string id = 1; }}")
}

/// Returns the error for these files; panics if they are accepted.
fn refused(files: &[(&str, &str)]) -> String {
    read(files)
        .err()
        .unwrap_or_else(|| panic!("accepted: {files:?}"))
}

/// Returns the error for a service `order` with these events.
fn refusal(events: &str) -> String {
    refused(&[
        ("order/v1/order.proto", ORDER_API),
        ("order/v1/events.proto", events),
    ])
}

#[test]
fn an_event_goes_somewhere_or_says_why_not() {
    let lost = refusal(&event("Paid", r#"key: "order.order.paid""#));
    assert_eq!(
        lost,
        "xuanlan.order.v1.Paid: an event needs a consumer or a topic, or `unrouted` has to say why it has neither"
    );
    let both = event(
        "Paid",
        r#"key: "order.order.paid" topic: "orders" unrouted: "no""#,
    );
    assert!(refusal(&both).contains("so it is not `unrouted`"));
}

#[test]
fn two_events_do_not_share_a_key() {
    let option = r#"key: "order.order.paid" topic: "orders""#;
    let twins = event("Paid", option) + &event("PaidToo", option);
    assert_eq!(
        refusal(&twins),
        "xuanlan.order.v1.Paid and xuanlan.order.v1.PaidToo share the key \"order.order.paid\""
    );
    // Their handlers would have the same name.
    let alike = event("A", r#"key: "order.a_b.c" topic: "orders""#)
        + &event("B", r#"key: "order.a.b_c" topic: "orders""#);
    assert!(refusal(&alike).contains("share the key"));
}

#[test]
fn publisher_and_consumers_are_services() {
    let stranger = event("Paid", r#"key: "order.order.paid" consumers: ["personel"]"#);
    assert_eq!(
        refusal(&stranger),
        "xuanlan.order.v1.Paid: its consumer \"personel\" is no service"
    );
    let paid = event("Paid", r#"key: "order.order.paid" topic: "orders""#);
    assert_eq!(
        refused(&[("order/v1/events.proto", &paid)]),
        "xuanlan.order.v1.Paid: its publisher \"order\" is no service"
    );
    let twice = event(
        "Paid",
        r#"key: "order.order.paid" consumers: ["order", "order"]"#,
    );
    assert!(refusal(&twice).contains("names a consumer twice"));
}

#[test]
fn a_key_begins_with_its_publisher_and_is_plain() {
    let foreign = event("Paid", r#"key: "ordr.order.paid" topic: "orders""#);
    assert_eq!(
        refusal(&foreign),
        "xuanlan.order.v1.Paid: the key \"ordr.order.paid\" does not begin with its publisher \"order\""
    );
    for key in [
        "order.paid",
        "order.Order.paid",
        "order..paid",
        "order.a.b.c",
        "",
    ] {
        let refusal = refusal(&event("Paid", &format!("key: {key:?} topic: \"orders\"")));
        assert!(
            refusal.contains("is not <publisher>.<thing>.<fact>"),
            "{refusal}"
        );
    }
    let topic = event("Paid", r#"key: "order.order.paid" topic: "my orders""#);
    assert!(refusal(&topic).contains("is no name of a topic"));
}

#[test]
fn a_forgotten_or_misspelt_option_is_noticed() {
    assert_eq!(
        refusal("message Paid { string id = 1; }"),
        "xuanlan.order.v1.Paid: neither an event nor a part of one; is its option `event` missing?"
    );
    let misspelt = refusal(&event("Paid", r#"kay: "order.order.paid""#));
    assert!(
        misspelt.contains("events.proto:4:16: invalid value of type 'xuanlan.options.v1.Event'"),
        "{misspelt}"
    );
    let elsewhere = event("Paid", r#"key: "order.order.paid" topic: "orders""#);
    let elsewhere = refused(&[("order/v1/order.proto", &format!("{ORDER_API} {elsewhere}"))]);
    assert!(elsewhere.contains("in an events.proto"), "{elsewhere}");
}

#[test]
fn commands_belong_to_a_service_and_bear_its_name() {
    let commands = |name: &str, rpc: &str| {
        format!(
            "message Q {{}} service {name} {{ option (xuanlan.options.v1.commands) = true; {rpc} }}"
        )
    };
    let refused_with = |text: &str| {
        refused(&[
            ("order/v1/order.proto", ORDER_API),
            ("order/v1/commands.proto", text),
        ])
    };
    assert_eq!(
        refused_with(&commands("OrdreCommands", "rpc Begin(Q) returns (Q);")),
        "xuanlan.order.v1.OrdreCommands: its name should be OrderCommands"
    );
    let stream = refused_with(&commands(
        "OrderCommands",
        "rpc Begin(stream Q) returns (Q);",
    ));
    assert!(stream.contains("a command is no stream"), "{stream}");
    let orphan = commands("OrderCommands", "rpc Begin(Q) returns (Q);");
    let orphan = refused(&[("order/v1/commands.proto", &orphan)]);
    assert!(orphan.contains("is no service"), "{orphan}");
}

/// A new service is generated from its own files alone.
#[test]
fn a_new_service_needs_its_own_files_only() {
    let works_api = "message Empty {} service WorksApi { rpc Get(Empty) returns (Empty); }";
    let paid = event("Paid", r#"key: "order.order.paid" consumers: ["works"]"#);
    let commands_proto = "message Q {} service WorksCommands {
        option (xuanlan.options.v1.commands) = true;
        rpc PutAway(Q) returns (Q);
        rpc Look(Q) returns (Q) { option idempotency_level = NO_SIDE_EFFECTS; } }";
    let files = [
        ("order/v1/order.proto", ORDER_API),
        ("order/v1/events.proto", paid.as_str()),
        ("works/v1/works.proto", works_api),
        ("works/v1/commands.proto", commands_proto),
    ];
    let (pool, messaging) = read(&files).unwrap_or_else(|error| panic!("{error}"));
    let modules = packages::modules(&pool);
    assert!(
        modules.contains("pub mod works {\npub mod v1 {\n"),
        "{modules}"
    );
    let order = events::of_package(&messaging, "xuanlan.order.v1");
    assert!(
        order.contains("impl crate::events::Published for crate::order::v1::Paid"),
        "{order}"
    );
    assert!(!order.contains("trait"), "{order}");
    let works = events::of_package(&messaging, "xuanlan.works.v1");
    assert!(works.contains("pub trait WorksEvents<"), "{works}");
    assert!(works.contains("fn order_order_paid("), "{works}");
    assert_eq!(
        messaging.commands[0].full_name,
        "xuanlan.works.v1.WorksCommands"
    );
    let works = commands::of_package(&messaging, "xuanlan.works.v1");
    assert!(
        works.contains("bus.request(\"works\", \"PutAway\", request)"),
        "{works}"
    );
    assert!(works.contains("fn put_away("), "{works}");
    let reads = commands::table(&messaging);
    assert!(reads.contains("(\"works\", \"Look\"),"), "{reads}");
    assert!(!reads.contains("PutAway"), "{reads}");
    let table = events::table(&messaging);
    let consumer = "ConsumerInfo { name: \"works\", keys: &[\"order.order.paid\"] }";
    assert!(table.contains(consumer), "{table}");
}

/// The traits generated for a service `order` with these calls.
fn calls_of(rpcs: &str) -> Result<String, String> {
    let api = format!(
        "message Question {{ string user_id = 1; }} message Nothing {{}}
         message Thing {{ string id = 1; }} message Things {{ repeated Thing things = 1; }}
         message Counted {{ repeated Thing things = 1; int64 total = 2; }}
         service OrderApi {{ {rpcs} }}"
    );
    let (pool, _) = read(&[("order/v1/order.proto", &api)])?;
    let folder = tempfile::tempdir().unwrap();
    let table = |file: &str, id: &str| {
        let row = format!("id\tpath\n{id}\t/api-order/x\n");
        std::fs::write(folder.path().join(file), row).unwrap();
    };
    table("catalogue.tsv", "X1");
    table("catalogue-console.tsv", "K1");
    let rows = rows::Rows::read(folder.path()).unwrap();
    calls::of_package(&pool, &rows, "xuanlan.order.v1")
}

fn call(reply: &str, option: &str) -> String {
    format!(
        "rpc Ask(Question) returns ({reply}) {{ option (xuanlan.options.v1.call) = {{{option}}}; }}"
    )
}

#[test]
fn who_calls_follows_from_the_access() {
    for (option, caller) in [
        (r#"id: "X1""#, "caller: &crate::calls::SignedIn,"),
        (
            r#"id: "X1" access: OPTIONAL"#,
            "caller: &crate::calls::Caller,",
        ),
        (r#"id: "X1" access: PUBLIC"#, "from: &crate::calls::Origin,"),
        (r#"id: "K1""#, "operator: &crate::calls::Operator,"),
        (r#"id: "K1" access: PUBLIC"#, "from: &crate::calls::Origin,"),
    ] {
        let made = calls_of(&call("Things", option)).unwrap();
        assert!(made.contains("pub trait OrderCalls<Error>"), "{made}");
        assert!(made.contains(caller), "{option}: {made}");
    }
    let internal = calls_of("rpc Ask(Question) returns (Nothing);").unwrap();
    assert!(
        internal.contains("from: &crate::calls::Origin,"),
        "{internal}"
    );
}

#[test]
fn a_reply_is_its_datas_where_it_has_nothing_else() {
    for (reply, option, result) in [
        (
            "Things",
            r#"id: "X1" datas: "things""#,
            "Vec<crate::order::v1::Thing>",
        ),
        ("Things", r#"id: "X1""#, "crate::order::v1::Things"),
        (
            "Counted",
            r#"id: "X1" datas: "things""#,
            "crate::order::v1::Counted",
        ),
        ("Thing", r#"id: "X1" datas: "id""#, "String"),
        ("Nothing", r#"id: "X1""#, "()"),
    ] {
        let made = calls_of(&call(reply, option)).unwrap();
        let output = format!("Output = Result<{result}, Error>>");
        assert!(made.contains(&output), "{reply} {option}: {made}");
    }
}

#[test]
fn a_call_names_a_row() {
    let refused = calls_of(&call("Thing", r#"id: "X2""#)).unwrap_err();
    assert!(refused.contains(r#""X2" has no row"#), "{refused}");
}

fn asked(fields: &str) -> DescriptorPool {
    let message = format!("{ORDER_API} message Asked {{ {fields} }}");
    read(&[("order/v1/order.proto", &message)]).unwrap().0
}

/// The attributes of a message's fields, in order.
fn rules_of(fields: &str) -> Result<Vec<String>, String> {
    let pool = asked(fields);
    let attributes = rules::attributes(&pool)?;
    let own = |path: &str| path.starts_with("xuanlan.order.v1.Asked.");
    let fields = attributes.into_iter().filter(|(path, _)| own(path));
    Ok(fields.map(|(_, attribute)| attribute).collect())
}

#[test]
fn a_rule_is_checked_as_its_field_can_be() {
    let rule = |rule: &str| format!("[(xuanlan.options.v1.rule) = {{{rule}}}]");
    let fields = [
        format!(
            "string name = 1 {};",
            rule("called: \"名称\" least: 1 most: 64")
        ),
        format!("repeated string ids = 2 {};", rule("most: 100")),
        format!(
            "optional int32 kind = 3 {};",
            rule("present: true low: 0 high: 2")
        ),
        "string note = 4;".to_owned(),
    ];
    assert_eq!(
        rules_of(&fields.concat()).unwrap(),
        [
            "#[garde(length(chars, min = 1, max = 64))]",
            "#[garde(length(max = 100))]",
            "#[garde(required, range(min = 0, max = 2))]",
        ]
    );
    let made = rules::of_package(&asked(&fields.concat()), "xuanlan.order.v1");
    let trimmed: Vec<&str> = made
        .lines()
        .filter(|line| line.contains("::trim("))
        .collect();
    assert_eq!(trimmed, ["        crate::rules::trim(&mut self.name);"]);
    for (field, reason) in [
        (
            format!("string name = 1 {};", rule("called: \"名称\"")),
            "asks for nothing",
        ),
        (
            format!("string name = 1 {};", rule("low: 1")),
            "another type",
        ),
        (
            format!("int32 kind = 1 {};", rule("most: 1")),
            "another type",
        ),
        (format!("bool on = 1 {};", rule("high: 1")), "another type"),
        (
            format!("string name = 1 {};", rule("present: true")),
            "always present",
        ),
    ] {
        let refusal = rules_of(&field).unwrap_err();
        assert!(
            refusal.contains(reason) && refusal.contains("Asked."),
            "{refusal}"
        );
    }
}

#[test]
fn a_list_is_known_by_its_fields() {
    let messages = "message Row {} \
        message ByNumber { int32 page_no = 1; int32 page_size = 2; } \
        message ByPlace { string after = 1; int32 size = 2; } \
        message Page { int64 total_count = 1; repeated Row results = 2; } \
        message Rows { repeated Row rows = 1; string next = 2; } \
        message More { int64 total_count = 1; repeated Row results = 2; int64 sum = 3; } \
        message Texts { int64 total_count = 1; repeated string results = 2; }";
    let text = format!("{ORDER_API} {messages}");
    let (pool, _) = read(&[("order/v1/order.proto", &text)]).unwrap();
    let made = pages::of_package(&pool, "xuanlan.order.v1");
    for line in [
        "impl crate::pages::Numbered for crate::order::v1::ByNumber {",
        "impl crate::pages::Following for crate::order::v1::ByPlace {",
        "impl crate::pages::Counted for crate::order::v1::Page {",
        "impl crate::pages::Followed for crate::order::v1::Rows {",
    ] {
        assert!(made.contains(line), "{line}\n{made}");
    }
    assert_eq!(made.matches("impl crate::pages::").count(), 4, "{made}");
}
