#!/bin/sh
# npm run build. The compiler's own --help describes all of TypeScript instead of this command.
set -eu
if [ "${1:-}" = --help ]; then
  cat <<'END'
npm run build

Compiles src/, workers/ and config/ to dist/, for a server. npm ci does the same.
END
  exit 0
fi
exec tsc -p tsconfig.build.json "$@"
