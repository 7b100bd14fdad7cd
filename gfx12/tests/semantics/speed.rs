//! How fast code is executed: a tiled product of f32 matrices, and of f16 ones by WMMA.

use crate::machine::{Machine, Random, bytes_of, compile};
use std::time::Instant;

const N: usize = 128;

const TEXT: &str = "
#define LDS static __attribute__((address_space(3), loader_uninitialized))
/* A group of 32 threads makes 32 x 64 results, each thread 8 x 8 of them: rows 8 * (t >> 3), columns 8 * (t & 7). */
KERNEL void product(const f32 *a, const f32 *b, f32 *c) {
  LDS f32 ta[32][8], tb[8][64];
  u32 t = __builtin_amdgcn_workitem_id_x(), g = __builtin_amdgcn_workgroup_id_x();
  u32 row = 32 * (g / 2), column = 64 * (g % 2), i0 = 8 * (t >> 3), j0 = 8 * (t & 7);
  f32 sums[8][8] = {};
  for (u32 k0 = 0; k0 < 128; k0 += 8) {
    for (u32 n = 0; n < 8; n++) ta[4 * n + (t >> 3)][t & 7] = a[(row + 4 * n + (t >> 3)) * 128 + k0 + (t & 7)];
    for (u32 n = 0; n < 16; n++) tb[n >> 1][32 * (n & 1) + t] = b[(k0 + (n >> 1)) * 128 + column + 32 * (n & 1) + t];
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, \"workgroup\", \"local\");
    for (u32 k = 0; k < 8; k++) {
      f32 x[8], y[8];
      for (u32 i = 0; i < 8; i++) x[i] = ta[i0 + i][k];
      for (u32 j = 0; j < 8; j++) y[j] = tb[k][j0 + j];
      for (u32 i = 0; i < 8; i++) for (u32 j = 0; j < 8; j++) sums[i][j] = __builtin_fmaf(x[i], y[j], sums[i][j]);
    }
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, \"workgroup\", \"local\");
  }
  for (u32 i = 0; i < 8; i++) for (u32 j = 0; j < 8; j++) c[(row + i0 + i) * 128 + column + j0 + j] = sums[i][j];
}
";

/// The product is that of fused sums in order of k; the speed is printed.
#[test]
fn a_tiled_product_has_the_bits_of_fused_sums() {
    let code = compile(TEXT);
    let mut random = Random(77);
    let mut values =
        || (0..N * N).map(|_| (random.next() >> 40) as f32 / 1e6 - 8.0).collect::<Vec<f32>>();
    let (a, b) = (values(), values());
    let mut machine = Machine::new();
    let bytes = |x: &[f32]| bytes_of(x.iter().map(|v| v.to_le_bytes()));
    let (at_a, at_b) = (machine.buffer(&bytes(&a)), machine.buffer(&bytes(&b)));
    let at_c = machine.empty(4 * N * N);
    let begin = Instant::now();
    for _ in 0..20 {
        machine.launch(&code, "product", (N / 32 * N / 64) as u32, &[at_a, at_b, at_c]);
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{:.1} million instructions a second, {} in all",
        machine.executed as f64 / seconds / 1e6,
        machine.executed
    );
    let got = machine.read(at_c, 4 * N * N);
    for i in 0..N {
        for j in 0..N {
            let want = (0..N).fold(0f32, |sum, k| a[i * N + k].mul_add(b[k * N + j], sum));
            let at = 4 * (i * N + j);
            let got = f32::from_le_bytes(got[at..at + 4].try_into().expect("four bytes"));
            assert_eq!(got.to_bits(), want.to_bits(), "C[{i}][{j}]");
        }
    }
}
