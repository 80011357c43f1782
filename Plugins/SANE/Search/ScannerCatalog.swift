import CaptureKit
import ExpectedFailures
import Synchronization

/// The known scanners of SANE's drivers, and the listeners for changes.
///
/// There is only one, because SANE is global to the process. Its state is behind a lock, because
/// SANE's own thread may hang in a driver.
final class ScannerCatalog: Sendable {
    static let shared = ScannerCatalog()

    /// The purpose of a search.
    enum Scope: Hashable, Sendable {
        /// Scanners attached to this machine, as fast as possible.
        case quick
        /// Scanners attached to this machine, with the facts about each.
        case local
        /// Everything.
        case full

        fileprivate func covers(_ other: Scope) -> Bool { self == other || self == .full }
    }

    /// The findings of a search.
    struct Findings: Sendable {
        var descriptors: [DeviceDescriptor] = []
        var problems: [CaptureError] = []
    }

    private struct State {
        var found: [FoundScanner] = []
        var facts: [String: ScannerFacts] = [:]
        /// SANE's names of the scanners that are open.
        var inUse: Set<String> = []
        var hasSearched = false
        /// True when something was plugged in or out while a scanner was open.
        var isStale = false
        var running: (scope: Scope, task: Task<Findings, any Error>)?
        var announced: [String: DeviceDescriptor] = [:]
        var listeners: [Int: AsyncStream<DeviceChange>.Continuation] = [:]
        var nextListener = 0
        /// The watch that starts a search when something is plugged in or out.
        var watching: ScannerSearch?
    }

    private let state = Mutex(State())

    // MARK: Searching

    /// Looks for scanners, or joins a search that runs already.
    ///
    /// While a scanner is open, the earlier results are used, so that no driver is disturbed while
    /// another scans.
    ///
    /// - Throws: ``CaptureError`` when the search itself fails.
    func search(_ scope: Scope, _ search: ScannerSearch) async throws -> Findings {
        while true {
            let (task, isMine) = state.withLock { state -> (Task<Findings, any Error>?, Bool) in
                if let running = state.running {
                    return (running.task, running.scope.covers(scope))
                }
                guard state.inUse.isEmpty || !state.hasSearched else { return (nil, true) }
                let task = Task { try await perform(scope, search) }
                state.running = (scope, task)
                return (task, true)
            }
            guard let task else { return Findings(descriptors: known(scope, search.usb)) }
            let result = await task.result
            if isMine { return try result.get() }
        }
    }

    private func perform(_ scope: Scope, _ search: ScannerSearch) async throws -> Findings {
        var request = SearchRequest()
        request.isLocalOnly = scope != .full
        request.opensScanners = scope != .quick
        request.apply(patience: .standard, isQuick: scope == .quick)
        request.known = state.withLock { state in
            state.facts.filter { $0.value.state == .ready }.map(\.key)
        }
        var report = SearchReport()
        for await line in search.lines(request) {
            switch report.record(line) {
            case .scanner(let scanner): announce(scanner)
            case .facts(let id, let facts): note(facts, of: id)
            case nil: break
            }
        }
        finish(scope, report, search.usb)
        if let failure = report.failure { throw failure }
        return Findings(descriptors: known(scope, search.usb), problems: report.problems)
    }

    private func finish(_ scope: Scope, _ report: SearchReport, _ usb: USBDevices) {
        state.withLock { state in
            state.running = nil
            guard report.failure == nil else { return }
            state.hasSearched = true
            let others = scope == .full ? [] : state.found.filter(\.isRemote)
            let ids = Set(report.scanners.map(\.id))
            state.found = report.scanners + others.filter { !ids.contains($0.id) }
        }
        if report.failure == nil { announceDifferences(usb) }
        searchIfStale()
    }

    private func announceDifferences(_ usb: USBDevices) {
        let listed = known(.full, usb)
        let ids = Set(listed.map(\.id))
        state.withLock { state in
            for id in state.announced.keys.sorted() where !ids.contains(id) {
                state.announced[id] = nil
                state.facts[id] = nil
                for listener in state.listeners.values { listener.yield(.removed(id)) }
            }
        }
        for descriptor in listed { announce(descriptor) }
    }

