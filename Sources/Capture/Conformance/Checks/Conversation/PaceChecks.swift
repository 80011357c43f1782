import CaptureHost
import CaptureKit
import Glibc
import Processes

// Checks with a host that is slow, sends other requests meanwhile, or requests fewer pages.
let paceChecks = [
    ConformanceCheck(
        "capture.waits", .must, section: "Frames",
        title: "Sends nothing of a page before its buffer"
    ) {
        context in
        if let early = try context.sample().disorder.first(where: \.isEarly) {
            throw CheckFailure("a frame, and nothing until its buffer", came: early.words)
        }
        try context.withWaitingPage(limit: 1) { connection, _, capture in
            try context.settle(connection)
            _ = try capture.noteWaiting()
            guard let frame = capture.frame, capture.seen.disorder.isEmpty, frame.rows.isEmpty
            else {
                throw CheckFailure(
                    "nothing until the buffer", came: capture.seen.disorder.first?.words ?? "rows")
            }
            try capture.untilEnd(context.usualWay())
        }
    },
    ConformanceCheck(
        "capture.meanwhile", .must, section: "capture", title: "Answers other requests meanwhile"
    ) {
        context in
        try context.withWaitingPage(limit: 1) { connection, handle, capture in
            _ = try context.optionsAnswer(connection, handle)
            _ = try context.devicesAnswer(connection, quick: true)
            try capture.untilEnd(context.usualWay())
        }
    },
    ConformanceCheck(
        "capture.meanwhile-rows", .must, section: "capture",
        title: "Answers other requests while rows flow", isHarsh: true
    ) {
        context in
        try context.needs("capture.meanwhile")
        try context.withWaitingPage(limit: 3) { connection, handle, capture in
            try capture.grant(context.usualWay())
            _ = try capture.next()
            _ = try context.optionsAnswer(connection, handle)
            try capture.untilEnd(context.usualWay())
        }
    },
    ConformanceCheck(
        "capture.busy", .must, section: "capture", title: "Refuses a second capture of the device"
    ) {
        context in
        try context.withWaitingPage(limit: 1) { connection, handle, capture in
            let number = try connection.ask(
                .capture, Wire.Capture(handle: handle, mode: .pages, limit: 1))
            let answer = try connection.answer(
                number, "a second capture", within: context.deadlines.options)
            try context.refused(answer, "a second capture", .busy)
            try capture.untilEnd(context.usualWay())
        }
    },
    ConformanceCheck(
        "capture.slow-host", .must, section: "Deadlines",
        title: "Waits for a slow host"
    ) {
        context in
        try context.withWaitingPage(limit: 1) { connection, _, capture in
            try connection.listen(for: context.run.slowness)
            try capture.grant(context.usualWay())
            // The connection fills up, because no one reads from it.
            _ = connection.process.waitForEnd(context.run.slowness)
            try CheckContext.hasPages(capture.untilEnd(context.usualWay()))
        }
    },
    ConformanceCheck(
        "capture.limit", .must, section: "capture",
        title: "Sends no more frames than requested"
    ) {
        context in
        let seen = try context.sample()
        let limit = context.run.isReal ? 1 : 2
        guard seen.pages.count <= limit else {
            throw CheckFailure("at most \(limit) frames", came: "\(seen.pages.count)")
        }
        if context.run.isReal { return }
        try context.withPages { connection, handle in
            let one = try WatchedCapture(context, connection, handle, limit: 1).untilEnd(
                context.usualWay())
            guard one.pages.count <= 1 else {
                throw CheckFailure("one frame", came: "\(one.pages.count)")
            }
        }
    },
    ConformanceCheck(
        "capture.no-limit", .must, section: "capture", title: "Refuses a limit below 1"
    ) { context in
        _ = try context.sample()
        try context.withPages { connection, handle in
            for limit in [0, -1] {
                let capture = try WatchedCapture(context, connection, handle, limit: limit)
                if try capture.untilAnnounced() {
                    try capture.cancel()
                    try capture.untilEndRefusing()
                    throw CheckFailure("an error for the limit \(limit)", came: "a frame")
                }
                guard capture.seen.error != nil else {
                    throw CheckFailure("an error for the limit \(limit)", came: "success")
                }
            }
        }
    },
    ConformanceCheck(
        "capture.refused", .must, section: "Frames", title: "Accepts that a frame is refused"
    ) { context in
        try context.needs("capture.waits")
        try context.withWaitingPage(limit: 1) { connection, handle, capture in
            let error = CaptureError(
                .tooLarge, "a frame of this size is beyond the limit of this check")
            for _ in 1...50 {
                try capture.refuse(error)
                if try !capture.untilAnnounced() { break }
            }
            if capture.answer == nil {
                throw CheckFailure(
                    "something smaller, a page that is skipped, or an error",
                    came: "the same frame 50 times")
            }
            // The refused frame's number is free again for another frame or a skipped page.
            if let disorder = capture.seen.disorder.first(where: { !$0.isEarly }) {
                throw CheckFailure("the number that was free", came: disorder.words)
            }
            let again = try WatchedCapture(context, connection, handle, limit: 1)
            try CheckContext.hasMorePages(again.untilEnd(context.usualWay()))
        }
    },
]
