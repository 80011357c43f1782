import Glibc

extension SinkDefinition.Kind {
    /// A remote of rclone's, such as Drive, OneDrive or Dropbox.
    public static let rclone = Self(
        "rclone", "copies to a remote that you have set up in rclone",
        reach: .program,
        settings: [
            .parameter("remote", "remote and folder, such as drive:Scans", isNeeded: true),
            .parameter("config", "the full path of rclone's configuration; its own unless given"),
            SinkSetting(.command, "the full path of rclone; /usr/bin/rclone unless given"),
            SinkSetting(.timeLimit, "how long a copy may take; 300 unless given"),
            .fileName,
        ],
        example: .init("--parameter", "remote=drive:Scans"),
        check: { (sink) throws(DeliveryError) in
            try sink.checkName()
            try sink.checkProgram()
            let remote = sink.parameter("remote") ?? ""
            guard let colon = remote.firstIndex(of: ":"), !remote.hasPrefix("-"),
                colon > remote.startIndex || remote.hasPrefix(":")
            else {
                throw DeliveryError(
                    .invalidOption,
                    "'\(remote.prefix(80))' is not a remote with a folder, such as drive:Scans. See: rclone listremotes"
                )
            }
        }
    ) { (definition, tools) throws(DeliveryError) in
        RemoteFolderDeliverer(definition: definition) { () throws(DeliveryError) in
            RcloneFolder(definition: definition, stop: tools.stop)
        }
    }
}

/// A remote of rclone, through its program, whose exit codes name the failure.
///
/// `--immutable` makes rclone refuse to change an existing file.
struct RcloneFolder: RemoteFolder {
    let definition: SinkDefinition
    let stop: DeliveryStop

    private var program: [String] {
        let config = definition.parameter("config").map { ["--config", $0] } ?? []
        return (definition.command ?? ["/usr/bin/rclone"]) + config
    }

    func place(of name: String) -> String {
        let remote = definition.parameter("remote") ?? ""
        return remote + (remote.hasSuffix(":") || remote.hasSuffix("/") || name.isEmpty ? "" : "/")
            + name
    }

    private func run(_ arguments: [String]) throws(Obstacle) -> ProgramRun {
        do {
            return try ProgramRun(
                program + arguments, environment: [:], limit: definition.timeLimit ?? 300,
                secrets: definition.secrets, stop: stop)
        } catch {
            throw Obstacle(.refused("\(error.message). Install it: sudo apt install rclone"))
        }
    }

    /// The meaning of rclone's exit code other than success ("Exit code" in its documentation).
    private func obstacle(_ run: ProgramRun) -> Obstacle {
        let said = ForeignWords.quoted(run.errors)
        switch run.ending {
        case .exited(let code) where [2, 5, 8].contains(code):
            return Obstacle(.later("rclone ended with status \(code)\(said)", after: nil))
        case .exited(let code): return Obstacle(.refused("rclone ended with status \(code)\(said)"))
        case .killed(let signal):
            return Obstacle(.later("rclone was ended by signal \(signal)", after: nil))
        case .stopped: return Obstacle(.later("rclone was ended with Copystand", after: nil))
        case .tookTooLong: return Obstacle(.later("rclone took too long and was ended", after: nil))
        }
    }

    func look(_ name: String, for file: OutboxItem.File) throws(Obstacle) -> RemoteName {
        let run = try run(["hashsum", "SHA256", "--download", place(of: name)])
        switch run.ending {
        case .exited(0):
            guard let hash = run.output.split(separator: " ").first else { return .nothing }
            return hash == file.sha256 ? .ours : .other
        // Neither folder nor file exists.
        case .exited(3), .exited(4): return .nothing
        default: throw obstacle(run)
        }
    }

    func put(
        _ path: String, _ file: OutboxItem.File, as name: String, mark: String
    ) throws(Obstacle) -> Bool {
        let run = try run(["copyto", "--immutable", "--no-traverse", path, place(of: name)])
        guard run.ending != .exited(0) else { return true }
        // Another file may have got the name since the check.
        if try look(name, for: file) != .nothing { return false }
        throw obstacle(run)
    }

    func remove(_ name: String) throws(Obstacle) {
        let run = try run(["deletefile", place(of: name)])
        guard run.ending == .exited(0) else { throw obstacle(run) }
    }
}
