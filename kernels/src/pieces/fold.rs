//! Reductions of a row by one group, in the canonical order.
//!
//! The order is defined on element index: accumulator `v` of `L` takes the elements `v`, `v + L`, `v + 2 L`,
//! ... ascending, starting from the identity; then neighbours are combined, `acc[v] = acc[2 v] . acc[2 v + 1]`,
//! until one is left. A row shorter than `L` gives the same bits with any greater power of two, because
//! combining with the identity changes nothing. So `Lanes` is free: it says who does what, never what is done.
//!
//! Invariants
//! - Threads of the group and elements that a thread loads together change no bit of a result.
//! - Every thread of the group receives the result.
//! - Each call has shared memory of its own: two calls in a row need no barrier between them. A call inside a
//!   run-time loop needs a `barrier()` at the end of the loop's body.

use super::each::{THREADS, multiple};
use crate::entry::{Call, PlanError};
use evenweave_lang::{group, ops::ReduceOp, prelude::*};

/// A row that one group walks has at most so many elements: its indices and those of the round after it fit
/// in 32 bits.
pub const ROW_ELEMS: u32 = 1 << 31;
/// Accumulators of the canonical order of a long row.
pub const ACCUMULATORS: u32 = 1024;
/// A longer axis is cut into segments of so many elements; the results are folded by the same rule.
pub const SEGMENT_ELEMS: u32 = 65_536;

/// What a reduction or scan combines with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Sum; of nothing: -0.0 in floats.
    Sum,
    /// Product; of nothing: 1.
    Prod,
    /// Greatest, NaN wins; of nothing: -inf or the least integer.
    Max,
    /// Least, NaN wins; of nothing: +inf or the greatest integer.
    Min,
}

/// The names of the folds, for a signature's words.
pub const FOLDS: &[&str] = &["sum", "prod", "max", "min"];

impl Fold {
    /// The fold that a word of `FOLDS` names.
    pub(crate) fn named(word: &str) -> Fold {
        match word {
            "prod" => Fold::Prod,
            "max" => Fold::Max,
            "min" => Fold::Min,
            _ => Fold::Sum,
        }
    }
}

/// A dtype that is folded in a dtype at least as wide.
pub trait Foldable: Numeric {
    /// What accumulates: f32 for floats of 16 bits, else the dtype itself.
    type Acc: Numeric;
}
macro_rules! foldable {
    ($($ty:ty => $acc:ty,)*) => { $( impl Foldable for $ty { type Acc = $acc; } )* };
}
foldable! { f32 => f32, f16 => f32, bf16 => f32, i32 => i32, u32 => u32, }

/// How a group shares the accumulators of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// Accumulators: a power of two from 32 to 1,024, and 1,024 unless the row is no longer than that.
    pub accumulators: u32,
    /// Threads of the group: a power of two from 32 to `accumulators`.
    pub threads: u32,
    /// Neighbouring accumulators of a thread, whose elements it takes together: a power of two up to
    /// `accumulators / threads` that divides the row's length.
    pub width: u32,
    /// The row's length in units of `accumulators`, where it is a whole number of them and short enough for a thread to
    /// keep its elements in registers; else 0.
    pub rounds: u32,
}

/// Neighbours that a thread takes together at most.
const MAX_WIDTH: u32 = 4;
/// Rounds of a row whose elements are kept at most: 64 registers of a thread.
const MAX_ROUNDS: u32 = 16;

impl Lanes {
    /// For rows of `row_elems` that follow each other from the start of a buffer on. Where their length allows, a
    /// thread takes neighbours, and its accesses join.
    pub fn for_row(row_elems: u32) -> Lanes {
        let accumulators = accumulators(row_elems);
        let divides = 1 << row_elems.trailing_zeros().min(MAX_WIDTH.ilog2());
        let width = MAX_WIDTH.min(divides).min(accumulators / 32);
        let rounds =
            if row_elems.is_multiple_of(accumulators) { row_elems / accumulators } else { 0 };
        let rounds = if rounds > MAX_ROUNDS { 0 } else { rounds };
        Lanes { accumulators, threads: (accumulators / width).min(THREADS), width, rounds }
    }

    /// For rows of at most `row_elems` that start and end anywhere.
    pub fn for_any_row(row_elems: u32) -> Lanes {
        let accumulators = accumulators(row_elems);
        Lanes { accumulators, threads: accumulators.min(THREADS), width: 1, rounds: 0 }
    }

    /// For the rows of an input, which must not be longer than one group can walk.
    pub(crate) fn for_rows_of(call: &Call<'_>, input: &str) -> Result<Lanes, PlanError> {
        let (_, row_elems) = call.rows(input)?;
        call.require(row_elems <= ROW_ELEMS, || {
            (format!("the last extent of `{input}`"), "at most 2^31".into(), row_elems.to_string())
        })?;
        Ok(Lanes::for_row(row_elems))
    }

