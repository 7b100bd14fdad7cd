//! Vectors: loads or stores of neighbours by one thread become one access.
//!
//! Invariants
//! - A vector begins at an index that `align` proves to be a multiple of its elements, so that it takes part
//!   in no other access's bounds, alignment or wrapping; buffers and arrays start aligned to 16 bytes.
//! - Loads move up to the first of their group, stores down to the last. Between them nothing ends the thread
//!   or leaves the block, and nothing touches the memory but accesses whose distance is known.
//! - Either all elements of the group are accessed or, where one is out of bounds, the launch fails as it
//!   would have.
//!
//! Absent: views (their strides are known at the launch only), buffers of storage dtypes and `bool`, buffers
//! that are read and written.

use crate::{
    align::Linear,
    rewrite::{Visit, Walk, each_inst, rewrite},
};
use evenweave_lang::{
    dtype::Class,
    ir::{Access, Block, Kernel, Op, ParamKind, Place, Type, Value},
    ops::BinaryOp,
};
use std::collections::{BTreeMap, HashMap};

/// Bytes of the widest access.
const MAX_BYTES: u32 = 16;

/// Joins accesses to neighbours.
pub(crate) fn vectorise(kernel: &Kernel) -> Kernel {
    let mut plan = Plan { kernel, roles: HashMap::new() };
    plan.block(kernel.body);
    let roles = plan.roles;
    rewrite(kernel, &mut Vectorise { roles, heads: HashMap::new() })
}

/// What becomes of a load or store.
#[derive(Clone, Debug)]
enum Role {
    /// An element of the vector that `head` loads; the vector begins at `first`.
    Load { head: Value, first: Value, at: u8, width: u8 },
    /// A store that waits for the last of its group.
    Waits,
    /// The last store of its group: the values in order, and the index of the first.
    Store { values: Vec<Value>, index: Value },
}

struct Vectorise {
    roles: HashMap<Value, Role>,
    /// The vectors loaded so far, by the first load of the group.
    heads: HashMap<Value, Value>,
}

impl Visit for Vectorise {
    fn visit(&mut self, walk: &mut Walk<'_>, old: Value) {
        match (self.roles.get(&old).cloned(), &walk.old[old].op) {
            (Some(Role::Load { head, first, at, width }), &Op::Load(place, index)) => {
                if head == old {
                    let start = start(walk, first, index, at);
                    let dtype = walk.old[old].ty.dtype().expect("a load has a value");
                    let ty = Type::Vector(dtype, width);
                    let vector = walk.new.push(Op::Load(place, start), ty);
                    self.heads.insert(head, vector);
                }
                let ty = walk.old[old].ty;
                let new = walk.new.push(Op::Extract(self.heads[&head], at), ty);
                walk.set(old, new);
            }
            (Some(Role::Waits), _) => {}
            (Some(Role::Store { values, index }), &Op::Store(place, ..)) => {
                let dtype = walk.old[values[0]].ty.dtype().expect("a stored value has a type");
                let ty = Type::Vector(dtype, values.len() as u8);
                let values = values.iter().map(|&v| walk.get(v)).collect();
                let vector = walk.new.push(Op::Pack(values), ty);
                let index = walk.get(index);
                walk.new.push_unit(Op::Store(place, index, vector));
            }
            _ => walk.copy(self, old),
        }
    }
}

/// The index at which a vector begins, where its element `at` is at `index`. Its first element's own index
/// may be computed further down.
fn start(walk: &mut Walk<'_>, first: Value, index: Value, at: u8) -> Value {
    if let Some(first) = walk.found(first) {
        return first;
    }
    let ty = walk.old[index].ty;
    let back = walk.new.constant(ty.dtype().expect("an index is an integer"), u64::from(at));
    let index = walk.get(index);
    walk.new.push(Op::Binary(BinaryOp::Sub, index, back), ty)
}

