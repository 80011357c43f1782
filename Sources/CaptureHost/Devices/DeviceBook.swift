import CPosix
import CaptureKit
import FoundationEssentials
import Glibc

/// The file that keeps a user's aliases and default device.
struct DeviceBook {
    let path: String

    /// What the file holds.
    struct Entries: Codable, Hashable {
        /// The id of the default device.
        var `default`: String?
        /// Ids by alias.
        var aliases: [String: String] = [:]

        init() {}

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            `default` = try fields.decodeIfPresent(String.self, forKey: .default)
            aliases = try fields.decodeIfPresent([String: String].self, forKey: .aliases) ?? [:]
        }
    }

    /// Reads the file; an absent one is empty.
    func read() throws -> Entries {
        let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard raw >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return Entries() }
            throw failure("can't be read: \(systemMessage())")
        }
        let file = OwnedDescriptor(raw)
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = retryingInterrupts { Glibc.read(file.raw, &bytes, bytes.count) }
        guard count >= 0 else { throw failure("can't be read: \(systemMessage())") }
        guard let entries = try? JSONDecoder().decode(Entries.self, from: Data(bytes.prefix(count)))
        else {
            throw HostError(
                .stateFile, "'\(path)', which keeps your device names, is damaged",
                advice: "Mend it, or delete it and name your devices anew")
        }
        return entries
    }

    /// Replaces the file: a new one is written beside it, synced, and takes its name.
    func write(_ entries: Entries) throws {
        try makeFolders(parentFolder(path))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        guard var bytes = try? encoder.encode(entries) else { throw failure("can't be written") }
        bytes.append(UInt8(ascii: "\n"))
        let temporary = path + ".\(getpid()).part"
        let raw = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard raw >= 0 else { throw failure("can't be written: \(systemMessage())") }
        let file = OwnedDescriptor(raw)
        let written = bytes.withUnsafeBytes { bytes in
            retryingInterrupts { Glibc.write(file.raw, bytes.baseAddress, bytes.count) }
        }
        guard written == bytes.count, fsync(file.raw) == 0, rename(temporary, path) == 0 else {
            let error = failure("can't be written: \(systemMessage())")
            unlink(temporary)
            throw error
        }
    }

    private func makeFolders(_ folder: String) throws {
        if access(folder, F_OK) == 0 || folder == "/" || folder == "." { return }
        try makeFolders(parentFolder(folder))
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw failure("can't be written: \(folder): \(systemMessage())")
        }
    }

    private func failure(_ what: String) -> HostError {
        HostError(
            .stateFile, "'\(path)', which keeps your device names, \(what)",
            advice: "Check who owns it and its folder")
    }
}
