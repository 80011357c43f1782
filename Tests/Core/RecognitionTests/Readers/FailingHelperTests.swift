import Documents
import Imaging
import Recognition
import Testing

@testable import Readers

@Suite struct FailingHelperTests {
    private static let page = PrintedPage(width: 900, height: 240)
        .print(["Every helper fails once"], x: 100, y: 100).raster()
    private static let words = ["Every", "helper", "fails", "once"]

    /// A helper that always fails, and the text of the resulting error.
    struct Fault: CustomTestStringConvertible, Sendable {
        var name: String
        var script: String
        var says: [String]
        var testDescription: String { name }
    }

    @Test(
        "A helper that fails twice costs the page its text, and the error says how it ended",
        arguments: [
            Fault(name: "crash", script: "kill -SEGV $$", says: ["signal 11", "twice"]),
            Fault(
                name: "killed in mid-page", script: "head -c 30 <&3 >/dev/null; kill -KILL $$",
                says: ["signal 9", "twice"]),
            Fault(
                name: "exit", script: "echo out of luck >&2; exit 3",
                says: ["exited with status 3", "\"out of luck\"", "twice"]),
            Fault(
                name: "talkative",
                script: "head -c 300000 /dev/zero >&2; echo >&2; echo the end >&2; exit 4",
                says: ["exited with status 4", "\"the end\""]),
            Fault(name: "silent exit", script: "exit 0", says: ["exited with status 0"]),
            Fault(
                name: "garbage", script: "echo this is no answer at all >&3; exec sleep 1000",
                says: ["invalid answer"]),
            Fault(
                name: "half an answer", script: #"printf '{"answer":1' >&3"#,
                says: ["exited with status 0"]),
            Fault(
                name: "too long an answer",
                script: "tr '\\0' x </dev/zero | head -c 1100000 >&3; exec sleep 1000",
                says: ["invalid answer", "longer than 1048576 bytes"]),
            Fault(
                name: "another protocol",
                script: #"echo '{"answer":1,"protocol":2,"name":"later"}' >&3; exec sleep 1000"#,
                says: ["invalid answer", "protocol 2"]),
            Fault(
                name: "another request's answer",
                script: #"echo '{"answer":7,"protocol":1,"name":"x"}' >&3; exec sleep 1000"#,
                says: ["invalid answer", "request 7"]),
            Fault(
                name: "closed connection", script: "exec 3>&-; exec sleep 1000",
                says: ["closed its connection"]),
        ])
    func failsTwice(fault: Fault) async throws {
        let pool = RecognizerPool(workers: 1, command: .script(fault.script))
        let error = await #expect(throws: RecognitionError.self) {
            try await pool.recognize(Self.page, languages: ["eng"])
        }
        #expect(error?.code == .helperFailed)
        for words in fault.says {
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
        #expect(error?.message.contains("read it again") == true)
        await pool.shutdown()
    }

    @Test("A helper that sends more text than any page has is ended before it fills the memory")
    func endlessText() async throws {
        let command = HelperCommand.program(
            """
            #!/usr/bin/python3
            import json, socket
            host = socket.socket(fileno=3)
            host.recv(65536)
            host.sendall(b'{"answer":1,"protocol":1,"name":"x"}\\n')
            host.recv(65536)
            word = {"text": "w" * 3900, "quad": [0] * 8, "confidence": 1}
            line = {"event": "line", "reading": 2, "words": [word] * 200}
            line = json.dumps(line).encode() + b"\\n"
            while True: host.sendall(line)
            """)
        let pool = RecognizerPool(workers: 1, command: command)
        let error = await #expect(throws: RecognitionError.self) {
            try await pool.recognize(Self.page, languages: ["eng"])
        }
        #expect(error?.message.contains("more than 33554432 bytes of text") == true)
        await pool.shutdown()
    }

    @Test("A missing program is reported by name, with advice")
    func programMissing() async throws {
        let pool = RecognizerPool(
            workers: 1, command: HelperCommand(program: "/nowhere/helper"))
        let error = await #expect(throws: RecognitionError.self) {
            try await pool.recognize(Self.page, languages: ["eng"])
        }
        #expect(error?.code == .helperFailed)
        #expect(error?.message.contains("No such file") == true)
        #expect(error?.message.contains("/nowhere/helper can be run") == true)
    }

    @Test("A helper that hangs is killed at the deadline of its clock")
    func hangs() async throws {
        let folder = ScratchFolder()
        let pool = RecognizerPool(
            workers: 1, command: .script("echo $$ >> \(folder.path)/started; exec sleep 1000"),
            pageDeadline: .milliseconds(150))
        let error = await #expect(throws: RecognitionError.self) {
            try await pool.recognize(Self.page, languages: ["eng"])
        }
        #expect(error?.message.contains("longer than 150 ms, twice") == true)
        await pool.shutdown()
        for process in folder.lines(of: "started") { #expect(!isRunning(process)) }
    }

    @Test(
        "A helper that fails once causes one retry",
        arguments: [
            "kill -KILL $$", "exit 1", "head -c 30 <&3 >/dev/null; kill -KILL $$",
            "echo this is no answer at all >&3; exec sleep 1000",
        ])
    func failsOnce(fault: String) async throws {
        let folder = ScratchFolder()
        let pool = RecognizerPool(
            workers: 1,
            command: .script(
                """
                echo $$ >> \(folder.path)/started
                if [ "$(wc -l < \(folder.path)/started)" -gt 1 ]; then exec "$HELPER"; fi
                \(fault)
                """))
        let text = try await pool.recognize(Self.page, languages: ["eng"])
        #expect(text.words.map(\.text) == Self.words)
        let again = try await pool.recognize(Self.page, languages: ["eng"])
        #expect(again == text)
        #expect(folder.lines(of: "started").count == 2)
        await pool.shutdown()
    }

    @Test("After two failures the next page gets a fresh helper")
    func recovers() async throws {
        let folder = ScratchFolder()
        let pool = RecognizerPool(
            workers: 1,
            command: .script(
                """
                echo $$ >> \(folder.path)/started
                if [ "$(wc -l < \(folder.path)/started)" -gt 2 ]; then exec "$HELPER"; fi
                exit 1
                """))
        await #expect(throws: RecognitionError.self) {
            try await pool.recognize(Self.page, languages: ["eng"])
        }
        let text = try await pool.recognize(Self.page, languages: ["eng"])
        #expect(text.words.map(\.text) == Self.words)
        await pool.shutdown()
    }

    @Test("A page on which the engine gives up is not tried again, and its helper continues")
    func engineGivesUp() async throws {
        let folder = ScratchFolder()
        let pool = RecognizerPool(
            workers: 1,
            command: .script("echo $$ >> \(folder.path)/started; exec \"$HELPER\""),
            engineDeadline: .zero)
        for _ in 0..<2 {
            let error = await #expect(throws: RecognitionError.self) {
                try await pool.recognize(Self.page, languages: ["eng"])
            }
            #expect(error?.code == .engineFailed)
            #expect(error?.message.contains("within") == true)
        }
        #expect(folder.lines(of: "started").count == 1)
        await pool.shutdown()
    }
}
