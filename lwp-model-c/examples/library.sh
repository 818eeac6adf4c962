# Sourced by the examples: where the model's library is, and where to build.
#
# LWP_MODEL_LIB: a folder with liblwp_model_c.a and .so; without it cargo builds them.
# LWP_EXAMPLE_OUT: where to build; without it beside what cargo builds.
package=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=$(cd "$package/.." && mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)
if [[ -z ${LWP_MODEL_LIB:-} ]]; then
  cargo build --quiet --release --manifest-path "$package/Cargo.toml"
  LWP_MODEL_LIB=$target/release
fi
out=${LWP_EXAMPLE_OUT:-$target/model-examples}/$(basename "$PWD")
mkdir -p "$out"
# What the static library needs of the system.
system_libraries=(-lpthread -ldl -lm)

need() {
  command -v "$1" >/dev/null || { echo "$1 is missing: run scripts/setup $2" >&2; exit 127; }
}
