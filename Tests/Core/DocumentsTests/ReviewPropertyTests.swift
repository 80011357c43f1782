import Documents
import FoundationEssentials
import Testing

@Suite struct ReviewPropertyTests {
    /// A history after many random changes, in which refused changes left no trace.
    private static func history(seed: UInt64, changes: Int = 60) -> ReviewHistory {
        var random = RandomActions(seed: seed)
        var history = ReviewHistory(original: random.document())
        for _ in 0..<changes {
            let before = history
            let actions = (0..<Int.random(in: 1...3, using: &random.random)).map { _ in
                random.action(on: history.current)
            }
            do { try history.perform(actions) } catch {
                #expect(history == before, "a refused change altered the history")
            }
        }
        return history
    }

    @Test(
        "A document stays consistent under any sequence of actions",
        arguments: 0..<60 as Range<UInt64>)
    func invariants(seed: UInt64) throws {
        var random = RandomActions(seed: seed)
        var review = random.document()
        var applied = 0
        for _ in 0..<150 {
            let action = random.action(on: review)
            if let next = try? review.applying(action) {
                review = next
                applied += 1
            }
            let broken = brokenInvariants(of: review)
            #expect(broken.isEmpty, "\(action): \(broken)")
        }
        #expect(applied > 40, "hardly anything was applied")
    }

    @Test(
        "Undoing everything gives the original, and redoing everything the last state",
        arguments: 0..<40 as Range<UInt64>)
    func thereAndBack(seed: UInt64) throws {
        var history = Self.history(seed: seed)
        let last = history.current
        let count = history.done
        #expect(count > 5)
        var states = [last]
        while history.done > 0 {
            try history.undo()
            states.append(history.current)
        }
        #expect(history.current == history.original)
        #expect(throws: ReviewError.self) { try history.undo() }
        for state in states.dropLast().reversed() {
            try history.redo()
            #expect(history.current == state)
        }
        #expect(history.current == last && history.done == count)
        #expect(throws: ReviewError.self) { try history.redo() }
    }

    @Test(
        "A stored history continues like the original one",
        arguments: 0..<20 as Range<UInt64>)
    func stored(seed: UInt64) throws {
        var history = Self.history(seed: seed)
        for _ in 0..<3 { try history.undo() }
        let bytes = try JSONEncoder().encode(history.changes)
        let original = try JSONEncoder().encode(history.original)
        let read = try ReviewHistory(
            original: JSONDecoder().decode(Review.self, from: original),
            changes: JSONDecoder().decode([[ReviewAction]].self, from: bytes), done: history.done)
        #expect(read == history)
    }

    @Test("A new change replaces the undone ones")
    func branch() throws {
        var history = ReviewHistory(
            original: Review(
                title: "A", pages: [ReviewedPage(id: PageID(rawValue: 1), width: 10, height: 10)]))
        try history.perform([.setTitle("B")])
        try history.perform([.setTitle("C")])
        try history.undo()
        try history.perform([.setTitle("D")])
        #expect(history.changes == [[.setTitle("B")], [.setTitle("D")]])
        #expect(throws: ReviewError.self) { try history.redo() }
        try history.undo()
        #expect(history.current.title == "B")
    }

    @Test("A history whose changes don't fit its original is refused")
    func untrue() {
        let page = ReviewedPage(id: PageID(rawValue: 1), width: 10, height: 10)
        let original = Review(title: "A", pages: [page])
        #expect(throws: ReviewError.self) {
            try ReviewHistory(original: original, changes: [], done: 1)
        }
        #expect(throws: ReviewError.self) {
            try ReviewHistory(original: original, changes: [[.removeTag("x")]], done: 1)
        }
    }
}
