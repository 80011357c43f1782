import CaptureHost
import CaptureKit

let cancelChecks = [
    ConformanceCheck(
        "cancel.at-once", .must, section: "cancel",
        title: "Ends a capture that is canceled with its request",
        isHarsh: true
    ) { context in
        _ = try context.sample()
        try context.withPages { connection, handle in
            let request = Wire.Capture(handle: handle, mode: .pages, limit: 1)
            let (number, asking) = try connection.line(.capture, request)
            let (cancel, cancelling) = try connection.line(.cancel, Wire.Cancel(capture: number))
            connection.send(raw: asking + cancelling)
            try context.ends(
                WatchedCapture(connection, number: number, deadlines: context.deadlines), cancel)
        }
    },
    ConformanceCheck(
        "cancel.waiting", .must, section: "cancel",
        title: "Ends a capture whose page waits for its buffer"
    ) { context in
        try context.withWaitingPage(limit: 1) { _, _, capture in try context.cancels(capture) }
    },
    ConformanceCheck(
        "cancel.granted", .must, section: "cancel",
        title: "Ends a capture before the first row of a page",
        isHarsh: true
    ) { context in
        try context.withWaitingPage(limit: 1) { connection, _, capture in
            let (cancel, cancelling) = try connection.line(
                .cancel, Wire.Cancel(capture: capture.number))
            try capture.grant(context.usualWay(), along: cancelling)
            try context.ends(capture, cancel)
        }
    },
    ConformanceCheck(
        "cancel.mid-page", .must, section: "cancel", title: "Ends a capture in the middle of a page"
    ) {
        context in
        try context.withWaitingPage(limit: 3) { _, _, capture in
            try capture.grant(context.usualWay())
            _ = try capture.next()
            try context.cancels(capture)
        }
    },
    ConformanceCheck(
        "cancel.prompt", .should, section: "cancel",
        title: "Ends a canceled page immediately, not at its end", isHarsh: true
    ) {
        context in
        try context.needs("cancel.mid-page")
        try context.withWaitingPage(limit: 3) { _, _, capture in
            try capture.grant(context.usualWay())
            _ = try capture.next()
            let begun = ContinuousClock.now
            try context.cancels(capture)
            // A fast page may end before the request to cancel arrives.
            let isPrompt = ContinuousClock.now - begun < context.run.cancelPromptness
            guard capture.frame?.state != .done || isPrompt else {
                throw CheckFailure(
                    "the end in the middle of the page", came: "the whole page first")
            }
        }
    },
    ConformanceCheck(
        "cancel.between", .must, section: "cancel", title: "Ends a capture between two pages",
        isHarsh: true
    ) { context in
        try context.withWaitingPage(limit: 2) { _, _, capture in
            try capture.grant(context.usualWay())
            while try capture.next() == .advanced {}
            try context.cancels(capture)
        }
    },
    ConformanceCheck(
        "cancel.late", .must, section: "cancel",
        title: "Answers a cancel that arrives after the end of the capture"
    ) { context in
        _ = try context.sample()
        try context.withPages { connection, handle in
            let capture = try WatchedCapture(context, connection, handle, limit: 1)
            try capture.untilEnd(context.usualWay())
            try context.ends(capture, capture.cancel())
        }
    },
    ConformanceCheck(
        "cancel.twice", .must, section: "cancel", title: "Accepts that a capture is canceled twice"
    ) {
        context in
        try context.needs("cancel.waiting")
        try context.withWaitingPage(limit: 1) { connection, _, capture in
            let (first, line) = try connection.line(.cancel, Wire.Cancel(capture: capture.number))
            let (second, other) = try connection.line(.cancel, Wire.Cancel(capture: capture.number))
            connection.send(raw: line + other)
            try context.ends(capture, first)
            let answer = try connection.answer(
                second, "the second cancel", within: context.deadlines.cancel)
            try context.accepted(answer, "cancel")
            try context.settle(connection)
            guard connection.answerCount(capture.number) == 1 else {
                throw CheckFailure("one answer to the capture", came: "several")
            }
        }
    },
    ConformanceCheck(
        "cancel.unknown", .must, section: "cancel",
        title: "Answers a cancel of what it never captured"
    ) {
        let connection = try $0.connection()
        let number = try connection.ask(.cancel, Wire.Cancel(capture: 987_654))
        _ = try connection.answer(number, "cancel", within: $0.deadlines.cancel)
    },
    ConformanceCheck(
        "cancel.code", .must, section: "cancel", title: "Ends a canceled capture as 'cancelled'"
    ) {
        context in
        try context.withWaitingPage(limit: 1) { _, _, capture in
            try context.cancels(capture)
            guard capture.seen.error?.code == .cancelled else {
                throw CheckFailure(
                    "the error canceled",
                    came: capture.seen.error.map { "the error \($0.code.rawValue)" } ?? "success")
            }
        }
    },
    ConformanceCheck(
        "cancel.silent", .must, section: "Frames",
        title: "Sends nothing of a capture that has ended"
    ) {
        context in
        try context.withWaitingPage(limit: 1) { connection, _, capture in
            try context.cancels(capture)
            try context.settle(connection)
            if try capture.noteWaiting() {
                throw CheckFailure("nothing after the end of the capture", came: "an event of it")
            }
        }
    },
    ConformanceCheck(
        "cancel.again", .must, section: "cancel", title: "Captures again after it was canceled"
    ) {
        context in
        try context.withWaitingPage(limit: 1) { connection, handle, capture in
            try context.cancels(capture)
            let again = try WatchedCapture(context, connection, handle, limit: 1)
            try CheckContext.hasMorePages(again.untilEnd(context.usualWay()))
        }
    },
    ConformanceCheck(
        "close.capturing", .must, section: "close", title: "Closes a device that is capturing"
    ) {
        context in
        _ = try context.sample()
        let connection = try context.connection()
        let handle = try context.open(connection)
        let capture = try WatchedCapture(context, connection, handle, limit: 1)
        guard try capture.untilAnnounced() else { throw NotApplicable("it had no page") }
        let number = try connection.ask(.close, Wire.Handle(handle: handle))
        try capture.untilEndRefusing()
        _ = try connection.answer(number, "close", within: context.deadlines.close)
        context.tidyUp()
    },
]

extension CheckContext {
    /// Cancels a capture, as a host does, and fails unless both requests are answered.
    func cancels(_ capture: WatchedCapture) throws {
        if capture.frame?.state == .announced { try needs("cancel.waiting") }
        try ends(capture, capture.cancel())
    }

    /// Waits for the answer to a request to cancel, and for the end of its capture.
    fileprivate func ends(_ capture: WatchedCapture, _ cancel: Int) throws {
        do {
            try capture.untilEndRefusing()
        } catch let failure as CheckFailure {
            throw CheckFailure("the end of the canceled capture", came: failure.came)
        }
        let answer = try capture.connection.answer(cancel, "cancel", within: deadlines.cancel)
        try accepted(answer, "cancel")
    }
}
