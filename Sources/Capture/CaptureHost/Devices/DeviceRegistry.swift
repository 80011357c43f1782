import BlockingWork
import FoundationEssentials
import UserFiles

/// The file with a user's aliases and default device.
struct DeviceRegistry {
    let path: String
    /// The reason why the file has no place; nil when it has one.
    var problem: UserFileError?

    /// The contents of the file.
    struct Entries: Codable, Hashable {
        /// The id of the default device; nil for no default.
        var `default`: String?
        /// The devices' ids by alias.
        var aliases: [String: String] = [:]

        init() {}

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            `default` = try fields.decodeIfPresent(String.self, forKey: .default)
            aliases = try fields.decodeIfPresent([String: String].self, forKey: .aliases) ?? [:]
        }
    }

    /// Reads the file; a file that is missing or has no place counts as empty.
    func read() throws -> Entries {
        if problem != nil { return Entries() }
        return try entries(in: try file.read())
    }

    /// Changes the contents of the file, while no other process can.
    ///
    /// - Throws: `UserFileError`, ``HostError`` `stateFile` for a damaged file, or the error of
    ///   `body`.
    func change(_ body: @escaping @Sendable (inout Entries) throws -> Void) async throws {
        if let problem { throw problem }
        // The change may wait for other processes, so it must not block a thread of the cooperative
        // pool.
        try await onOwnThread { try self.changeNow(body) }
    }

    private func changeNow(_ body: (inout Entries) throws -> Void) throws {
        try file.change { bytes in
            var entries = try entries(in: bytes)
            try body(&entries)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            bytes = Array(try encoder.encode(entries)) + [UInt8(ascii: "\n")]
        }
    }

    private var file: UserFile { UserFile(path: path) }

    private func entries(in bytes: [UInt8]?) throws -> Entries {
        guard let bytes else { return Entries() }
        do { return try JSONDecoder().decode(Entries.self, from: Data(bytes)) } catch {
            throw HostError(
                .stateFile, "'\(path)', which keeps your device names, is damaged",
                advice: "Fix it, or delete it and name your devices again")
        }
    }
}
