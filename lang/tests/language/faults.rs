//! What staging refuses: the message, and the line of the author that it names.

use evenweave_lang::{StageCause, prelude::*, verify::Cause};

/// The line of this file, from 1, that first has `text` at or after the function `name`.
fn line_of(name: &str, text: &str) -> u32 {
    let lines = || include_str!("faults.rs").lines().enumerate();
    let (start, _) = lines().find(|(_, l)| l.starts_with(&format!("fn {name}"))).unwrap();
    let (at, _) = lines().skip(start).find(|(_, l)| l.contains(text)).unwrap();
    at as u32 + 1
}

/// The error, which names this file.
fn refused(kernel: Result<Kernel, StageError>) -> StageError {
    let error = kernel.unwrap_err();
    assert!(error.file.ends_with("faults.rs"), "{error}");
    error
}

#[kernel(group = 32, grid = 1)]
fn leaves_unrolled(#[len(8)] y: &mut Out<u32>, n: u32) {
    for i in 0..4u32 {
        if n == i {
            break;
        }
        y[i] = i;
    }
}

#[test]
fn an_unrolled_loop_is_not_left_at_run_time() {
    let error = refused(leaves_unrolled());
    assert_eq!(error.cause, StageCause::LeavesUnrolled { word: "break" });
    assert_eq!(
        error.to_string(),
        format!(
            "leaves_unrolled ({}:{}): `break` leaves an unrolled loop under a run-time condition; make the loop run-time with `val(start)..end`, or the condition comptime",
            error.file,
            line_of("leaves_unrolled", "break")
        )
    );
}

#[kernel(group = 32, grid = 1)]
fn continues_unrolled(#[len(8)] y: &mut Out<u32>, n: u32) {
    'each: for i in [1u32, 2] {
        for j in 0..n {
            if j == 3 {
                continue 'each;
            }
        }
        y[i] = i;
    }
}

#[kernel(group = 32, grid = 1)]
fn step_of_zero(#[len(8)] y: &mut Out<u32>, #[comptime] step: u32) {
    for i in (0..4u32).step_by(step) {
        y[i] = i;
    }
}

#[kernel(group = 32, grid = 1)]
fn negative_index(#[len(8)] y: &mut Out<u32>, #[comptime] at: i32) {
    y[at] = 1;
}

#[kernel(group = 32, grid = 1)]
fn past_the_end(#[len(8)] y: &mut Out<u32>, #[comptime] at: usize) {
    let tile = shared::<u32>(4);
    tile[at] = 1;
    y[0] = tile[0];
}

#[kernel(group = 32, grid = 1)]
fn registers_past_the_end(#[len(8)] y: &mut Out<u32>, #[comptime] at: usize) {
    let mut a = [1u32, 2];
    a[at] += 1;
    y[0] = a[0];
}

#[kernel(group = 32, grid = 1)]
fn empty_array(#[len(8)] y: &mut Out<u32>, #[comptime] elems: usize) {
    let tile = private::<u32>(elems);
    y[0] = tile[0];
}

#[kernel(group = size, grid = 1)]
fn group_size(#[len(8)] y: &mut Out<u32>, #[comptime] size: u32) {
    y[0] = 1;
}

#[kernel(group = 32, grid = 1)]
fn not_representable<T: Int>(#[len(8)] y: &mut Out<T>, #[comptime] x: f64) {
    y[0] = lit(x);
}

#[kernel(group = 32, grid = 1)]
fn axis(#[shape(8, 8)] y: &mut OutView<u32, 2>, #[comptime] axis: usize) {
    y[[0, 0]] = y.extent(axis);
}

#[kernel(group = 32, grid = 1)]
fn claim(#[len(8)] y: &mut Out<u32>, #[comptime] tile: u32) {
    assert!(tile % 16 == 0, "tiles are multiples of 16");
    y[0] = tile;
}

#[kernel(group = 32, grid = 1)]
fn print_arity(n: u32) {
    debug_print!("{} {}", n);
}

