//! The encoder once more, in f64 with plain loops, from the file of weights.
//!
//! Invariants
//! - It shares nothing with `model`, neither code nor numbers.

use safetensors::SafeTensors;

type Rows = Vec<Vec<f64>>;

/// The embedding of the tokens with these ids, all of type 0.
pub(crate) fn embed(weights: &SafeTensors<'_>, ids: &[u32]) -> Vec<f64> {
    let get = |name: &str| tensor(weights, name);
    let words = get("embeddings.word_embeddings.weight");
    let places = get("embeddings.position_embeddings.weight");
    let types = get("embeddings.token_type_embeddings.weight");
    let mut x: Rows = Vec::new();
    for (place, &id) in ids.iter().enumerate() {
        let at = |i: usize| words[id as usize * 384 + i] + places[place * 384 + i] + types[i];
        x.push((0..384).map(at).collect());
    }
    norm(&mut x, weights, "embeddings.LayerNorm");
    for layer in 0..6 {
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        let q = linear(&x, weights, &name("attention.self.query"));
        let k = linear(&x, weights, &name("attention.self.key"));
        let v = linear(&x, weights, &name("attention.self.value"));
        let attended = linear(&attend(&q, &k, &v), weights, &name("attention.output.dense"));
        add(&mut x, &attended);
        norm(&mut x, weights, &name("attention.output.LayerNorm"));
        let mut inner = linear(&x, weights, &name("intermediate.dense"));
        for value in inner.iter_mut().flatten() {
            *value = *value * 0.5 * (1.0 + libm::erf(*value / 2f64.sqrt()));
        }
        let outer = linear(&inner, weights, &name("output.dense"));
        add(&mut x, &outer);
        norm(&mut x, weights, &name("output.LayerNorm"));
    }
    let mut mean = vec![0.0; 384];
    for row in &x {
        for (sum, value) in mean.iter_mut().zip(row) {
            *sum += value / x.len() as f64;
        }
    }
    let length = mean.iter().map(|m| m * m).sum::<f64>().sqrt();
    mean.iter().map(|m| m / length).collect()
}

fn tensor(weights: &SafeTensors<'_>, name: &str) -> Vec<f64> {
    let view = weights.tensor(name).expect(name);
    let words = view.data().chunks_exact(4);
    words.map(|b| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]))).collect()
}

fn linear(x: &Rows, weights: &SafeTensors<'_>, name: &str) -> Rows {
    let weight = tensor(weights, &format!("{name}.weight"));
    let bias = tensor(weights, &format!("{name}.bias"));
    let mut y = Vec::new();
    for row in x {
        let of = |(w, b): (&[f64], &f64)| b + w.iter().zip(row).map(|(w, x)| w * x).sum::<f64>();
        y.push(weight.chunks_exact(row.len()).zip(&bias).map(of).collect());
    }
    y
}

fn attend(q: &Rows, k: &Rows, v: &Rows) -> Rows {
    let mut y = vec![vec![0.0; 384]; q.len()];
    for first in (0..384).step_by(32) {
        for (query, out) in q.iter().zip(&mut y) {
            let dot = |key: &Vec<f64>| (first..first + 32).map(|d| query[d] * key[d]).sum::<f64>();
            let shares: Vec<f64> = k.iter().map(|key| (dot(key) / 32f64.sqrt()).exp()).collect();
            let total: f64 = shares.iter().sum();
            for (share, value) in shares.iter().zip(v) {
                for d in first..first + 32 {
                    out[d] += share / total * value[d];
                }
            }
        }
    }
    y
}

fn add(x: &mut Rows, y: &Rows) {
    for (x, y) in x.iter_mut().flatten().zip(y.iter().flatten()) {
        *x += y;
    }
}

fn norm(x: &mut Rows, weights: &SafeTensors<'_>, name: &str) {
    let weight = tensor(weights, &format!("{name}.weight"));
    let bias = tensor(weights, &format!("{name}.bias"));
    for row in x {
        let mean = row.iter().sum::<f64>() / 384.0;
        let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 384.0;
        for (i, value) in row.iter_mut().enumerate() {
            *value = (*value - mean) / (variance + 1e-12).sqrt() * weight[i] + bias[i];
        }
    }
}
