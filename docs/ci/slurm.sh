#!/bin/bash
# slurm.sh [BASE]: the gate of the working tree against BASE as an array of Slurm jobs. Run it on the login node, in the
# package, in a folder that every node sees. It ends with the gate's exit code, and leaves the page in gate.md and
# gate.html. springbench and swift have to be on the PATH of the nodes, which are of one kind.
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
  rm -rf "$WORK/run-$part" "$WORK/comparison-$part.json"    # of an attempt that ended with its node
  # What they find is judged once all parts are there.
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
