//! The passes and the legaliser against the definition of the operations and against stored text.

mod identities;
mod interpret;
mod legal;
mod random;
mod same_bits;
mod snapshots;
mod spirv;
mod texts;
mod wide;
