import Imaging
import Synchronization
import Testing

@testable import Readers

@Suite("The order in which helpers are used") struct SlotQueueTests {
    private final class Served: Sendable {
        let order = Mutex<[Int]>([])
    }

    /// The order in which a helper reads `work` that arrives as listed.
    private func served(_ work: [ReadingWork]) async throws -> [Int] {
        let table = SlotQueue(count: 1)
        let slot = try await table.wait(for: .short) { _ in false }
        let served = Served()
        // Each task begins at once, so that the tasks arrive in this order.
        let tasks = work.enumerated().map { number, work in
            Task.immediate {
                let slot = try await table.wait(for: work) { _ in false }
                served.order.withLock { $0.append(number) }
                table.giveBack(slot)
            }
        }
        table.giveBack(slot)
        for task in tasks { try await task.value }
        return served.order.withLock { $0 }
    }

    @Test("Short work goes before pages that have waited longer, in the order of arrival")
    func short() async throws {
        let page = ReadingWork.page(strokes: 10)
        #expect(try await served([page, page, .short, page, .short]) == [2, 4, 0, 1, 3])
    }

    @Test("The page with the most strokes goes first; of equal pages, the earliest")
    func longest() async throws {
        let pages = [5, 9, 5, 20].map { ReadingWork.page(strokes: $0) }
        #expect(try await served(pages) == [3, 1, 0, 2])
    }

    @Test("Three later pages may go before a short page, and a fourth may not")
    func patience() async throws {
        let pages = [1, 2, 30, 40, 50, 60].map { ReadingWork.page(strokes: $0) }
        #expect(try await served(pages) == [5, 4, 3, 0, 1, 2])
    }
}

@Suite("The estimate of a page's amount of text") struct ReadingWorkTests {
    /// A white page with upright strokes four pixels wide.
    private func page(strokes: Int, _ format: PixelFormat) -> Raster {
        var page = Raster(width: 400, height: 64, format: .gray8)
        let stride = page.stride
        page.withMutableBytes { bytes in
            for index in bytes.indices {
                let x = index % stride
                bytes[index] = x % 20 < 4 && x / 20 < strokes ? 30 : 240
            }
        }
        return page.converted(to: format)
    }

    @Test(
        "In every sixteenth row the edges of strokes are counted",
        arguments: [PixelFormat.gray8, .rgb8, .gray16, .bilevel])
    func strokes(_ format: PixelFormat) throws {
        for strokes in [0, 5, 19] {
            let rows = try #require(HelperRows(page(strokes: strokes, format)))
            let found = Double(rows.strokes) / 4 / 2
            #expect(abs(found - Double(strokes)) <= 1, "\(found) for \(strokes) in \(format)")
        }
    }
}
