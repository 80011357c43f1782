# shellcheck shell=bash
# Runs checks one after another and shows a table of how long each took. Sourced; call:
# step NAME COMMAND…, and at the end show_steps. A command that ends with 77 was skipped.

step_rows=()
steps_failed=0
trap 'exit 130' INT

# Runs a command as a step; its status is kept, and is 0 for a step that passed or was skipped.
step() {
    local name=$1 begin=$SECONDS status=0 result=passed
    shift
    echo "== $name"
    "$@" || status=$?
    if ((status == 77)); then
        result=skipped
        status=0
    elif ((status)); then
        result=failed
        steps_failed=$((steps_failed + 1))
    fi
    step_rows+=("$(printf '%6.1f min  %-8s %s' "$(((SECONDS - begin) * 10 / 6))e-2" \
        "$result" "$name")")
    return "$status"
}

# Prints the table, with the sum at the end.
show_steps() {
    echo "== minutes by step"
    ((${#step_rows[@]} == 0)) || printf '%s\n' "${step_rows[@]}"
    printf '%6.1f min  all\n' "$((SECONDS * 10 / 6))e-2"
}
