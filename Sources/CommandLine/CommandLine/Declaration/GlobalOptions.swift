/// The options every command has; they may be before or after its name.
public enum GlobalOptions {
    /// `--help`, `-h`: shows a command's help instead of running it.
    public static let help = Option(flag: "help", short: "h", help: "Show this help and stop.")
    /// `--version`: shows the program's version instead of running a command.
    public static let version = Option(flag: "version", help: "Show the version and stop.")
    /// `--verbose`, `-v`: shows more.
    public static let verbose = Option(
        flag: "verbose", short: "v", help: "Show more about what is done.", excludes: ["quiet"])
    /// `--quiet`, `-q`: shows only problems.
    public static let quiet = Option(
        flag: "quiet", short: "q", help: "Show only what went wrong.", excludes: ["verbose"])
    /// `--no-color`: no colors, even on a terminal.
    public static let noColor = Option(flag: "no-color", help: "Don't use colors.")

    /// All common options, in the order of the help.
    public static let all = [help, version, verbose, quiet, noColor]
}
