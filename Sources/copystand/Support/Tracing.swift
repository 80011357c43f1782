import CaptureHost
import CommandLine
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// Writes the messages to and from one backend as they come, on a queue of its own, so that nobody waits for it.
final class Tracing: Sendable {
    /// What the running command is followed by; nil unless it runs under 'backend trace'.
    @TaskLocal static var current: Tracing?

    /// The folder of a backend that is not installed, to be searched before all others.
    let folder: String?
    private let backend: String
    private let isJSON: Bool
    private let descriptor: Int32
    private let start = ContinuousClock.now
    private let queue = DispatchQueue(label: "copystand.trace")
    private let state = Mutex(State())

    private struct State {
        var requests: [Int: (verb: String, time: ContinuousClock.Instant)] = [:]
        var count = 0
        var failure: Int32?
    }

    /// Follows a backend by its id, or by its folder.
    ///
    /// - Throws: ``UsageError`` when the folder holds no manifest, or the file can't be written.
    init(_ name: String, isJSON: Bool, file: String?, path: [String]) throws(UsageError) {
        self.isJSON = isJSON
        if name.contains("/") || name == "." {
            folder = absolutePath(name)
            let manifest = try? Data(
                contentsOf: URL(filePath: absolutePath(name) + "/backend.json"))
            let id = manifest.flatMap { try? JSONDecoder().decode(Identity.self, from: $0).id }
            guard let id else {
                throw UsageError(
                    .refused("is no backend's folder: there is no backend.json with an id in it"),
                    argument: name, path: path)
            }
            backend = id
        } else {
            folder = nil
            backend = name
        }
        descriptor =
            file.map { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
            ?? STDERR_FILENO
        guard descriptor >= 0 else {
            throw UsageError(
                .refused("can't be written: \(String(cString: strerror(errno)))"),
                argument: file ?? "", path: path)
        }
    }

    private struct Identity: Decodable {
        var id: String
    }

    /// Makes a host tell of its messages.
    func follow(_ configuration: inout HostConfiguration) {
        if let folder { configuration.backendFolders.insert(folder, at: 0) }
        configuration.trace = { [self] message in
            guard message.backend == backend else { return }
            queue.async { self.write(message) }
        }
    }

    /// Waits until all is written, and says what was not.
    func finish(_ console: Console) {
        queue.sync {}
        if descriptor != STDERR_FILENO { close(descriptor) }
        let (count, failure) = state.withLock { ($0.count, $0.failure) }
        if let failure {
            console.warn(
                "The messages could not be written: \(String(cString: strerror(failure))).")
        }
        if count == 0 {
            console.warn(
                "The command asked nothing of a backend '\(backend)'. See what is installed with: copystand backends"
            )
        }
    }

    private func write(_ message: TracedMessage) {
        var entry = TraceEntry(message, since: start)
        state.withLock { state in
            state.count += 1
            if let request = entry.header.request, let verb = entry.header.verb {
                state.requests[request] = (verb, message.time)
            } else if let answer = entry.header.answer {
                entry.request = state.requests.removeValue(forKey: answer)
            }
        }
        var line = isJSON ? entry.json : entry.text
        if !isJSON, descriptor == STDERR_FILENO, isatty(descriptor) == 1 {
            // What the command draws on its last line is drawn again by itself.
            line = "\r\u{1B}[K" + line
        }
        let failure = line.withUTF8 { bytes -> Int32? in
            var done = 0
            while done < bytes.count {
                let count = Glibc.write(
                    descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
                if count < 0, errno != EINTR { return errno }
                done += max(0, count)
            }
            return nil
        }
        if let failure { state.withLock { $0.failure = failure } }
    }
}
