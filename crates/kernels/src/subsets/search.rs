//! stub
/// stub
pub struct Search;
/// stub
pub struct SearchError;