    /// The known scanners; a search of only this machine leaves out network scanners.
    private func known(_ scope: Scope, _ usb: USBDevices) -> [DeviceDescriptor] {
        let (found, facts) = state.withLock { ($0.found, $0.facts) }
        // Drivers answer in any order; their scanners are listed in a fixed order.
        let scanners = found.filter { scope == .full || !$0.isRemote }
            .sorted { ($0.isRemote ? 1 : 0, $0.id) < ($1.isRemote ? 1 : 0, $1.id) }
        let denied = DeniedScanners(usb: usb).descriptors(beside: scanners)
        return scanners.map { $0.descriptor(facts[$0.id]) } + denied
    }

    // MARK: One scanner

    /// Looks for the scanner of a lasting name, with only its driver.
    func locate(
        _ id: String, _ search: ScannerSearch, isLocal: Bool
    ) async throws -> FoundScanner? {
        guard let driver = id.split(separator: ":").first.map(String.init) else { return nil }
        var request = SearchRequest(drivers: [driver], isLocalOnly: isLocal)
        request.apply(patience: .standard, isQuick: false)
        var report = SearchReport()
        for await line in search.lines(request) { _ = report.record(line) }
        if let failure = report.failure ?? report.problems.first { throw failure }
        return report.scanners.first { $0.id == id }
    }

    /// The scanner of an id or of one of SANE's own names, as found before.
    func scanner(_ id: String) -> FoundScanner? {
        state.withLock { state in state.found.first { $0.id == id || $0.name == id } }
    }

    /// Records the facts from opening a scanner; nil for a scanner that is gone.
    func note(_ facts: ScannerFacts?, of id: String) {
        let scanner = state.withLock { state -> FoundScanner? in
            state.facts[id] = facts
            return state.found.first { $0.id == id }
        }
        if let scanner, facts != nil { announce(scanner) }
    }

    /// Marks a scanner of that SANE name as open; false when it is already.
    func reserve(_ name: String) -> Bool { state.withLock { $0.inUse.insert(name).inserted } }

    /// Marks the scanner as free.
    func release(_ name: String) {
        state.withLock { _ = $0.inUse.remove(name) }
        searchIfStale()
    }

    /// True while no scanner is open.
    var isIdle: Bool { state.withLock { $0.inUse.isEmpty } }

    // MARK: Changes

    /// The changes of scanners, besides those that searches have reported.
    func changes() -> AsyncStream<DeviceChange> {
        let (stream, continuation) = AsyncStream<DeviceChange>.makeStream()
        let number = state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = continuation
            return state.nextListener
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// Searches again whenever a device is plugged in or out.
    func watch(_ search: ScannerSearch) {
        let isFirst = state.withLock { state in
            defer { state.watching = search }
            return state.watching == nil
        }
        if isFirst { DeviceEvents.watch { self.devicesMayHaveChanged() } }
    }

    /// Records that something was plugged in or out.
    ///
    /// There is no search before the first request for a list. While a scanner is open or a search
    /// runs, this waits for its end.
    func devicesMayHaveChanged() {
        state.withLock { $0.isStale = $0.hasSearched || $0.running != nil }
        searchIfStale()
    }

    private func searchIfStale() {
        let search = state.withLock { state -> ScannerSearch? in
            guard state.isStale, state.running == nil, state.inUse.isEmpty,
                !state.listeners.isEmpty
            else { return nil }
            state.isStale = false
            return state.watching
        }
        // A search that fails reports nothing new, and the next list gives the reason.
        if let search { Task { await ifStillThere { try await self.search(.local, search) } } }
    }

    private func announce(_ scanner: FoundScanner) {
        announce(state.withLock { scanner.descriptor($0.facts[scanner.id]) })
    }

    private func announce(_ descriptor: DeviceDescriptor) {
        state.withLock { state in
            guard state.announced.updateValue(descriptor, forKey: descriptor.id) != descriptor
            else { return }
            for listener in state.listeners.values { listener.yield(.added(descriptor)) }
        }
    }
}
