import CaptureHost
import CaptureKit

let liveChecks = [
    ConformanceCheck(
        "live.offered", .must, section: "capture",
        title: "Gives live frames, or reports that it has no live view"
    ) {
        do {
            _ = try $0.liveSample()
        } catch is NotApplicable where $0.findings.hasNoLiveView {
            // The backend has reported that it has no live view.
        }
    },
    ConformanceCheck(
        "live.announces", .must, section: "Live frames", title: "Announces possible live frames"
    ) {
        for frame in try $0.liveSample().frames {
            guard let announced = frame.announced else { continue }
            guard announced.height != nil else {
                throw CheckFailure("the height of a live frame", came: "none of \(frame.name)")
            }
            if let fault = announced.form.impossibility {
                throw CheckFailure(
                    "a frame that the protocol allows",
                    came: "\(frame.name), whose \(fault)")
            }
        }
    },
    ConformanceCheck(
        "live.order", .must, section: "Frames", title: "Numbers live frames from 1, one at a time"
    ) {
        if let disorder = try $0.liveSample().disorder.first(where: { !$0.isEarly }) {
            throw CheckFailure("frames in order, one at a time", came: disorder.words)
        }
    },
    ConformanceCheck("live.whole", .must, section: "Live frames", title: "Sends whole live frames")
    {
        for (frame, _) in try $0.liveSample().pages {
            if let fault = frame.lack ?? frame.trespass {
                throw CheckFailure("a whole frame", came: fault)
            }
        }
    },
    ConformanceCheck(
        "live.limit", .must, section: "capture",
        title: "Sends no more live frames than requested"
    ) {
        let count = try $0.liveSample().pages.count
        guard count <= 4 else { throw CheckFailure("at most 4 frames", came: "\(count)") }
    },
    ConformanceCheck(
        "live.times", .should, section: "Frames", title: "Reports times in seconds that rise"
    ) {
        let times = try $0.liveSample().frames.compactMap { $0.announced?.time }
        if times.count < 2 { throw NotApplicable("it reports no times") }
        let shown = times.map { "\($0)" }.joined(separator: ", ")
        guard zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 }) else {
            throw CheckFailure("times that never decrease", came: shown)
        }
        let taken = $0.findings.liveTime / .seconds(1)
        let reported = (times.last ?? 0) - (times.first ?? 0)
        // Frames that arrive at the same moment may share a time.
        guard reported > 0 || taken < 0.05 else {
            throw CheckFailure("times that rise from frame to frame", came: shown)
        }
        guard reported <= 10 * taken + 1 else {
            throw CheckFailure(
                "times in seconds: these frames took \((taken * 100).rounded() / 100) s",
                came: "\(reported) between the first and the last")
        }
    },
    ConformanceCheck(
        "live.waits", .must, section: "Frames",
        title: "Sends nothing of a live frame before its buffer"
    ) {
        context in
        try context.withLive { connection, capture in
            try context.settle(connection)
            _ = try capture.noteWaiting()
            if let disorder = capture.seen.disorder.first {
                throw CheckFailure("nothing until the buffer", came: disorder.words)
            }
        }
    },
    ConformanceCheck(
        "live.drop", .must, section: "Frames",
        title: "Continues with the next frame when one is dropped"
    ) {
        context in
        try context.needs("live.waits")
        try context.withLive { connection, capture in
            let way = try context.usualWay()
            for _ in 1...2 {
                try capture.drop()
                guard try capture.untilAnnounced() else {
                    throw CheckFailure("another frame", came: "the end of the capture")
                }
            }
            try capture.grant(way)
            while try capture.next() == .advanced {}
            if let disorder = capture.seen.disorder.first(where: { !$0.isEarly }) {
                throw CheckFailure(
                    "the next number, and nothing of a dropped frame", came: disorder.words)
            }
        }
    },
    ConformanceCheck(
        "live.stop", .must, section: "cancel", title: "Ends a live capture that is canceled"
    ) {
        context in
        try context.withLive { connection, capture in
            let way = try context.usualWay()
            try capture.grant(way)
            guard try capture.untilAnnounced() else { return }
            try context.cancels(capture)
            try context.settle(connection)
            if try capture.noteWaiting() {
                throw CheckFailure("nothing after the end of the capture", came: "an event of it")
            }
        }
    },
]

extension CheckContext {
    /// Runs `body` with a live capture without a limit, whose first frame waits for its buffer;
    /// then ends its process.
    fileprivate func withLive(_ body: (CheckConnection, WatchedCapture) throws -> Void) throws {
        _ = try liveSample()
        let connection = try connection()
        let capture = try WatchedCapture(
            self, connection, open(connection), mode: .live, limit: nil)
        guard try capture.untilAnnounced() else {
            throw CheckFailure("a live frame", came: "the end of the capture")
        }
        try body(connection, capture)
        tidyUp()
    }
}
