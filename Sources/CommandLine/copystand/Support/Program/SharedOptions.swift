import CommandLine

/// The options and arguments that several commands share, so that they mean the same everywhere.
enum SharedOptions {
    /// `--json`.
    static let json = Option(flag: "json", help: "Print JSON on standard output instead of text.")
    /// `DEVICE`.
    static let device = Argument(
        "DEVICE",
        help:
            "The device: BACKEND:NAME, a name you gave it, or any part of its name or model that matches only one device.",
        completion: .dynamic("devices"))
}
