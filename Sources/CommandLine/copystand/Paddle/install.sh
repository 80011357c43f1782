#!/bin/sh
# Sets up the reader 'paddle' in the folder $1, from pinned wheels whose hashes are in
# $1/requirements.txt.
set -eu
folder=$1
python=${COPYSTAND_PYTHON:-python3}
"$python" -m venv "$folder/venv"
# All dependencies are named, so that only reviewed packages are installed.
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
    --only-binary=:all: --no-deps --require-hashes -r "$folder/requirements.txt"
"$folder/venv/bin/python" -m compileall -q "$folder/venv/lib" >/dev/null 2>&1 || true
{
    printf '#!%s\n' "$folder/venv/bin/python"
    cat "$folder/paddle.py"
} >"$folder/copystand-reader-paddle"
rm "$folder/paddle.py"
chmod 755 "$folder/copystand-reader-paddle"
# This is last, since the reader counts as installed once it exists.
mv "$folder/reader.json.new" "$folder/reader.json"
