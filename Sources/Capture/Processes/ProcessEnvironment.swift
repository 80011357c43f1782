import FoundationEssentials

/// The environment of a child process: the variables that programs and drivers need, without
/// secrets.
package enum ProcessEnvironment {
    private static let names: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR",
        "LD_LIBRARY_PATH", "LD_PRELOAD", "GLIBC_TUNABLES", "DBUS_SESSION_BUS_ADDRESS",
        "DBUS_SYSTEM_BUS_ADDRESS", "SSL_CERT_FILE", "SSL_CERT_DIR", "NO_COLOR",
        "LLVM_PROFILE_FILE", "SWIFT_BACKTRACE",
        // The variables that Copystand's own backends use.
        "COPYSTAND_CAMERA_FOLDER", "COPYSTAND_SANE_PATIENCE", "TESSDATA_PREFIX",
    ]

    private static let beginnings = [
        "LC_", "XDG_", "SANE_", "LIBV4L", "LIBUSB_", "USB_DEBUG", "FONTCONFIG_", "G_", "MALLOC_",
        "OMP_", "PYTHON", "ASAN_", "LSAN_", "TSAN_", "UBSAN_", "CAMERA_", "COPYSTAND_VIRTUAL_",
    ]

    /// Endings of names whose values are secrets; such a variable is passed only to a program that
    /// asks for it.
    private static let secretEndings = [
        "TOKEN", "PASSWORD", "PASSWD", "PASSPHRASE", "SECRET", "KEY", "CREDENTIALS",
    ]

    /// The variables that a process gets, each as `NAME=value`, sorted.
    ///
    /// - Parameters:
    ///   - asked: the names of further variables to pass.
    ///   - all: the variables to choose from; the host's own unless given.
    package static func variables(
        asked: [String], from all: [String: String] = ProcessInfo.processInfo.environment
    ) -> [String] {
        all.filter { name, _ in
            !isHostSecret(name) && (asked.contains(name) || isAlwaysPassed(name))
        }.map { "\($0.key)=\($0.value)" }.sorted()
    }

    /// True if a variable holds a secret for access to another host; no process gets such a
    /// variable.
    package static func isHostSecret(_ name: String) -> Bool {
        name.hasPrefix("COPYSTAND_") && isSecret(name)
    }

    private static func isAlwaysPassed(_ name: String) -> Bool {
        !isSecret(name) && (names.contains(name) || beginnings.contains { name.hasPrefix($0) })
    }

    private static func isSecret(_ name: String) -> Bool {
        let name = name.uppercased()
        return secretEndings.contains { name.hasSuffix($0) }
    }
}
