//! stub
/// stub
pub struct SeveralPiles;
/// stub
pub struct SeveralPilesError;
