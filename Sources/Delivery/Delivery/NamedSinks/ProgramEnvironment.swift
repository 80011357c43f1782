/// The variables of our environment that a program gets when we start it for the user.
///
/// The list names the allowed variables, so that a secret in the environment, such as
/// `COPYSTAND_HOST_TOKEN`, does not reach the program.
package enum ProgramEnvironment {
    private static let names: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TERM",
    ]
    private static let beginnings = ["LC_", "XDG_"]
    /// The variables that a program also needs to open a window on the user's desktop.
    package static let desktop = [
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "DESKTOP_SESSION",
        "SESSION_MANAGER", "BROWSER", "KDE_FULL_SESSION", "KDE_SESSION_VERSION",
        "GNOME_DESKTOP_SESSION_ID", "GTK_MODULES", "GTK_IM_MODULE", "QT_IM_MODULE", "XMODIFIERS",
        "QT_QPA_PLATFORMTHEME",
    ]
    /// The variable with the token for another host; no program gets it.
    package static let hostToken = "COPYSTAND_HOST_TOKEN"

    /// The variables of `environment` that a program gets.
    ///
    /// - Parameter more: names of more variables that it gets.
    package static func allowed(
        of environment: [String: String], and more: [String] = []
    ) -> [String: String] {
        environment.filter { name, _ in
            name != hostToken
                && (names.contains(name) || more.contains(name)
                    || beginnings.contains { name.hasPrefix($0) })
        }
    }

    /// True if a variable can have this name: letters, digits and underscores, no digit first.
    static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(48...57).contains(first) else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case 48...57, 65...90, 97...122, UInt8(ascii: "_"): true
            default: false
            }
        }
    }
}
