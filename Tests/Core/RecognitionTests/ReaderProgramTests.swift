import Documents
import FoundationEssentials
import Imaging
import Recognition
import Testing

@testable import Readers

@Suite("Readers that are separate programs") struct ReaderProgramTests {
    private static let page = PrintedPage(width: 700, height: 260)
        .print(["Two words"], x: 60, y: 80).print(["Below"], x: 60, y: 180).raster()

    /// The path of the package's folder.
    private static let package: String = {
        let parts = #filePath.split(separator: "/")
        return "/" + parts.dropLast(4).joined(separator: "/")
    }()

    private static func readers(_ folder: String, _ more: [String: String] = [:]) -> Readers {
        Readers(
            workers: 1, engine: .real,
            environment: ["COPYSTAND_READERS": folder, "HOME": "/nonexistent"].merging(more) {
                $1
            })
    }

    @Test("A reader of forty lines of Python returns words at their ink, in order")
    func reads() async throws {
        let readers = Self.readers(Self.package + "/Examples")
        let reader = try readers.reader("inkblots")
        let text = try await reader.recognize(Self.page, languages: ["xyz"])
        #expect(text.lines.map(\.words.count) == [2, 1])
        #expect(text.words.allSatisfy { $0.text == "ink" && $0.confidence == 1 })
        let read = try await readers.reader("tesseract").recognize(Self.page, languages: ["eng"])
        #expect(read.words.map(\.text) == ["Two", "words", "Below"])
        for (one, other) in zip(text.words, read.words) {
            #expect(abs(one.box.x - other.box.x) <= 3 && abs(one.box.y - other.box.y) <= 3)
        }
        // Tesseract reads single lines, because only it has a mode for them.
        let line = try await reader.recognize(Self.page, languages: ["eng"], layout: .line)
        #expect(!line.words.contains { $0.text == "ink" })
        await readers.shutdown()
    }

    @Test("A check of the reader reports its name, and reads every page")
    func check() async throws {
        let report = try Self.readers(Self.package + "/Examples").program("inkblots")
        let results = await ReaderCheck(report).run()
        #expect(results.count == 6)
        let bad = results.filter { !$0.isGood }
        #expect(bad == [])
        #expect(results.first?.message.contains("Ink blots") == true)
    }

    /// The behavior of a reader program at a page, and the text of the resulting error.
    struct Fault: CustomTestStringConvertible, Sendable {
        var name: String
        var body: String
        var says: [String]
        var testDescription: String { name }
    }

    @Test(
        "A reader that fails on a page costs that page its text, and the error says why",
        arguments: [
            Fault(name: "crash", body: "os.kill(os.getpid(), 11)", says: ["signal 11", "twice"]),
            Fault(
                name: "exception", body: "raise ValueError('no model')",
                says: ["exited with status 1", "no model"]),
            Fault(name: "hang", body: "time.sleep(1000)", says: ["longer than 2000 ms"]),
            Fault(
                name: "outside", body: "line([5, 5, 9000, 5, 9000, 9, 5, 9])",
                says: ["invalid answer", "outside the picture of 700 × 260"]),
            Fault(
                name: "infinite", body: "line([5, 5, 1e999, 5, 9, 9, 5, 9])",
                says: ["invalid answer"]),
            Fault(name: "no numbers", body: "line(['a'] * 8)", says: ["invalid answer"]),
            Fault(name: "too few", body: "line([1, 2, 3])", says: ["3 numbers instead of 8"]),
            Fault(
                name: "too sure", body: "line([5, 5, 9, 5, 9, 9, 5, 9], 7)",
                says: ["confidence of 7"]),
            Fault(name: "no lines", body: "send({'event': 'line'})", says: ["invalid answer"]),
            Fault(
                name: "garbage", body: "host.sendall(b'\\0\\xff' * 500 + b'\\n')",
                says: ["invalid answer"]),
        ])
    func fails(fault: Fault) async throws {
        let pool = RecognizerPool(
            workers: 1, command: .python(onRead: fault.body), pageDeadline: .seconds(2))
        let error = await #expect(throws: RecognitionError.self) {
            try await pool.recognize(Self.page, languages: ["eng"])
        }
        #expect(error?.code == .helperFailed)
        for words in fault.says {
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
        await pool.shutdown()
    }

