//! The CPU device from outside: kernels in, bytes out.

mod basics;
mod groups;
mod kernels;
mod language;
mod pairs;
mod random;
mod sanitize;
mod spread;
mod spread_flows;
mod uniform;
mod wide;
