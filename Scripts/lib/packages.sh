# Installs the Debian packages of some groups that are missing. Sourced; call: need_packages GROUP…
# Prints which packages it installs and why. Works as root or through sudo, and does nothing if all
# are installed.

packages_file="$(dirname "${BASH_SOURCE[0]}")/../packages.txt"

need_packages() {
    local group package why
    local -a missing=()
    while read -r group package why; do
        [[ " $* " == *" $group "* ]] || continue
        [[ " ${missing[*]} " == *" $package "* ]] && continue
        if [[ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]]; then
            if [[ ${#missing[@]} == 0 ]]; then echo "These Debian packages are missing:"; fi
            printf '  %-22s %s\n' "$package" "$why"
            missing+=("$package")
        fi
    done < <(grep -v '^#' "$packages_file")
    [[ ${#missing[@]} == 0 ]] && return 0

    local -a as_root=()
    if [[ $EUID != 0 ]]; then
        if ! command -v sudo >/dev/null; then
            echo "This needs root or sudo. Run as root, then start again:" >&2
            echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
            return 1
        fi
        as_root=(sudo)
    fi
    echo "Installing them with apt-get."
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

need_swift() {
    local version
    if ! version="$(swift --version 2>/dev/null | grep -o 'Swift version [0-9.]*' | head -1)"; then
        echo "swift is not on the PATH, or does not start. Install the Swift 6.3 toolchain and its packages: https://www.swift.org/install/linux/" >&2
        return 1
    fi
    version="${version##* }"
    if [[ "$(printf '6.3\n%s\n' "$version" | sort -V | head -1)" != 6.3 ]]; then
        echo "Swift $version is too old: Copystand needs 6.3 or newer." >&2
        return 1
    fi
}
