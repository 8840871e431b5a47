//! The generated trait: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::personal::v1::package_api_server::PackageApi;
use proto::personal::v1::{OwnPackages, UserRequest};
use tonic::Request;

use crate::Personal;

#[tonic::async_trait]
impl PackageApi for Personal {
    async fn my_package_list(&self, request: Request<UserRequest>) -> Reply<OwnPackages> {
        let (login_id, _) = signed_in(request)?;
        let packages = self.own_packages(&login_id).await;
        reply(packages.map(|packages| OwnPackages { packages }))
    }
}
