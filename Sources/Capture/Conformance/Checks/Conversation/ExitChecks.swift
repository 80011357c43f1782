import CaptureHost
import CaptureKit
import Processes

// Checks that the program exits soon on its own when the host goes away, at every stage.
let exitChecks = [
    ConformanceCheck(
        "exit.idle", .must, section: "Life cycle",
        title: "Exits with status 0 when the host is gone"
    ) {
        switch try $0.endAlone() {
        case .status(0): break
        case .status(let status)?:
            throw CheckFailure("an exit with status 0", came: "an exit with status \(status)")
        case .signal(let number)?:
            throw CheckFailure(
                "an exit with status 0", came: "a crash as it exits, by signal \(number)")
        case nil: throw CheckFailure("an exit with status 0", came: "no exit")
        }
    },
    ConformanceCheck(
        "exit.early", .must, section: "Life cycle", title: "Exits when the host goes before hello"
    ) {
        let connection = try $0.start()
        connection.hangUp()
        // The program may take as long to start as to answer `hello`.
        try $0.exits(connection, within: $0.deadlines.hello + $0.deadlines.exit)
    },
    ConformanceCheck(
        "exit.half", .must, section: "Life cycle", title: "Exits when nothing more can be read"
    ) {
        let connection = try $0.greeted()
        connection.stopSending()
        try $0.exits(connection)
    },
    ConformanceCheck(
        "exit.cut", .must, section: "Life cycle", title: "Exits when the host goes in mid-message"
    ) {
        let connection = try $0.greeted()
        connection.send(raw: Array(#"{"request":2,"verb":"dev"#.utf8))
        try $0.leaves(connection)
    },
    ConformanceCheck(
        "exit.open", .must, section: "Life cycle",
        title: "Exits when the host goes with a device open"
    ) {
        let connection = try $0.greeted()
        _ = try $0.open(connection)
        try $0.leaves(connection)
    },
    ConformanceCheck(
        "exit.waiting", .must, section: "Life cycle",
        title: "Exits when the host goes and a page waits",
        isHarsh: true
    ) {
        let (connection, _) = try $0.waitingPage(limit: 3)
        try $0.leaves(connection)
    },
    ConformanceCheck(
        "exit.mid-page", .must, section: "Life cycle",
        title: "Exits when the host goes in the middle of a page",
        isHarsh: true
    ) {
        let (connection, capture) = try $0.waitingPage(limit: 3)
        try capture.grant($0.usualWay())
        _ = try capture.next()
        try $0.leaves(connection)
    },
]

extension CheckContext {
    /// The end of a new process whose host goes away; nil if it does not end in time.
    fileprivate func endAlone() throws -> ProcessEnd? {
        let connection = try greeted()
        connection.hangUp()
        return connection.process.waitForEnd(deadlines.exit)
    }

    /// The first step of a check that looks for crashes at exit: if the program crashes at every
    /// exit, only one check reports that.
    func needsCleanExit() throws {
        if findings.crashesAtExit == nil {
            let end = try endAlone()
            if case .signal? = end { findings.crashesAtExit = true }
        }
        if findings.crashesAtExit == true {
            throw NotApplicable("it crashes whenever it exits, which 'exit.idle' reports")
        }
    }

    /// Hangs up, and waits for the program's end.
    fileprivate func leaves(_ connection: CheckConnection) throws {
        connection.hangUp()
        try exits(connection)
    }

    /// Waits for the program's end.
    fileprivate func exits(_ connection: CheckConnection, within time: Duration? = nil) throws {
        let limit = time ?? deadlines.exit
        let end = connection.process.waitForEnd(limit)
        guard case .status = end else {
            if end != nil { try needsCleanExit() }
            connection.process.stop(patience: .zero)
            throw CheckFailure(
                "an exit within \(limit)", came: end.map { "an end \($0.words)" } ?? "none"
            )
        }
    }

    /// A new process with a page that waits for its buffer.
    fileprivate func waitingPage(limit: Int) throws -> (CheckConnection, WatchedCapture) {
        _ = try sample()
        let connection = try greeted()
        // The shared process may hold the device.
        let capture = try WatchedCapture(self, connection, open(connection), limit: limit)
        guard try capture.untilAnnounced() else { throw NotApplicable("it had no page") }
        return (connection, capture)
    }
}
