#!/bin/bash
# slurm.sh [BASE]: compares the working tree with BASE in an array of Slurm jobs, and judges the result. Run it on the
# login node, in the folder of the package, which every node must see. It exits with the gate's exit code, and writes
# the page to gate.md and gate.html. The nodes must be of one kind, with springbench and swift on the PATH.
set -euo pipefail

PARTS=${PARTS:-3}                     # jobs that the benchmarks are spread over
export BASE=${1:-${BASE:-origin/main}} WORK=${WORK:-$PWD/.build/slurm}

case ${STEP:-submit} in
submit)
  rm -rf "$WORK" && mkdir -p "$WORK"
  build=$(STEP=build sbatch --parsable --exclusive --output="$WORK/build.log" "$0")
  # A job whose node fails is queued again. If the build fails, no part is measured, and the gate says so.
  array=$(STEP=measure sbatch --parsable --array="1-$PARTS" --dependency="afterok:$build" --kill-on-invalid-dep=yes \
    --exclusive --requeue --open-mode=append --output="$WORK/part-%a.log" "$0")
  status=0
  STEP=gate sbatch --wait --dependency="afterany:$array" --output="$WORK/gate.log" "$0" >"$WORK/sbatch.log" || status=$?
  cat "$WORK/gate.log"
  exit "$status"
  ;;
build)                                # once; every node measures these two programs
  springbench build-revision "$BASE" >"$WORK/base"
  springbench build-revision >"$WORK/candidate"
  ;;
measure)
  part=$SLURM_ARRAY_TASK_ID base=$(<"$WORK/base") candidate=$(<"$WORK/candidate")
  rm -rf "$WORK/run-$part" "$WORK/comparison-$part.json"    # left by an attempt whose node failed
  # A regression does not end the task, because the gate judges all parts together.
  springbench run --program "$candidate" --shard auto --output "$WORK/run-$part" \
    || compgen -G "$WORK/run-$part/*/*/run.json" >/dev/null
  springbench compare --program "$base" "$candidate" --shard auto --report "document=$WORK/comparison-$part.json" \
    || [[ -s $WORK/comparison-$part.json ]]
  ;;
gate)
  shopt -s nullglob
  runs=("$WORK"/run-*/*/*/run.json) comparisons=("$WORK"/comparison-*.json)
  if [[ ${#runs[@]} -eq 0 || ${#comparisons[@]} -eq 0 ]]; then
    echo "no part was measured; see the logs in $WORK" >&2
    exit 1
  fi
  springbench gate --run "${runs[@]}" --comparison "${comparisons[@]}" --report markdown=gate.md --report html=gate.html
  ;;
esac
