import Delivery
import FoundationEssentials
import Testing

@testable import ScanService

/// Tests numbers in a job's record that no job writes.
@Suite struct JobNumbersTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    @Test(
        "A record with an impossible number is refused by its name, and its job is listed anyway",
        arguments: [Int.min, -1, 1_000_001, Int.max])
    func impossible(_ number: Int) throws {
        let changes: [(name: String, change: (inout JobRecord) -> Void)] = [
            ("deliveredPages", { $0.deliveredPages = number }),
            ("rereadFrom", { $0.rereadFrom = number }),
            ("blankPages", { $0.blankPages = number }),
            ("asidePages", { $0.asidePages = number }),
            (
                "places.pages",
                {
                    $0.places = [
                        DeliveredPlace(
                            sink: "/a.pdf", job: "a", pages: number,
                            location: .files([], showsPages: true))
                    ]
                }
            ),
            ("runs.first", { $0.runs = [CaptureRun(first: number, side: .fronts)] }),
            (
                "interruption.next.sheet",
                {
                    $0.interruption = Interruption(
                        code: "jammed", reason: "a jam", next: NextSheet(sheet: number))
                }
            ),
        ]
        for (index, (name, change)) in changes.enumerated() {
            let folder = bench.store.root + "/20261125-17170\(index)-xfwf"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            var record = JobRecord(bench.order("out.tiff"), [], isRereadable: false, at: Date())
            try record.write(to: folder)
            #expect(throws: Never.self) { try JobRecord.read(from: folder) }
            change(&record)
            try record.write(to: folder)
            let error = #expect(throws: JobError.self) { try JobRecord.read(from: folder) }
            let message = error?.message ?? ""
            #expect(message.contains("\(name) is \(number)"), "\(message)")
        }
        #expect(bench.store.jobs().count == changes.count)
        #expect(bench.store.jobs().allSatisfy { $0.undeliveredPages == 0 })
    }
}
