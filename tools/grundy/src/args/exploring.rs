//! The options of `explore`.

use std::path::PathBuf;

use super::seconds;

#[derive(Debug, clap::Args)]
pub(crate) struct Explore {
    /// The port on this machine; 0 chooses a free one.
    #[arg(long, value_name = "N", default_value_t = 8017)]
    pub(crate) port: u16,

    /// Open the page in the browser.
    #[arg(long)]
    pub(crate) open: bool,

    /// Serve the page in this folder [default: the page in the program; a program that was built
    /// without the page answers only other programs].
    #[arg(long, value_name = "DIR")]
    pub(crate) assets: Option<PathBuf>,

    /// Refuse a request that takes longer than this many seconds, for one position or many.
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = seconds)]
    pub(crate) seconds: f64,
}
