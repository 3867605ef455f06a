#!/usr/bin/env bash
# Builds the Kafka broker of the tests, once, to ~/.cache/koine-tests/kfake. A change of its sources builds it again.
# Needs go.
set -euo pipefail

cd "$(dirname "$(realpath "$0")")"
folder="${XDG_CACHE_HOME:-$HOME/.cache}/koine-tests/kfake"
sum=$(cat go.mod go.sum main.go | sha256sum)
if [ "$(cat "$folder/built-from" 2> /dev/null)" = "$sum" ]; then exit 0; fi
command -v go > /dev/null || { echo "Install go: $0 needs it." >&2; exit 1; }
mkdir -p "$folder"
go build -ldflags '-s -w' -o "$folder/kfake.new" .
mv "$folder/kfake.new" "$folder/kfake"
echo "$sum" > "$folder/built-from"