    /// The length of a row as far as it is known: a number where the row is kept, else a multiple of `width`.
    pub fn whole(self, row_elems: Val<u32>) -> Val<u32> {
        match self.rounds {
            0 => multiple(self.width, row_elems),
            rounds => known(rounds * self.accumulators, row_elems),
        }
    }

    /// Calls `body(i)` for each element of the row that is this thread's.
    pub fn each(self, row_elems: Val<u32>, body: impl Fn(Val<u32>)) {
        each_of_row(self, row_elems, body);
    }

    /// Accumulators of one thread.
    pub const fn own(self) -> u32 {
        self.accumulators / self.threads
    }

    /// Which accumulator a thread's `k`th is, and so the first element that it takes.
    pub fn element(self, k: u32) -> Val<u32> {
        self.element_after(0, k)
    }

    /// The element `start` elements behind that.
    fn element_after(self, start: u32, k: u32) -> Val<u32> {
        let chunk = (k / self.width) * self.threads * self.width;
        accumulator(self.width, start + chunk + k % self.width)
    }

    /// For each element of a kept row that is this thread's, in order: the accumulator that takes it, and its index.
    fn places(self) -> Vec<(u32, Val<u32>)> {
        let of_round = |round: u32| {
            (0..self.own()).map(move |k| (k, self.element_after(round * self.accumulators, k)))
        };
        (0..self.rounds).flat_map(of_round).collect()
    }
}

/// Accumulators of a row of `row_elems`.
fn accumulators(row_elems: u32) -> u32 {
    row_elems.clamp(32, ACCUMULATORS).next_power_of_two()
}

/// `row_elems`, which is `elems`.
#[device]
fn known(elems: u32, row_elems: Val<u32>) -> Val<u32> {
    assert!(row_elems == elems, "the row has the length that its kernel was made for");
    val(elems)
}

/// The elements of a row as a group sees them: read once and kept in registers where `Lanes::rounds` says so, else read
/// anew by each walk. Which of the two changes no bit.
pub struct Row<A: Numeric, F> {
    lanes: Lanes,
    elems: Val<u32>,
    element: F,
    kept: Vec<Val<A>>,
}

impl<A: Numeric, F: Fn(Val<u32>) -> Val<A>> Row<A, F> {
    /// The row of `element(0)`, ..., `element(elems - 1)`; `elems` is `Lanes::whole`.
    #[track_caller]
    pub fn new(lanes: Lanes, elems: Val<u32>, element: F) -> Row<A, F> {
        let kept = lanes.places().into_iter().map(|(_, i)| element(i)).collect();
        Row { lanes, elems, element, kept }
    }

    /// Its length.
    pub const fn elems(&self) -> Val<u32> {
        self.elems
    }

    /// The row of `of(element)`.
    #[track_caller]
    pub fn map<'a, B: Numeric>(
        &'a self,
        of: impl Fn(Val<A>) -> Val<B> + 'a,
    ) -> Row<B, impl Fn(Val<u32>) -> Val<B> + 'a> {
        let kept = self.kept.iter().map(|&x| of(x)).collect();
        let element = move |i: Val<u32>| of((self.element)(i));
        Row { lanes: self.lanes, elems: self.elems, element, kept }
    }

    /// Calls `body(i, element)` for each element that is this thread's.
    #[track_caller]
    pub fn each(&self, body: impl Fn(Val<u32>, Val<A>)) {
        match self.lanes.rounds {
            0 => self.lanes.each(self.elems, |i| body(i, (self.element)(i))),
            _ => self.walk(|_, i, x| body(i, x)),
        }
    }

    /// Calls `step(k, i, element)` for each element that is this thread's, `k` the accumulator that takes it.
    #[track_caller]
    pub fn walk(&self, step: impl Fn(u32, Val<u32>, Val<A>)) {
        match self.lanes.rounds {
            0 => walk_row(self.lanes, self.elems, |k, i| step(k, i, (self.element)(i))),
            _ => {
                for ((k, i), &x) in self.lanes.places().into_iter().zip(&self.kept) {
                    step(k, i, x);
                }
            }
        }
    }

    /// The elements folded.
    #[track_caller]
    pub fn fold(&self, fold: Fold) -> Val<A> {
        self.fold_with(fold, |acc, x| combine(fold, acc, x))
    }

    /// The elements folded, each entering an accumulator by `step(accumulator, element)`.
    #[track_caller]
    pub fn fold_with(&self, fold: Fold, step: impl Fn(Val<A>, Val<A>) -> Val<A>) -> Val<A> {
        fold_walk(fold, self.lanes, |enter| self.walk(|k, _, x| enter(k, &|acc| step(acc, x))))
    }
}

