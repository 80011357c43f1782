import BlockingWork
import CommandLine
import Delivery
import ExpectedFailures
import FoundationEssentials
import HostClient
import Listings
import ScanService
import Synchronization

/// Runs `watch --host`: another host watches its camera, its events are shown here, and the
/// document is fetched.
///
/// The task is canceled by the first Ctrl-C, which is a regular end: the document is written.
func runWatch(_ arguments: WatchArguments, on host: HostConnection) async throws -> ExitCode {
    for output in arguments.outputs { try HostConnection.checkOutput(output) }
    let console = arguments.console
    let display = WatchDisplay(console, isJSON: arguments.isJSON)
    let work = HostJob(host)
    let live = Mutex<LiveListener?>(nil)
    let pages = HostWatchPages()
    let controls = try CaptureControls(arguments) {
        work.capture()
    } onNote: {
        display.note($0)
    }
    defer { controls.stop() }
    let order = arguments.request.fetched(into: arguments.outputs, arguments.pdf)
    let listening = Mutex<Task<Void, Never>?>(nil)
    var (job, result): (RemoteJob, ScanJSON)
    do {
        (job, result) = try await work.run {
            try host.post("/api/v1/jobs", order)
        } onBegin: { job in
            display.watching(host.address.text)
            let listener = LiveListener(host, job: job.id)
            live.withLock { $0 = listener }
            let task = Task { await onOwnThread { show(listener, on: display, of: work) } }
            listening.withLock { $0 = task }
        } onChange: { job in
            for page in pages.finished(job) { display.show(page) }
        } onCut: {
            display.note($0)
        } onStop: {
            display.stopping()
        }
    } catch {
        live.withLock { $0 }?.stop()
        display.clear()
        throw error
    }
    // The stream ends with the watch, after its last event.
    live.withLock { $0 }?.finish()
    await listening.withLock { $0 }?.value
    controls.stop()
    result.error = result.error.map { "copystand: \($0)" }
    var trouble: (any Error)?
    do {
        result.delivered += try await work.fetch(
            job, result, to: arguments.outputs, pdf: PDFRequest(arguments.pdf))
    } catch {
        trouble = error
    }
    let receipts = result.delivered.filter { arguments.outputs.isEmpty || $0.sink != "archive" }
    for receipt in receipts { display.show(WatchJSON(delivered: receipt)) }
    display.finish(result, host: host.address.text, showsStatistics: arguments.showsStatistics)
    if let failure = trouble ?? display.failure { throw failure }
    if !arguments.isJSON {
        for location in receipts.flatMap(\.locations) { try console.result(location + "\n") }
    }
    if result.pages.isEmpty, work.isStopped, result.failed.isEmpty { return .cancelled }
    return ExitCode(result)
}

/// Shows the events of another host's watch until it ends.
private func show(_ listener: LiveListener, on display: WatchDisplay, of work: HostJob) {
    listener.listen { data in
        let known = ofKnownForm { try JSONDecoder().decode(WatchJSON.self, from: Data(data)) }
        guard let event = known else { return }
        display.show(event)
        // No one reads the output anymore.
        if display.failure != nil { work.stop() }
    }
}

/// Keeps track of the pages of a watch that have been reported.
private final class HostWatchPages: Sendable {
    private let reported = Mutex<Set<Int>>([])

    /// The pages that were finished since the last call.
    func finished(_ job: RemoteJob) -> [WatchJSON] {
        reported.withLock { reported in
            job.pages.filter { $0.stage == "finished" && reported.insert($0.number).inserted }.map {
                WatchJSON(
                    finished: $0.number, width: $0.width, height: $0.height, words: $0.words,
                    problems: $0.problems)
            }
        }
    }
}
