#!/usr/bin/env bash
# Has the launcher ready what the commands of README and docs need, on a bare machine: a container of Debian with npm, without Node,
# packages or a Chrome. The commands themselves do nothing there (tools/docs/bare-main.ts), but for a short run in the end. Takes two
# minutes. Part of ./scriptorium test --compose.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

git ls-files -coz --exclude-standard | tar --null -cT - --ignore-failed-read |
  docker run --rm --interactive --shm-size 512m node:24-bookworm-slim bash -c '
    set -euo pipefail
    mkdir /bare /project && cd /project && tar -x
    # npm finds its Node by itself, as in Debian; nobody else finds one.
    mv /usr/local/bin/node /bare/own
    printf "#!/bin/sh\nexec /bare/own /usr/local/lib/node_modules/npm/bin/npm-cli.js \"\$@\"\n" >/bare/npm
    chmod a+x /bare/npm
    export PATH=/bare:/usr/sbin:/usr/bin:/sbin:/bin
    cp cli/main.ts /bare/main.ts
    echo "import \"../tools/docs/bare-main.ts\";" >cli/main.ts

    ./scriptorium documented >/bare/commands
    while read -r line; do
      # As if it were the first to need a Chrome.
      rm -f .scriptorium/chrome-path
      eval "./scriptorium $line" </dev/null >/bare/said 2>&1 || { cat /bare/said >&2; echo "bare: FAILED: ./scriptorium $line" >&2; exit 1; }
    done </bare/commands
    echo "bare: $(wc -l </bare/commands) commands have what they need, with Node $(.scriptorium/node/bin/node --version)" >&2

    cp /bare/main.ts cli/main.ts
    ./scriptorium run smoke --modes noquill --warm-up 1s --measure 5s --out /bare/run >&2 || [ $? = 1 ]
    [ -s /bare/run/summary.json ]
  '
