import BlockingWork
import Delivery
import ExpectedFailures
import HostClient
import Listings
import ScanService
import Synchronization

/// A job on another host, from the order to the fetched document.
final class HostJob: Sendable {
    private struct State {
        var id: String?
        var isStopping = false
    }

    private let host: HostConnection
    private let state = Mutex(State())

    init(_ host: HostConnection) { self.host = host }

    /// Begins a job, and follows it to its end.
    ///
    /// Canceling the task only stops the capture: captured pages are still processed and delivered.
    ///
    /// - Parameters:
    ///   - begin: sends the order.
    ///   - onBegin: gets the begun job.
    ///   - onChange: gets the job's state whenever it changes.
    ///   - onCut: gets the problem with the connection.
    ///   - onStop: called when the job is asked to stop.
    /// - Returns: the job's result.
    /// - Throws: `HostFailure`, including for a job that failed before it had anything to deliver.
    func run(
        begin: @escaping @Sendable () throws -> RemoteJob,
        onBegin: @escaping @Sendable (RemoteJob) -> Void = { _ in },
        onChange: @escaping @Sendable (RemoteJob) -> Void,
        onCut: @escaping @Sendable (String) -> Void,
        onStop: @escaping @Sendable () -> Void
    ) async throws -> (job: RemoteJob, result: ScanJSON) {
        // A separate task, because canceling this one must not stop following the job.
        let work = Task { [self] in
            try await onOwnThread { [self] in
                let job = try begin()
                note(job.id)
                onBegin(job)
                let end = try JobFollower(
                    host, job: job.id, onChange: onChange, onCut: onCut
                ).follow()
                let path = "/api/v1/jobs/\(HostConnection.part(job.id))/result"
                return (end, try host.get(path, as: ScanJSON.self))
            }
        }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            onStop()
            stop()
        }
    }

    private func note(_ id: String) {
        let isStopping = state.withLock { state in
            state.id = id
            return state.isStopping
        }
        if isStopping { askToStop(id) }
    }

    /// Ends the capture; captured pages are delivered.
    func stop() {
        let id = state.withLock { state in
            state.isStopping = true
            return state.id
        }
        if let id { askToStop(id) }
    }

    /// True if the capturing was ended from here.
    var isStopped: Bool { state.withLock(\.isStopping) }

    /// Captures a page now, in a watch.
    func capture() {
        guard let id = state.withLock(\.id) else { return }
        later { [host] in
            // A watch that has ended captures no more pages, and its follower reports that.
            reportedLater {
                try host.perform("POST", "/api/v1/jobs/\(HostConnection.part(id))/capture")
            }
        }
    }

    private func askToStop(_ id: String) {
        later { [host] in
            // Sent again after a lost connection. A job that has already ended has nothing to stop.
            for _ in 0..<5 {
                do {
                    return try host.perform("POST", "/api/v1/jobs/\(HostConnection.part(id))/stop")
                } catch let failure as HostFailure where failure.code != .unreachable {
                    return
                } catch {
                    continue
                }
            }
        }
    }

    private func later(_ work: @escaping @Sendable () -> Void) {
        Task { await onOwnThread(work) }
    }

    /// Fetches the document into each of the files; the documents of a split batch get names of
    /// their own.
    ///
    /// - Parameter result: the result of the job.
    /// - Returns: a receipt for each file.
    /// - Throws: `HostFailure`, `DeliveryError`.
    func fetch(
        _ job: RemoteJob, _ result: ScanJSON, to outputs: [String], keepsBlankPages: Bool = false,
        pdf: PDFRequest
    ) async throws -> [Receipt] {
        // A stack of only separator sheets makes no document.
        guard !outputs.isEmpty, result.pages.contains(where: { $0.document != 0 }) else {
            return []
        }
        let places = HostDocument.all(of: job, result, outputs)
        guard !places.isEmpty else {
            throw HostFailure(
                .cut,
                "The document of \(job.id) is not in the archive of \(host.address.text), and can't be fetched: \(job.problem ?? "the order named other places")"
            )
        }
        return try await onOwnThread { [host] in
            try places.flatMap { place in
                try place.outputs.map { output in
                    let fetched = try host.fetch(
                        place.document, to: output, keepsBlankPages: keepsBlankPages,
                        pdf: pdf.query)
                    return Receipt(
                        sink: output, locations: [fetched.path], pages: place.pages,
                        bytes: fetched.bytes)
                }
            }
        }
    }
}

/// A document in another host's archive, and the files it becomes here.
private struct HostDocument: Sendable {
    let document: Int64
    let pages: Int
    let outputs: [String]

    /// The documents of a job that are in the archive; those of a split batch get the same names as
    /// on this machine.
    static func all(
        of job: RemoteJob, _ result: ScanJSON, _ outputs: [String]
    ) -> [HostDocument] {
        let archived = job.archived
        guard let documents = result.documents else {
            return archived.prefix(1).map {
                HostDocument(document: $0, pages: result.pages.count, outputs: outputs)
            }
        }
        var names = DocumentNames(outputs)
        return documents.compactMap { document in
            let place = names.place(document.number, document.name)
            return document.locations.compactMap { Int64($0) }.first(where: archived.contains).map {
                HostDocument(document: $0, pages: document.pages, outputs: names.outputs(place))
            }
        }
    }
}
