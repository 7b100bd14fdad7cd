"""The shapes of `evenweave bench --large` by PyTorch, eager and compiled, on the same machine; both beside each other.

    evenweave bench --large --device cuda --json ours.json
    python3 bench/peers.py ours.json [--markdown FILE]

Times are medians of the device's clock over CUDA graphs, on inputs that go round past the L2 cache, as ours are.
"""

import argparse
import json
import statistics
import sys

import torch
import torch.nn.functional as F

PAST_CACHES_BYTES = 256 << 20
MOST_SETS = 16


def tensors(dtype, *shapes):
    return [torch.randn(shape, device="cuda").to(dtype) for shape in shapes]


def rope(x, cos, sin):
    a, b = x[..., :64], x[..., 64:]
    return torch.cat((a * cos - b * sin, b * cos + a * sin), -1)


def rope_inputs():
    (x,) = tensors(torch.float32, (16384, 32, 128))
    return [x, *tensors(torch.float32, (16384, 1, 64), (16384, 1, 64))]


def gather_inputs():
    (table,) = tensors(torch.float32, (16384, 4096))
    return [table, torch.randint(0, 16384, (16384,), device="cuda")]


N = 4096
FLAT = 1 << 26
f32, bf16 = torch.float32, torch.bfloat16

# id of our bench: (inputs, function)
PEERS = {
    "copy/f32/contiguous-8192x8192": (lambda: tensors(f32, (8192, 8192)), lambda x: x.clone()),
    "copy/f32/transposed-8192x8192": (lambda: tensors(f32, (8192, 8192)), lambda x: x.t().contiguous()),
    "add/f32/64M": (lambda: tensors(f32, FLAT, FLAT), lambda a, b: a + b),
    "add/bf16/64M": (lambda: tensors(bf16, FLAT, FLAT), lambda a, b: a + b),
    "exp/f32/64M": (lambda: tensors(f32, FLAT), torch.exp),
    "exp/bf16/64M": (lambda: tensors(bf16, FLAT), torch.exp),
    "swiglu/f32/64M": (lambda: tensors(f32, FLAT, FLAT), lambda g, u: F.silu(g) * u),
    "swiglu/bf16/64M": (lambda: tensors(bf16, FLAT, FLAT), lambda g, u: F.silu(g) * u),
    "softmax/f32/4096x4096": (lambda: tensors(f32, (N, N)), lambda x: F.softmax(x, -1)),
    "softmax/bf16/4096x4096": (lambda: tensors(bf16, (N, N)), lambda x: F.softmax(x, -1)),
    "layer_norm/f32/4096x4096": (lambda: tensors(f32, (N, N), N, N), lambda x, w, b: F.layer_norm(x, (N,), w, b)),
    "rms_norm/f32/4096x4096": (lambda: tensors(f32, (N, N), N), lambda x, w: F.rms_norm(x, (N,), w)),
    "rms_norm/bf16/4096x4096": (lambda: tensors(bf16, (N, N), N), lambda x, w: F.rms_norm(x, (N,), w)),
    "reduce_rows/f32/sum-4096x4096": (lambda: tensors(f32, (N, N)), lambda x: x.sum(-1)),
    "arg_reduce/f32/max-4096x4096": (lambda: tensors(f32, (N, N)), lambda x: x.argmax(-1)),
    "rope/f32/16384x32x128": (rope_inputs, rope),
    "gather/f32/16384x4096": (gather_inputs, lambda t, i: t[i]),
}


def milliseconds(make, function, seconds):
    first = make()
    out = function(*first)
    used = sum(t.numel() * t.element_size() for t in [*first, out])
    sets = [first] + [make() for _ in range(min(MOST_SETS, -(-PAST_CACHES_BYTES // used)) - 1)]
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            for inputs in sets:
                function(*inputs)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        kept = [function(*inputs) for inputs in sets]
    times = []
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    total = 0.0
    while total < seconds * 1e3 or len(times) < 5:
        start.record()
        graph.replay()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end) / len(sets))
        total += times[-1] * len(sets)
    del kept
    return statistics.median(times)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("ours", help="a file of `evenweave bench --json`")
    arguments.add_argument("--markdown", metavar="FILE", help="also write the table to a file")
    arguments.add_argument("--seconds", type=float, default=0.2, help="to spend on each")
    options = arguments.parse_args()
    with open(options.ours) as file:
        ours = json.load(file)
    rows = []
    for line in ours["benches"]:
        peer = PEERS.get(line["id"])
        if peer is None or line["verdict"] != "PASS":
            rows.append((line, None, None))
            continue
        make, function = peer
        eager = milliseconds(make, function, options.seconds)
        torch._dynamo.reset()
        compiled = milliseconds(make, torch.compile(function), options.seconds)
        rows.append((line, eager, compiled))
    lines = [
        f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}; the device's own copy: {ours['copy_gb_per_s']:.0f} GB/s",
        "",
        "| bench | ms | GB/s | of copy | eager ms | compiled ms | compiled / ours |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for line, eager, compiled in rows:
        ms = line["seconds"] * 1e3
        share = "-" if line["of_copy"] is None else f"{line['of_copy']:.2f}"
        peers = "- | - | -" if eager is None else f"{eager:.4f} | {compiled:.4f} | {compiled / ms:.2f}"
        lines.append(f"| {line['id']} | {ms:.4f} | {line['gb_per_s']:.0f} | {share} | {peers} |")
    text = "\n".join(lines) + "\n"
    sys.stdout.write(text)
    if options.markdown:
        with open(options.markdown, "w") as file:
            file.write(text)


if __name__ == "__main__":
    main()
