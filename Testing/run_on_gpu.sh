#!/usr/bin/env bash
# Runs the solver's tests, compute-sanitizer and the benchmark on a machine with an NVIDIA GPU, from built binaries alone.
#   Testing/run_on_gpu.sh BINARIES OUT [tests] [sanitizer] [bench] [big]
# BINARIES holds paragrain-tests, paragrain-bench and, if the machine has none, libtbb.so.12. Logs and JSON go to OUT; a table closes.
set -uo pipefail
bin=$(realpath "$1"); out=$2; shift 2; mkdir -p "$out"; out=$(realpath "$out")
what=${*:-tests sanitizer bench}
export LD_LIBRARY_PATH=$bin:${LD_LIBRARY_PATH:-}
chmod +x "$bin"/paragrain-* 2>/dev/null
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
for w in $what; do
  case $w in
    tests)
      # Eight processes share the GPU. NVIDIA's Multi-Process Service, where it starts, lets their
      # kernels run together: 140 s on an H100, without it more than twenty minutes.
      export CUDA_MPS_PIPE_DIRECTORY=$out/mps CUDA_MPS_LOG_DIRECTORY=$out/mps
      mkdir -p "$out/mps"
      nvidia-cuda-mps-control -d > /dev/null 2>&1 || unset CUDA_MPS_PIPE_DIRECTORY
      for shard in 0 1 2 3 4 5 6 7; do
        GTEST_TOTAL_SHARDS=8 GTEST_SHARD_INDEX=$shard timeout 540 "$bin/paragrain-tests" \
          '--gtest_filter=*/CUDA*' > "$out/tests-$shard.log" 2>&1 || echo "tests: shard $shard ended with $?" &
      done
      wait
      [ -z "${CUDA_MPS_PIPE_DIRECTORY:-}" ] || echo quit | nvidia-cuda-mps-control
      unset CUDA_MPS_PIPE_DIRECTORY
      cat "$out"/tests-?.log > "$out/tests.log"
      echo "tests: $(grep -c "^\[       OK" "$out/tests.log") passed"
      grep -E "^\[  FAILED  \].* ms\)|^\[ +SKIPPED" "$out/tests.log" | sort -u | head -40 ;;
    sanitizer)
      quick='--gtest_filter=*/Contact.HeadOnAtAutomaticStep/CUDAMixed:*/Search.PeriodicCorners/CUDAMixed:*/Walls.ShearIsGivenBack/CUDAMixed:*/Domain.NeighboursMayLeaveTogether/CUDAMixed:*/Snapshot.AnotherScenesCheckpoint/CUDAMixed:*/Domain.RemoveOnOneAxis/CUDAMixed'
      for tool in memcheck racecheck; do
        timeout 200 compute-sanitizer --tool $tool --error-exitcode 9 "$bin/paragrain-tests" "$quick" > "$out/$tool.log" 2>&1
        echo "$tool: exit $?, $(grep -cE '^\[       OK' "$out/$tool.log") tests; $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$out/$tool.log" | tail -1)"
      done ;;
    bench|big)
      sizes="10000 100000 1000000"; [ $w = big ] && sizes="10000000"
      for n in $sizes; do
        timeout 300 "$bin/paragrain-bench" --device cuda --particles $n --frames 20 --json "$out/settled_$n.json" > "$out/bench_$n.log" 2>&1 || tail -3 "$out/bench_$n.log"
      done ;;
  esac
done
python3 - "$out" <<'P'
import glob, json, os, sys
rows = [json.load(open(f)) for f in glob.glob(os.path.join(sys.argv[1], "settled_*.json"))]
print(f"{'particles':>10} {'Z':>5} {'list/p':>6} {'steps/list':>10} {'steps/s':>9} {'p-steps/s':>10} {'rebuild':>8} {'B/p':>6} {'frame ms':>8}")
for r in sorted(rows, key=lambda r: r["particles"]):
    print(f"{r['particles']:>10} {r['contacts_per_particle']:>5.2f} {r['list_entries_per_particle']:>6.2f} {r['steps_per_rebuild']:>10.1f} {r['steps_per_second']:>9.0f} "
          f"{r['particle_steps_per_second']:>10.3g} {r['rebuild_share']:>8.3f} {r['bytes_per_particle']:>6.0f} {r.get('frame_ms', 0):>8.2f}")
P
