import CPosix
import Foundation
import Testing

@testable import SANEBackend

@Suite("Pipes of drivers") struct DriverPipeTests {
    /// fcntl(2) F_GETPIPE_SZ, a macro that Swift can't import.
    private static let askSize: Int32 = 1032

    @Test("A pipe that a driver has opened gets a larger capacity and keeps its contents")
    func widens() throws {
        var ends: [Int32] = [0, 0]
        try #require(cposix_pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let before = fcntl(ends[0], Self.askSize)
        let sent: [UInt8] = [3, 1, 4, 1, 5]
        try #require(write(ends[1], sent, sent.count) == sent.count)

        DriverPipes.widen()

        #expect(fcntl(ends[0], Self.askSize) > before)
        var got = [UInt8](repeating: 0, count: 16)
        #expect(read(ends[0], &got, got.count) == sent.count)
        #expect(Array(got.prefix(sent.count)) == sent)
    }
}
