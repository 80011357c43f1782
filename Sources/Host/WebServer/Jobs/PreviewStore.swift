import BlockingWork
import Delivery
import FileNames
import FoundationEssentials
import ScanService
import Synchronization

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

        static let schema = Schema.object(
            [
                ("id", .string()), ("device", .string()),
                ("state", .string(choices: State.allCases.map(\.rawValue))),
                ("problem", .string()), ("width", .integer()), ("height", .integer()),
                (
                    "area",
                    .record([
                        ("x", .number), ("y", .number), ("width", .number), ("height", .number),
                    ])
                ),
            ], required: ["id", "device", "state"])
    }

    private struct Entry {
        var status: Status
        var owner: String?
        var control: ScanControl
        var picture: [UInt8]?
        /// True for a discarded preview, which stays until its device has stopped.
        var isGone = false
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var order: [String] = []
        var next = 1
    }

    /// The most stored previews.
    private static let kept = 8

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
    /// - Parameter owner: who ordered it, and sees it; nil for everyone.
    /// - Throws: ``Problem`` with status 429 when too many are running.
    func begin(
        _ device: String, source: String?, owner: String?
    ) throws(Problem) -> Status {
        let control = ScanControl()
        let begun = state.withLock { state -> Status? in
            guard state.entries.values.count(where: { $0.status.state == .running }) < Self.kept
            else { return nil }
            let status = Status(id: "\(run)-\(state.next)", device: device)
            state.next += 1
            state.entries[status.id] = Entry(
                status: status, owner: owner, control: control)
            state.order.append(status.id)
            for id in state.order.dropLast(Self.kept)
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
        let path = "\(folder)/.preview-\(UInt64.random(in: 0 ... .max))"
        try makePrivateFolder(path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = path + "/preview.jpg"
        let preview = try await service.preview(
            device, to: file, ScanOrder.Change(common: CommonSettings(source: source)),
            control: control, onEvent: { _ in })
        let bytes = try await onOwnThread { try Data(contentsOf: URL(filePath: file)) }
        return (preview, Array(bytes))
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
        guard let ended, let data = try? JSONEncoder().encode(ended.status) else { return }
        hub.publish("preview", SafeJSON.text(data), of: ended.owner)
    }

    /// Who ordered a preview; nil for everyone, and where there is none.
    func owner(of id: String) -> String? { entry(id)?.owner }

    /// The state of a preview; nil when none with that name exists anymore.
    func status(_ id: String) -> Status? { entry(id)?.status }

    /// A preview's picture, a JPEG file; nil when it has none.
    func picture(_ id: String) -> [UInt8]? { entry(id)?.picture }

    private func entry(_ id: String) -> Entry? {
        state.withLock { $0.entries[id] }.flatMap { $0.isGone ? nil : $0 }
    }

    /// Stops a preview and discards it; false when there is none with that name.
    func delete(_ id: String) -> Bool {
        let control = state.withLock { state -> ScanControl? in
            guard let entry = state.entries[id], !entry.isGone else { return nil }
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
