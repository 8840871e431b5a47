//! Whether a form requires a puzzle first.

use chassis::ServiceError;

use super::{SOLUTION_MAX, Scene, Verdict};
use crate::service::Auth;

impl Auth {
    /// Judges the input of `getAliyunAcs`: a solution, or the scene of a form that is about to be sent.
    pub async fn verdict(&self, text: &str, remote_addr: &str) -> Result<Verdict, ServiceError> {
        let scene = (text.len() <= SOLUTION_MAX)
            .then(|| serde_json::from_str::<Scene>(text).ok())
            .flatten();
        let needed = match &scene {
            None => return self.slider.verify(text, remote_addr).await,
            Some(Scene::Password { account, device }) => {
                self.assess_password(account, device, remote_addr).await?
            }
            Some(Scene::Code(form)) => self.assess_code(form, remote_addr).await?,
        };
        if !needed {
            return Ok(Verdict::Passed);
        }
        if self.slider.is_blocked(remote_addr).await? {
            return Ok(Verdict::Blocked);
        }
        Ok(Verdict::Missed)
    }
}
