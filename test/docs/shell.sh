# The programs that the commands of a page use, adapted to a test. Read by bash before the commands.

# As on the PATH of an installed gateway. Differences that `diff` and `reconcile` find are no failure.
koine() {
  if [ "$1" = serve ]; then
    serve_in_background "${@:2}"
  elif [[ $1 = diff && " $* " == *" --live "* && " $* " != *" --admin "* ]]; then
    run_koine "$@" --admin "http://127.0.0.1:$ADMIN_PORT"
  else
    run_koine "$@"
  fi
}

run_koine() {
  local status=0
  command koine "$@" || status=$?
  if [[ $status = 1 && ($1 = diff || $1 = ledger || $1 = reconcile) ]]; then status=0; fi
  return "$status"
}

# As in a checkout. Its packages are installed already, and its gateway.yaml is the shipped one.
npm() {
  case "$*" in
    ci) ;;
    start) cp "$ROOT/gateway.yaml" . && koine serve ;;
    'run koine -- '*) koine "${@:4}" ;;
    *) echo "test/docs/shell.sh does not run: npm $*" >&2 && return 1 ;;
  esac
}

stop_gateway() {
  if [ -z "${GATEWAY_PID:-}" ]; then return; fi
  kill "$GATEWAY_PID"
  wait "$GATEWAY_PID" || true
  GATEWAY_PID=
}

# A reader uses a second terminal. The gateway of a page that serves again replaces the one before.
serve_in_background() {
  stop_gateway
  command koine serve "$@" --port "$PORT" --admin-port "$ADMIN_PORT" > serve.log 2> serve.err &
  GATEWAY_PID=$!
  until command curl --silent --fail --output /dev/null "http://127.0.0.1:$ADMIN_PORT/readyz"; do
    if ! kill -0 "$GATEWAY_PID" 2> /dev/null; then
      cat serve.log serve.err >&2
      return 1
    fi
    sleep 0.05
  done
  local created
  created=$(grep --only-matching --extended-regexp '^ *koine_\w+$' serve.err | tr -d ' ' || true)
  export KOINE_KEY=${created:-$KOINE_KEY}
}

curl() {
  command curl --fail-with-body --silent --show-error "$@"
}

# Compares the output of the block before with the page, except for empty lines at the end.
expect_output() {
  diff --unified - <(printf '%s\n' "$(< "$OUTPUT")")
}

# Compares the members of the last JSON of that output: a page may show fewer, and leave out others as "…".
expect_members() {
  local shape='[paths | map(if type == "number" then 0 else . end)] | unique'
  jq --null-input --exit-status --slurpfile shown <(cat) --slurpfile real "$OUTPUT" \
    "((\$shown[0] | $shape) - (\$real[-1] | $shape) | map(select(index(\"…\") | not))) as \$lacking |
      if \$lacking == [] then true else error(\"not in the response: \(\$lacking)\") end"
}

set -Eeuo pipefail
trap 'echo "$PAGE:$LINE: failed: $BASH_COMMAND" >&2; cat "$OUTPUT" serve.err >&2 || true' ERR
