import FoundationEssentials
import Testing

@testable import ScanService

@Suite struct JobIDTests {
    @Test("Jobs are named by the time they began, and sort by that time")
    func names() {
        let early = JobID.make(at: Date(timeIntervalSince1970: 1_700_000_000))
        let late = JobID.make(at: Date(timeIntervalSince1970: 1_800_000_000))
        #expect(early.hasPrefix("20231114-221320-"))
        #expect(early < late)
        #expect(JobID.isValid(early) && JobID.isValid(late))
    }

    @Test(
        "A name that could lead out of the spool is not a job's",
        arguments: [
            "", ".", "..", "../other", "a/b", "a\0b", "Ä", String(repeating: "a", count: 65),
        ])
    func hostileNames(_ name: String) {
        #expect(!JobID.isValid(name))
    }

    @Test("Two jobs of one second have different names")
    func different() {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(Set((0..<50).map { _ in JobID.make(at: now) }).count > 45)
    }
}
