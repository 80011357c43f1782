import CSANE
import CaptureKit
import ExpectedFailures
import FoundationEssentials
import Glibc

/// The program that searches for scanners, with a separate process for each of SANE's drivers.
///
/// SANE's loader would call all drivers in one process, one after the other. If one crashed or
/// hung, the scanners of all others would be lost. This program is started for one search, has a
/// single thread, and forks for each driver, which costs less than a millisecond.
///
/// Drivers run one after the other, since some of them open every attached device to see whether it
/// is theirs. But if a driver takes longer than ``headStart``, the next one starts, and drivers
/// that search the network run in parallel with the others.
struct SearchProgram {
    /// The argument that asks for a search.
    static let word = "search-scanners"
    /// The time that one driver may take before the next one starts.
    private static let headStart = Duration.milliseconds(100)
    /// The time that a finished driver may take to end.
    private static let endLimit = Duration.milliseconds(500)
    /// Drivers that search the network, and mostly wait for answers.
    private static let networkDrivers: Set<String> = [
        "airscan", "brother3", "brother4", "brother5", "dell1600n_net", "epkowa", "epson2",
        "epsonds", "epsonscan2", "escl", "hpaio", "kodakaio", "magicolor", "net", "pixma",
        "smfp", "utsushi", "xerox_mfp",
    ]

    private let request: SearchRequest
    private var waiting: [String]
    private var running: [DriverProcess] = []

    /// Searches and ends the process, if these arguments ask for it.
    static func runIfAsked(_ arguments: [String]) {
        guard arguments.count == 3, arguments[1] == word else { return }
        guard
            let request = ofKnownForm({
                try JSONDecoder().decode(SearchRequest.self, from: Data(arguments[2].utf8))
            })
        else { exit(2) }
        // Drivers must not get other descriptors that were open when this program started.
        closefrom(3)
        signal(SIGPIPE, SIG_IGN)
        var program = SearchProgram(request)
        program.run()
        exit(0)
    }

    private init(_ request: SearchRequest) {
        self.request = request
        waiting = (request.drivers ?? DriverList().entries.map(\.name)).filter(DriverList.isName)
    }

    private mutating func run() {
        for driver in waiting where SearchProgram.networkDrivers.contains(driver) {
            start(driver, isInLine: false)
        }
        waiting.removeAll { SearchProgram.networkDrivers.contains($0) }
        while true {
            startNext()
            guard !running.isEmpty else { break }
            waitForSomething()
            for index in running.indices { handleEvents(index) }
            running.removeAll(where: \.hasEnded)
        }
        forward(SearchLine("", .end))
    }

    private mutating func start(_ driver: String, isInLine: Bool) {
        guard let process = DriverProcess(driver, request, isInLine: isInLine) else {
            return forward(SearchLine(driver, .refused("no process could be started for it")))
        }
        running.append(process)
    }

    private mutating func startNext() {
        let now = ContinuousClock.now
        while !waiting.isEmpty,
            !running.contains(where: { $0.isInLine && now - $0.start < SearchProgram.headStart })
        {
            start(waiting.removeFirst(), isInLine: true)
        }
    }

    /// Waits until a driver reports something or is due.
    private func waitForSomething() {
        var descriptors = running.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
        // The end of this input means that the host is gone.
        descriptors.append(pollfd(fd: 0, events: Int16(POLLIN), revents: 0))
        let due = running.map { process in
            let next = process.start + SearchProgram.headStart
            let isOvertaken = waiting.isEmpty || !process.isInLine || next < .now
            return isOvertaken ? deadline(process) : next
        }
        let wait = (due.min() ?? .now) - .now
        let milliseconds = Int32(
            clamping: wait / .milliseconds(1) < 0 ? 0 : Int(wait / .milliseconds(1)) + 1)
        poll(&descriptors, nfds_t(descriptors.count), milliseconds)
        if descriptors.last?.revents != 0 { abandon() }
    }

    private func deadline(_ process: DriverProcess) -> ContinuousClock.Instant {
        if let done = process.doneAt { return done + SearchProgram.endLimit }
        let patience = process.isListed ? request.wholePatience : request.patience
        return process.start + .milliseconds(patience)
    }

    private mutating func handleEvents(_ index: Int) {
        for line in running[index].read() { forward(line) }
        if running[index].isClosed {
            if let end = running[index].reap(by: .now + SearchProgram.endLimit) { forward(end) }
        } else if deadline(running[index]) <= .now {
            running[index].stop()
            if running[index].doneAt == nil { forward(SearchLine(running[index].driver, .hung)) }
        }
    }

    private func forward(_ line: SearchLine) {
        if !writeAll(line.bytes, to: 1) { abandon() }
    }

    private func abandon() -> Never {
        for process in running where !process.hasEnded { process.kill() }
        exit(1)
    }
}
