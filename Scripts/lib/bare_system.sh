# shellcheck shell=bash
# Makes a Debian system in a folder that has only what every system has.

# Sets bare_options: the options by which mmdebstrap reaches the archive from this machine.
bare_system_options() {
    local option
    # The system is deleted after a power failure anyway, so nothing is synced.
    bare_options=(--dpkgopt=force-unsafe-io)
    for option in /etc/apt/apt.conf.d/*; do
        if grep -qs '^Acquire' "$option"; then bare_options+=("--aptopt=$option"); fi
    done
    if [[ -e /etc/ssl/certs/ca-certificates.crt ]]; then
        # This is for mirrors whose certificates only this machine's own authorities have signed.
        # shellcheck disable=SC2016 # mmdebstrap's shell has the system's folder in $1
        bare_options+=(--setup-hook='mkdir -p "$1/etc/ssl/certs"'
            --setup-hook='copy-in /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs')
    fi
}

# make_bare_system FOLDER [SUITE]
make_bare_system() {
    local root=$1 suite=${2:-bookworm} bare_options
    bare_system_options
    mmdebstrap --quiet --variant=apt "${bare_options[@]}" "$suite" "$root"
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    mount -t proc proc "$root/proc"
    mount --rbind --make-rslave /dev "$root/dev"
    mount -t sysfs -o ro sysfs "$root/sys"
    in_bare_system "$root" apt-get update -qq
}

# in_bare_system FOLDER COMMAND…
in_bare_system() {
    local root=$1
    shift
    env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root \
        chroot "$root" "$@"
}

leave_bare_system() {
    local place
    for place in proc dev sys; do
        if mountpoint -q "$1/$place"; then umount -R "$1/$place" || umount -Rl "$1/$place"; fi
    done
}
