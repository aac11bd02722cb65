#!/bin/sh
# large-photo.sh FILE: writes the photo of a 48-megapixel camera, for tests: a portrait of 8064 x 6048 pixels as a JPEG of
# more than 7 MB. The grain is what a sensor adds, and what makes such files large. Needs the program vips (libvips-tools).
set -eu
file=${1:?usage: large-photo.sh FILE}
portrait=$(dirname "$0")/../Tests/Fixtures/portraits/astronaut.png
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# 512 pixels to 6048; the sides of the 4:3 are the portrait's own edge.
vips resize "$portrait" "$folder/tall.v" 11.8125
vips gravity "$folder/tall.v" "$folder/wide.v" centre 8064 6048 --extend copy
vips gaussnoise "$folder/tile.v" 1008 756 --sigma 9
vips replicate "$folder/tile.v" "$folder/grain.v" 8 8
vips add "$folder/wide.v" "$folder/grain.v" "$folder/sum.v"
vips cast "$folder/sum.v" "$folder/photo.v" uchar
# Adding has made the picture one of plain numbers.
vips copy "$folder/photo.v" "$folder/photo.jpg[Q=90]" --interpretation srgb
mv "$folder/photo.jpg" "$file"
