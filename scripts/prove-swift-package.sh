#!/usr/bin/env bash
# prove-swift-package.sh FOLDER: a package of somebody else's builds the example of README.md and makes a headshot with it.
#
# FOLDER has the built executables of the service. The package depends on a copy of this clone under a version, as if it came
# from a server: SwiftPM refuses products with unsafe flags only there.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/without-keys.sh
build=$(realpath "${1:?usage: prove-swift-package.sh FOLDER}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# What is tracked, as it is now: a version of its own, without history.
mkdir "$folder/atelier"
git ls-files -z | xargs -0 -I{} sh -c 'test ! -e "$1" || printf "%s\0" "$1"' sh {} | tar --null --files-from - -c |
  tar -x -C "$folder/atelier"
git -C "$folder/atelier" init -q
git -C "$folder/atelier" add -A
git -C "$folder/atelier" -c user.name=proof -c user.email=proof@example.com commit -q -m 'A version'
git -C "$folder/atelier" tag 0.1.0

mkdir -p "$folder/portrait/Sources/portrait"
# The two Swift examples of README.md, in this order: the manifest and the program.
python3 - "$folder" <<'PYTHON'
import re, sys
from pathlib import Path
folder = Path(sys.argv[1])
manifest, program = re.findall(r"^```swift\n(.*?)^```$", Path("README.md").read_text(), re.M | re.S)
(folder / "portrait/Package.swift").write_text(manifest)
(folder / "portrait/Sources/portrait/main.swift").write_text(program)
PYTHON
cp Tests/Fixtures/portraits/grace_hopper.jpg "$folder/portrait/photo.jpg"

make_portrait() {
  start=$(date +%s)
  (cd "$folder/portrait" && swift build)
  echo "The package was built in $(($(date +%s) - start)) s."
  (cd "$folder/portrait" && PATH="$build:$PATH" ATELIER='' XDG_DATA_HOME="$folder/data" .build/debug/portrait) |
    tee "$folder/output"
  test -s "$(tail -n 1 "$folder/output")"
}

# By path, as README.md says, and by version.
make_portrait
sed -i "s|\.package(path: \"../atelier\")|.package(url: \"file://$folder/atelier\", exact: \"0.1.0\")|" \
  "$folder/portrait/Package.swift"
rm -rf "$folder/portrait/.build"
make_portrait
echo "A package of somebody else's makes a headshot."
