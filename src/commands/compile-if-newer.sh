#!/bin/sh
# Runs before npm start and the operator's commands: compiles dist/ if a source is newer than the last
# compilation. npm ci has compiled already, and compiling replaces files of running processes, so a
# server (NODE_ENV=production) never compiles here.
set -eu
cd "$(dirname "$0")/../.."
[ "${NODE_ENV:-}" = production ] && exit 0

compiled=dist/.tsbuildinfo-build
if [ ! -e "$compiled" ] ||
  [ -n "$(find src workers config package.json tsconfig*.json -newer "$compiled")" ]; then
  tsc -p tsconfig.build.json
  touch "$compiled"
fi