    @Test("A reader that sends more text than any page has is ended before it fills the memory")
    func endlessText() async throws {
        let word = "{'text': 'w' * 3900, 'quad': [0] * 8, 'confidence': 1}"
        let pool = RecognizerPool(
            workers: 1,
            command: .python(
                onRead:
                    "while True: send({'event': 'line', 'reading': number, 'words': [\(word)] * 200})"
            ))
        let error = await #expect(throws: RecognitionError.self) {
            try await pool.recognize(Self.page, languages: ["eng"])
        }
        #expect(error?.message.contains("more than 33554432 bytes of text") == true)
        await pool.shutdown()
    }

    @Test("A reader's refusal is passed on in its own words, and the reader keeps running")
    func refuses() async throws {
        let pool = RecognizerPool(
            workers: 1,
            command: .python(
                onRead: "answer['error'] = {'code': 'unsupported', 'message': 'no such script'}"))
        for _ in 0..<2 {
            let error = await #expect(throws: RecognitionError.self) {
                try await pool.recognize(Self.page, languages: ["eng"])
            }
            #expect(error?.code == .engineFailed)
            #expect(error?.message == "no such script")
        }
        await pool.shutdown()
    }

    @Test("A refusal of any length costs a page a thousand letters at most")
    func longRefusal() async throws {
        let pool = RecognizerPool(
            workers: 1,
            command: .python(
                onRead: "answer['error'] = {'code': 'unsupported', 'message': 'n' * 900000}"))
        let error = await #expect(throws: RecognitionError.self) {
            try await pool.recognize(Self.page, languages: ["eng"])
        }
        #expect(error?.message == String(repeating: "n", count: 1000))
        await pool.shutdown()
    }

    @Test("A missing reader is named, with the existing ones")
    func missing() throws {
        let readers = Self.readers(Self.package + "/Examples")
        #expect(throws: RecognitionError.self) { try readers.reader("padle") }
        do { _ = try readers.reader("inkblot") } catch {
            #expect(error.code == .readerMissing)
            #expect(error.message.contains("Did you mean 'inkblots'?"))
        }
    }

    @Test("Without paddle the usual reader is Tesseract, and the environment can name another")
    func usual() {
        let examples = Self.package + "/Examples"
        #expect(Self.readers(examples).defaultName() == "tesseract")
        #expect(
            Self.readers(examples, ["COPYSTAND_READER": "inkblots"]).defaultName() == "inkblots")
    }
}

extension HelperCommand {
    /// A reader in Python that runs `body` for a page.
    static func python(onRead body: String) -> HelperCommand {
        var command = program(
            """
            #!/usr/bin/python3
            import json, os, socket, time
            host = socket.socket(fileno=3)
            def send(message): host.sendall(json.dumps(message).encode() + b"\\n")
            def line(quad, sure=1):
                send({"event": "line", "reading": number, "words": [{"text": "x", "quad": quad, "confidence": sure}]})
            rest = b""
            while True:
                while b"\\n" not in rest:
                    data, files, _, _ = socket.recv_fds(host, 65536, 4)
                    for file in files: os.close(file)
                    if not data: raise SystemExit
                    rest += data
                text, rest = rest.split(b"\\n", 1)
                request = json.loads(text)
                number = request["request"]
                answer = {"answer": number, "protocol": 1, "name": "Test"}
                if request["verb"] == "read":
                    \(body)
                send(answer)
            """)
        command.usesTessdata = false
        return command
    }
}
