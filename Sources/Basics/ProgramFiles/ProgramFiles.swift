import CProgramFiles

/// Files that are part of the program: the web page, the built-in profiles, and files that commands
/// copy.
///
/// `Sources/System/CProgramFiles/ProgramFiles.c` lists them.
package enum ProgramFiles {
    /// A file below a folder of the source tree.
    package struct File: Sendable {
        /// The path from that folder, such as `archive/archive.js`.
        package let path: String
        package let bytes: [UInt8]
    }

    /// The files below a folder of the source tree, sorted by path.
    package static func below(_ folder: String) -> [File] {
        numbers.filter { $0.key.hasPrefix(folder + "/") }
            .sorted { $0.key < $1.key }
            .map { File(path: String($0.key.dropFirst(folder.count + 1)), bytes: bytes($0.value)) }
    }

    /// The content of the file at a path of the source tree, such as
    /// `Docs/protocol/capture.schema.json`.
    ///
    /// - Precondition: The file is part of the program.
    package static func bytes(of path: String) -> [UInt8] {
        guard let number = numbers[path] else {
            preconditionFailure("\(path) is not listed in ProgramFiles.c")
        }
        return bytes(number)
    }

    /// The number of each file in the list, by its path in the source tree.
    private static let numbers: [String: Int] = {
        var count = 0
        let files = UnsafeBufferPointer(start: pf_files(&count), count: count)
        return Dictionary(
            uniqueKeysWithValues: files.enumerated().map { number, file in
                let parts = String(cString: file.path).split(separator: "/").drop { $0 == ".." }
                return (parts.joined(separator: "/"), number)
            })
    }()

    private static func bytes(_ number: Int) -> [UInt8] {
        var count = 0
        guard let file = pf_files(&count)?[number] else { return [] }
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
}
