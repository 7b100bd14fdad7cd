//! The passes and the legaliser against the definition of the operations and against stored text.

mod interpret;
mod random;
mod same_bits;
