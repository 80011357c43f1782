import FoundationEssentials
import Glibc
import Testing

@testable import CaptureKit

@Suite struct WireTests {
    /// A reader of `bytes`, which arrive in pieces of `piece` bytes; then the connection ends.
    private func reader(_ bytes: [UInt8], piece: Int = .max) throws -> WireReader {
        let (ours, theirs) = try OwnedDescriptor.socketPair()
        startThread("test-writer") {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.prefix(piece).withUnsafeBytes {
                    send(theirs.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count <= 0 { break }
                rest = rest.dropFirst(count)
            }
            shutdown(theirs.raw, Int32(SHUT_WR))
        }
        return WireReader(socket: ours, acceptsDescriptors: true)
    }

    private func error(_ body: () throws -> Void) -> WireError.Code? {
        do { try body() } catch { return (error as? WireError)?.code }
        return nil
    }

    @Test(
        "Messages and their bytes are separated, in whatever pieces they arrive",
        arguments: [1, 2, 7, 100_000])
    func framing(_ piece: Int) throws {
        let text =
            #"{"event":"log","message":"a"}"# + "\n" + #"{"event":"pixels","bytes":5}"#
            + "\n\n{\"}\n"
            + #"{"answer":3,"bytes":4}"# + "\nskip" + #"{"request":4,"verb":"hello"}"# + "\n"
        let reader = try reader(Array(text.utf8), piece: piece)
        #expect(try reader.next()?.header.event == "log")
        #expect(try reader.next()?.header.bytes == 5)
        var bytes: [UInt8] = []
        try reader.readBytes { bytes += $0 }
        #expect(bytes == Array("\n{\"}\n".utf8))
        #expect(try reader.next()?.header.answer == 3)
        // The four unread bytes are skipped.
        #expect(try reader.next()?.header.verb == "hello")
        #expect(try reader.next() == nil)
    }

    @Test(
        "Bytes that are no message give a typed error",
        arguments: [
            ("\n", WireError.Code.malformed), ("nonsense\n", .malformed), ("[1]\n", .malformed),
            ("{}\n", .malformed), ("{\"event\":7}\n", .malformed),
            ("{\"answer\":1.5}\n", .malformed),
            ("{\"event\":\"x\",\"answer\":1}\n", .malformed), ("\u{0}\n", .malformed),
            ("{\"answer\":1,\"error\":{}}\n", .malformed),
            ("{\"answer\":1,\"error\":\"bad\"}\n", .malformed),
            ("{\"answer\":99999999999999999999}\n", .malformed),
            ("{\"event\":\"x\",\"bytes\":-1}\n", .badLength),
            ("{\"event\":\"x\",\"bytes\":1073741825}\n", .badLength),
            ("{\"event\":\"x\",\"bytes\":9}\nshort", .cutOff), ("{\"event\"", .cutOff),
            ("{\"event\":\"x\",\"fd\":true}\n", .descriptorMissing),
        ])
    func malformed(_ text: String, _ code: WireError.Code) throws {
        let reader = try reader(Array(text.utf8))
        #expect(
            error {
                while try reader.next() != nil {}
            } == code)
    }

    @Test("Deep nesting and a line without an end give typed errors")
    func tooMuch() throws {
        let deep = try reader(Array((String(repeating: "[", count: 100_000) + "\n").utf8))
        #expect(error { _ = try deep.next() } == .malformed)
        let long = try reader([UInt8](repeating: 120, count: WireLimits.line + 1))
        #expect(error { _ = try long.next() } == .lineTooLong)
    }

    @Test("A line as long as the limit is read")
    func longestLine() throws {
        let frame = #"{"event":"log","message":""}"#
        let text = String(repeating: "m", count: WireLimits.line - frame.utf8.count)
        let line = #"{"event":"log","message":"\#(text)"}"#
        let reader = try reader(Array((line + "\n").utf8))
        #expect(try reader.next()?.decode(Wire.Log.self).message == text)
    }

