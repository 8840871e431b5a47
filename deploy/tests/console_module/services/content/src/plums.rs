//! Plums, for operators.

use chassis::{Operator, ServiceError};
use proto::common::v1::Empty;
use proto::content::v1::{PlumConsoleCalls, PlumListReply};

use crate::Library;

impl PlumConsoleCalls<ServiceError> for Library {
    async fn plum_list(&self, _: &Operator, _: Empty) -> Result<PlumListReply, ServiceError> {
        let names = vec!["青梅".to_owned()];
        Ok(PlumListReply { names })
    }
}
