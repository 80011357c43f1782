import CaptureKit
import FoundationEssentials
import Glibc

/// Searches for scanners in another process, the search program, and passes on each driver's
/// reports immediately.
struct ScannerSearch: Sendable {
    /// The path of the program, which gets ``SearchProgram/word`` and the request as its arguments.
    var program: String
    /// The system's USB devices.
    var usb = USBDevices()

    /// Starts a search; the stream ends when the search does.
    ///
    /// A search that fails as a whole is reported by a line without a driver's name.
    func lines(_ request: SearchRequest) -> AsyncStream<SearchLine> {
        let (stream, continuation) = AsyncStream<SearchLine>.makeStream()
        startThread("sane-search") {
            run(request) { line in
                if case .terminated = continuation.yield(line) { return false }
                return true
            }
            continuation.finish()
        }
        return stream
    }

    private func run(_ request: SearchRequest, _ onLine: (SearchLine) -> Bool) {
        var request = request
        request.usb = usb
        let (ours, id): (OwnedDescriptor, pid_t)
        do throws(CaptureError) {
            (ours, id) = try spawn(request)
        } catch {
            _ = onLine(SearchLine("", .refused(error.message)))
            return
        }
        var buffer = LineBuffer()
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        var isWhole = false
        reading: while true {
            let count = retryingInterrupts { read(ours.raw, &bytes, bytes.count) }
            guard count > 0 else { break }
            for line in buffer.add(bytes.prefix(count)).compactMap({ SearchLine($0) }) {
                if line.event == .end { isWhole = true }
                if !onLine(line) { break reading }
            }
        }
        // The program ends when no one listens anymore.
        shutdown(ours.raw, Int32(SHUT_RDWR))
        var status: Int32 = 0
        _ = retryingInterrupts { waitpid(id, &status, 0) }
        if !isWhole { _ = onLine(SearchLine("", .crashed(signal: status & 0x7f))) }
    }

    /// Starts the program with a socket as its input and output; its messages for people go where
    /// this program's go.
    private func spawn(
        _ request: SearchRequest
    ) throws(CaptureError) -> (OwnedDescriptor, pid_t) {
        let json: Data
        do { json = try JSONEncoder().encode(request) } catch {
            throw CaptureError(.internalFault, "the search can't be recorded: \(error)")
        }
        let sockets: (OwnedDescriptor, OwnedDescriptor)
        do throws(WireError) {
            sockets = try OwnedDescriptor.socketPair()
        } catch {
            throw CaptureError(.inputOutput, error.message)
        }
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, sockets.1.raw, 0)
        posix_spawn_file_actions_adddup2(&actions, sockets.1.raw, 1)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let words = [program, SearchProgram.word, String(decoding: json, as: UTF8.self)]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var id = pid_t()
        let failure = posix_spawn(&id, program, &actions, &attributes, &arguments, environ)
        guard failure == 0 else {
            throw CaptureError(
                .internalFault, "'\(program)' can't be started: \(systemMessage(failure))",
                advice: "Reinstall Copystand.")
        }
        return (sockets.0, id)
    }
}
