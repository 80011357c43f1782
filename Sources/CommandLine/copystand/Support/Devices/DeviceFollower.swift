import CaptureHost
import CaptureKit
import CommandLine
import FileNames
import Listings
import FoundationEssentials

/// Shows devices that come and go: a live table on a terminal, one line per event elsewhere and as
/// JSON.
struct DeviceFollower {
    private let console: Console
    private let isJSON: Bool
    private var roll = DeviceList()
    private var live: LiveText
    private var unanswered: Set<String> = []

    /// A follower that writes JSON lines, or text for people.
    init(_ console: Console, isJSON: Bool) {
        self.console = console
        self.isJSON = isJSON
        live = LiveText(console)
    }

    /// Follows the devices of one backend, or of all, until the task is canceled.
    func run(_ backend: String?) async throws -> ExitCode {
        var follower = self
        return try await withCaptureHost(console) { host in
            let usable = await host.backends().filter { $0.problem == nil }.map(\.id)
            follower.unanswered = Set(backend.map { [$0] } ?? usable)
            try follower.draw()
            for await event in host.followDevices(backend: backend) { try follower.show(event) }
            // The stream ends on its own only when there is nothing to follow.
            guard !Task.isCancelled, let problem = follower.roll.problems.last else {
                return .cancelled
            }
            return ErrorMessages.explain(problem).code
        }
    }

    private mutating func show(_ event: DeviceEvent) throws {
        let isNew = roll.take(event)
        let wasComplete = unanswered.isEmpty
        if case .answered(let backend) = event { unanswered.remove(backend) }
        let isComplete = unanswered.isEmpty && !wasComplete
        if isJSON {
            try line(event, isComplete: isComplete)
        } else if console.output.isTerminal {
            if case .problem(let problem) = event {
                try live.clear()
                console.warn(problem)
            } else if !isNew && !isComplete {
                return
            }
            try draw()
        } else {
            try write(event)
        }
    }

    private mutating func draw() throws {
        guard !isJSON, console.output.isTerminal else { return }
        let table = DeviceTable(devices: roll.devices).text(for: console.output)
        let note =
            unanswered.isEmpty
            ? "Watching for devices that come and go. Ctrl-C stops." : "Looking for devices…"
        try live.draw(table + console.output.styled(note, .faint) + "\n")
    }

    /// A line of text for output that goes to a file.
    private func write(_ event: DeviceEvent) throws {
        switch event {
        case .added(let device): try write("added", device)
        case .changed(let device): try write("changed", device)
        case .removed(let id): try console.result("removed  \(Sanitized.line(id))\n")
        case .problem(let problem): console.warn(problem)
        case .answered: break
        }
    }

    private func write(_ what: String, _ device: ListedDevice) throws {
        let words = [device.descriptor.name, device.descriptor.state.words]
        let line = ([what.padded(toWidth: 7), device.id] + words).joined(separator: "  ")
        try console.result(Sanitized.line(line) + "\n")
    }

    private func line(_ event: DeviceEvent, isComplete: Bool) throws {
        if let json = DeviceEventJSON(event) { try write(json) }
        if isComplete { try write(DeviceEventJSON.listed) }
    }

    private func write(_ json: DeviceEventJSON) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try console.result(SafeJSON.text(encoder.encode(json)) + "\n")
    }
}
