"""2:4 products of `evenweave bench sparse --large` beside cuSPARSELt and cuBLAS, and beside our own dense product.

    evenweave bench sparse --large --device cuda --json ours.json
    evenweave bench gemm --large --device cuda --json dense.json
    python3 bench/sparse_peers.py ours.json dense.json [--markdown FILE]

cuSPARSELt is called through its own functions, after its own search for the fastest algorithm; cuBLAS through torch.mm, torch._int_mm and
torch._scaled_mm. Times are medians of the device's clock over CUDA graphs, on inputs that go round past the L2 cache, as ours are. Matrices lie as ours do:
rows of `a` along k, columns of `b` along k, rows of the result along n. TFLOP/s count the dense product. What a library gives is compared with the product in f32.
"""

import argparse
import ctypes
import glob
import json
import os
import statistics
import sys

try:
    import torch
except ImportError as why:
    sys.exit(f"sparse_peers: PyTorch is needed for memory, graphs and cuBLAS: {why}")

PAST_CACHES_BYTES = 256 << 20
MOST_SETS = 16
SIZES = [
    (4096, 4096, 4096),
    (8192, 8192, 8192),
    (4096, 16, 4096),
    (4096, 64, 4096),
    (14336, 16, 4096),
    (14336, 64, 4096),
]
f8 = torch.float8_e4m3fn
# dtype: of torch, of our result, cudaDataType of operands and of the result, cusparseComputeType, type of alpha and beta
DTYPES = {
    "f16": (torch.float16, torch.float16, 2, 2, 2, ctypes.c_float),
    "bf16": (torch.bfloat16, torch.bfloat16, 14, 14, 2, ctypes.c_float),
    "i8": (torch.int8, torch.int32, 3, 10, 0, ctypes.c_float),
    "f8e4m3": (f8, torch.float32, 28, 0, 2, ctypes.c_float),
}
# cudaDataType of results that cuSPARSELt may have in place of ours.
OTHER_RESULTS = {"i8": [(torch.float16, 2), (torch.int8, 3)], "f8e4m3": [(torch.float16, 2)]}
ROW, NON_TRANSPOSE, TRANSPOSE = 2, 0, 1
OPAQUE_BYTES = 16 << 10


class Missing(Exception):
    """What a library lacks or refuses, in one line."""


class CuSparseLt:
    """cuSPARSELt by its C functions."""

    def __init__(self):
        import nvidia

        found = [p for base in nvidia.__path__ for p in sorted(glob.glob(f"{base}/*/lib/libcusparseLt.so*"))]
        for path in [*found, "libcusparseLt.so.0"]:
            try:
                self.library = ctypes.CDLL(path)
                break
            except OSError as why:
                last = why
        else:
            raise Missing(f"libcusparseLt.so.0 does not load, neither beside PyTorch ({', '.join(found) or 'not there'}) nor by name: {last}")
        self.handle = self.opaque()
        self.call("Init", self.handle)
        version = ctypes.c_int()
        self.call("GetVersion", self.handle, ctypes.byref(version))
        self.version = version.value

    @staticmethod
    def opaque():
        # The library asks for 16 bytes of alignment.
        raw = ctypes.create_string_buffer(OPAQUE_BYTES + 16)
        start = (ctypes.addressof(raw) + 15) // 16 * 16
        pointer = ctypes.c_void_p(start)
        pointer.raw = raw
        return pointer

    def call(self, name, *arguments):
        status = getattr(self.library, "cusparseLt" + name)(*arguments)
        if status != 0:
            say = self.library.cusparseLtGetErrorString
            say.restype = ctypes.c_char_p
            raise Missing(f"cusparseLt{name}: {say(status).decode()} ({status})")


def pointer(tensor):
    return ctypes.c_void_p(tensor.data_ptr())


