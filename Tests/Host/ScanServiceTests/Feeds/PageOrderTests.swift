import Testing

@testable import ScanService

@Suite struct PageOrderTests {
    private func captured(_ labels: [String?]) -> [PageOrder.Captured] {
        labels.enumerated().map { PageOrder.Captured(number: $0 + 1, label: $1) }
    }

    private func sheets(_ count: Int) -> [String?] { (0..<count).map { "sheet \($0 + 1)" } }

    private func run(_ first: Int, _ side: CaptureRun.Side = .asTheyCome) -> CaptureRun {
        CaptureRun(first: first, side: side)
    }

    @Test("The numbers of a device that continues its own count of sheets are used")
    func countingOn() {
        let captured = captured(["sheet 1", "sheet 2", "sheet 3", "sheet 4"])
        let order = PageOrder(captured, runs: [run(1), run(3)])
        #expect(order.pages.map(\.label) == ["sheet 1", "sheet 2", "sheet 3", "sheet 4"])
        #expect(order.next == NextSheet(sheet: 5))
    }

    @Test("The count of sheets continues from capture to capture")
    func continued() {
        let order = PageOrder(
            captured(sheets(3) + sheets(2) + sheets(1)), runs: [run(1), run(4), run(6)])
        #expect(order.pages.map(\.number) == [1, 2, 3, 4, 5, 6])
        #expect(order.pages.map(\.label) == sheets(6))
        #expect(order.next == NextSheet(sheet: 7))
    }

    @Test("After a sheet without its back, the capture continues with the same sheet")
    func half() {
        let first = ["sheet 1, front", "sheet 1, back", "sheet 2, front"]
        let interrupted = PageOrder(captured(first), runs: [run(1)])
        #expect(interrupted.next == NextSheet(sheet: 2, hasFront: true))
        #expect(interrupted.sheetsBefore == 1)
        let order = PageOrder(
            captured(first + ["sheet 1, front", "sheet 1, back"]), runs: [run(1), run(4)])
        #expect(order.pages.last?.label == "sheet 2, back")
        #expect(order.next == NextSheet(sheet: 3))
    }

    @Test("Labels of another form stay, and give no next sheet")
    func otherLabels() {
        let order = PageOrder(
            captured(["a.jpg", nil, "sheet x", "sheet 1, side"]), runs: [run(1), run(3)])
        #expect(order.pages.map(\.label) == ["a.jpg", nil, "sheet x", "sheet 1, side"])
        #expect(order.next == nil)
    }

    @Test("A capture that gave nothing changes nothing")
    func emptyRun() {
        let order = PageOrder(
            captured(sheets(1) + sheets(1)), runs: [run(1), run(2), run(2), run(3)])
        #expect(order.pages.map(\.label) == ["sheet 1", "sheet 2"])
    }

    @Test("The backs of the turned stack come from the last to the first")
    func collated() {
        let order = PageOrder(
            captured(sheets(3) + sheets(3)), runs: [run(1, .fronts), run(4, .backs)])
        #expect(order.pages.map(\.number) == [1, 6, 2, 5, 3, 4])
        #expect(
            order.pages.map(\.label) == [
                "sheet 1, front", "sheet 1, back", "sheet 2, front", "sheet 2, back",
                "sheet 3, front", "sheet 3, back",
            ])
        #expect(order.isEven)
    }

    @Test("Interrupted passes are continued in either pass")
    func interruptedPasses() {
        // Fronts 1, 2 | jam | 3, 4; backs of 4, 3 | jam | 2, 1.
        let runs = [run(1, .fronts), run(3, .fronts), run(5, .backs), run(7, .backs)]
        let order = PageOrder(captured([String?](repeating: nil, count: 8)), runs: runs)
        #expect(order.pages.map(\.number) == [1, 8, 2, 7, 3, 6, 4, 5])
        let inFronts = PageOrder(captured([nil, nil]), runs: [run(1, .fronts)])
        #expect(inFronts.next == NextSheet(sheet: 3))
        let inBacks = PageOrder(
            captured([nil, nil, nil]), runs: [run(1, .fronts), run(3, .backs)])
        #expect(inBacks.next == NextSheet(sheet: 1, isTurned: true))
    }

    @Test(
        "Every page is in the document once for any number of fronts and backs",
        arguments: 0..<60)
    func nothingLost(_ seed: Int) {
        var generator = SplitMix(state: UInt64(seed))
        let (fronts, backs) = (
            Int.random(in: 0...9, using: &generator), Int.random(in: 0...9, using: &generator)
        )
        let order = PageOrder(
            captured(sheets(fronts) + sheets(backs)),
            runs: [run(1, .fronts), run(fronts + 1, .backs)])
        #expect(order.pages.map(\.number).sorted() == Array(0..<fronts + backs).map { $0 + 1 })
        #expect(order.fronts == fronts && order.backs == backs)
        // The last front is followed by the first back.
        if fronts > 0 && backs > 0 {
            let last = order.pages.firstIndex { $0.number == fronts } ?? 0
            #expect(order.pages[last + 1].number == fronts + 1)
        }
    }

    @Test(
        "A label is read as it is written",
        arguments: ["sheet 1", "sheet 12, front", "sheet 3, back"])
    func label(_ text: String) {
        #expect(SheetLabel(text)?.text == text)
    }

    @Test(
        "A label that is not a sheet's is ignored",
        arguments: [
            "", "sheet", "sheet 0", "sheet -1", "sheet 1,back", "sheet 1, top", "Sheet 1",
            "sheet 99999999999999999999",
        ])
    func noLabel(_ text: String) {
        #expect(SheetLabel(text) == nil)
    }
}
