import CommandLine
import Synchronization
import Testing

@Suite struct ProgressLineTests {
    /// A clock that is set by hand, and the written output.
    final class FakeTerminal: Sendable {
        let time = Mutex(Duration.zero)
        let written = Mutex<[String]>([])

        func line(isTerminal: Bool, width: Int = 80) -> ProgressLine {
            ProgressLine(
                terminal: Terminal(isTerminal: isTerminal, width: width, hasColor: false),
                now: { self.time.withLock { $0 } },
                write: { text in self.written.withLock { $0.append(text) } })
        }

        func advance(_ milliseconds: Int) {
            time.withLock { $0 += .milliseconds(milliseconds) }
        }

        var texts: [String] { written.withLock { $0 } }
    }

    @Test("A terminal shows a bar, the pages, the pace and the time left in one line")
    func live() {
        let terminal = FakeTerminal()
        let line = terminal.line(isTerminal: true)
        terminal.advance(6_000)
        line.update(Progress(done: 2, total: 8, detail: "a.png"))
        #expect(
            terminal.texts == [
                "\r█████░░░░░░░░░░░░░░░  2 of 8 pages  20 pages/min, 18 s left  a.png\u{1B}[K"
            ])
        line.finish()
        #expect(terminal.texts.last == "\r\u{1B}[K")
    }

    @Test("The line is redrawn at most ten times a second")
    func throttled() {
        let terminal = FakeTerminal()
        let line = terminal.line(isTerminal: true)
        for page in 0..<1_000 {
            line.update(Progress(done: page, total: 1_000))
            terminal.advance(10)
        }
        #expect(terminal.texts.count == 100)
    }

    @Test("A message is above the line, which is redrawn with the delayed state")
    func message() {
        let terminal = FakeTerminal()
        let line = terminal.line(isTerminal: true)
        line.update(Progress(done: 1))
        line.update(Progress(done: 2))
        line.message("page 2 is \u{1B}[31mempty")
        #expect(
            terminal.texts == [
                "\r1 page\u{1B}[K", "\r\u{1B}[K", "page 2 is empty\n", "\r2 pages\u{1B}[K",
            ])
    }

    @Test("Without a terminal there are plain lines, one a second at most, and the last state")
    func plain() {
        let terminal = FakeTerminal()
        let line = terminal.line(isTerminal: false)
        line.update(Progress(done: 0, total: 30))
        for page in 1...30 {
            terminal.advance(100)
            line.update(Progress(done: page, total: 30, detail: "p\n\(page)"))
        }
        line.message("note")
        line.finish()
        line.finish()
        #expect(terminal.texts.allSatisfy { !$0.contains("\r") && !$0.contains("\u{1B}") })
        #expect(terminal.texts.allSatisfy { $0.split(separator: "\n").count == 1 })
        #expect(
            terminal.texts == [
                "1 of 30 pages: p 1\n", "11 of 30 pages (600 pages/min, 2 s left): p 11\n",
                "21 of 30 pages (600 pages/min, 1 s left): p 21\n", "note\n",
                "30 of 30 pages (600 pages/min): p 30\n",
            ])
    }

    @Test("The line fits the terminal", arguments: [10, 30, 60])
    func narrow(width: Int) {
        let terminal = FakeTerminal()
        let line = terminal.line(isTerminal: true, width: width)
        terminal.advance(5_000)
        line.update(Progress(done: 3, total: 7_000, detail: String(repeating: "日", count: 80)))
        let drawn = terminal.texts[0].dropFirst().dropLast("\u{1B}[K".count)
        #expect(drawn.displayWidth <= max(10, width - 1))
    }

    @Test("Absurd counts are shown anyway")
    func absurd() {
        let terminal = FakeTerminal()
        let line = terminal.line(isTerminal: true)
        terminal.advance(1_000)
        line.update(Progress(done: .max, total: 0))
        terminal.advance(1_000)
        line.update(Progress(done: -1, total: .max))
        terminal.advance(1_000)
        line.update(Progress(done: 1, total: .max))
        #expect(terminal.texts.count == 3)
    }
}