class Product:
    """y = a b by cuSPARSELt, a 2:4."""

    def __init__(self, lt, dtype, size, result):
        m, n, k = size
        (self.torch, _, code, _, compute, self.scalar), (self.result, y_code) = DTYPES[dtype], result
        self.lt, self.size = lt, size
        self.a, self.b, self.y, self.descriptor, self.plan, choice = (lt.opaque() for _ in range(6))
        i64 = ctypes.c_int64
        lt.call("StructuredDescriptorInit", lt.handle, self.a, i64(m), i64(k), i64(k), 16, code, ROW, 0)
        lt.call("DenseDescriptorInit", lt.handle, self.b, i64(n), i64(k), i64(k), 16, code, ROW)
        lt.call("DenseDescriptorInit", lt.handle, self.y, i64(m), i64(n), i64(n), 16, y_code, ROW)
        all = (self.a, self.b, self.y, self.y)
        lt.call("MatmulDescriptorInit", lt.handle, self.descriptor, NON_TRANSPOSE, TRANSPOSE, *all, compute)
        lt.call("MatmulAlgSelectionInit", lt.handle, choice, self.descriptor, 0)
        lt.call("MatmulPlanInit", lt.handle, self.plan, self.descriptor, choice)
        self.choice = choice
        self.room()

    def room(self):
        bytes = ctypes.c_size_t()
        self.lt.call("MatmulGetWorkspace", self.lt.handle, self.plan, ctypes.byref(bytes))
        # The search may come to an algorithm that wants more.
        self.workspace = torch.empty(max(bytes.value, 64 << 20), dtype=torch.uint8, device="cuda")

    def compressed(self, a):
        lt, sizes = self.lt, [ctypes.c_size_t(), ctypes.c_size_t()]
        lt.call("SpMMACompressedSize2", lt.handle, self.a, *map(ctypes.byref, sizes))
        packed, spare = (torch.empty(max(s.value, 16), dtype=torch.uint8, device="cuda") for s in sizes)
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        lt.call("SpMMACompress2", lt.handle, self.a, 1, NON_TRANSPOSE, pointer(a), pointer(packed), pointer(spare), stream)
        torch.cuda.synchronize()
        return packed

    def run(self, packed, b, y, name="Matmul"):
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        one, zero = self.scalar(1), self.scalar(0)
        given = (ctypes.byref(one), pointer(packed), pointer(b), ctypes.byref(zero), pointer(y), pointer(y))
        self.lt.call(name, self.lt.handle, self.plan, *given, pointer(self.workspace), ctypes.byref(stream), 1)


