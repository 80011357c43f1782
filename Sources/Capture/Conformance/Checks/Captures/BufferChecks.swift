import CaptureHost
import CaptureKit
import Processes

let bufferChecks = [
    ConformanceCheck(
        "buffer.inline", .should, section: "hello",
        title: "Sends pixels over the connection too, if allowed"
    ) {
        if try $0.usualWay() == .inline { throw NotApplicable("it sends all pixels that way") }
        _ = try $0.sample(.inline)
    },
    ConformanceCheck(
        "buffer.bytes", .must, section: "Buffers", title: "Sends as many bytes as a page has"
    ) {
        try $0.needs("buffer.inline")
        for (frame, _) in try $0.sample(.inline).pages {
            if let lack = frame.lack { throw CheckFailure("a whole page", came: lack) }
        }
    },
    ConformanceCheck(
        "buffer.pieces", .must, section: "Messages", title: "Sends at most 16 MiB with a message"
    ) {
        try $0.needs("buffer.inline")
        for (frame, _) in try $0.sample(.inline).pages where frame.largestPiece > WireLimits.pixels
        {
            throw CheckFailure(
                "at most 16 MiB of pixels at once", came: "\(frame.largestPiece) bytes")
        }
    },
    ConformanceCheck(
        "buffer.rows", .must, section: "Buffers", title: "Writes every row of a page to its file"
    ) {
        for (frame, _) in try $0.sample($0.fileWay()).pages {
            if let lack = frame.lack { throw CheckFailure("a whole page", came: lack) }
        }
    },
    ConformanceCheck(
        "buffer.size", .must, section: "Buffers", title: "Leaves the size of a page's file as it is"
    ) {
        for (frame, _) in try $0.sample($0.fileWay()).pages {
            if let trespass = frame.trespass {
                throw CheckFailure("the file as it was given", came: trespass)
            }
        }
    },
    ConformanceCheck(
        "buffer.offset", .must, section: "Room before a page",
        title: "Leaves room before a page if asked to"
    ) {
        guard try $0.capabilities().contains(Wire.HelloAnswer.offsets) else {
            throw NotApplicable("it has no capability 'offsets'")
        }
        try $0.needs("buffer.rows")
        try $0.needs("buffer.size")
        for (frame, _) in try $0.sample(.file(offset: 4_096)).pages {
            if let fault = frame.trespass ?? frame.lack {
                throw CheckFailure("the page at its offset, and nothing before it", came: fault)
            }
        }
    },
    ConformanceCheck(
        "buffer.after-done", .must, section: "Buffers", title: "Writes nothing once a page is done"
    ) {
        context in
        let way = try context.fileWay()
        try context.withWaitingPage(limit: 1) { connection, _, capture in
            let form = capture.frame?.announced?.form
            let size = form?.height == nil ? 0 : form?.mostBytes ?? 0
            let file = try GivenFile(size: size, offset: 0)
            try capture.grant(way, file: file)
            while try capture.next() == .advanced {}
            let length = file.length
            try file.write(at: 0, count: length)
            try capture.untilEnd(way)
            try context.settle(connection)
            guard file.length == length, file.isUntouched(at: 0, count: length) else {
                throw CheckFailure("a page that stays as it was when it was done", came: "changes")
            }
        }
    },
    ConformanceCheck(
        "buffer.closed", .must, section: "Buffers", title: "Closes the files that it is given"
    ) {
        context in
        let way = try context.fileWay()
        _ = try context.sample()
        try context.withPages { connection, handle in
            try WatchedCapture(context, connection, handle, limit: 1).untilEnd(way)
            try context.hasClosedFiles(connection)
        }
    },
    ConformanceCheck(
        "buffer.stale", .must, section: "Frames", title: "Ignores a buffer that arrives too late"
    ) {
        context in
        _ = try context.sample()
        let way = try context.usualWay()
        try context.withPages { connection, handle in
            let capture = try WatchedCapture(context, connection, handle, limit: 1)
            try capture.untilEnd(way)
            for number in [capture.number, 987_654] {
                let body = Wire.Buffer(
                    capture: number, frame: 1, way: way == .inline ? .inline : .fd, size: 10,
                    most: 10)
                if way == .inline {
                    try connection.sendEvent(.buffer, body)
                } else {
                    try connection.give(body, file: GivenFile(size: 10, offset: 0).descriptor)
                }
                try connection.sendEvent(
                    .refused, Wire.FrameReference(capture: number, frame: 2),
                    error: CaptureError(.cancelled, "the capture was canceled"))
            }
            try context.settle(connection)
            if try capture.noteWaiting() {
                throw CheckFailure("nothing of a capture that is over", came: "an event of it")
            }
            if way != .inline {
                try context.needs("buffer.closed")
                try context.hasClosedFiles(connection)
            }
        }
    },
]

extension CheckContext {
    /// How a page's pixels go into a file.
    fileprivate func fileWay() throws -> Way {
        guard try usualWay() != .inline else {
            throw NotApplicable("it has no capability 'descriptors'")
        }
        return .file(offset: 0)
    }

    /// Waits a moment for the program to close the files of its pages; fails if it does not.
    fileprivate func hasClosedFiles(_ connection: CheckConnection) throws {
        let deadline = ContinuousClock.now + deadlines.close
        while true {
            try settle(connection)
            let open = ProcessLook(id: connection.process.id).descriptors.values.count {
                $0.contains(GivenFile.name)
            }
            if open == 0 { return }
            if .now > deadline {
                throw CheckFailure("the files of pages closed", came: "\(open) still open")
            }
        }
    }
}
