import Testing

@testable import Processes

/// Tests how many of a process's lines are passed on.
@Suite struct ProcessLogTests {
    @Test("The rate limit accepts a number at once, and more as time passes")
    func bucket() {
        var bucket = LeakyBucket(capacity: 3, perSecond: 2)
        let start = ContinuousClock.now
        let taken = [0, 0, 0, 0, 500, 500].map { bucket.add(at: start + .milliseconds($0)) }
        #expect(taken == [true, true, true, false, true, false])
    }
}
