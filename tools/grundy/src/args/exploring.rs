//! What `explore` takes.

use std::path::PathBuf;

use super::seconds;

pub(super) const EXPLORE_HELP: &str = "\
Examples:
  grundy explore --open                                the page, in your browser
  grundy explore --port 8100 --assets target/explorer  what `make explorer` wrote
  curl 'http://127.0.0.1:8017/api/value?game=end-nim&position=3,1,4'
  curl 'http://127.0.0.1:8017/api/moves?game=end-nim&position=2,3,4'
  curl -H 'Content-Type: application/json' -d '{\"game\":\"nim\",\"positions\":[\"1,2,3\",\"5\"]}' \\
       http://127.0.0.1:8017/api/values

The page computes by itself, in the browser, and can be put on any web server. What other
programs ask is answered from the database, as `query` does; api/openapi.json describes it. It is
served to this machine only, and not to pages of others. Ctrl-C ends it.

--memory is for all that is at work together: answers that are computed at the same time, at most
four, have equal shares of it, tables that are kept have half a share, and a sixteenth, from
64 to 256 MiB, is for requests on the way. So one answer has some 1.5 GiB of 4 on two processors.";

#[derive(Debug, clap::Args)]
pub(crate) struct Explore {
    /// The port on this machine; 0 takes a free one.
    #[arg(long, value_name = "N", default_value_t = 8017)]
    pub(crate) port: u16,

    /// Open the page in the browser.
    #[arg(long)]
    pub(crate) open: bool,

    /// Serve the page in this folder [default: the one in the program, if it was built with it].
    #[arg(long, value_name = "DIR")]
    pub(crate) assets: Option<PathBuf>,

    /// Refuse what would take longer to answer, in seconds, be it of one position or of many.
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = seconds)]
    pub(crate) seconds: f64,
}
