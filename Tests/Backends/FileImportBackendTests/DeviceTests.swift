import CaptureKit
import FileImportBackend
import FoundationEssentials
import Testing

@Suite struct DeviceTests {
    private let backend = FileImportBackend()

    private func openFailure(_ path: String) async throws -> CaptureError {
        do {
            _ = try await backend.open(path)
            throw Unexpected("opened \(path)")
        } catch let error as CaptureError {
            return error
        }
    }

    @Test("No devices are listed; an open file describes itself")
    func descriptor() async throws {
        let scratch = try Scratch()
        let path = try scratch.file("a.pgm", Array("P5 1 1 255\nx".utf8))
        #expect(try await backend.devices(DeviceQuery()).isEmpty)
        let descriptor = try #require(try await backend.open(path).descriptor)
        #expect(descriptor.kind == .files)
        #expect(descriptor.id == path)
        #expect(descriptor.name == "a.pgm")
        #expect(descriptor.sources == ["file"])
    }

    @Test("A missing path, a relative one and one with a zero byte are not devices")
    func missing() async throws {
        let scratch = try Scratch()
        for path in [scratch.path + "/none.pdf", "scan.pdf", "", "/a\0b", scratch.path + "/a/b"] {
            let error = try await openFailure(path)
            #expect(error.code == .noSuchDevice, "\(path)")
            #expect(error.advice != nil)
        }
    }

    @Test("A pipe is refused, not waited for")
    func pipe() async throws {
        #expect(try await openFailure("/dev/null").code == .unsupported)
    }

    @Test("Files have no live picture")
    func live() async throws {
        let scratch = try Scratch()
        let path = try scratch.file("a.pgm", Array("P5 1 1 255\nx".utf8))
        let device = try await backend.open(path)
        await #expect(throws: CaptureError.self) {
            try await device.capture(CaptureRequest(mode: .live), into: RecordingSink())
        }
    }

    @Test("Options have a title, help and their value; a password is never shown")
    func options() async throws {
        let scratch = try Scratch()
        let device = try await backend.open(scratch.path)
        let outcome = try await device.set("resolution", to: .integer(150))
        #expect(outcome.value == .integer(150))
        #expect(try await device.set("password", to: .text("secret")).value == nil)
        _ = try await device.set("pages", to: .text("1-3,7"))
        let options = try await device.options()
        #expect(
            options.map(\.name) == [
                "resolution", "pages", "password", "assumed-resolution", "recursive", "strict",
                "rate",
            ])
        #expect(options.allSatisfy { !$0.title.isEmpty && $0.help.count > 20 && $0.group != nil })
        #expect(options.first?.value == .integer(150))
        #expect(options.first?.defaultValue == .integer(300))
        #expect(options[1].value == .text("1-3,7"))
        #expect(options[2].value == nil)
    }

    @Test(
        "The error for a value that an option does not accept lists the possible ones",
        arguments: [
            ("resolution", .integer(71)), ("resolution", .number(300.5)),
            ("resolution", .text("300")),
            ("pages", .text("x")), ("recursive", .integer(1)), ("assumed-resolution", .integer(-1)),
            ("password", .text(String(repeating: "x", count: 128))),
        ] as [(String, OptionValue)])
    func refusedValues(name: String, value: OptionValue) async throws {
        let scratch = try Scratch()
        let device = try await backend.open(scratch.path)
        let error = try #require(
            await #expect(throws: CaptureError.self) { _ = try await device.set(name, to: value) })
        #expect(error.code == .invalidValue)
        #expect(error.message.contains(name))
        #expect(error.advice != nil)
        #expect(!error.message.contains("xxxx"))
    }

    @Test("The error for an unknown option lists the options")
    func unknownOption() async throws {
        let scratch = try Scratch()
        let device = try await backend.open(scratch.path)
        let error = try #require(
            await #expect(throws: CaptureError.self) {
                _ = try await device.set("brightness", to: .integer(1))
            })
        #expect(error.code == .noSuchOption)
        #expect(error.advice?.contains("resolution") == true)
    }

    @Test("A canceled capture stops between pages and throws CancellationError")
    func cancellation() async throws {
        let scratch = try Scratch()
        let fixture = TIFFFixture((1...50).map { .init(width: 1, height: 1, pixels: [UInt8($0)]) })
        let path = try scratch.file("a.tif", fixture.bytes)
        let sink = RecordingSink(onPage: { count in
            if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
        })
        let task = Task { try await record(path, sink: sink) }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(sink.recording.pages.count == 3)
        #expect(sink.recording.skips.isEmpty)
    }

    @Test("A page beyond the host's limits is reported, and the others are delivered")
    func hostLimit() async throws {
        let scratch = try Scratch()
        let fixture = TIFFFixture([
            .init(width: 1, height: 1, pixels: [1]), .init(width: 2, height: 1, pixels: [2, 2]),
            .init(width: 1, height: 1, pixels: [3]),
        ])
        let path = try scratch.file("a.tif", fixture.bytes)
        let sink = RecordingSink(refusing: {
            $0.width > 1 ? CaptureError(.tooLarge, "the frame is too large") : nil
        })
        let recording = try await record(path, sink: sink)
        #expect(recording.pages.map(\.bytes) == [[1], [3]])
        #expect(recording.skips.map(\.code) == [.tooLarge])
    }

    @Test("Another failure of the sink ends the capture")
    func sinkFailure() async throws {
        let scratch = try Scratch()
        let path = try scratch.file("a.pgm", Array("P5 1 1 255\nx".utf8))
        let sink = RecordingSink(refusing: { _ in CaptureError(.inputOutput, "no space left") })
        let error = try #require(
            await #expect(throws: CaptureError.self) { _ = try await record(path, sink: sink) })
        #expect(error.code == .inputOutput)
        #expect(sink.recording.skips.isEmpty)
    }
}
