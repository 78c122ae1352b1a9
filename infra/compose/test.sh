#!/usr/bin/env bash
# Proves the containers: runs test.yaml once with the harness outside (--on compose) and a framework from outside the project, and
# once with Compose alone, and checks that each leaves a valid summary and no container; then bare.sh. Takes four to
# six minutes. Also: ./scriptorium test --compose
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# The Node that the launcher installs, where the system has an older one.
[ ! -x .scriptorium/node/bin/node ] || PATH=$PWD/.scriptorium/node/bin:$PATH

say() { printf 'compose test: %s\n' "$*" >&2; }
fail() {
  say "FAILED: $*"
  exit 1
}

if [ -x ../shared/docker-base ]; then
  ../shared/docker-base
elif ! command -v docker >/dev/null; then
  say 'there is no docker on this machine; install Docker Engine and Docker Compose to run it'
  exit 3
fi
if docker compose version >/dev/null 2>&1; then compose=(docker compose); else compose=(docker-compose); fi
compose+=(--file infra/compose/compose.yaml --project-name "scriptorium-test-$$")

results=$(mktemp -d)
alone=results/compose-test
finish() {
  "${compose[@]}" down --volumes --timeout 5 >/dev/null 2>&1 || say "docker could not clear up; see: docker ps --all"
  rm -rf "$results" "$alone"
}
trap finish EXIT
rm -rf "$alone"

# $1: a run's folder. Reads it by the project's own schema.
check_summary() {
  node --input-type=module -e '
    import { readFileSync } from "node:fs";
    import { summarySchema } from "./results/formats/summary.ts";
    const { cells } = summarySchema.parse(JSON.parse(readFileSync(process.argv[1] + "/summary.json", "utf8")));
    const [cell] = cells;
    console.error(JSON.stringify({ cells: cells.length, verdict: cell?.verdict, throughputPercent: cell?.throughputPercent, users: cell?.users }));
    process.exit(cells.length === 1 && cell.verdict === "valid" && cell.validTrials === 1 && cell.users === 2 ? 0 : 1);
  ' "$1" || fail "the summary in $1 is not valid"
  [ -s "$1/report.html" ] || fail "there is no report in $1"
}

./scriptorium new-framework "$results/mine" >&2
say "with the harness outside: ./scriptorium run infra/compose/test.yaml --on compose --frameworks $results/mine"
./scriptorium run infra/compose/test.yaml --on compose --frameworks "$results/mine" --out "$results/outside" &
run=$!
wait "$run" || fail "the run ended with exit code $?"
check_summary "$results/outside"
grep -q '"cpus": 0.5' "$results/outside/environment.json" || fail 'the limits are not in environment.json'
for kind in 'ps --all' 'network ls' 'volume ls'; do
  # shellcheck disable=SC2086 # two words
  left=$(docker $kind --format '{{.Label "scriptorium.owner"}}' | grep "^$run-" || true)
  [ -z "$left" ] || fail "docker $kind still shows $left"
done

say "with Compose alone: ${compose[*]} up --build --scale user=2"
SCRIPTORIUM_EXPERIMENT=infra/compose/test.yaml SCRIPTORIUM_USER_CPUS=0.5 SCRIPTORIUM_USER_MEMORY=1024m \
  "${compose[@]}" up --build --scale user=2 >"$results/alone.log" 2>&1 ||
  { tail -n 40 "$results/alone.log" >&2; fail 'docker compose up failed'; }
running=$(docker ps --quiet --filter "label=com.docker.compose.project=scriptorium-test-$$")
[ -z "$running" ] || fail "these containers still run: $running"
made=("$alone"/*/)
[ -d "${made[0]}" ] || { tail -n 40 "$results/alone.log" >&2; fail "nothing came into $alone"; }
check_summary "${made[0]%/}"
[ "$(stat -c %u "$alone")" = "$(stat -c %u results)" ] || fail 'the results do not belong to who owns results/'
say 'on a bare machine: every command of README and docs finds what it needs'
infra/compose/bare.sh || fail 'on a bare machine'
say 'passed'
