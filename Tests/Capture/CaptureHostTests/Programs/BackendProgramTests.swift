import CaptureKit
import ContractSupport
import Glibc
import Processes
import Testing

@testable import CaptureHost

/// Tests how a real backend program's main ends.
@Suite struct BackendProgramTests {
    private let program = (runningExecutable().map(parentFolder) ?? ".") + "/copystand-backend-fake"

    @Test(
        "A manually started backend explains itself and exits with status 2",
        arguments: ["3<&-", "3</dev/null"])
    func byHand(_ redirection: String) throws {
        let pipe = try #require(popen("'\(program)' \(redirection) 2>&1", "r"))
        var buffer = [CChar](repeating: 0, count: 1000)
        let count = fread(&buffer, 1, buffer.count, pipe)
        let status = pclose(pipe)
        let text = String(
            decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        #expect(text.contains("Fake 1.0: a Copystand backend"))
        #expect(status >> 8 == 2)
    }

    private func end(after bytes: String) throws -> ProcessEnd? {
        let (ours, theirs) = try OwnedDescriptor.socketPair()
        let process = try ChildProcess(program: program, socket: theirs) { _ in }
        _ = send(ours.raw, bytes, bytes.utf8.count, Int32(MSG_NOSIGNAL))
        shutdown(ours.raw, Int32(SHUT_WR))
        return process.waitForEnd(.seconds(60))
    }

    @Test("When the host is gone, a backend exits with status 0")
    func hostGone() throws {
        #expect(try end(after: "") == .status(0))
        #expect(
            try end(after: "{\"request\":1,\"verb\":\"hello\",\"protocol\":1,\"host\":\"h\"}\n")
                == .status(0))
    }

    @Test("A backend exits with status 1 when the host breaks the protocol")
    func nonsense() throws {
        #expect(try end(after: "nonsense\n") == .status(1))
    }

    @Test("A backend answers an unknown verb as unsupported")
    func unknownVerb() throws {
        let (ours, theirs) = try OwnedDescriptor.socketPair()
        let process = try ChildProcess(program: program, socket: theirs) { _ in }
        let text =
            "{\"request\":1,\"verb\":\"dance\"}\n{\"request\":2,\"verb\":\"options\",\"handle\":9}\n"
        _ = send(ours.raw, text, text.utf8.count, Int32(MSG_NOSIGNAL))
        let reader = WireReader(socket: ours, acceptsDescriptors: false)
        let answers = [try reader.next(), try reader.next()]
        #expect(answers.map { $0?.header.answer } == [1, 2])
        #expect(answers.map { $0?.header.error?.code } == [.unsupported, .noSuchDevice])
        process.stop(patience: .zero)
    }
}
