//! The generated trait: request → domain → reply.

use proto::@name@::v1::@name@_api_server::@Name@Api;

pub(crate) struct Api;

#[tonic::async_trait]
impl @Name@Api for Api {}
