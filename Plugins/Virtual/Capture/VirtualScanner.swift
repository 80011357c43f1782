import BlockingWork
import CaptureKit
import Synchronization

/// A flatbed or a feeder.
final class VirtualScanner: CaptureDevice {
    private struct State {
        var table: OptionTable
        var tray = PaperTray()
        var isCapturing = false
    }

    private let id: String
    private let hasFeeder: Bool
    private let shared: SharedState
    private let cache = PictureCache()
    private let state: Mutex<State>

    /// Opens the scanner and puts paper in: the folder's pictures, or ten made-up sheets.
    init(id: String, hasFeeder: Bool, shared: SharedState) async throws {
        self.id = id
        self.hasFeeder = hasFeeder
        self.shared = shared
        let table = OptionTable(
            VirtualScannerOptions.specs(hasFeeder: hasFeeder, folder: shared.folder ?? ""))
        var state = State(table: table)
        if let folder = shared.folder {
            state.tray.fill(try await onOwnThread { try PictureFolder.pictures(in: folder) })
        } else {
            state.tray.fill(sheets: table.settings.integer("pages"))
        }
        self.state = Mutex(state)
        reportPaper()
    }

    func options() async throws -> [DeviceOption] {
        try await shared.trigger(.options)
        try shared.checkPlugged(id)
        takePaper()
        let isPressed = shared.panel.takePress()
        state.withLock { $0.table.report("scan-button", .bool(isPressed)) }
        return state.withLock { $0.table.options }
    }

    func set(_ option: String, to value: OptionValue) async throws -> OptionOutcome {
        let taken = try state.withLock { try $0.table.check(option, value) }
        let pictures = try await pictures(option, taken)
        return try state.withLock { state in
            let before = state.table.options
            var outcome = try state.table.set(option, to: taken)
            if let pictures, !pictures.isEmpty {
                state.tray.fill(pictures)
            } else if pictures != nil || option == "pages" {
                state.tray.fill(sheets: state.table.settings.integer("pages"))
            }
            state.table.report("page-loaded", .bool(state.tray.left > 0))
            let others = zip(before, state.table.options).contains { $0 != $1 && $0.name != option }
            outcome.reloadOptions = others
            return outcome
        }
    }

    /// The pictures of the folder that `option` is being set to; empty for no folder, nil for
    /// another option.
    private func pictures(_ option: String, _ value: OptionValue) async throws
        -> [PictureReference]?
    {
        guard option == "folder", case .text(let folder) = value else { return nil }
        if folder.isEmpty { return [] }
        return try await onOwnThread { try PictureFolder.pictures(in: folder) }
    }

    func capture(_ request: CaptureRequest, into sink: any FrameSink) async throws {
        guard request.mode == .pages else {
            throw CaptureError(
                .unsupported, "The virtual \(id) has no live view",
                advice: "Use the device 'camera'.")
        }
        try request.checkLimit()
        try shared.checkPlugged(id)
        takePaper()
        let settings = try beginCapture()
        defer {
            state.withLock { $0.isCapturing = false }
            reportPaper()
        }
        let sender = FrameSender(
            settings: settings, sink: sink, actuator: shared.actuator, pacer: shared.pacer)
        // The glass holds one sheet.
        let isFeeding = isFeeding(settings)
        let limit = isFeeding ? request.limit ?? .max : 1
        var number = 0
        while number < limit, let source = nextPage(settings, isFeeding) {
            try Task.checkCancellation()
            try shared.checkPlugged(id)
            number += 1
            try await send(source, number, settings: settings, sender: sender)
        }
        guard number > 0 else {
            throw CaptureError(
                .feederEmpty, "The feeder is empty",
                advice: "Set the option 'pages', or close the device and open it again.")
        }
    }

    func close() async { shared.closed(id) }

    private func beginCapture() throws -> Settings {
        try state.withLock { state in
            guard !state.isCapturing else {
                throw CaptureError(.busy, "The virtual \(id) is already capturing")
            }
            state.isCapturing = true
            state.tray.begin()
            return state.table.settings
        }
    }

    private func isFeeding(_ settings: Settings) -> Bool {
        switch settings.text("source") {
        case "flatbed": false
        case "auto": hasFeeder && state.withLock { $0.tray.left > 0 }
        default: hasFeeder
        }
    }

    /// Adds the sheets that a test put into the feeder.
    private func takePaper() {
        guard hasFeeder, let sheets = shared.panel.takeSheets() else { return }
        state.withLock { $0.tray.fill(sheets: sheets) }
        reportPaper()
    }

    private func nextPage(_ settings: Settings, _ isFeeding: Bool) -> PageSupply? {
        state.withLock {
            isFeeding
                ? $0.tray.feedNext(duplex: settings.text("source") == "feeder-duplex")
                : $0.tray.nextOnGlass()
        }
    }

    private func send(
        _ source: PageSupply, _ number: Int, settings: Settings, sender: FrameSender
    ) async throws {
        switch source {
        case .drawn(let pageNumber, let label):
            let dpi = settings.integer("resolution")
            let page = TestPage(
                number: pageNumber,
                caption: "VIRTUAL \(id) \(settings.text("mode")) \(dpi) DPI".uppercased())
            let area = ScannedArea(
                left: settings.number("area-left"), top: settings.number("area-top"),
                width: settings.number("area-width"), height: settings.number("area-height"))
            try await sender.send(area.picture(of: page, dpi: dpi, label: label), number: number)
        case .picture(let reference):
            try await cache.send(reference, number: number, with: sender)
        }
    }

    private func reportPaper() {
        state.withLock { $0.table.report("page-loaded", .bool($0.tray.left > 0)) }
    }
}

extension PictureCache {
    /// Sends a picture of a folder; an unreadable one is reported, and the next may follow.
    func send(_ reference: PictureReference, number: Int, with sender: FrameSender) async throws {
        let picture: PictureFile
        do {
            picture = try await self.picture(reference)
        } catch let error as CaptureError {
            return try await sender.sink.skip(label: reference.label, error)
        }
        try await sender.send(picture, number: number)
    }
}
