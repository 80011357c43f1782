import Delivery
import Documents
import Synchronization

/// Hands a document's pages to all of its sinks.
///
/// A sink that fails is dropped; the others go on.
final class Delivering: Sendable {
    private struct State {
        var writers: [(name: String, writer: any SinkWriter)]
        var failures: [DeliveryFailure] = []
    }

    private let state: Mutex<State>
    private let queue = OwnQueue(label: "copystand.delivering")
    private let onFailure: @Sendable (DeliveryFailure) -> Void

    /// Begins the document with every sink.
    ///
    /// - Throws: ``DeliveryError`` when one refuses it; the others are left clean.
    init(
        _ sinks: [any Sink], _ info: DocumentInfo,
        onFailure: @escaping @Sendable (DeliveryFailure) -> Void
    ) throws {
        var writers: [(name: String, writer: any SinkWriter)] = []
        do {
            for sink in sinks { writers.append((sink.name, try sink.begin(info))) }
        } catch {
            for begun in writers { begun.writer.cancel() }
            throw error
        }
        state = Mutex(State(writers: writers))
        self.onFailure = onFailure
    }

    /// True while at least one sink takes pages.
    var isAlive: Bool { state.withLock { !$0.writers.isEmpty } }

    /// The sinks that could not take the document so far.
    var failures: [DeliveryFailure] { state.withLock(\.failures) }

    /// Hands a page to every sink.
    func add(_ page: DeliveredPage) async {
        _ = await each { try $0.add(page) }
    }

    /// Completes the document with every sink that has all of its pages.
    func finish() async -> [Receipt] {
        let receipts = await each { try $0.finish() }
        state.withLock { $0.writers = [] }
        return receipts
    }

    /// Leaves nothing behind.
    func cancel() async {
        _ = await each { $0.cancel() }
        state.withLock { $0.writers = [] }
    }

    private func each<Value: Sendable>(
        _ work: @escaping @Sendable (any SinkWriter) throws -> Value
    ) async -> [Value] {
        await queue.run { [self] in
            state.withLock(\.writers).compactMap { name, writer in
                do {
                    return try work(writer)
                } catch {
                    writer.cancel()
                    drop(name, writer, error)
                    return nil
                }
            }
        }
    }

    private func drop(_ name: String, _ writer: any SinkWriter, _ error: any Error) {
        let known = error as? DeliveryError
        let failure = DeliveryFailure(
            sink: name, error: known ?? DeliveryError(.inputOutput, "'\(name)': \(error)"))
        state.withLock { state in
            state.writers.removeAll { $0.writer === writer }
            state.failures.append(failure)
        }
        onFailure(failure)
    }
}
