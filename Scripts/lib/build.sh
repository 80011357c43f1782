# Builds in release mode with Swift's own libraries linked in, so that the programs start fast and
# need no toolchain. Sourced.

# References to clang's modules contain a number that differs from build to build, and so would the
# packages' debugging information.
release_flags=(
    -c release --static-swift-stdlib
    -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs
)

# Builds the programs that a user runs: those named, or all.
build_release() {
    local product
    [[ $# != 0 ]] \
        || set -- copystand copystand-{recognizer,smb} copystand-backend-{file,sane,v4l2,virtual}
    for product; do
        # The linker's warning about mktemp is about the toolchain's own archive, not our code.
        swift build "${release_flags[@]}" --product "$product" 2>&1 | { grep -v -e 'mktemp' || true; }
    done
}

# Builds the program that measures backends.
build_capture_bench() {
    local product
    for product in capture-bench capture-bench-backend; do
        swift build "${release_flags[@]}" --product "$product" 2>&1 | { grep -v -e 'mktemp' || true; }
    done
}

release_folder() { swift build "${release_flags[@]}" --show-bin-path; }