/// Accesses whose distances from each other are known: one memory, one sum but for the constant.
type Bucket = (Place, Linear);

/// The accesses of one bucket, by constant.
type Members = BTreeMap<u64, Value>;

struct Plan<'k> {
    kernel: &'k Kernel,
    roles: HashMap<Value, Role>,
}

/// What may still be joined at some place of a block.
#[derive(Default)]
struct Open {
    loads: BTreeMap<Bucket, Members>,
    stores: BTreeMap<Bucket, Members>,
}

impl Plan<'_> {
    fn block(&mut self, block: Block) {
        let kernel = self.kernel;
        let mut open = Open::default();
        for &v in &kernel[block] {
            match kernel[v].op {
                Op::Load(place, index) => self.load(&mut open, v, place, index),
                Op::Store(place, index, value) => self.store(&mut open, v, place, index, value),
                Op::Atomic(_, place, ..) | Op::CompareExchange { at: place, .. } => {
                    self.close_place(&mut open, place);
                }
                Op::Barrier | Op::GroupBroadcast(_) => self.close_changing(&mut open),
                Op::Wide { sums, tile, .. } => {
                    self.close_place(&mut open, Place::Array(sums));
                    self.close_place(&mut open, Place::Array(tile));
                }
                Op::If { .. } | Op::For { .. } | Op::Loop { .. } | Op::Scope { .. } => {
                    self.bodies(&mut open, v);
                }
                _ => {}
            }
        }
        self.close(open);
    }

    fn bodies(&mut self, open: &mut Open, v: Value) {
        let kernel = self.kernel;
        let mut leaves = false;
        let mut meets = false;
        for body in kernel[v].op.bodies() {
            each_inst(kernel, body, &mut |inner| {
                let op = &kernel[inner].op;
                leaves |= op.is_terminator() || matches!(op, Op::Loop { .. });
                meets |= matches!(op, Op::Barrier | Op::GroupBroadcast(_));
                let arrays = op.whole_arrays().into_iter().flatten().map(Place::Array);
                for place in op.place().into_iter().chain(arrays) {
                    self.close_place(open, place);
                }
            });
            self.block(body);
        }
        if leaves || matches!(kernel[v].op, Op::Loop { .. }) {
            self.close(std::mem::take(open));
        } else if meets {
            self.close_changing(open);
        }
    }

    fn load(&mut self, open: &mut Open, v: Value, place: Place, index: Value) {
        self.close_where(open, |kind, (other, _)| kind == Kind::Store && *other == place);
        if let Some((bucket, constant)) = self.candidate(place, index, self.kernel[v].ty)
            && self.loads_join(place)
        {
            // Of two loads of one element the first is joined.
            open.loads.entry(bucket).or_default().entry(constant).or_insert(v);
        }
    }

    fn store(&mut self, open: &mut Open, v: Value, place: Place, index: Value, value: Value) {
        let candidate = self.candidate(place, index, self.kernel[value].ty);
        self.close_where(open, |kind, bucket| {
            let same = kind == Kind::Store && candidate.as_ref().is_some_and(|(b, _)| b == bucket);
            bucket.0 == place && !same
        });
        let Some((bucket, constant)) = candidate else { return };
        // Of two stores of one element the last is joined; the other one stays above.
        open.stores.entry(bucket).or_default().insert(constant, v);
    }

    /// The bucket and the constant of an access that may be joined.
    fn candidate(&self, place: Place, index: Value, element: Type) -> Option<(Bucket, u64)> {
        let plain = match place {
            Place::Array(_) => true,
            Place::Param(p) => {
                matches!(self.kernel.params[p.index()].kind, ParamKind::Buffer { .. })
            }
        };
        let dtype = self.kernel.place_dtype(place);
        let joins = plain && dtype.is_value() && dtype.class() != Class::Bool;
        if !joins || !matches!(element, Type::Scalar(_)) {
            return None;
        }
        let mut linear = Linear::of(self.kernel, index);
        let constant = std::mem::take(&mut linear.constant);
        Some(((place, linear), constant))
    }

    fn loads_join(&self, place: Place) -> bool {
        match place {
            Place::Array(_) => true,
            Place::Param(p) => self.kernel.params[p.index()].kind.access() == Some(Access::In),
        }
    }

    fn close_place(&mut self, open: &mut Open, place: Place) {
        let changes = match place {
            Place::Array(_) => true,
            Place::Param(p) => self.kernel.params[p.index()].kind.access() != Some(Access::In),
        };
        if changes {
            self.close_where(open, |_, (other, _)| *other == place);
        }
    }

    /// Closes what other threads may change or see.
    fn close_changing(&mut self, open: &mut Open) {
        let kernel = self.kernel;
        self.close_where(open, |_, (place, _)| match *place {
            Place::Array(_) => true,
            Place::Param(p) => kernel.params[p.index()].kind.access() != Some(Access::In),
        });
    }

    fn close_where(&mut self, open: &mut Open, closes: impl Fn(Kind, &Bucket) -> bool) {
        for (bucket, members) in take_where(&mut open.loads, |b| closes(Kind::Load, b)) {
            self.join(Kind::Load, &bucket, members);
        }
        for (bucket, members) in take_where(&mut open.stores, |b| closes(Kind::Store, b)) {
            self.join(Kind::Store, &bucket, members);
        }
    }

    fn close(&mut self, mut open: Open) {
        self.close_where(&mut open, |_, _| true);
    }

    /// Decides which members make vectors, the widest first.
    fn join(&mut self, kind: Kind, (place, linear): &Bucket, mut members: Members) {
        let bits = self.kernel.place_dtype(*place).bits();
        let zeros = linear.zeros(self.kernel);
        for width in [16u64, 8, 4, 2] {
            if width as u32 * bits > 8 * MAX_BYTES || zeros < width.trailing_zeros() {
                continue;
            }
            let starts: Vec<u64> = members.keys().copied().filter(|c| c % width == 0).collect();
            for start in starts {
                let group: Option<Vec<Value>> =
                    (start..start + width).map(|c| members.get(&c).copied()).collect();
                let Some(group) = group else { continue };
                members.retain(|c, _| !(start..start + width).contains(c));
                match kind {
                    Kind::Load => self.join_loads(&group),
                    Kind::Store => self.join_stores(&group),
                }
            }
        }
    }

    fn join_loads(&mut self, group: &[Value]) {
        let &head = group.iter().min().expect("a group has members");
        let Op::Load(_, first) = self.kernel[group[0]].op else {
            unreachable!("only loads are gathered as loads")
        };
        for (at, &v) in group.iter().enumerate() {
            let role = Role::Load { head, first, at: at as u8, width: group.len() as u8 };
            self.roles.insert(v, role);
        }
    }

    fn join_stores(&mut self, group: &[Value]) {
        let parts: Vec<(Value, Value)> = group
            .iter()
            .map(|&v| match self.kernel[v].op {
                Op::Store(_, index, value) => (index, value),
                _ => unreachable!("only stores are gathered as stores"),
            })
            .collect();
        let &last = group.iter().max().expect("a group has members");
        for &v in group {
            self.roles.insert(v, Role::Waits);
        }
        let values = parts.iter().map(|&(_, value)| value).collect();
        self.roles.insert(last, Role::Store { values, index: parts[0].0 });
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Load,
    Store,
}

fn take_where(
    map: &mut BTreeMap<Bucket, Members>,
    takes: impl Fn(&Bucket) -> bool,
) -> Vec<(Bucket, Members)> {
    let keys: Vec<Bucket> = map.keys().filter(|b| takes(b)).cloned().collect();
    keys.into_iter().map(|key| (key.clone(), map.remove(&key).expect("the key is there"))).collect()
}