#[device]
fn each_of_row(lanes: Lanes, row_elems: Val<u32>, body: impl Fn(Val<u32>)) {
    let (first, step) = (thread_id() * lanes.width, lanes.threads * lanes.width);
    for i in (first..row_elems).step_by(step) {
        for k in 0..lanes.width {
            body(i + k);
        }
    }
}

/// Calls `step(k, i)` for each element `i` of the row that is this thread's, `k` the accumulator that takes it.
#[device]
pub fn walk_row(lanes: Lanes, row_elems: Val<u32>, step: impl Fn(u32, Val<u32>)) {
    for start in (val(0)..row_elems).step_by(lanes.accumulators) {
        for chunk in 0..lanes.own() / lanes.width {
            let first = start + lanes.element(chunk * lanes.width);
            // Neighbours are all within the row or all behind it: their number divides its length.
            if first < row_elems {
                for k in 0..lanes.width {
                    step(chunk * lanes.width + k, first + k);
                }
            }
        }
    }
}

#[device]
fn accumulator(width: u32, offset: u32) -> Val<u32> {
    thread_id() * width + offset
}

/// The value that changes nothing.
pub fn identity<A: Numeric>(fold: Fold) -> Val<A> {
    group::identity(match fold {
        Fold::Sum => ReduceOp::Sum,
        Fold::Prod => ReduceOp::Prod,
        Fold::Max => ReduceOp::Max,
        Fold::Min => ReduceOp::Min,
    })
}

/// Two values combined.
#[device]
pub fn combine<A: Numeric>(fold: Fold, a: Val<A>, b: Val<A>) -> Val<A> {
    match fold {
        Fold::Sum => a + b,
        Fold::Prod => a * b,
        Fold::Max => max(a, b),
        Fold::Min => min(a, b),
    }
}

/// The 32 lanes of the subgroup combined; every lane receives the result.
#[device]
pub fn fold_subgroup<A: Numeric>(fold: Fold, a: Val<A>) -> Val<A> {
    match fold {
        Fold::Sum => subgroup_sum(a),
        Fold::Prod => subgroup_prod(a),
        Fold::Max => subgroup_max(a),
        Fold::Min => subgroup_min(a),
    }
}

/// Folds `element(0)`, ..., `element(row_elems - 1)`.
#[device]
pub fn fold_row<A: Numeric>(
    fold: Fold,
    lanes: Lanes,
    row_elems: Val<u32>,
    element: impl Fn(Val<u32>) -> Val<A>,
) -> Val<A> {
    Row::new(lanes, row_elems, element).fold(fold)
}

/// What an accumulator becomes.
type Enter<'a, A> = &'a dyn Fn(Val<A>) -> Val<A>;

/// Folds what `walk` brings: it calls `enter(k, step)` for each element, `k` the accumulator that takes it.
#[device]
fn fold_walk<A: Numeric>(
    fold: Fold,
    lanes: Lanes,
    walk: impl Fn(&dyn Fn(u32, Enter<'_, A>)),
) -> Val<A> {
    let acc = private::<A>(lanes.own());
    for k in 0..lanes.own() {
        acc[k] = identity::<A>(fold);
    }
    walk(&|k, step| {
        acc[k] = step(acc[k]);
    });
    fold_lanes(fold, lanes, |k| acc[k])
}

/// Folds the accumulators of the group: `own(k)` is the `k`th of this thread.
#[device]
pub fn fold_lanes<A: Numeric>(fold: Fold, lanes: Lanes, own: impl Fn(u32) -> Val<A>) -> Val<A> {
    let chunks = lanes.own() / lanes.width;
    let per_chunk = lanes.threads / 32;
    let parts = shared::<A>(chunks * per_chunk);
    for chunk in 0..chunks {
        let neighbours = (0..lanes.width).map(|v| own(chunk * lanes.width + v)).collect::<Vec<_>>();
        let part = fold_subgroup(fold, adjacent_first(fold, neighbours));
        if lane() == 0 {
            parts[subgroup_id() + chunk * per_chunk] = part;
        }
    }
    barrier();
    let mut part = identity::<A>(fold);
    if lane() < chunks * per_chunk {
        part = parts[lane()];
    }
    fold_subgroup(fold, part)
}

/// A power of two of values, neighbours combined until one is left.
fn adjacent_first<A: Numeric>(fold: Fold, mut values: Vec<Val<A>>) -> Val<A> {
    while values.len() > 1 {
        values = values.chunks(2).map(|pair| combine(fold, pair[0], pair[1])).collect();
    }
    values[0]
}