    @Test("A descriptor arrives with its message, and an unannounced one is closed")
    func descriptors() async throws {
        let (ours, theirs) = try OwnedDescriptor.socketPair()
        let writer = WireWriter(socket: theirs)
        let file = OwnedDescriptor(try #require(temporaryFile("hello")))
        try writer.send(WireHeader(event: .log), Wire.Log(level: nil, message: "before"))
        try writer.send(
            WireHeader(event: .buffer, fd: true),
            Wire.Buffer(capture: 1, frame: 1, way: .fd, size: 5), descriptor: file)
        try writer.send(WireHeader(event: .log), Wire.Log(level: nil, message: "after"))
        await writer.drain()
        shutdown(theirs.raw, Int32(SHUT_WR))
        let reader = WireReader(socket: ours, acceptsDescriptors: true)
        #expect(try reader.next()?.descriptor == nil)
        let descriptor = try #require(try reader.next()?.descriptor)
        var buffer = [UInt8](repeating: 0, count: 5)
        #expect(pread(descriptor.raw, &buffer, 5, 0) == 5)
        #expect(buffer == Array("hello".utf8))
        #expect(fcntl(descriptor.raw, F_GETFD) & FD_CLOEXEC != 0)
        #expect(try reader.next()?.descriptor == nil)
        #expect(try reader.next() == nil)
    }

    private func temporaryFile(_ text: String) -> Int32? {
        var template = Array("/tmp/copystand-wire-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { return nil }
        unlink(template)
        return write(file, text, text.utf8.count) == text.utf8.count ? file : nil
    }

    @Test("Damaged messages give an error or a message, never a crash", arguments: 0..<8)
    func fuzz(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let good = [
            #"{"request":1,"verb":"hello","protocol":1,"host":"copystand"}"#,
            #"{"answer":4,"options":[{"name":"r","type":{"kind":"integer","minimum":1,"maximum":9,"step":2},"value":3}]}"#,
            #"{"answer":2,"devices":[{"id":"a","name":"b","kind":"scanner","maximumArea":{"width":1e2,"height":-3}}]}"#,
            #"{"event":"frame","capture":6,"frame":1,"format":"rgb8","width":10,"height":20,"stride":30,"resolution":{"x":300,"y":300}}"#,
            #"{"event":"skipped","capture":6,"frame":2,"error":{"code":"damagedData","message":"\u00e9"}}"#,
        ].map { Array($0.utf8) }
        for _ in 0..<400 {
            var line = good.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let at = Int.random(in: 0..<line.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: line[at] = UInt8.random(in: 0...255, using: &random)
                case 1: line.remove(at: at)
                case 2: line.insert(contentsOf: line.suffix(from: at), at: at)
                default: line.insert(contentsOf: Array("99999999999".utf8), at: at)
                }
                if line.isEmpty { line = [0] }
            }
            do throws(WireError) {
                let message = try WireLine(Data(line))
                _ = try? message.decode(Wire.Frame.self)
                _ = try? message.decode(Wire.Options.self)
                _ = try? message.decode(Wire.Devices.self)
                _ = try? message.decode(Wire.Hello.self)
                _ = try? message.decode(Wire.Skipped.self)
                #expect((0...WireLimits.bytes).contains(message.header.bytes ?? 0))
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
    }

    @Test("Writing to a closed connection fails once and harms nothing")
    func goneReader() async throws {
        let (ours, theirs) = try OwnedDescriptor.socketPair()
        shutdown(ours.raw, Int32(SHUT_RDWR))
        let writer = WireWriter(socket: theirs)
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 10, alignment: 1)
        defer { bytes.deallocate() }
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        for _ in 0..<2 {
            await #expect(throws: WireError.self) {
                try await writer.send(
                    WireHeader(event: .pixels, bytes: 10),
                    Wire.FrameReference(capture: 1, frame: 1), bytes: UnsafeRawBufferPointer(bytes))
            }
        }
    }
}
