//! A row of a state matrix, spread over the lanes of a subgroup, and what linear recurrences over time do with it.
//!
//! Lane l keeps elements l, l + 32, .... A recurrence `S = g S + u k^T`, `y = S q` is taken a step at a time, or a chunk of
//! 32 steps at a time: then lane i stands for step i of the chunk, and only products of the chunk's own queries and keys
//! bind its steps together.
//!
//! Invariants
//! - Chunks begin at multiples of 32 steps from the first, so that a caller's rows share no state.
//! - A step sees no later one, not even where that holds NaN.

use evenweave_lang::prelude::*;

/// Steps of a chunk: one a lane.
pub const CHUNK: u32 = 32;
/// Elements between two rows of a matrix of steps: odd, so that lanes meet in no bank.
const PITCH: u32 = CHUNK + 1;

/// A row of the state.
#[derive(Clone, Copy)]
pub struct StateRow {
    elems: u32,
    own: Private<f32>,
}

#[device]
impl StateRow {
    /// A row of `elems` elements.
    pub fn load(elems: u32, element: impl Fn(Val<u32>) -> Val<f32>) -> StateRow {
        let row = StateRow { elems, own: private::<f32>(elems.div_ceil(32)) };
        for c in 0..elems.div_ceil(32) {
            row.own[c] = 0.0;
        }
        row.update(|d, _| element(d));
        row
    }

    /// Each element becomes `element(d, what it is)`.
    pub fn update(self, element: impl Fn(Val<u32>, Val<f32>) -> Val<f32>) {
        for c in 0..self.elems.div_ceil(32) {
            let d = lane() + c * 32;
            if d < self.elems {
                self.own[c] = element(d, self.own[c]);
            }
        }
    }

    /// Calls `body(d, element)` for each element of this lane.
    pub fn each(self, body: impl Fn(Val<u32>, Val<f32>)) {
        for c in 0..self.elems.div_ceil(32) {
            let d = lane() + c * 32;
            if d < self.elems {
                body(d, self.own[c]);
            }
        }
    }

    /// The product with a vector that all lanes share; every lane receives it.
    pub fn dot(self, vector: impl Fn(Val<u32>) -> Val<f32>) -> Val<f32> {
        let mut sum = 0.0f32;
        self.each(|d, s| {
            sum = fma(s, vector(d), sum);
        });
        subgroup_sum(sum)
    }

    /// The product with a vector of this lane's own.
    fn dot_own(self, vector: impl Fn(Val<u32>) -> Val<f32>) -> Val<f32> {
        let mut sum = 0.0f32;
        for c in 0..self.elems.div_ceil(32) {
            for from in val(0)..(self.elems - c * 32).min(32) {
                sum = fma(broadcast(self.own[c], from), vector(from + c * 32), sum);
            }
        }
        sum
    }

    /// `S = keep S + sum over the first `some` lanes j of u[j] key(j)`, `u` a number of each lane.
    fn add_products(
        self,
        keep: Val<f32>,
        u: Val<f32>,
        some: Val<u32>,
        key: impl Fn(Val<u32>, Val<u32>) -> Val<f32>,
    ) {
        for c in 0..self.elems.div_ceil(32) {
            let d = min(lane() + c * 32, self.elems - 1);
            let mut sum = self.own[c] * keep;
            for j in val(0)..some {
                sum = fma(broadcast(u, j), key(j, d), sum);
            }
            self.own[c] = sum;
        }
    }
}

/// `into[i, j] = left(i) . right(j)` times the gates of steps j + 1 to i, for steps j up to i of the first `some`.
#[device]
fn decayed_products(
    into: Shared<f32>,
    gates: Shared<f32>,
    dim: u32,
    some: Val<u32>,
    left: impl Fn(Val<u32>, Val<u32>) -> Val<f32>,
    right: impl Fn(Val<u32>, Val<u32>) -> Val<f32>,
) {
    for at in (thread_id()..CHUNK * CHUNK).step_by(group_threads()) {
        let (i, j) = (at / CHUNK, at % CHUNK);
        let mut product = 0.0f32;
        if j <= i && i < some {
            for d in val(0)..dim {
                product = fma(left(i, d), right(j, d), product);
            }
            for t in j + 1..=i {
                product *= gates[t];
            }
        }
        into[i * PITCH + j] = product;
    }
}

/// Calls `store(t, S_t . query(t))` for each of `steps` steps, where `S_t = gate(t) S_(t - 1) + u_t key(t)` and `u_t` is `value(t)`,
/// or with `beta` the delta rule's `beta(t) (value(t) - gate(t) S_(t - 1) . key(t))`. Called by the whole group; a subgroup
/// without a row is not `active`.
///
/// Within a chunk `u` solves a triangular system in the products of keys, row after row: lane i has equation i.
#[device]
pub fn by_chunks(
    row: StateRow,
    active: Val<bool>,
    steps: Val<u32>,
    gate: impl Fn(Val<u32>) -> Val<f32>,
    query: impl Fn(Val<u32>, Val<u32>) -> Val<f32>,
    key: impl Fn(Val<u32>, Val<u32>) -> Val<f32>,
    value: impl Fn(Val<u32>) -> Val<f32>,
    beta: Option<&dyn Fn(Val<u32>) -> Val<f32>>,
    store: impl Fn(Val<u32>, Val<f32>),
) {
    let gates = shared::<f32>(CHUNK);
    let queries = shared::<f32>(CHUNK * PITCH);
    let keys = if beta.is_some() { shared::<f32>(CHUNK * PITCH) } else { queries };
    for start in (val(0)..steps).step_by(CHUNK) {
        let some = min(steps - start, CHUNK);
        if thread_id() < CHUNK {
            let mut own = 1.0f32;
            if thread_id() < some {
                own = gate(start + thread_id());
            }
            gates[thread_id()] = own;
        }
        barrier();
        let key_of = |j: Val<u32>, d: Val<u32>| key(start + j, d);
        decayed_products(queries, gates, row.elems, some, |i, d| query(start + i, d), key_of);
        if beta.is_some() {
            decayed_products(keys, gates, row.elems, some, key_of, key_of);
        }
        barrier();
        if active {
            let i = lane();
            // Lanes behind the last step repeat it; nothing reads what they find.
            let t = start + min(i, some - 1);
            let mut before = 1.0f32;
            for s in val(0)..=i {
                before *= gates[s];
            }
            let mut after = 1.0f32;
            for s in i + 1..CHUNK {
                after *= gates[s];
            }
            let mut u = value(t);
            let mut strength = 0.0f32;
            if let Some(beta) = beta {
                strength = beta(t);
                u = strength * (u - before * row.dot_own(|d| key(t, d)));
            }
            let mut y = before * row.dot_own(|d| query(t, d));
            for j in val(0)..some {
                let other = broadcast(u, j);
                if beta.is_some() {
                    let less = fma(-(strength * keys[i * PITCH + j]), other, u);
                    u = select(j < i, less, u);
                }
                y = select(j <= i, fma(queries[i * PITCH + j], other, y), y);
            }
            if i < some {
                store(t, y);
            }
            row.add_products(broadcast(before, CHUNK - 1), after * u, some, key_of);
        }
        barrier();
    }
}
