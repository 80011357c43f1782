import Synchronization
import Testing

@testable import Recognition

@Suite("Who uses a helper next") struct TurnTableTests {
    private final class Served: Sendable {
        let names = Mutex<[String]>([])
    }

    @Test("Short work goes before long work that has waited longer, each in the order it came")
    func order() async throws {
        let table = TurnTable(count: 1)
        let slot = try await table.wait { _ in false }
        let served = Served()
        let work = ["page 1", "page 2", "turn 1", "page 3", "turn 2"]
        // Each begins at once, so that they come in this order.
        let tasks = work.map { name in
            Task.immediate {
                let slot = try await table.wait(isShort: name.hasPrefix("turn")) { _ in false }
                served.names.withLock { $0.append(name) }
                table.giveBack(slot)
            }
        }
        table.giveBack(slot)
        for task in tasks { try await task.value }
        #expect(served.names.withLock { $0 } == ["turn 1", "turn 2", "page 1", "page 2", "page 3"])
    }
}
