import FoundationEssentials
import Glibc
import Testing

/// Tests lists of devices on a terminal and with --follow.
@Suite struct ProgramFollowTests {
    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    private struct Line: Decodable {
        struct Device: Decodable { var id: String }
        var event: String
        var device: Device?
    }

    @Test("Followed devices are printed as JSON lines until Ctrl-C, which is no error")
    func follow() throws {
        let fifo = home.path + "/lines"
        guard mkfifo(fifo, 0o600) == 0 else { throw BuiltProgram.Failure(message: "no fifo") }
        // The pipe is opened for both directions, so that neither side waits for the other to open
        // it.
        let pipe = open(fifo, O_RDWR | O_CLOEXEC)
        defer { close(pipe) }
        let running = try BuiltProgram.spawn(
            BuiltProgram.path, ["devices", "-b", "virtual", "--follow", "--json"], in: home,
            outputTo: fifo)
        var text = ""
        var chunk = [UInt8](repeating: 0, count: 4096)
        while !text.contains("listed") {
            let count = read(pipe, &chunk, chunk.count)
            guard count > 0 else { break }
            text += String(decoding: chunk.prefix(count), as: UTF8.self)
        }
        kill(running.process, SIGINT)
        let outcome = try running.wait()
        #expect(outcome.status == 130)
        #expect(outcome.errors == "")
        let lines = try text.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        #expect(lines.last?.event == "listed")
        let added = lines.filter { $0.event == "added" }.compactMap(\.device?.id)
        #expect(
            added.sorted() == ["virtual:camera", "virtual:feeder", "virtual:flatbed"])
    }

    @Test(
        "On a narrow terminal a device's id has a line of its own and is never cut, on a wide one there is a line a device"
    )
    func widths() throws {
        for (columns, row) in [(60, "\n  virtual:feeder · ready"), (130, "\nvirtual:feeder ")] {
            let run = try BuiltProgram.shell(
                "script -qec \"stty cols \(columns); '$P' --no-color devices -b virtual\" /dev/null",
                in: home)
            let text = run.output.replacing("\r\n", with: "\n")
            // The remaining text after the last growing table was erased.
            let table = text.split(separator: "\u{1B}[J").last.map(String.init) ?? ""
            #expect(table.contains(row), "\(text)")
            for line in table.split(separator: "\n") { #expect(line.count <= columns) }
        }
    }
}
