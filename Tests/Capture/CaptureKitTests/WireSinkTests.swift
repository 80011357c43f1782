import FoundationEssentials
import Glibc
import Testing

@testable import CaptureKit

@Suite struct WireSinkTests {
    @Test("Messages are flushed before the next is read, since reading may end the process")
    func reading() async throws {
        let (ours, theirs) = try OwnedDescriptor.socketPair()
        let sink = WireSink(
            capture: 1, request: CaptureRequest(), writer: WireWriter(socket: theirs))
        var room = [UInt8](repeating: 0, count: 4096)
        for page in 1...2000 {
            let place = ReadingPlace(label: "page \(page)", next: "\(page)", rest: "end")
            try await sink.reading(place)
            let count = recv(ours.raw, &room, room.count, Int32(MSG_DONTWAIT))
            try #require(count > 0, "page \(page)")
            let line = String(decoding: room.prefix(count), as: UTF8.self)
            #expect(line.contains(#""label":"page \#(page)""#))
        }
    }
}
