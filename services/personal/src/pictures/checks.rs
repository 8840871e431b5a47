//! What picture checks need.

use std::sync::Arc;

use picturescan::Limits;
use tokio::sync::Semaphore;

use super::judge::PictureJudge;
use crate::config::PicturesConfig;

/// Shared by clones of the service.
#[derive(Clone)]
pub(crate) struct Checks {
    pub turns: Arc<Semaphore>,
    pub limits: Limits,
    pub judge: Arc<dyn PictureJudge>,
}

impl Checks {
    pub(crate) fn new(config: &PicturesConfig, judge: Arc<dyn PictureJudge>) -> Self {
        Self {
            turns: Arc::new(Semaphore::new(config.at_once.max(1))),
            limits: Limits {
                side: config.max_side,
                pixels: config.max_pixels,
                frames: config.max_frames,
                ..Limits::default()
            },
            judge,
        }
    }
}
