# Builds in release mode with Swift's own libraries linked in, so that the programs start fast and need no toolchain. Sourced.

release_flags=(-c release --static-swift-stdlib)

build_release() {
    # The linker's remark about mktemp inside Foundation's archive is the toolchain's, not ours.
    swift build "${release_flags[@]}" 2> >(grep -v -e 'mktemp' -e '^$' >&2) "$@"
}

release_folder() { swift build "${release_flags[@]}" --show-bin-path; }
