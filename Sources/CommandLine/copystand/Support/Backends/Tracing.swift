import CaptureHost
import CommandLine
import Dispatch
import ExpectedFailures
import FoundationEssentials
import Glibc
import Synchronization
import UserFiles

/// Writes the messages to and from one backend on a separate queue, so that no one waits for the
/// output.
final class Tracing: Sendable {
    /// The tracing of the running command; nil unless it runs under 'backend trace'.
    @TaskLocal static var current: Tracing?

    /// The manifest of a backend that is not installed, which goes before all others.
    let manifest: String?
    private let backend: String
    private let isJSON: Bool
    private let descriptor: Int32
    private let start = ContinuousClock.now
    private let queue = DispatchQueue(label: "copystand.trace")
    private let state = Mutex(State())

    private struct State {
        var requests: [Int: (verb: String, time: ContinuousClock.Instant)] = [:]
        var count = 0
        /// The number of messages that deviate from their schemas.
        var faulty = 0
        var failure: Int32?
        /// The number of progress messages since the last line, and the latest of them.
        var unshown: (count: Int, latest: TraceEntry)?
        /// True while the last line shows progress.
        var isAmidProgress = false
    }

    /// Follows a backend by its id, or by its folder.
    ///
    /// - Throws: ``UsageError`` when the folder holds no manifest, or the file can't be written.
    init(_ name: String, isJSON: Bool, file: String?, path: [String]) throws(UsageError) {
        self.isJSON = isJSON
        if name.contains("/") || name == "." {
            let place = absolutePath(name)
            manifest = place + "/backend.json"
            let contents: Data
            do { contents = try Data(contentsOf: URL(filePath: place + "/backend.json")) } catch {
                throw UsageError(
                    .refused("is not a backend's folder: it has no backend.json"),
                    argument: name, path: path)
            }
            // A backend with an unreadable manifest has its folder's name as its id; `check()`
            // reports the mistake.
            backend =
                ofKnownForm { try JSONDecoder().decode(Identity.self, from: contents).id }
                ?? place.split(separator: "/").last.map(String.init) ?? ""
        } else {
            manifest = nil
            backend = name
        }
        descriptor =
            file.map { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
            ?? STDERR_FILENO
        guard descriptor >= 0 else {
            throw UsageError(
                .refused("can't be written: \(systemReason(errno, at: file ?? ""))"),
                argument: file ?? "", path: path)
        }
    }

    private struct Identity: Decodable {
        var id: String
    }

    /// Makes a host report its messages.
    func follow(_ configuration: inout HostConfiguration) {
        if let manifest { configuration.backendFolders.insert(manifest, at: 0) }
        configuration.trace = { [self] message in
            guard message.backend == backend else { return }
            queue.async { self.write(message) }
        }
    }

    /// Waits until everything is written, and reports a failure.
    func finish(_ console: Console) {
        queue.sync { showProgress() }
        if descriptor != STDERR_FILENO { close(descriptor) }
        let (count, faulty, failure) = state.withLock { ($0.count, $0.faulty, $0.failure) }
        if let failure {
            console.warn(
                "The messages could not be written: \(String(cString: strerror(failure))).")
        }
        if faulty > 0 {
            console.warn(
                "\(faulty) of \(count) messages do not match Docs/protocol/capture.schema.json; they are marked with ✗ or \"faults\"."
            )
        }
        if count == 0 {
            console.warn(
                "The command did not use a backend '\(backend)'. See what is installed with: copystand backends"
            )
        }
    }

    /// Checks that the backend exists and can be used, before anything is sent to it.
    ///
    /// - Throws: ``HostError`` `noSuchBackend` or `brokenBackend`.
    func check() async throws {
        var configuration = HostConfiguration.standard()
        follow(&configuration)
        let reports = await CaptureHost(configuration).backends().filter { $0.id == backend }
        guard let report = reports.first(where: { $0.problem == nil }) ?? reports.first else {
            throw HostError(.noSuchBackend, "no backend is called '\(backend)'")
        }
        if let problem = report.problem {
            throw HostError(
                .brokenBackend, "the backend '\(backend)' can't be used: \(problem)",
                backend: backend)
        }
    }

    private func write(_ message: TracedMessage) {
        var entry = TraceEntry(message, since: start)
        let isProgress = !isJSON && entry.isProgress
        let isShown = state.withLock { state in
            state.count += 1
            if let request = entry.header.request, let verb = entry.header.verb {
                state.requests[request] = (verb, message.time)
            } else if let answer = entry.header.answer {
                entry.request = state.requests.removeValue(forKey: answer)
            }
            entry.judge()
            if !entry.faults.isEmpty { state.faulty += 1 }
            if isProgress, state.isAmidProgress, entry.faults.isEmpty {
                state.unshown = ((state.unshown?.count ?? 0) + 1, entry)
                return false
            }
            return true
        }
        guard isShown else { return }
        showProgress()
        state.withLock { $0.isAmidProgress = isProgress }
        show(isJSON ? entry.json : entry.text)
    }

    /// Shows the latest of the messages of progress that were held back.
    ///
    /// A page with a thousand rows has a thousand such messages, which would hide all others.
    private func showProgress() {
        let unshown = state.withLock { state in
            defer { state.unshown = nil }
            return state.unshown
        }
        guard let unshown else { return }
        if unshown.count > 1 { show("\(unshown.count - 1) more like this\n") }
        show(unshown.latest.text)
    }

    /// Writes a line, which ends with its line feed.
    private func show(_ text: String) {
        var line = text
        if !isJSON, descriptor == STDERR_FILENO, isatty(descriptor) == 1 {
            // The text that the command draws on its last line is redrawn automatically.
            line = "\r\u{1B}[K" + line
        }
        let failure = line.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
        if failure != 0 { state.withLock { $0.failure = failure } }
    }
}
