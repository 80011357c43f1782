import CaptureKit
import ContractSupport
import FoundationEssentials
import Glibc
import Processes
import Testing

@testable import CaptureHost

/// Tests the host with messages that are almost correct: the capture ends, and the host continues.
@Suite struct LinkFuzzTests {
    @Test("A capture ends whatever the backend sends", arguments: 0..<12)
    func capture(_ seed: UInt64) async throws {
        for round in 0..<20 {
            let folder = try TemporaryFolder()
            let (ours, theirs) = try OwnedDescriptor.socketPair()
            startThread("fuzz-peer") { play(theirs, seed: seed &* 1000 &+ UInt64(round)) }
            let link = BackendLink(
                backend: "fuzz", socket: ours, process: nil,
                log: ProcessLog { _, _ in }, deadlines: Deadlines(),
                onChange: { _ in })
            try await link.greet()
            let device = OpenDevice(
                ListedDevice(backend: "fuzz", descriptor: .fake("x")), link: link, handle: 1,
                limits: FrameLimits())
            var pages: [CapturedPage] = []
            do {
                for try await event in device.capture(
                    CaptureRequest(), spool: SpoolFolder(path: folder.path))
                {
                    if case .page(let page) = event { pages.append(page) }
                }
            } catch {
                #expect(error is HostError)
            }
            for page in pages {
                let mapped = try page.mapPixels()
                #expect(mapped.bytes.last != nil)
                mapped.release()
            }
            #expect(!folder.names().contains { $0.hasSuffix(".part") })
            await link.stop()
        }
    }
}

/// Answers hello, then sends the messages of a capture with some bytes, numbers, or messages
/// changed, and hangs up.
private func play(_ socket: OwnedDescriptor, seed: UInt64) {
    var random = Generator(state: seed)
    let reader = WireReader(socket: socket, acceptsDescriptors: true)
    func send(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes {
            Glibc.send(socket.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }
    guard (try? reader.next()) != nil else { return }
    send(Array(#"{"answer":1,"protocol":1,"name":"f","version":"0"}"#.utf8) + [10])
    guard let capture = try? reader.next()?.header.request else { return }
    for frame in 1...3 {
        var messages = [
            #"{"event":"frame","capture":\#(capture),"frame":\#(frame),"format":"gray8","width":40,"height":30}"#,
            #"{"event":"pixels","capture":\#(capture),"frame":\#(frame),"bytes":600}"#,
            #"{"event":"pixels","capture":\#(capture),"frame":\#(frame),"bytes":600}"#,
            #"{"event":"done","capture":\#(capture),"frame":\#(frame),"rows":30}"#,
        ].map { Array($0.utf8) + [10] }
        for index in [1, 2] { messages[index] += [UInt8](repeating: 7, count: 600) }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: messages.swapAt(0, Int.random(in: 1...3, using: &random))
        case 1: messages.remove(at: Int.random(in: 0...3, using: &random))
        case 2, 3:
            let index = Int.random(in: 0...3, using: &random)
            let digits = messages[index].indices.filter { (48...57).contains(messages[index][$0]) }
            if let at = digits.randomElement(using: &random) {
                messages[index][at] = UInt8.random(in: 48...57, using: &random)
            }
        case 4:
            let index = Int.random(in: 0...3, using: &random)
            let at = Int.random(in: 0..<messages[index].count, using: &random)
            messages[index][at] = UInt8.random(in: 0...255, using: &random)
        default: break
        }
        for (index, message) in messages.enumerated() {
            send(message)
            // The host answers a frame; if the frame is invalid, it closes the connection.
            if index == 0 && message.starts(with: Array(#"{"event":"frame""#.utf8)) {
                var waiting = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
                guard poll(&waiting, 1, 2000) > 0, (try? reader.next()) != nil else { return }
            }
        }
    }
    if Bool.random(using: &random) { send(Array("{\"answer\":\(capture)}\n".utf8)) }
    shutdown(socket.raw, Int32(SHUT_WR))
}

/// Random numbers that are the same in every run (SplitMix64).
private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
