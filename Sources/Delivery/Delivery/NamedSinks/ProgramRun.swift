import CPosix
import FoundationEssentials
import Glibc
import HTTPClient

/// A run of a program, which ends by itself or after a time limit.
///
/// The run blocks.
struct ProgramRun {
    /// The end of the run.
    enum Ending: Hashable {
        case exited(Int)
        case killed(signal: Int)
        case tookTooLong
        /// The program was ended because Copystand ends.
        case stopped
    }

    let ending: Ending
    /// The first line of its standard output, at most 200 characters.
    let output: String
    /// The last line of its standard error, at most 400 characters.
    let errors: String

    private static let mostOutput = 1 << 20

    /// Runs `arguments[0]`, a path.
    ///
    /// - Parameters:
    ///   - environment: variables in addition to those that any program gets.
    ///   - names: further variables of our environment that the program gets.
    ///   - limit: the allowed seconds.
    ///   - secrets: replaces secrets in the output.
    ///   - stop: ends the program before the limit.
    /// - Throws: ``DeliveryError`` `unreachable` when it can't be started.
    init(
        _ arguments: [String], environment: [String: String], passing names: [String] = [],
        limit: Int, secrets: SecretRedactor = .none, stop: DeliveryStop = DeliveryStop()
    ) throws(DeliveryError) {
        let environment = ProgramEnvironment.allowed(
            of: ProcessInfo.processInfo.environment, and: names
        ).merging(environment) { $1 }
        let out = try Pipe()
        let err = try Pipe()
        let child = try Self.spawn(arguments, environment, out: out, err: err)
        out.closeWriting()
        err.closeWriting()
        let end = ContinuousClock.now + .seconds(limit)
        let isInTime =
            Self.drain([out, err], until: end, stop) && Self.awaitExit(child, until: end, stop)
        // Processes that the program has left behind end with it. Until it is reaped, no other
        // process has its group's number.
        if !isInTime { kill(-child, SIGTERM) }
        if !isInTime && !Self.awaitExit(child, until: .now + .seconds(2), nil) {
            kill(-child, SIGKILL)
        }
        _ = cposix_await_exit(child)
        kill(-child, SIGKILL)
        var status: Int32 = -1
        var signal: Int32 = 0
        cposix_reap(child, &status, &signal)
        ending =
            !isInTime
            ? (stop.isDue ? .stopped : .tookTooLong)
            : signal != 0 ? .killed(signal: Int(signal)) : .exited(Int(status))
        output = Self.line(out.bytes, { $0.first }, limit: 200, secrets: secrets)
        errors = Self.line(err.bytes, { $0.last }, limit: 400, secrets: secrets)
    }

    private static func line(
        _ bytes: [UInt8], _ choose: ([Substring]) -> Substring?, limit: Int,
        secrets: SecretRedactor
    ) -> String {
        let safe = secrets.redacted(bytes, isCut: bytes.count >= mostOutput)
        let lines = String(decoding: safe, as: UTF8.self).split(whereSeparator: \.isNewline)
        let line = choose(lines.filter { !$0.allSatisfy(\.isWhitespace) }) ?? ""
        return String(
            line.filter { $0.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 } }
                .prefix(limit))
    }

    private static func spawn(
        _ arguments: [String], _ environment: [String: String], out: Pipe, err: Pipe
    ) throws(DeliveryError) -> pid_t {
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map {
            strdup("\($0.key)=\($0.value)")
        }
        variables.append(nil)
        defer { (words + variables).forEach { free($0) } }
        var child: pid_t = 0
        let failure = cposix_spawn_program(&words, &variables, out.writing, err.writing, &child)
        guard failure == 0 else {
            throw DeliveryError(
                .unreachable,
                "'\(arguments.first ?? "")' can't be started: \(String(cString: strerror(failure)))"
            )
        }
        return child
    }

    /// Reads both outputs until they are closed; false when that takes too long.
    private static func drain(
        _ pipes: [Pipe], until end: ContinuousClock.Instant, _ stop: DeliveryStop
    ) -> Bool {
        while pipes.contains(where: { !$0.isAtEnd }) {
            var requests = pipes.map {
                pollfd(fd: $0.isAtEnd ? -1 : $0.reading, events: Int16(POLLIN), revents: 0)
            }
            let left = Int32(min(max(.zero, end - .now) / .milliseconds(1), 100))
            let ready = poll(&requests, nfds_t(requests.count), left)
            if stop.isDue || (ready == 0 && ContinuousClock.now >= end) { return false }
            guard ready >= 0 || errno == EINTR else { return false }
            for (pipe, request) in zip(pipes, requests) where ready > 0 && request.revents != 0 {
                pipe.read(keeping: mostOutput)
            }
        }
        return true
    }

    private static func awaitExit(
        _ child: pid_t, until end: ContinuousClock.Instant, _ stop: DeliveryStop?
    ) -> Bool {
        while true {
            let left = max(.zero, end - .now) / .milliseconds(1)
            if cposix_await_exit_for(child, Int32(min(left.rounded(.up), 100))) == 1 { return true }
            guard ContinuousClock.now < end, stop?.isDue != true else { return false }
        }
    }
}

/// A pipe whose writing end a child has.
private final class Pipe {
    let reading: Int32
    private(set) var writing: Int32
    private(set) var bytes: [UInt8] = []
    private(set) var isAtEnd = false

    init() throws(DeliveryError) {
        var ends: [Int32] = [-1, -1]
        guard cposix_pipe(&ends) == 0 else {
            throw DeliveryError(
                .inputOutput, "No pipe could be made: \(String(cString: strerror(errno)))")
        }
        reading = ends[0]
        // The number is above all of the child's descriptors, so that placing one never
        // overwrites another.
        writing = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
        close(ends[1])
    }

    deinit {
        close(reading)
        closeWriting()
    }

    func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    /// Reads the present output; bytes beyond `most` are discarded.
    func read(keeping most: Int) {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        let count = Glibc.read(reading, &chunk, chunk.count)
        if count < 0 && errno == EINTR { return }
        guard count > 0 else { return isAtEnd = true }
        bytes.append(contentsOf: chunk.prefix(min(count, max(0, most - bytes.count))))
    }
}
