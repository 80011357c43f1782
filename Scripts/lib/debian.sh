# shellcheck shell=bash
# Lays out files as they are installed, and makes Debian packages from them. See Scripts/package.

maintainer='The Copystand authors <maintainers@copystand.org>'

# The program's version; between releases, the day and the commit too.
package_version() {
    local version
    version=$("$1" --version | awk '{print $2}')
    if [[ $(git tag --points-at HEAD) == *"v$version"* ]]; then
        echo "$version"
    else
        echo "$version~git$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d).$(git rev-parse --short=8 HEAD)"
    fi
}

# lay_out PROGRAMS STAGE VERSION
lay_out() {
    local stage=$2 share=$2/usr/share size day
    day=$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)
    Scripts/install --prefix /usr --destdir "$stage" --from "$1" >/dev/null 2>&1
    rm -r "$share/copystand"
    install -D -m 644 Packaging/systemd/system/copystand.service \
        "$stage/usr/lib/systemd/system/copystand.service"
    mkdir -p "$share/doc/copystand"
    git log -1 --format='%H (%cs)' >"$share/doc/copystand/commit"
    install -D -m 644 Packaging/default/copystand "$stage/etc/default/copystand"
    install -D -m 644 -t "$share/applications" Packaging/desktop/*.desktop
    install -D -m 755 Packaging/make-searchable "$stage/usr/lib/copystand/make-searchable"
    install -D -m 644 Packaging/file-managers/dolphin.desktop \
        "$share/kio/servicemenus/copystand.desktop"
    install -D -m 644 Packaging/file-managers/nemo.nemo_action \
        "$share/nemo/actions/copystand.nemo_action"
    install -D -m 644 Sources/Host/WebPage/files/icon.svg \
        "$share/icons/hicolor/scalable/apps/org.copystand.Copystand.svg"
    for size in 48 128 256; do
        mkdir -p "$share/icons/hicolor/${size}x$size/apps"
        rsvg-convert -w "$size" -h "$size" Sources/Host/WebPage/files/icon.svg \
            -o "$share/icons/hicolor/${size}x$size/apps/org.copystand.Copystand.png"
    done
    mkdir -p "$share/metainfo"
    sed "s/@VERSION@/${3%%~*}/; s/@DATE@/$day/" Packaging/desktop/org.copystand.Copystand.metainfo.xml \
        >"$share/metainfo/org.copystand.Copystand.metainfo.xml"
    gzip -9n "$share/man/man1/copystand.1"
    lay_out_dev "$stage"
}

# Lays out the files for authors of backends: the header, the module, the Swift package, documents
# and examples.
lay_out_dev() {
    local kit=$1/usr/share/copystand/CaptureKit doc=$1/usr/share/doc/copystand-dev part
    install -D -m 644 Examples/c/copystand_backend.h "$1/usr/include/copystand_backend.h"
    install -D -m 644 Examples/python/copystand_backend.py \
        "$1/usr/lib/python3/dist-packages/copystand_backend.py"
    install -D -m 644 Packaging/debian/CaptureKit.swift "$kit/Package.swift"
    for part in Capture/CaptureKit Basics/{FileNames,Suggestions} System/{CPosix,CFileNames}; do
        mkdir -p "$kit/Sources/$part"
        git archive HEAD "Sources/$part" | tar -x -C "$kit" --exclude='*.docc'
    done
    for part in CaptureProtocol WritingABackend BackendChecks ReaderProtocol; do
        install -D -m 644 -t "$doc" "Docs/developers/$part.md"
    done
    install -D -m 644 -t "$doc/protocol" Docs/protocol/*.json
    mkdir -p "$doc/examples"
    git archive HEAD Examples | tar -x -C "$doc/examples" --strip-components=1
    find "$kit" "$doc" -type f -exec chmod 644 {} +
    find "$doc/examples" \( -name '*.py' -o -name '*.sh' \) -exec grep -lZ '^#!' {} + |
        xargs -0 -r chmod 755
}

# Moves debugging information of a program into the folder of a -dbgsym package, by its build id.
strip_program() {
    local id path work
    id=$(/usr/bin/python3 Scripts/lib/build_id.py "$1")
    path=$2/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
    mkdir -p "${path%/*}"
    objcopy --only-keep-debug --compress-debug-sections "$1" "$path"
    chmod 644 "$path"
    # The compiler's hashes of modules differ between two builds. They are set to zero. If the
    # section were removed, strip would drop the mark of memory that is read-only after relocation
    # (RELRO).
    work=$(mktemp -d)
    objcopy --dump-section ".swift_modhash=$work/hashes" "$1" "$work/copy"
    head -c "$(stat -c %s "$work/hashes")" /dev/zero >"$work/zeros"
    objcopy --update-section ".swift_modhash=$work/zeros" "$1"
    rm -r "$work"
    strip --strip-unneeded --remove-section=.comment --remove-section=.note "$1"
}

# The package of a library that is loaded at run time.
package_of_library() {
    local path
    path=$(ldconfig -p | awk -v name="$1" '$1 == name && /x86-64|AArch64/ {print $NF; exit}')
    [[ $path ]] || { echo "package: the library $1 is not installed" >&2 && return 1; }
    path=$(realpath "$path")
    # If /lib is a link to /usr/lib, dpkg knows a file by only one of its names.
    { dpkg -S "$path" "${path#/usr}" 2>/dev/null || true; } | sed 's/:.*//; 1q'
}