def operands(dtype, size):
    """A 2:4 matrix and the columns of a dense one as rows, of small whole numbers."""
    m, n, k = size
    a = torch.randint(-3, 4, (m, k), device="cuda", dtype=torch.int8)
    keep = torch.rand(m, k // 4, 4, device="cuda").argsort(-1).argsort(-1) < 2
    a = (a.view(m, k // 4, 4) * keep).view(m, k)
    b = torch.randint(-6, 7, (n, k), device="cuda", dtype=torch.int8)
    return a.to(dtype), b.to(dtype)


def median_ms(runs, seconds):
    """Median time of one of the runs, all of them in one graph."""
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            for run in runs:
                run()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        kept = [run() for run in runs]
    times, total = [], 0.0
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    while total < seconds * 1e3 or len(times) < 5:
        start.record()
        graph.replay()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end) / len(runs))
        total += times[-1] * len(runs)
    del kept
    return statistics.median(times)


def sets_of(bytes):
    return max(1, min(MOST_SETS, -(-PAST_CACHES_BYTES // bytes)))


def expect(what, got, a, b):
    """Compares some rows with the product in f64."""
    want = a[:64].double() @ b.double().t()
    got = got[:64].double()
    limit = torch.finfo(torch.float16).max
    off = ((got - want).abs() > 1e-2 * want.abs() + 1) & (want.abs() < limit)
    if bool(off.any()):
        raise Missing(f"{what} gives other numbers than the product in f64, {int(off.sum())} of {off.numel()}")


def sparse_ms(lt, dtype, size, seconds):
    """Milliseconds by cuSPARSELt, and the dtype of its result where it is not ours."""
    ours = (DTYPES[dtype][1], DTYPES[dtype][3])
    refused = []
    for result in [ours, *OTHER_RESULTS.get(dtype, [])]:
        try:
            product = Product(lt, dtype, size, result)
            m, n, k = size
            one = (m * k * 9 // 16 + n * k) * product.torch.itemsize + m * n * result[0].itemsize
            runs, first = [], None
            for _ in range(sets_of(one)):
                a, b = operands(product.torch, size)
                y = torch.zeros((m, n), dtype=result[0], device="cuda")
                packed = product.compressed(a)
                if first is None:
                    first = (a, b, y)
                    product.run(packed, b, y, "MatmulSearch")
                    product.run(packed, b, y)
                    torch.cuda.synchronize()
                    if result[0] != torch.int8:
                        expect("cuSPARSELt", y, a, b)
                runs.append(lambda packed=packed, b=b, y=y: product.run(packed, b, y))
            note = "" if result == ours else str(result[0]).removeprefix("torch.")
            return median_ms(runs, seconds), note
        except Missing as why:
            refused.append(f"to {result[0]}: {why}")
    raise Missing("; ".join(refused))


def dense_ms(dtype, size, seconds):
    """Milliseconds by cuBLAS."""
    m, n, k = size
    kind, y_kind = DTYPES[dtype][:2]
    one = torch.ones((), device="cuda", dtype=torch.float32)

    def product(a, b):
        if kind == torch.int8:
            return torch._int_mm(a, b.t())
        if kind == f8:
            return torch._scaled_mm(a, b.t(), scale_a=one, scale_b=one, out_dtype=y_kind)
        return torch.mm(a, b.t())

    bytes = (m * k + n * k) * kind.itemsize + m * n * y_kind.itemsize
    runs = []
    for i in range(sets_of(bytes)):
        a, b = operands(kind, size)
        if i == 0:
            expect("cuBLAS", product(a, b), a, b)
        runs.append(lambda a=a, b=b: product(a, b))
    return median_ms(runs, seconds)


def tried(what, lines, function, *arguments):
    try:
        return function(*arguments)
    except (Missing, RuntimeError, AttributeError) as why:
        lines.append(f"{what}: {str(why).splitlines()[0]}")
        return None
    finally:
        torch.cuda.empty_cache()


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("ours", nargs="+", help="files of `evenweave bench --json`")
    arguments.add_argument("--markdown", metavar="FILE", help="also write the table to a file")
    arguments.add_argument("--seconds", type=float, default=0.1, help="to spend on each")
    options = arguments.parse_args()
    ours, copy = {}, None
    for path in options.ours:
        if not os.path.exists(path):
            sys.exit(f"sparse_peers: {path} is not there; make it with `evenweave bench sparse --large --device cuda --json {path}`")
        with open(path) as file:
            found = json.load(file)
        copy = found["copy_gb_per_s"] or copy
        ours.update({line["id"]: line for line in found["benches"]})
    if not torch.cuda.is_available():
        sys.exit("sparse_peers: PyTorch finds no CUDA device")
    refused, rows = [], []
    lt = tried("cuSPARSELt", refused, CuSparseLt)
    for dtype in DTYPES:
        for size in SIZES:
            m, n, k = size
            name = f"{dtype} {m}x{n}x{k}"
            line = ours.get(f"gemm_sparse24/{dtype}/fast-{m}x{n}x{k}")
            if line is None or line["verdict"] != "PASS" or not line["seconds"]:
                refused.append(f"{name}: ours is {'not in the files' if line is None else line['verdict']}")
                mine = None
            else:
                mine = line["seconds"] * 1e3
            dense = ours.get(f"gemm/{dtype}/{m}x{n}x{k}", {}).get("seconds")
            sparse = lt and tried(f"{name}, cuSPARSELt", refused, sparse_ms, lt, dtype, size, options.seconds)
            cublas = tried(f"{name}, cuBLAS", refused, dense_ms, dtype, size, options.seconds)
            rows.append((name, size, dtype, mine, dense and dense * 1e3, sparse, cublas))
            text = table(rows, refused, lt, copy)
            if options.markdown:
                # Anew after each, so that what is measured stays if the rest is not.
                with open(options.markdown, "w") as file:
                    file.write(text)
    sys.stdout.write(text)


def table(rows, refused, lt, copy):
    copied = f"{copy:.0f} GB/s" if copy else "not measured"
    version = f"cuSPARSELt {lt.version}" if lt else "no cuSPARSELt"
    lines = [
        f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, {version}; the device's own copy: {copied}",
        "",
        "| product | ours ms | TFLOP/s | cuSPARSELt ms | TFLOP/s | its time / ours | cuBLAS ms | its time / ours | our dense ms | its time / ours | dense bytes / copy / ours |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, (m, n, k), dtype, mine, dense, sparse, cublas in rows:
        def rate(ms):
            return "-" if ms is None else f"{2e-9 * m * n * k / ms:.1f}"

        def time(ms):
            return "-" if ms is None else f"{ms:.4f}"

        def over(ms):
            return "-" if ms is None or mine is None else f"{ms / mine:.2f}"

        ms, note = sparse if sparse else (None, "")
        note = f" ({note})" if note else ""
        kind, y_kind = DTYPES[dtype][:2]
        bytes = (m * k + n * k) * kind.itemsize + m * n * y_kind.itemsize
        bound = over(bytes / copy * 1e-6) if copy and n <= 64 else "-"
        cells = [name, time(mine), rate(mine), time(ms) + note, rate(ms), over(ms), time(cublas), over(cublas), time(dense), over(dense), bound]
        lines.append("| " + " | ".join(cells) + " |")
    if refused:
        lines += ["", "Not measured:", "", *(f"- {line}" for line in refused)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
