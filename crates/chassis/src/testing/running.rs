//! A service that runs on the parts of a test, and the requests of its callers.

use proto::common::v1::Principal;
use proto::events::Published;
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use sea_orm_migration::MigratorTrait;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};

use super::{Shape, TestParts, eventually};
use crate::error::business_error;
use crate::messaging::Event;
use crate::{Context, Module, Settings};

/// A running service. The world of a service's tests adds its clients and what it shares; `Deref` gives it these methods:
///
/// ```ignore
/// pub struct World {
///     running: Running,
/// }
///
/// impl World {
///     pub async fn start(shape: Shape) -> Self {
///         let running = Running::start::<xl_pears::Migrator>(&xl_pears::Module, shape, |_| {}).await;
///         Self { running }
///     }
///
///     pub fn pears(&self) -> PearApiClient<Channel> {
///         PearApiClient::new(self.channel())
///     }
/// }
/// ```
pub struct Running {
    pub test: TestParts,
    /// The context of the service.
    pub context: Context,
    /// The database of the service.
    pub db: DatabaseConnection,
    service: &'static str,
    channel: Channel,
}

impl Running {
    /// Starts a service by itself; `M` are its migrations, `change` may set values of its configuration.
    pub async fn start<M: MigratorTrait>(
        module: &dyn Module,
        shape: Shape,
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        let test = TestParts::open(shape, &[module.defaults()], change).await;
        Self::on::<M>(module, test).await
    }

    /// Starts a service on parts that the test has prepared, for example with stand-ins of the services that it calls.
    pub async fn on<M: MigratorTrait>(module: &dyn Module, test: TestParts) -> Self {
        let context = test.migrated::<M>(module.name()).await;
        let service = module.start(context.clone()).await;
        let service = service.expect("the service starts");
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a free port");
        let address = listener.local_addr().expect("a bound listener");
        let shutdown = test.parts.shutdown.clone();
        tokio::spawn(crate::rpc::serve_on(service, listener, shutdown));
        let endpoint = Endpoint::from_shared(format!("http://{address}"));
        Self {
            test,
            db: context.db.clone(),
            context,
            service: module.name(),
            channel: endpoint.expect("an address").connect_lazy(),
        }
    }

    /// For the clients of its API.
    pub fn channel(&self) -> Channel {
        self.channel.clone()
    }

    /// A request of this caller, as the gateway passes it on.
    pub fn signed<T>(&self, caller: Principal, message: T) -> Request<T> {
        let mut request = Request::new(message);
        let caller = Principal {
            audience: self.service.to_owned(),
            ..caller
        };
        let principals = &self.test.parts.principals;
        let attached = principals.attach(caller, request.metadata_mut());
        attached.expect("this process has the key");
        request
    }

    /// A request of a signed-in user; of an anonymous caller for an empty id.
    pub fn by<T>(&self, login_id: &str, message: T) -> Request<T> {
        let caller = Principal {
            login_id: login_id.to_owned(),
            ..Principal::default()
        };
        self.signed(caller, message)
    }

    /// A request of an anonymous caller.
    pub fn anonymous<T>(&self, message: T) -> Request<T> {
        self.signed(Principal::default(), message)
    }

    /// A request of an operator with all permissions and a fresh second factor.
    pub fn by_operator<T>(&self, operator: &str, message: T) -> Request<T> {
        let caller = Principal {
            fresh_until_ms: i64::MAX,
            ..operator_with(operator, "*")
        };
        self.signed(caller, message)
    }

    /// A request of an operator with one permission and no fresh second factor.
    pub fn with_permission<T>(&self, permission: &str, message: T) -> Request<T> {
        self.signed(operator_with("anna", permission), message)
    }

    /// Publishes an event of another service, about the object `id`.
    pub async fn publish<E: Published>(&self, id: &str, event: &E) {
        let event = Event {
            id: id.to_owned(),
            key: E::KEY.to_owned(),
            aggregate: id.to_owned(),
            version: 1,
            time_ms: 1,
            traceparent: String::new(),
            body: event.encode_to_vec(),
        };
        let published = self.test.parts.bus.publish(vec![event]).await;
        published.expect("the bus takes it");
    }

    /// Unix time in milliseconds, of the test's clock.
    pub fn now(&self) -> i64 {
        self.test.parts.clock.now_ms()
    }

    /// The number that a query returns.
    pub async fn number(&self, sql: &str) -> i64 {
        let query = Statement::from_string(self.db.get_database_backend(), sql);
        let row = self.db.query_one_raw(query).await.expect("a query");
        row.expect("a row").try_get_by_index(0).expect("a number")
    }

    /// Waits until a query returns the number.
    pub async fn becomes(&self, sql: &str, number: i64) {
        eventually(sql, || async {
            (self.number(sql).await == number).then_some(())
        })
        .await;
    }

    /// Executes a statement in the service's database.
    pub async fn execute(&self, sql: &str) {
        self.db.execute_unprepared(sql).await.expect("executed");
    }
}

fn operator_with(name: &str, permission: &str) -> Principal {
    Principal {
        operator: true,
        operator_id: name.to_owned(),
        operator_name: name.to_owned(),
        permissions: vec![permission.to_owned()],
        ..Principal::default()
    }
}

/// The `resp_code` of a refusal; 0 for another error.
pub fn code_of(status: &Status) -> i32 {
    business_error(status).map_or(0, |error| error.code)
}

/// The `resp_msg` of a refusal; the status as text for another error.
pub fn message_of(status: &Status) -> String {
    business_error(status).map_or_else(|| status.to_string(), |error| error.message)
}
