import Documents
import Imaging
import Recognition
import Synchronization
import Testing

@testable import Processing

@Suite struct OrderedMapTests {
    @Test("Results come out in the order of the elements, in whatever order they finish")
    func order() async throws {
        let gates = (0..<4).map { _ in Gate() }
        // Each element waits for the next one, so they finish in reverse order.
        let results = orderedMap(Numbers(count: 4), holding: HoldingLimit(4)) { index, number in
            if index < 3 { await gates[index + 1].pass() }
            gates[index].open()
            return number * 10
        }
        var seen: [Int] = []
        for try await result in results { seen.append(result) }
        #expect(seen == [0, 10, 20, 30])
    }

    @Test(
        "At most the given number of elements is held, however slow the receiver",
        arguments: [1, 3])
    func bounded(_ most: Int) async throws {
        let held = Counter()
        let source = Numbers(count: 200) { _ in held.add(1) }
        var received = 0
        for try await _ in orderedMap(source, holding: HoldingLimit(most), { _, number in number })
        {
            received += 1
            // The producer gets every opportunity to run ahead.
            for _ in 0..<50 { await Task.yield() }
            held.add(-1)
        }
        #expect(received == 200)
        // `most` elements are inside, and this loop has one more.
        #expect(held.most <= most + 1)
    }

    @Test("Elements overlap: the next one is fetched while the previous one is processed")
    func overlap() async throws {
        let third = Gate()
        let source = Numbers(count: 3) { if $0 == 2 { third.open() } }
        // The first element can't finish before the third has been fetched.
        var seen: [Int] = []
        for try await number in orderedMap(
            source, holding: HoldingLimit(3),
            { index, number in
                if index == 0 { await third.pass() }
                return number
            })
        { seen.append(number) }
        #expect(seen == [0, 1, 2])
    }

    @Test("If the source fails, earlier results come out first")
    func sourceFails() async {
        var seen: [Int] = []
        let source = Numbers(count: 10) { if $0 == 4 { throw Jam() } }
        await #expect(throws: Jam.self) {
            for try await number in orderedMap(
                source, holding: HoldingLimit(3), { _, number in number })
            {
                seen.append(number)
            }
        }
        #expect(seen == [0, 1, 2, 3])
    }

    @Test(
        "If an element fails, earlier results come out first, and the source is no longer read"
    )
    func transformFails() async {
        let fetched = Counter()
        var seen: [Int] = []
        await #expect(throws: Jam.self) {
            let source = Numbers(count: 1000) { _ in fetched.add(1) }
            for try await number in orderedMap(
                source, holding: HoldingLimit(2),
                { _, number in
                    if number == 3 { throw Jam() }
                    return number
                })
            { seen.append(number) }
        }
        #expect(seen == [0, 1, 2])
        #expect(fetched.most <= 6)
    }

    @Test("Leaving the loop cancels the work")
    func leaving() async throws {
        let cancelled = Gate()
        for try await _ in orderedMap(
            Numbers(count: 10), holding: HoldingLimit(2),
            { index, number in
                if index > 0 {
                    await withTaskCancellationHandler {
                        await cancelled.pass()
                    } onCancel: {
                        cancelled.open()
                    }
                }
                return number
            })
        { break }
        await cancelled.pass()
    }

    @Test("Canceling the receiver ends its wait")
    func cancelling() async throws {
        let started = Gate()
        let never = Gate()
        let task = Task {
            let results = orderedMap(Numbers(count: 2), holding: HoldingLimit(1)) { _, number in
                started.open()
                await withTaskCancellationHandler {
                    await never.pass()
                } onCancel: {
                    never.open()
                }
                return number
            }
            var count = 0
            for try await _ in results { count += 1 }
            return count
        }
        await started.pass()
        task.cancel()
        // The loop ended early, with an error or without results; the test checks only that the
        // loop ends.
        let count = (try? await task.value) ?? 0
        #expect(count == 0)
    }

    @Test("An empty source gives no results")
    func empty() async throws {
        for try await _ in orderedMap(
            Numbers(count: 0), holding: HoldingLimit(2), { _, number in number })
        {
            Issue.record("a result of nothing")
        }
    }

    @Test(
        "Many light elements are held at once, but only a few heavy ones",
        arguments: [(1, 6), (5, 3), (40, 2)])
    func weighed(_ weight: Int, _ most: Int) async throws {
        let held = Counter()
        let isFull = Gate()
        let source = Numbers(count: 100) { number in
            held.add(1)
            if number == most - 1 { isFull.open() }
        }
        let results = orderedMap(
            source, holding: HoldingLimit(2, most: 6, below: 15), weight: { _ in weight },
            { _, number in number })
        // Before any result is taken, this number of elements is fetched; otherwise the test hangs.
        await isFull.pass()
        for try await _ in results {
            for _ in 0..<50 { await Task.yield() }
            held.add(-1)
        }
        // `most` elements are inside, and this loop has one more.
        #expect(held.most <= most + 1)
    }

    @Test("Pages are processed and read in parallel, and returned in order")
    func pages() async throws {
        let both = Counter()
        let twoAtOnce = Gate()
        let recognizer = FakeRecognizer { image, call in
            both.add(1)
            if both.most >= 2 { twoAtOnce.open() }
            // The first two calls wait for each other: they overlap, or the test hangs.
            if call <= 2 { await twoAtOnce.pass() }
            both.add(-1)
            return .words(["\(image.width)"])
        }
        let pipeline = PagePipeline(
            profile: Profile(name: "t", title: "", text: .init(languages: ["eng"])),
            recognizer: recognizer)
        let pages = orderedMap(Numbers(count: 12), holding: HoldingLimit(4)) { _, number in
            try await pipeline.process(
                PageInput(
                    image: Raster(width: number + 1, height: 2, format: .gray8),
                    provenance: Provenance(device: "fake:1")))
        }
        var texts: [String] = []
        for try await page in pages { texts += page.map { $0.text?.plainText ?? "" } }
        #expect(texts == (1...12).map(String.init))
        #expect((2...4).contains(recognizer.mostRunning))
    }
}

private struct Jam: Error {}

/// Counts from 0, and calls a function before each number.
private struct Numbers: AsyncSequence, Sendable {
    let count: Int
    var willGive: @Sendable (Int) throws -> Void = { _ in }

    struct AsyncIterator: AsyncIteratorProtocol {
        let numbers: Numbers
        var number = 0
        mutating func next() async throws -> Int? {
            guard number < numbers.count else { return nil }
            try numbers.willGive(number)
            defer { number += 1 }
            return number
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(numbers: self) }
}
