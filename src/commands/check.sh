#!/bin/sh
# npm run check. Answers --help itself, because the first steps take half a minute.
set -eu
if [ "${1:-}" = --help ]; then
  cat <<'END'
npm run check [-- MOCHA OPTIONS]

Checks the types and compiles everything, checks lint and format with Biome, then runs all tests
(npm run test:all). Stops at the first step that fails, with its exit code.
END
  exit 0
fi
tsc
biome check .
exec node dist/test/support/run.js --all "$@"
