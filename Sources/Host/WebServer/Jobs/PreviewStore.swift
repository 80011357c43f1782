import BlockingWork
import Delivery
import FileNames
import FoundationEssentials
import GuardedFiles
import ScanService
import Synchronization
import TemporaryFolders

/// Previews of a scanner's glass: makes them, and keeps the latest.
final class PreviewStore: Sendable {
    /// The state of a preview, as clients see it.
    struct Status: Encodable {
        /// The state of the preview.
        enum State: String, Encodable, CaseIterable {
            case running, done, failed
        }
        var id: String
        var device: String
        var state = State.running
        /// The reason why the preview failed, and what to do next.
        var problem: String?
        /// The picture's width in pixels.
        var width: Int?
        var height: Int?
        /// The part of the glass in the preview, in millimeters; nil if the device does not report
        /// it.
        var area: PlatenArea?

        static let schema = Schema.record(
            [
                "id": .string(), "device": .string(),
                "state": .string(choices: State.allCases.map(\.rawValue)),
            ],
            optional: [
                "problem": .string(), "width": .integer(), "height": .integer(),
                "area": .record(["x": .number, "y": .number, "width": .number, "height": .number]),
            ])
    }

    private struct Entry {
        var status: Status
        /// The client that ordered it; only this one sees it.
        var client: String
        var control: ScanControl
        var picture: [UInt8]?
        /// True for a discarded preview, which stays until its device has stopped.
        var isGone = false
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var order: [String] = []
        var next = 1

        func entry(_ id: String, of client: String) -> Entry? {
            entries[id].flatMap { $0.isGone || $0.client != client ? nil : $0 }
        }
    }

    /// The maximum number of stored previews of a client, and of running ones of all clients.
    private static let kept = 8
    /// The maximum number of stored previews of all clients.
    private static let keptOfAll = 64

    private let state = Mutex(State())
    private let service: ScanService
    private let hub: EventHub
    /// The folder for pictures before they are stored in memory.
    private let folder: String
    private let run: String

    init(service: ScanService, hub: EventHub, folder: String, run: String) {
        self.service = service
        self.hub = hub
        self.folder = folder
        self.run = run
    }

    /// Begins a preview of a device.
    ///
    /// - Parameter client: the client that orders it; only this one sees it.
    /// - Throws: ``Problem`` with status 429 when too many are running.
    func begin(
        _ device: String, source: String?, for client: String
    ) throws(Problem) -> Status {
        let control = ScanControl()
        let begun = state.withLock { state -> Status? in
            guard state.entries.values.count(where: { $0.status.state == .running }) < Self.kept
            else { return nil }
            let status = Status(id: "\(run)-\(state.next)", device: device)
            state.next += 1
            state.entries[status.id] = Entry(
                status: status, client: client, control: control)
            state.order.append(status.id)
            let own = state.order.filter { state.entries[$0]?.client == client }
            for id in own.dropLast(Self.kept) + state.order.dropLast(Self.keptOfAll)
            where state.entries[id]?.status.state != .running {
                state.entries[id] = nil
                state.order.removeAll { $0 == id }
            }
            return status
        }
        guard let status = begun else {
            throw Problem(
                429, "too-many-previews",
                detail: "\(Self.kept) previews are already running. Wait for them, or stop one.",
                retryAfter: 5)
        }
        Task { [self] in
            do {
                let (preview, bytes) = try await look(at: device, source, control)
                end(status.id) { entry in
                    entry.picture = bytes
                    entry.status.state = .done
                    entry.status.width = preview.width
                    entry.status.height = preview.height
                    entry.status.area = preview.area
                }
            } catch {
                end(status.id) { entry in
                    entry.status.state = .failed
                    entry.status.problem = PlaceNames.removed(from: Problem(error).detail)
                }
            }
        }
        return status
    }

    private func look(at device: String, _ source: String?, _ control: ScanControl) async throws
        -> (Preview, [UInt8])
    {
        try makePrivateFolder(folder)
        let temporary = try TemporaryFolder("preview", in: folder)
        defer { temporary.remove() }
        let file = temporary.path + "/preview.jpg"
        let preview = try await service.preview(
            device, to: file, ScanOrder.Change(common: CommonSettings(source: source)),
            control: control, onEvent: { _ in })
        return (preview, try await onOwnThread { try GuardedFolder.readFile(at: file) })
    }

    private func end(_ id: String, _ change: (inout Entry) -> Void) {
        let ended = state.withLock { state -> Entry? in
            guard var entry = state.entries[id] else { return nil }
            guard !entry.isGone else {
                state.entries[id] = nil
                state.order.removeAll { $0 == id }
                return nil
            }
            change(&entry)
            state.entries[id] = entry
            return entry
        }
        guard let ended else { return }
        hub.publish("preview", json: ended.status, to: .client(ended.client))
    }

    /// The state of a client's preview; nil when it has none with that name anymore.
    func status(_ id: String, of client: String) -> Status? { entry(id, of: client)?.status }

    /// The picture of a client's preview, a JPEG file; nil when it has none.
    func picture(_ id: String, of client: String) -> [UInt8]? { entry(id, of: client)?.picture }

    private func entry(_ id: String, of client: String) -> Entry? {
        state.withLock { $0.entry(id, of: client) }
    }

    /// Stops a client's preview and discards it; false when it has none with that name.
    func delete(_ id: String, of client: String) -> Bool {
        let control = state.withLock { state -> ScanControl? in
            guard let entry = state.entry(id, of: client) else { return nil }
            if entry.status.state == .running {
                state.entries[id]?.isGone = true
            } else {
                state.entries[id] = nil
                state.order.removeAll { $0 == id }
            }
            return entry.control
        }
        control?.stop()
        return control != nil
    }

    /// Stops all previews.
    func shutDown() {
        for entry in state.withLock({ Array($0.entries.values) }) { entry.control.stop() }
    }
}
