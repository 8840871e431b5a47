//! auth through its generated client, on embedded parts and on real servers.

mod accounts;
mod certification;
mod console;
mod invitations;
mod log;
mod matrix;
mod second_factor;
mod security;
mod sessions;
mod sign_in;
mod slider;
mod sms;
mod solver;
mod third_party;
mod units;
mod world;

/// Runs a test on every shape that can be tested here.
#[macro_export]
macro_rules! on_every_shape {
    ($($name:ident),* $(,)?) => {
        $(
            mod $name {
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn on_every_shape() {
                    for shape in chassis::testing::shapes() {
                        super::$name(shape).await;
                    }
                }
            }
        )*
    };
}
