import ExpectedFailures
import Testing

@Suite struct ExpectedFailuresTests {
    private struct Failure: Error {}

    private func fail<Value>() throws -> Value { throw Failure() }

    @Test("An expected failure gives nil, and a success its value")
    func values() async {
        #expect(asHint { 1 } == 1 && asHint { try fail() as Int } == nil)
        #expect(ofKnownForm { 1 } == 1 && ofKnownForm { try fail() as Int } == nil)
        #expect(ifSupported { 1 } == 1 && ifSupported { try fail() as Int } == nil)
        #expect(reportedLater { 1 } == 1 && reportedLater { try fail() as Int } == nil)
        #expect(await repeatedSoon { 1 } == 1)
        #expect(await repeatedSoon { try fail() as Int } == nil)
        #expect(await ifStillThere { 1 } == 1)
        #expect(await ifStillThere { try fail() as Int } == nil)
    }

    @Test("An optional value stays a simple one")
    func optionals() {
        let none: Int? = asHint { nil as Int? }
        #expect(none == nil)
        let one: Int? = reportedLater { 1 as Int? }
        #expect(one == 1)
    }

    @Test("A failed cleaning up ends with what was done before")
    func cleaning() {
        var steps = 0
        cleaningUp {
            steps += 1
            try fail() as Void
            steps += 1
        }
        #expect(steps == 1)
    }

    @Test("A result is readable if it is a success")
    func results() {
        #expect(Result<Int, Failure>.success(3).readable == 3)
        #expect(Result<Int, Failure>.failure(Failure()).readable == nil)
    }
}
