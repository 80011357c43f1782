import Delivery
import FoundationEssentials
import UserFiles

/// The folders that `copystand serve` watches: `folders.json` in the user's folder of settings.
struct RememberedFolders {
    /// A folder with its arguments for `copystand watch-folder`.
    struct Folder: Codable, Hashable {
        /// The path of the folder.
        var path: String
        /// The folder in which the command was given, for relative paths among its words.
        var directory: String
        /// The words after `watch-folder`.
        var words: [String]
    }

    private struct Stored: Codable {
        var folders: [Folder] = []
    }

    private let file: UserFile

    /// The folders of the user.
    ///
    /// - Throws: `UserFileError` where there can be no folder of settings.
    init(environment: [String: String]) throws {
        let path = try UserFolders(environment: environment).usable(.config) + "/folders.json"
        file = UserFile(path: path, secret: "passwords")
    }

    /// The remembered folders.
    func all() throws -> [Folder] { try Self.stored(try file.read()).folders }

    /// Remembers a folder, and forgets its earlier settings.
    func remember(_ folder: Folder) throws {
        try file.change { bytes in
            var stored = try Self.stored(bytes)
            stored.folders.removeAll { $0.path == folder.path }
            stored.folders.append(folder)
            bytes = try Self.encoded(stored)
        }
    }

    /// Forgets a folder; false when it was not remembered.
    func forget(_ path: String) throws -> Bool {
        try file.change { bytes in
            var stored = try Self.stored(bytes)
            let count = stored.folders.count
            stored.folders.removeAll { $0.path == path }
            bytes = try Self.encoded(stored)
            return stored.folders.count < count
        }
    }

    private static func stored(_ bytes: [UInt8]?) throws -> Stored {
        try bytes.map { try JSONDecoder().decode(Stored.self, from: Data($0)) } ?? Stored()
    }

    private static func encoded(_ stored: Stored) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(stored))
    }
}
