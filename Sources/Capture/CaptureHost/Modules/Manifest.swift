import CaptureKit
import FoundationEssentials
import Glibc
import Processes

/// A module's manifest: a small JSON file that describes the module and names its program.
struct Manifest: Decodable {
    var id: String
    var name: String
    var version: String?
    var `protocol`: Int
    var program: String
    var serves: String?
    var demonstration: Bool?
    /// Further files that an installation must copy.
    var files: [String]?
    var limits: Limits?
    var sandbox: Sandbox?
    /// The names of further environment variables that the process gets.
    var environment: [String]?
    /// For readers: how many processes may work at once.
    var workers: Int?

    /// The limits of the module's process.
    struct Limits: Decodable {
        /// The maximum private memory in MiB.
        var memory: Int?
        /// The maximum number of open descriptors.
        var files: Int?
    }

    /// The rights of the module's process.
    struct Sandbox: Decodable {
        var filesystem: FileSystem?
        var network: Bool?

        enum FileSystem: String, Decodable, CaseIterable {
            case full
            case readOnly = "read-only"

            init(from decoder: any Decoder) throws { self = try word(from: decoder) }
        }
    }

    /// Reads a manifest and finds its program; a mistake in the manifest becomes the report's
    /// problem.
    static func report(
        path: String, programFolder: String?, newestProtocol: Int = captureProtocolVersion
    ) -> BackendReport {
        let stem = fileStem(path)
        do {
            let manifest = try Manifest(path: path)
            var report = BackendReport(
                id: manifest.id, name: manifest.name, version: manifest.version,
                protocol: manifest.protocol, serves: manifest.serves, manifest: path)
            report.isDemonstration = manifest.demonstration ?? false
            report.confinement = manifest.confinement
            report.workers = manifest.workers
            guard manifest.protocol <= newestProtocol else {
                report.problem = """
                    it speaks protocol \(manifest.protocol), this host speaks \
                    \(newestProtocol): update Copystand
                    """
                return report
            }
            do {
                report.program = try manifest.findProgram(
                    manifest: path, programFolder: programFolder)
            } catch {
                report.problem = error.reason
            }
            return report
        } catch {
            return BackendReport(id: stem, name: stem, manifest: path, problem: error.reason)
        }
    }

    /// A mistake in a manifest, and the advice.
    struct Fault: Error {
        let reason: String
    }

    init(path: String) throws(Fault) {
        let bytes = try Manifest.read(path)
        do {
            self = try JSONDecoder().decode(Manifest.self, from: bytes)
        } catch DecodingError.keyNotFound(let key, _) {
            throw Fault(reason: "its manifest lacks \"\(key.stringValue)\": add it")
        } catch DecodingError.typeMismatch(_, let context) {
            let key = context.codingPath.last?.stringValue ?? "the whole"
            throw Fault(reason: "its manifest has the wrong type at \"\(key)\": fix it")
        } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
            let key = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw Fault(
                reason:
                    "its manifest has an unknown value at \"\(key)\" (\(context.debugDescription)): fix it"
            )
        } catch {
            throw Fault(
                reason:
                    "its manifest is not a JSON object: fix it where 'python3 -m json.tool \(path)' says, or remove it"
            )
        }
        guard Manifest.isID(id) else {
            throw Fault(
                reason:
                    "its id '\(id.prefix(64))' must be 1 to 32 lowercase letters, digits and hyphens: fix it"
            )
        }
        guard `protocol` >= 1 else {
            throw Fault(reason: "its protocol \(`protocol`) does not exist: the first is 1")
        }
        guard !program.isEmpty, !program.utf8.contains(0) else {
            throw Fault(reason: "its manifest names no program: add it")
        }
        for name in environment ?? [] where !Manifest.isVariable(name) {
            throw Fault(
                reason:
                    "its environment names '\(name.prefix(64))', which is not a variable that a backend may get: remove it"
            )
        }
        try check(workers, "workers", 1...256)
        try check(limits?.memory, "limits.memory", 16...(1 << 30))
        try check(limits?.files, "limits.files", 16...65_536)
    }

    private func check(_ limit: Int?, _ key: String, _ range: ClosedRange<Int>) throws(Fault) {
        guard let limit, !range.contains(limit) else { return }
        throw Fault(
            reason:
                "its \(key) \(limit) is not within \(range.lowerBound)…\(range.upperBound): fix it"
        )
    }

    /// The memory, descriptors and rights of the backend's process.
    private var confinement: Confinement {
        var confinement = Confinement()
        if let memory = limits?.memory { confinement.memory = memory << 20 }
        if let files = limits?.files { confinement.openFiles = files }
        confinement.isReadOnly = sandbox?.filesystem == .readOnly
        confinement.hasNetwork = sandbox?.network ?? true
        confinement.environment = environment ?? []
        return confinement
    }

    /// True if `text` is a valid id of a backend: 1 to 32 lowercase letters, digits and hyphens.
    static func isID(_ id: String) -> Bool {
        let letters = id.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-")
        }
        return letters && (1...32).contains(id.utf8.count)
    }

    /// True if a name consists of letters, digits and underscores, and is not that of the host's
    /// secrets.
    private static func isVariable(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 64 && !ProcessEnvironment.isHostSecret(name)
            && name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || isLetterOrDigit($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func read(_ path: String) throws(Fault) -> Data {
        let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard raw >= 0 else {
            throw Fault(reason: "its manifest can't be read: \(systemMessage())")
        }
        let file = OwnedDescriptor(raw)
        var bytes = [UInt8](repeating: 0, count: (64 << 10) + 1)
        let count = retryingInterrupts { Glibc.read(file.raw, &bytes, bytes.count) }
        guard count >= 0 else {
            throw Fault(reason: "its manifest can't be read: \(systemMessage())")
        }
        guard count < bytes.count else {
            throw Fault(reason: "its manifest is larger than 64 KiB: fix it")
        }
        return Data(bytes.prefix(count))
    }

    /// The path of a manifest's program: an absolute path unchanged; a relative one next to the
    /// manifest, or else in the folder of the host's program.
    private func findProgram(manifest: String, programFolder: String?) throws(Fault) -> String {
        let folders = [parentFolder(manifest), programFolder].compactMap { $0 }
        let paths = program.hasPrefix("/") ? [program] : folders.map { $0 + "/" + program }
        let files = paths.filter(Self.isFile)
        if let path = files.first(where: { access($0, X_OK) == 0 }) { return path }
        guard let file = files.first else {
            throw Fault(reason: "its program \(paths[0]) does not exist: build it, or reinstall it")
        }
        throw Fault(reason: "its program \(file) is not executable: run chmod +x, or reinstall it")
    }

    private static func isFile(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
    }

    /// `sane` for `…/sane.json`, `SANE` for `…/SANE/backend.json`.
    private static func fileStem(_ path: String) -> String {
        let parts = path.split(separator: "/")
        let stem = String((parts.last ?? "").dropLast(".json".count))
        return ["backend", "reader"].contains(stem)
            ? String(parts.dropLast().last ?? "backend") : stem
    }
}