# Fills in a control file: ${version}, ${programs} (what programs are linked with) and ${loaded:…}.
filled_control() {
    local text needed name
    text=$(<"$1")
    text=${text//"\${version}"/$2}
    text=${text//"\${programs}"/$3}
    while [[ $text =~ \$\{loaded:([^}]*)\} ]]; do
        name=${BASH_REMATCH[1]}
        needed=$(package_of_library "$name")
        text=${text//"\${loaded:$name}"/$needed}
    done
    # Without programs, nothing is between two commas.
    sed -E 's/, *,/,/g; s/: *, */: /; s/, *$//' <<<"$text"
}

# make_package NAME STAGE VERSION WORK OUT: moves its files out of the stage.
make_package() {
    local name=$1 stage=$2 version=$3 root=$4/$1 out=$5 debug=$4/$1-dbgsym architecture
    local about=Packaging/debian/$1 pattern file programs=() needed=''
    architecture=$(sed -n 's/^Architecture: //p' "$about/control")
    architecture=${architecture:-$(dpkg --print-architecture)}
    while IFS= read -r pattern; do
        while IFS= read -r -d '' file; do
            mkdir -p "$root/${file%/*}"
            mv "$stage/$file" "$root/$file"
        done < <(cd "$stage" && find . ! -type d -path "./$pattern" -printf '%P\0')
    done <"$about/files"
    while IFS= read -r -d '' file; do
        if [[ $(head -c 4 "$file") == $'\177ELF' ]]; then
            programs+=("$file")
            strip_program "$file" "$debug"
        fi
    done < <(find "$root" -type f -perm -100 -print0)
    if ((${#programs[@]})); then
        mkdir -p "$4/shlibs/debian"
        : >"$4/shlibs/debian/control"
        needed=$(cd "$4/shlibs" && dpkg-shlibdeps -O "${programs[@]/#/-e}" 2>/dev/null)
        needed=${needed#shlibs:Depends=}
    fi
    install -D -m 644 Packaging/debian/copyright "$root/usr/share/doc/$name/copyright"
    debian_changelog "$version" | gzip -9n >"$root/usr/share/doc/$name/changelog.gz"
    chmod 644 "$root/usr/share/doc/$name/changelog.gz"
    if [[ -e $about/lintian-overrides ]]; then
        install -D -m 644 "$about/lintian-overrides" "$root/usr/share/lintian/overrides/$name"
    fi
    mkdir -p "$root/DEBIAN"
    {
        echo "Package: $name"
        echo "Version: $version"
        echo "Architecture: $architecture"
        echo "Maintainer: $maintainer"
        echo "Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f1)"
        echo "Priority: optional"
        filled_control "$about/control" "$version" "$needed" | grep -v '^Architecture:'
    } >"$root/DEBIAN/control"
    for file in postinst prerm postrm; do
        if [[ -e $about/$file ]]; then install -m 755 "$about/$file" "$root/DEBIAN/$file"; fi
    done
    if [[ -e $about/conffiles ]]; then install -m 644 "$about/conffiles" "$root/DEBIAN/conffiles"; fi
    close_package "$root" "$out/${name}_${version}_$architecture.deb"
    if [[ -d $debug ]]; then make_debug_package "$name" "$debug" "$version" "$architecture" "$out"; fi
}

make_debug_package() {
    mkdir -p "$2/DEBIAN" "$2/usr/share/doc"
    ln -s "$1" "$2/usr/share/doc/$1-dbgsym"
    cat >"$2/DEBIAN/control" <<TEXT
Package: $1-dbgsym
Version: $3
Architecture: $4
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size "$2" | cut -f1)
Depends: $1 (= $3)
Section: debug
Priority: optional
Auto-Built-Package: debug-symbols
Build-Ids: $(cd "$2/usr/lib/debug/.build-id" && find . -name '*.debug' -printf '%P\n' | tr -d / | sed 's/\.debug$//' | sort | tr '\n' ' ')
Description: debug symbols for $1
TEXT
    close_package "$2" "$5/$1-dbgsym_$3_$4.deb"
}

# Lists the files' checksums, sets all times to the commit's, and packs them.
close_package() {
    (cd "$1" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | sort -z |
        xargs -0 md5sum >DEBIAN/md5sums)
    find "$1" -type d -exec chmod 755 {} +
    find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz --build "$1" "$2" >/dev/null
}

# The project's changelog in Debian's form.
debian_changelog() {
    echo "copystand ($1) unstable; urgency=medium"
    echo
    echo "  * See CHANGELOG.md of the project for what is new."
    echo
    echo " -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")"
}
