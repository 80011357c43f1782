import FoundationEssentials
import HTTPClient
import Imaging
import Synchronization

@testable import Delivery

/// An outbox in a separate folder, with a clock that advances only when a test sets it.
final class OutboxBench: Sendable {
    private let place: TemporaryFolder
    var folder: String { place.path }
    let clock = Mutex(1_800_000_000.0)
    let waits = Mutex<[Double]>([])

    init() throws { place = try TemporaryFolder() }

    var store: OutboxStore { OutboxStore(root: folder + "/outbox") }

    func registry(_ sinks: [String: SinkDefinition]) throws -> SinkRegistry {
        var registry = try SinkRegistry(path: folder + "/sinks.json")
        for (name, definition) in sinks { try registry.add(name, definition) }
        return registry
    }

    func outbox(_ registry: SinkRegistry, timeLimit: Int = 60) -> Outbox {
        Outbox(
            store: store, sinks: registry, client: CurlClient(timeLimit: timeLimit),
            now: { self.clock.withLock { $0 } },
            wait: { seconds in self.waits.withLock { $0.append(seconds) } }, random: { 0.5 })
    }

    /// Sends a document of `pages` pages to the named sink.
    func send(
        _ name: String, _ sinks: [String: SinkDefinition], pages: Int = 1, timeLimit: Int = 60
    ) throws -> (receipt: Receipt, outbox: Outbox) {
        let registry = try registry(sinks)
        let outbox = outbox(registry, timeLimit: timeLimit)
        let writer = try NamedSink(name, in: registry, outbox: outbox).begin(sampleInfo)
        for number in 1...pages {
            let text = sampleText([sampleLine(["page", String(number)], y: 100)])
            try writer.add(
                samplePage(
                    samplePicture(.gray8, width: 200, height: 280), number: number, text: text))
        }
        return (try writer.finish(), outbox)
    }

    func definition(
        _ kind: SinkDefinition.Kind, _ change: (inout SinkDefinition) -> Void = { _ in }
    ) -> SinkDefinition {
        var definition = SinkDefinition(kind: kind)
        change(&definition)
        return definition
    }
}
