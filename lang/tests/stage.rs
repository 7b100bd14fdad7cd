//! Kernels that use each part of the language, and the IR they become.

use evenweave_lang::{ir::*, prelude::*};

/// SwiGLU: `y = silu(gate) * up`, element by element.
#[kernel(group = 256, grid = n.div_ceil(256))]
pub fn swiglu<T: Real>(
    #[len(n)] gate: &In<T>,
    #[len(n)] up: &In<T>,
    #[len(n)] y: &mut Out<T>,
    n: u32,
) {
    let i = global_id();
    if i < n {
        let g = gate[i] as f32;
        y[i] = (silu(g) * (up[i] as f32)) as T;
    }
}

#[test]
fn swiglu_stages() {
    let k = swiglu::<f16>().unwrap();
    assert_eq!(k.name, "swiglu<f16>");
    assert_eq!((k.group, k.params.len()), ([256, 1, 1], 4));
    let stores = k.blocks.iter().flatten().filter(|&&v| matches!(k[v].op, Op::Store(..)));
    assert_eq!(stores.map(|&v| k.locate(k[v].loc)).collect::<Vec<_>>(), ["lang/tests/stage.rs:16"]);
}
