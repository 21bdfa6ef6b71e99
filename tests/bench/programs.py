"""Runs what measures: our programs, with their peers inside, and PyTorch in a process of its own for each setting."""

import glob
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 0.05  # a repetition takes at least this long

# Our surroundings, without what they may say about peers: whoever set their code or threads had not this in mind.
OF_PEERS = ("ATEN_", "DNNL_", "GOMP_", "MKL_", "OMP_", "ONEDNN_", "OPENBLAS_", "ORT_")
ORT_LIBRARY = "ORT_LIBRARY"  # names the library of ONNX Runtime
SURROUNDINGS = {name: value for name, value in os.environ.items()
                if name == ORT_LIBRARY or not name.startswith(OF_PEERS)}

OPENMP_BLAS = next(iter(glob.glob("/usr/lib/*/openblas-openmp")), "")
ASK_CORE = """
import ctypes
blas = ctypes.CDLL("libopenblas.so.0")
blas.openblas_get_corename.restype = ctypes.c_char_p
print(blas.openblas_get_corename().decode())
"""


def processor_has(flag):
    with open("/proc/cpuinfo") as file:
        return f" {flag} " in file.read()


def openblas_core():
    """An OpenBLAS older than the processor takes it for one of twenty years ago. It is told better."""
    answer = subprocess.run([sys.executable, "-c", ASK_CORE], env=SURROUNDINGS, capture_output=True, text=True)
    if answer.stdout.strip() != "Prescott":
        return {}
    if not processor_has("avx2"):
        return {}
    return {"OPENBLAS_CORETYPE": "SkylakeX" if processor_has("avx512f") else "Haswell"}


def environment(kind):
    """What is set for our programs and their peers ("peers"), and for PyTorch ("default", "tuned")."""
    settings = {}
    if kind != "default":
        # One pool of OpenMP threads for OpenBLAS, Eigen and oneDNN, instead of two that fight.
        settings["LD_LIBRARY_PATH"] = ":".join(filter(None, [OPENMP_BLAS, SURROUNDINGS.get("LD_LIBRARY_PATH")]))
        settings.update(openblas_core())
    if kind == "peers":
        # Threads with nothing to do spin for about a millisecond, then sleep: long enough that calls in a row find them
        # awake, short enough that they are gone before somebody else is measured.
        settings.update(GOMP_SPINCOUNT="20000", OPENBLAS_THREAD_TIMEOUT="21")
    if kind == "tuned":
        if processor_has("avx512f"):  # versions before 2.1 take AVX2 even there
            settings["ATEN_CPU_CAPABILITY"] = "avx512"
        settings.update(
            OMP_PROC_BIND="true",
            OMP_PLACES="cores",
            GLIBC_TUNABLES="glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=4294967296"
            ":glibc.malloc.trim_threshold=8589934592",
        )
    return settings


class Programs:
    """Our benchmark programs: which measurements there are, and their times."""

    def __init__(self, folder):
        self.settings = environment("peers")
        self.environment = {**SURROUNDINGS, **self.settings}
        self.program_of, self.whos = {}, {}
        self.versions = set()  # of the libraries inside, "OpenBLAS 0.3.21", as far as they were met
        for path in sorted(glob.glob(os.path.join(folder, "bench_*"))):
            listed = subprocess.run([path, "--benchmark_list_tests"], env=self.environment, check=True,
                                    capture_output=True, text=True)
            for line in listed.stdout.splitlines():
                if match := re.match(r"(.*/t\d+)/(\w+)", line):
                    self.program_of[match[1]] = path
                    self.whos.setdefault(match[1], []).append(match[2])

    def run(self, key, whos, repetitions):
        """who → a list of its times in seconds and of what one execution amounts to, in random order"""
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            command = [self.program_of[key], f"--benchmark_filter=^{re.escape(key)}/({'|'.join(whos)})(/|$)",
                       f"--benchmark_repetitions={repetitions}", "--benchmark_enable_random_interleaving=true",
                       f"--benchmark_min_time={SECONDS}", f"--benchmark_out={out.name}", "--benchmark_out_format=json"]
            finished = subprocess.run(command, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                      text=True)
            if finished.returncode != 0:
                sys.exit(f"{finished.stderr}regard: failed with {finished.returncode}: {' '.join(command)}")
            report = json.load(out)
        self.versions |= {text for name, text in report["context"].items() if name.startswith("version of ")}
        times, work = {who: [] for who in whos}, {}
        for entry in report["benchmarks"]:
            if entry["run_type"] == "iteration":
                who = entry["name"][len(key) + 1:].split("/")[0]
                times[who].append(entry["real_time"] * 1e-9)
                work.update({name: entry[name] for name in ("flops", "bytes", "peak") if entry.get(name)})
                if entry.get("held"):
                    work[f"held/{who}"] = entry["held"]
        return times, work


class Torch:
    """PyTorch in one of its settings. It is stopped whenever it is not asked, so that nothing of it is in the way."""

    def __init__(self, python, kind):
        self.process = subprocess.Popen([python, os.path.join(HERE, "torch_peer.py")], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**SURROUNDINGS, **environment(kind)})
        self.version = json.loads(self.process.stdout.readline())
        self.process.send_signal(signal.SIGSTOP)

    def run(self, key):
        self.process.send_signal(signal.SIGCONT)
        print(json.dumps([key, SECONDS]), file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"regard: PyTorch ended with {self.process.wait()} at {key}")
        self.process.send_signal(signal.SIGSTOP)
        return json.loads(answer)

    def close(self):
        self.process.kill()
        self.process.wait()


def python_with_torch():
    """The system's first, since --peers installs that one's. One that cannot be imported is passed over."""
    for python in ("/usr/bin/python3", sys.executable, "python3"):
        try:
            if subprocess.run([python, "-c", "import torch"], capture_output=True).returncode == 0:
                return python
        except FileNotFoundError:
            pass
    return None


def processor_seconds():
    """Used by everybody, and by what we started and has ended; None where the system does not tell."""
    try:
        with open("/proc/stat") as file:
            user, nice, system, _, _, irq, soft_irq, steal = map(int, file.readline().split()[1:9])
    except OSError:
        return None
    own = resource.getrusage(resource.RUSAGE_CHILDREN)
    everybody = (user + nice + system + irq + soft_irq + steal) / os.sysconf("SC_CLK_TCK")
    return everybody, own.ru_utime + own.ru_stime


def measure(programs, torches, key, whos, rounds):
    """who → times, one for each round. Whoever is measured takes turns in random order: within each round where PyTorch
    takes part, and over all rounds where our programs are alone."""
    inside = [who for who in programs.whos.get(key, []) if who in whos]
    outside = [who for who in torches if who in whos]
    if not inside:
        return {}, {}
    if not outside:
        return programs.run(key, inside, rounds)
    times, work = {who: [] for who in inside + outside}, {}
    for _ in range(rounds):
        for who in random.sample(["ours", *outside], len(outside) + 1):
            if who == "ours":
                round_times, round_work = programs.run(key, inside, 1)
                work = {name: max(work.get(name, 0), number) for name, number in round_work.items()}
                for name, seconds in round_times.items():
                    times[name] += seconds
            else:
                times[who].append(torches[who].run(key))
    return times, work
