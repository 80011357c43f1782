import CaptureHost
import CaptureKit
import Testing

@testable import LiveCapture

@Suite struct OutageTests {
    private static let unplugged = HostError(HostError.Code(.offline), "gone")

    @Test("A problem is reported once, another cause again, and the return once")
    func once() {
        var outage = Outage()
        let untroubled = outage.ended()
        let first = [outage.began(Self.unplugged), outage.began(Self.unplugged)]
        let other = outage.began(HostError(HostError.Code(.stalled), "silent"))
        let back = [outage.ended(), outage.ended()]
        let again = outage.began(Self.unplugged)
        #expect(!untroubled && first == [true, false] && other && back == [true, false] && again)
    }

    @Test("Damaged frames are reported if only they arrived for three seconds")
    func damaged() {
        var outage = Outage()
        let early = [outage.damaged(at: 1), outage.damaged(at: 3.9)]
        let error = outage.damaged(at: 4)
        _ = outage.ended()
        let later = outage.damaged(at: 5)
        #expect(early == [nil, nil] && later == nil)
        #expect(error?.code == HostError.Code(.stalled))
        #expect(error?.message.contains("3 looked at") == true)
    }

    @Test("While a camera is gone it sends no damaged frames")
    func gone() {
        var outage = Outage()
        _ = outage.damaged(at: 1)
        _ = outage.began(Self.unplugged)
        let error = outage.damaged(at: 9)
        #expect(error == nil)
    }
}