#[test]
fn comptime_values_are_checked_while_staging() {
    use StageCause::*;
    let cases: Vec<(Result<Kernel, StageError>, &str, StageCause)> = vec![
        (continues_unrolled(), "continue 'each", LeavesUnrolled { word: "continue" }),
        (step_of_zero(0), "step_by", Step { step: 0 }),
        (negative_index(-1), "y[at]", NegativeIndex { index: -1 }),
        (past_the_end(4), "tile[at]", PastEnd { name: "tile".into(), index: 4, elems: 4 }),
        (registers_past_the_end(2), "a[at]", PastEnd { name: "array".into(), index: 2, elems: 2 }),
        (empty_array(0), "private", ArrayElems { elems: 0 }),
        (group_size(0), "group_size", GroupSize { size: 0 }),
        (group_size(1025), "group_size", GroupSize { size: 1025 }),
        (
            not_representable::<u32>(0.5),
            "lit(x)",
            NotRepresentable { value: 0.5, dtype: DType::U32 },
        ),
        (
            not_representable::<u8>(256.0),
            "lit(x)",
            NotRepresentable { value: 256.0, dtype: DType::U8 },
        ),
        (
            not_representable::<u64>(-1.0),
            "lit(x)",
            NotRepresentable { value: -1.0, dtype: DType::U64 },
        ),
        (axis(2), "extent", Axis { axis: 2, rank: 2 }),
        (claim(24), "assert!", Assertion { text: "tiles are multiples of 16".into() }),
        (print_arity(), "debug_print!", PrintArity { places: 2, values: 1 }),
    ];
    for (kernel, text, cause) in cases {
        let error = refused(kernel);
        let line = line_of(error.kernel.split('<').next().unwrap(), text);
        assert_eq!((error.line, &error.cause), (line, &cause), "{error}");
    }
    assert!(past_the_end(3).is_ok() && claim(32).is_ok() && axis(1).is_ok());
    assert!(not_representable::<u8>(255.0).is_ok() && group_size(1024).is_ok());
}

#[kernel(group = 64, grid = 1)]
fn divergent(#[len(8)] x: &In<u32>, #[len(8)] y: &mut Out<u32>) {
    if local_id() < 3 {
        y[0] = group_sum(x[0]);
    }
}

#[test]
fn a_group_operation_in_divergent_flow_names_the_authors_line() {
    let error = refused(divergent());
    assert_eq!(error.line, line_of("divergent", "group_sum"));
    let StageCause::Rule { cause: Cause::Divergent { parts, .. }, .. } = &error.cause else {
        panic!("{error}")
    };
    assert_eq!(parts.line, line_of("divergent", "if local_id"));
}

#[kernel(group = 64, grid = 1)]
fn nests(#[len(8)] y: &mut Out<u32>, #[comptime] inner: fn() -> Result<Kernel, StageError>) {
    y[0] = inner().unwrap_err().line;
}

#[test]
fn a_kernel_is_no_device_function() {
    let kernel = nests(|| {
        let error = claim(16).unwrap_err();
        assert_eq!(error.cause, StageCause::Nested { outer: "nests".into() });
        Err(error)
    });
    // The outer one goes on undisturbed, and the address of its argument is not in its name.
    assert_eq!(kernel.unwrap().name, "nests");
}

#[test]
#[should_panic(expected = "outside a kernel")]
fn outside_a_kernel_nothing_is_staged() {
    let _ = val(1.0f32) + 2.0;
}

#[kernel(group = 64, grid = 1)]
fn panics(#[len(8)] y: &mut Out<u32>, #[comptime] weights: Vec<u32>) {
    y[0] = weights[3];
}

#[test]
fn a_panic_while_staging_leaves_the_thread_usable() {
    assert!(std::panic::catch_unwind(|| panics(vec![1])).is_err());
    assert!(panics(vec![1, 2, 3, 4]).is_ok());
}

#[device]
fn halves(x: Val<u32>) -> Val<u32> {
    if x > 1 { halves(x / 2) } else { x }
}

#[kernel(group = 64, grid = 1)]
fn recursive(#[len(8)] y: &mut Out<u32>, n: u32) {
    y[0] = halves(n);
}

#[kernel(group = 64, grid = 1)]
fn endless(#[len(8)] y: &mut Out<u32>, n: u32) {
    for i in std::iter::repeat(n) {
        y[0] = i;
    }
}

#[test]
fn what_would_not_end_is_stopped() {
    let error = refused(recursive());
    assert_eq!(error.cause, StageCause::Nesting);
    assert_eq!(error.line, line_of("halves", "if x > 1"));
    let error = refused(endless());
    assert_eq!(error.cause, StageCause::TooManyInstructions);
    assert_eq!(error.line, line_of("endless", "y[0]"));
}

#[kernel(group = 64, grid = 1)]
fn guarded(#[len(8)] y: &mut Out<u32>, #[comptime] elems: u32) {
    y[0] = elems;
    if elems == 0 {
        return;
    }
    if y.len() > 3 {
        let tile = shared::<u32>(elems);
        tile[0] = 1;
        barrier();
        y[0] = tile[0];
    }
}

#[test]
fn a_fault_where_no_thread_comes_is_none() {
    let kernel = guarded(0).unwrap();
    assert!(kernel.arrays.is_empty());
    assert_eq!(guarded(4).unwrap().arrays.len(), 1);
}
