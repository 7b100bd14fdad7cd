//! The decoder in f64 and plain loops, on the device's own weights.

use crate::model::{EPS, Layer, Mixer, Model, THETA, TOP_K};
use evenweave::{Tensor, ops::Weight};

type Rows = Vec<Vec<f64>>;

/// The logits after these tokens.
pub(crate) fn logits(model: &Model, tokens: &[u32]) -> Vec<f64> {
    let (sizes, table) = (&model.sizes, numbers(&model.tokens));
    let width = sizes.width as usize;
    let mut x: Rows =
        tokens.iter().map(|&t| table[t as usize * width..][..width].to_vec()).collect();
    for layer in &model.layers {
        x = after(model, layer, &x);
    }
    let last = normed(x.last().expect("a prompt has tokens"), &numbers(&model.norm));
    product(&model.logits, &[last]).remove(0)
}

fn after(model: &Model, layer: &Layer, x: &Rows) -> Rows {
    let by = |x: &Rows, weight: &Tensor| -> Rows {
        let weight = numbers(weight);
        x.iter().map(|row| normed(row, &weight)).collect()
    };
    let x = plus(x, &mixed(model, &layer.mixer, &by(x, &layer.mixer_norm)));
    let at = by(&x, &layer.mlp_norm);
    let added: Rows = match &layer.router {
        None => at.iter().map(|row| mlp(layer, 0, row)).collect(),
        Some(router) => at.iter().map(|row| experts(layer, router, row)).collect(),
    };
    plus(&x, &added)
}

/// The two experts with the largest probabilities, weighted by them, which are scaled to add up to one.
fn experts(layer: &Layer, router: &Weight, x: &[f64]) -> Vec<f64> {
    let scores: Vec<f64> = product(router, &[x.to_vec()])[0].iter().map(|s| s.exp()).collect();
    let mut best: Vec<usize> = (0..scores.len()).collect();
    best.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let best = &best[..TOP_K as usize];
    let sum: f64 = best.iter().map(|&e| scores[e]).sum();
    let mut y = vec![0.0; x.len()];
    for &expert in best {
        for (y, part) in y.iter_mut().zip(mlp(layer, expert, x)) {
            *y += scores[expert] / sum * part;
        }
    }
    y
}

/// `down(silu(gate) * up)` of an expert, or of the only weights that there are.
fn mlp(layer: &Layer, expert: usize, x: &[f64]) -> Vec<f64> {
    let silu = |g: f64| g / (1.0 + (-g).exp());
    let (gate, up) = (of_expert(&layer.gate, expert, x), of_expert(&layer.up, expert, x));
    let inner: Vec<f64> = gate.iter().zip(&up).map(|(&g, &u)| silu(g) * u).collect();
    of_expert(&layer.down, expert, &inner)
}

fn of_expert(weight: &Weight, expert: usize, x: &[f64]) -> Vec<f64> {
    let Weight::Dense(weight) = weight else { panic!("the reference is for whole weights") };
    let [.., outputs, inputs] = weight.shape()[..] else { panic!("a weight has two axes") };
    let size = (outputs * inputs) as usize;
    let numbers = &numbers(weight)[expert * size..][..size];
    numbers.chunks(inputs as usize).map(|w| dot(w, x)).collect()
}

fn mixed(model: &Model, mixer: &Mixer, x: &Rows) -> Rows {
    let (dim, heads) = (model.sizes.dim() as usize, model.sizes.heads as usize);
    let shared = heads / model.sizes.kv_heads as usize;
    let head = |row: &[f64], h: usize| row[h * dim..][..dim].to_vec();
    let mut out: Rows = vec![vec![0.0; heads * dim]; x.len()];
    match mixer {
        Mixer::Attention { q, k, v, out: last } => {
            let (q, k, v) = (product(q, x), product(k, x), product(v, x));
            for h in 0..heads {
                let keys: Rows =
                    k.iter().enumerate().map(|(t, k)| turned(&head(k, h / shared), t)).collect();
                for i in 0..x.len() {
                    let query = turned(&head(&q[i], h), i);
                    let scores: Vec<f64> = keys[..=i]
                        .iter()
                        .map(|key| dot(&query, key) / (dim as f64).sqrt())
                        .collect();
                    let most = scores.iter().fold(f64::NEG_INFINITY, |m, &s| m.max(s));
                    let sum: f64 = scores.iter().map(|s| (s - most).exp()).sum();
                    for (j, score) in scores.iter().enumerate() {
                        let part = (score - most).exp() / sum;
                        for (d, value) in head(&v[j], h / shared).iter().enumerate() {
                            out[i][h * dim + d] += part * value;
                        }
                    }
                }
            }
            product(last, &out)
        }
        Mixer::Delta { q, k, v, gate, beta, decay, out: last } => {
            let decay = numbers(decay);
            let [q, k, v, gate, beta] = [q, k, v, gate, beta].map(|w| product(w, x));
            let unit = |x: Vec<f64>| normed(&x, &vec![1.0 / (dim as f64).sqrt(); dim]);
            for h in 0..heads {
                let mut state = vec![vec![0.0; dim]; dim];
                for t in 0..x.len() {
                    let kept = (-decay[h].exp() * gate[t][h].exp().ln_1p()).exp();
                    let rate = 1.0 / (1.0 + (-beta[t][h]).exp());
                    let key = unit(head(&k[t], h / shared));
                    let query = unit(head(&q[t], h / shared));
                    for (row, value) in head(&v[t], h).into_iter().enumerate() {
                        let line = &mut state[row];
                        line.iter_mut().for_each(|s| *s *= kept);
                        let delta = rate * (value - dot(line, &key));
                        line.iter_mut().zip(&key).for_each(|(s, k)| *s += delta * k);
                        out[t][h * dim + row] = dot(line, &query);
                    }
                }
            }
            product(last, &out)
        }
    }
}

/// Rotary positions: element d turns with element d + dim / 2.
fn turned(x: &[f64], position: usize) -> Vec<f64> {
    let half = x.len() / 2;
    let mut y = x.to_vec();
    for d in 0..half {
        let angle = position as f64 * THETA.powf(-(d as f64) / half as f64);
        y[d] = x[d] * angle.cos() - x[d + half] * angle.sin();
        y[d + half] = x[d + half] * angle.cos() + x[d] * angle.sin();
    }
    y
}

fn normed(x: &[f64], weight: &[f64]) -> Vec<f64> {
    let mean = dot(x, x) / x.len() as f64;
    x.iter().zip(weight).map(|(x, w)| x / (mean + EPS).sqrt() * w).collect()
}

fn product(weight: &Weight, x: &[Vec<f64>]) -> Rows {
    x.iter().map(|row| of_expert(weight, 0, row)).collect()
}

fn plus(a: &Rows, b: &Rows) -> Rows {
    a.iter().zip(b).map(|(a, b)| a.iter().zip(b).map(|(a, b)| a + b).collect()).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn numbers(x: &Tensor) -> Vec<f64> {
    x.to_vec::<f32>().unwrap().into_iter().map(f64::from).collect()
}
