import Foundation

/// Runs the built program like a user, with a separate home.
struct Program {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    struct Ending {
        let status: Int32
        let output: String
        let messages: String
    }

    /// The folder of the built programs, which also contains the running tests.
    static let folder: String = {
        let tests =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (tests as NSString).deletingLastPathComponent
    }()

    func process(_ arguments: [String], environment: [String: String] = [:]) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: Program.folder + "/copystand")
        process.arguments = arguments
        process.environment = [
            "HOME": home.path, "PATH": "/usr/bin:/bin", "COPYSTAND_SPOOL": home.path + "/spool",
        ].merging(environment) { $1 }
        process.currentDirectoryURL = URL(filePath: home.path)
        return process
    }

    /// Runs the program until it ends.
    ///
    /// `whileRunning` may act on the process, such as interrupt it.
    func run(
        _ arguments: [String], environment: [String: String] = [:], input: Data? = nil,
        whileRunning: (Process, MessageStream) -> Void = { _, _ in }
    ) throws -> Ending {
        let process = process(arguments, environment: environment)
        let output = Pipe()
        let messages = Pipe()
        process.standardOutput = output
        process.standardError = messages
        let inputPipe = Pipe()
        process.standardInput = input == nil ? FileHandle.nullDevice : inputPipe
        let outputStream = MessageStream(output.fileHandleForReading)
        let messageStream = MessageStream(messages.fileHandleForReading)
        try process.run()
        if let input {
            inputPipe.fileHandleForWriting.write(input)
            try inputPipe.fileHandleForWriting.close()
        }
        whileRunning(process, messageStream)
        process.waitUntilExit()
        return Ending(
            status: process.terminationStatus, output: outputStream.whole(),
            messages: messageStream.whole())
    }
}

/// Reads a pipe on a separate thread.
///
/// A test can wait for a text in its output.
final class MessageStream: @unchecked Sendable {
    // `@unchecked`: the condition guards all mutable state.
    private let condition = NSCondition()
    private var bytes = Data()
    private var hasEnded = false

    init(_ handle: FileHandle) {
        Thread.detachNewThread { [self] in
            while true {
                let more = handle.availableData
                condition.lock()
                if more.isEmpty { hasEnded = true } else { bytes += more }
                condition.broadcast()
                condition.unlock()
                if more.isEmpty { return }
            }
        }
    }

    /// Waits until the stream contains `text`.
    ///
    /// Returns false if the stream ended without it.
    func wait(for text: String) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if String(decoding: bytes, as: UTF8.self).contains(text) { return true }
            if hasEnded { return false }
            condition.wait()
        }
    }

    /// Waits for the end of the stream, and returns all of its text.
    func whole() -> String {
        condition.lock()
        defer { condition.unlock() }
        while !hasEnded { condition.wait() }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A folder that is removed with the value.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "copystand-street-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let place = path + "/" + name
        try Data(bytes).write(to: URL(filePath: place))
        return place
    }

    /// The names in the folder that are not hidden.
    var visibleNames: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
            .filter { !$0.hasPrefix(".") && $0 != "spool" }.sorted()
    }
}

/// Runs a tool such as pdfinfo and returns its output; nil if the tool fails.
func tool(_ arguments: String...) throws -> String? { try tool(arguments) }

/// The same with the arguments in a list.
func tool(_ arguments: [String]) throws -> String? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: bytes, as: UTF8.self) : nil
}

/// The number of pages in a PDF, by poppler.
func pageCount(_ path: String) throws -> Int? {
    try tool("pdfinfo", path)?.split(separator: "\n").first { $0.hasPrefix("Pages:") }
        .flatMap { Int($0.split(separator: " ").last ?? "") }
}
