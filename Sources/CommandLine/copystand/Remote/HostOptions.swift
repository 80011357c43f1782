import CommandLine
import Delivery
import ExpectedFailures
import FoundationEssentials
import Glibc
import HostClient
import JobOptions
import UserFiles

/// The options of commands that another host can run.
enum HostOptions {
    /// `--host URL`.
    static let host = Option(
        "host", value: "URL", .name,
        help: """
            Let the Copystand host at this address do it, such as https://scans.local:8470, \
            instead of this machine; see \
            'copystand serve'.
            """)
    static let tokenFile = Option(
        "host-token-file", value: "FILE", .path,
        help: """
            The file with the host's token, which only you may read. Unless given, \
            COPYSTAND_HOST_TOKEN has the token, if the host asks for one.
            """,
        completion: .files)
    static let authority = Option(
        "host-ca", value: "FILE", .path,
        help: """
            Trust the host if its certificate is in this PEM file or is signed by one in it. \
            Unless given, the system's certificates decide.
            """,
        completion: .files, excludes: ["host-key"])
    static let key = Option(
        "host-key", value: "HASH", .name,
        help: """
            Trust the host if it has this key, whatever its certificate says: sha256//… as \
            'copystand serve --tls' shows it.
            """)
    static let timeout = Option(
        "host-timeout", value: "TIME", .name,
        help: "Give up on a host that is silent for this long, such as 30s or 5m.", default: "60s")

    /// All options for hosts; `--host` excludes options that only work on this machine.
    static func all(without local: [String] = []) -> [Option] {
        var host = host
        host.excludes = local
        return [host, tokenFile, authority, key, timeout]
    }

    /// The variable with the token.
    static let tokenVariable = ProgramEnvironment.hostToken

    /// The connection to the host that a command line names; nil for this machine.
    ///
    /// - Throws: ``UsageError``; `HostFailure`, including for a token that others may read.
    static func connection(_ arguments: ParsedArguments, _ console: Console) throws
        -> HostConnection?
    {
        guard let text = arguments.text(host) else {
            for option in [tokenFile, authority, key] where arguments.isGiven(option) {
                throw UsageError(
                    .refused("needs --host"), argument: option.spelling, path: arguments.path)
            }
            return nil
        }
        guard let patience = TimeText.duration(arguments.text(timeout) ?? "60s") else {
            throw UsageError(
                .invalidValue(
                    arguments.text(timeout) ?? "", expected: "a time above zero such as 60s or 5m"),
                argument: timeout.spelling, path: arguments.path)
        }
        let address = try HostAddress(text)
        let token = try token(arguments)
        if token != nil, !address.isSecure, !address.isOwn {
            console.warn(
                "Everyone on the network can read the token that is sent to \(address.text). Start the host with --tls, and give its address with https://."
            )
        }
        return try HostConnection(
            address, token: token, authority: arguments.text(authority), key: arguments.text(key),
            patience: Int((patience / .seconds(1)).rounded(.up)))
    }

    private static func token(_ arguments: ParsedArguments) throws -> String? {
        if let path = arguments.text(tokenFile) {
            let bytes: [UInt8]?
            do {
                bytes =
                    try isPipe(path)
                    ? ifSupported { Array(try Data(contentsOf: URL(filePath: path))) }
                    : UserFile(path: path, secret: "a token").read()
            } catch {
                throw HostFailure(.badAddress, error.message)
            }
            guard let bytes else {
                throw UsageError(
                    .refused("does not exist: name a file whose first line is the token"),
                    argument: path, path: arguments.path)
            }
            return try checked(
                String(decoding: bytes.prefix(10_000), as: UTF8.self).prefix { !$0.isNewline },
                path, arguments)
        }
        guard let text = ProcessInfo.processInfo.environment[tokenVariable], !text.isEmpty else {
            return nil
        }
        return try checked(text[...], tokenVariable, arguments)
    }

    /// True for a shell's `<(…)`, which no one else can change and which has no name.
    private static func isPipe(_ path: String) -> Bool {
        var about = stat()
        return ["/dev/", "/proc/"].contains(where: path.hasPrefix) && stat(path, &about) == 0
            && about.st_mode & S_IFMT != S_IFREG
    }

    private static func checked(
        _ text: Substring, _ place: String, _ arguments: ParsedArguments
    ) throws -> String {
        let token = text.filter { $0 != " " }
        guard !token.isEmpty, token.utf8.allSatisfy({ (33...126).contains($0) }) else {
            throw UsageError(
                .refused("holds no token: its first line must be letters and digits"),
                argument: place, path: arguments.path)
        }
        return token
    }
}
