# Sourced by the examples: where the model is, and where to build.
#
# LWP_MODEL: the folder that `make model-c` fills; without it, it is filled now.
# LWP_EXAMPLE_OUT: where to build; without it beside what cargo builds.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
model=${LWP_MODEL:-$("$root/tools/scripts/model-c")}
out=${LWP_EXAMPLE_OUT:-${CARGO_TARGET_DIR:-$root/target}/model-examples}/$(basename "$PWD")
mkdir -p "$out"
[[ -f $model/include/lwp_model.h ]] || { echo "no model in $model: run make model-c" >&2; exit 127; }

need() {
  command -v "$1" >/dev/null || { echo "$1 is missing: run tools/scripts/setup $2" >&2; exit 127; }
}
