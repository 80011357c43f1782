import CaptureHost
import CaptureKit

// The host goes away, at every stage: the program exits on its own, soon.
let exitChecks = [
    ConformanceCheck(
        "exit.idle", .must, section: "Life cycle",
        title: "Exits with status 0 when the host is gone"
    ) {
        let talk = try $0.greeted()
        talk.hangUp()
        let end = talk.process.waitForEnd($0.deadlines.exit)
        guard case .status(0) = end else {
            throw CheckFailure("an exit with status 0", came: end.map(\.words) ?? "no exit")
        }
    },
    ConformanceCheck(
        "exit.early", .must, section: "Life cycle", title: "Exits when the host goes before hello"
    ) {
        let talk = try $0.start()
        try $0.leaves(talk)
    },
    ConformanceCheck(
        "exit.half", .must, section: "Life cycle", title: "Exits when nothing more can be read"
    ) {
        let talk = try $0.greeted()
        talk.stopSending()
        try $0.exits(talk)
    },
    ConformanceCheck(
        "exit.cut", .must, section: "Life cycle", title: "Exits when the host goes in mid-message"
    ) {
        let talk = try $0.greeted()
        talk.send(raw: Array(#"{"request":2,"verb":"dev"#.utf8))
        try $0.leaves(talk)
    },
    ConformanceCheck(
        "exit.open", .must, section: "Life cycle",
        title: "Exits when the host goes with a device open"
    ) {
        let talk = try $0.greeted()
        _ = try $0.open(talk)
        try $0.leaves(talk)
    },
    ConformanceCheck(
        "exit.waiting", .must, section: "Life cycle",
        title: "Exits when the host goes and a page waits",
        isHarsh: true
    ) {
        let (talk, _) = try $0.waitingPage(limit: 3)
        try $0.leaves(talk)
    },
    ConformanceCheck(
        "exit.mid-page", .must, section: "Life cycle",
        title: "Exits when the host goes in the middle of a page",
        isHarsh: true
    ) {
        let (talk, capture) = try $0.waitingPage(limit: 3)
        try capture.grant($0.usualWay())
        _ = try capture.next()
        try $0.leaves(talk)
    },
]

extension CheckBench {
    /// Hangs up, and waits for the program's end.
    fileprivate func leaves(_ talk: Talk) throws {
        talk.hangUp()
        try exits(talk)
    }

    fileprivate func exits(_ talk: Talk) throws {
        let end = talk.process.waitForEnd(deadlines.exit)
        guard case .status = end else {
            talk.process.stop(patience: .zero)
            throw CheckFailure(
                "an exit within \(deadlines.exit)", came: end.map { "an end \($0.words)" } ?? "none"
            )
        }
    }

    /// A process of its own with a page that waits.
    fileprivate func waitingPage(limit: Int) throws -> (Talk, WatchedCapture) {
        _ = try sample()
        let talk = try greeted()
        // The process that checks share may have the device to itself.
        let capture = try WatchedCapture(self, talk, open(talk), limit: limit)
        guard try capture.untilAnnounced() else { throw NotApplicable("it had no page") }
        return (talk, capture)
    }
}
