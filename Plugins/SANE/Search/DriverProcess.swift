import CPosix
import CSANE
import Glibc

/// The process of one driver, from the search program's side.
struct DriverProcess {
    let driver: String
    let start = ContinuousClock.now
    /// True when the next driver waits for this one.
    let isInLine: Bool
    /// The descriptor with the driver's lines.
    let output: Int32
    private let id: pid_t
    private var buffer = LineBuffer()

    /// True once the driver has named its scanners.
    private(set) var isListed = false
    /// The time at which the driver reported its end.
    private(set) var doneAt: ContinuousClock.Instant?
    /// True once nothing more can arrive.
    private(set) var isClosed = false
    /// True once the process is reaped.
    private(set) var hasEnded = false

    /// Forks a process that searches with that driver; nil when the system has none left.
    init?(_ driver: String, _ request: SearchRequest, isInLine: Bool) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        let id = csane_fork()
        if id == 0 {
            csane_die_with_parent()
            setpgid(0, 0)
            close(ends[0])
            _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
            // The output of drivers goes to the log.
            dup2(2, 1)
            DriverSearch(driver: driver, request: request, output: ends[1]).run()
        }
        close(ends[1])
        guard id > 0 else {
            close(ends[0])
            return nil
        }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        (self.driver, self.id, self.isInLine, output) = (driver, id, isInLine, ends[0])
    }

    /// Reads the lines that the driver's process has written since the last call.
    mutating func read() -> [SearchLine] {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        var lines: [SearchLine] = []
        while !isClosed {
            let count = Glibc.read(output, &bytes, bytes.count)
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN { break }
            guard count > 0 else {
                isClosed = true
                break
            }
            lines += buffer.add(bytes.prefix(count)).compactMap { SearchLine($0) }
        }
        for line in lines {
            if line.event == .listed { isListed = true }
            if line.event == .done { doneAt = .now }
        }
        return lines
    }

    /// Waits for the end of a process whose output has ended.
    ///
    /// If the driver had not finished its work, reports how its process ended.
    mutating func reap(by deadline: ContinuousClock.Instant) -> SearchLine? {
        while ContinuousClock.now < deadline {
            let left = ((deadline - .now) / .milliseconds(1)).rounded(.up)
            if cposix_await_exit_for(id, Int32(max(0, min(left, 60_000)))) != 0 { break }
        }
        let signal = stop() & 0x7f
        guard doneAt == nil else { return nil }
        return SearchLine(driver, .crashed(signal: signal == 0 ? nil : signal))
    }

    /// Kills the process and its child processes, and reaps it; returns its final status.
    @discardableResult mutating func stop() -> Int32 {
        var status: Int32 = 0
        kill()
        waitpid(id, &status, 0)
        close(output)
        hasEnded = true
        return status
    }

    /// Kills the process and its child processes.
    func kill() {
        Glibc.kill(-id, SIGKILL)
        Glibc.kill(id, SIGKILL)
    }
}
