//! Attention in f64: all scores, their softmax, the weighted sum.

/// One query's answer.
pub(super) struct Answer {
    /// Its elements.
    pub(super) values: Vec<f64>,
    /// By how many roundings of f32, in all, each may be off.
    pub(super) errors: Vec<f64>,
}

/// Row `j` of `len` of the keys or values of one head.
pub(super) fn rows_of(x: &[f64], head: usize, len: usize, dim: usize) -> Vec<&[f64]> {
    x[head * len * dim..][..len * dim].chunks(dim).collect()
}

/// Attends with `query` to keys and values, rows of the query's length, under a bias for each key; `sink` is one more score. Elements of keys
/// and values are `rounded` so many times before they count.
pub(super) fn attend(
    query: &[f64],
    scale: f64,
    [keys, values]: [&[&[f64]]; 2],
    bias: &[f64],
    sink: f64,
    rounded: f64,
) -> Answer {
    let dim = query.len();
    let mut scores = Vec::new();
    let mut score_errors = Vec::new();
    for (key, bias) in keys.iter().zip(bias) {
        let dot: f64 = query.iter().zip(*key).map(|(q, k)| q * k).sum();
        let terms: f64 = query.iter().zip(*key).map(|(q, k)| (q * k).abs()).sum();
        scores.push(dot * scale + bias);
        let finite_bias = if bias.is_finite() { bias.abs() } else { 0.0 };
        score_errors.push((dim as f64 + 2.0 + rounded) * terms * scale.abs() + finite_bias);
    }
    let top = scores.iter().copied().fold(sink, f64::max);
    if top == f64::NEG_INFINITY && !scores.iter().any(|s| s.is_nan()) {
        return Answer { values: vec![0.0; dim], errors: vec![0.0; dim] };
    }
    let weights: Vec<f64> = scores.iter().map(|s| libm::exp(s - top)).collect();
    let sum = weights.iter().sum::<f64>() + libm::exp(sink - top);
    // A weight is off by its score's error, that of the difference, of exp and of each rescaling; the sum by the mean
    // of those; and the sums over the keys round once a key.
    let blocks = keys.len() as f64 / 32.0;
    let top_error = score_errors.iter().copied().fold(0.0, f64::max);
    let shared = top_error + 4.0 * blocks + keys.len() as f64 + 8.0 + rounded;
    let mut answer = Answer { values: vec![0.0; dim], errors: vec![0.0; dim] };
    for j in 0..keys.len() {
        let p = weights[j] / sum;
        let distance = if p == 0.0 { 0.0 } else { top - scores[j] };
        for (d, v) in values[j].iter().enumerate() {
            answer.values[d] += if p == 0.0 { 0.0 } else { p * v };
            answer.errors[d] += p * v.abs() * (score_errors[j] + distance + shared);
        }
    }
    answer
}
