//! A running service and its callers.

use chassis::testing::{Running, Shape};
use proto::@name@::v1::entry_api_client::EntryApiClient;
use tonic::transport::Channel;

pub struct World {
    running: Running,
}

impl std::ops::Deref for World {
    type Target = Running;

    fn deref(&self) -> &Running {
        &self.running
    }
}

impl World {
    pub async fn start(shape: Shape) -> Self {
        let running = Running::start::<xl_@name@::Migrator>(&xl_@name@::Module, shape, |_| {}).await;
        Self { running }
    }

    pub fn entries(&self) -> EntryApiClient<Channel> {
        EntryApiClient::new(self.channel())
    }
}
