import CaptureHost
import CaptureKit

// Captures that checks judge.
extension CheckContext {
    /// How the backend sends pages to a host: into a file if the backend reports that it
    /// accepts files.
    func usualWay() throws -> Way {
        try capabilities().contains(Wire.HelloAnswer.descriptors) ? .file(offset: 0) : .inline
    }

    /// A capture of one or two pages in one of the ways, made once for all checks that judge it.
    func sample(_ way: Way? = nil) throws -> SeenCapture {
        try needs("capture.page")
        let way = try way ?? usualWay()
        if let known = findings.samples[way] { return try known.get() }
        let result = Result {
            try withPages { connection, handle in
                try WatchedCapture(self, connection, handle, limit: run.isReal ? 1 : 2).untilEnd(
                    way)
            }
        }
        findings.samples[way] = result.flatMap { seen in
            Result {
                try Self.hasPages(seen)
                return seen
            }
        }
        return try findings.samples[way]!.get()
    }

    /// Runs `body` with the device, which is ready to send small pages.
    func withPages<Result>(_ body: (CheckConnection, Int) throws -> Result) throws -> Result {
        try needs("capture.page")
        return try withDevice { connection, handle in
            try lighten(connection, handle)
            return try body(connection, handle)
        }
    }

    /// Runs `body` with a capture of pages whose first frame waits for its buffer.
    func withWaitingPage(
        limit: Int?, _ body: (CheckConnection, Int, WatchedCapture) throws -> Void
    ) throws {
        _ = try sample()
        try withPages { connection, handle in
            let capture = try WatchedCapture(self, connection, handle, limit: limit)
            guard try capture.untilAnnounced() else {
                try Self.hasPages(capture.seen)
                throw CheckFailure("a page", came: "the end of the capture")
            }
            try body(connection, handle, capture)
        }
    }

    /// Fails unless a capture sent pages.
    ///
    /// A device without pages can't be checked.
    static func hasPages(_ seen: SeenCapture) throws {
        if let error = seen.error {
            let words = "the error \(error.code.rawValue): \(error.message)"
            guard !noPages.contains(error.code) else {
                throw NotApplicable("the device provides no page now: \(words)")
            }
            throw CheckFailure(
                seen.frames.isEmpty
                    ? "a page, or the error that says why there is none, such as feederEmpty"
                    : "a capture that succeeds", came: words)
        }
        if seen.pages.isEmpty, seen.frames.contains(where: { $0.state == .skipped }) {
            throw NotApplicable("the device provides no page now: it skips all that it has")
        }
        guard !seen.pages.isEmpty else {
            throw CheckFailure("a page, or the error feederEmpty", came: "the end without either")
        }
    }

    /// Fails unless a capture gave pages, or the feeder was empty.
    static func hasMorePages(_ seen: SeenCapture) throws {
        if seen.error?.code == .feederEmpty { return }
        if let error = seen.error {
            throw CheckFailure(
                "another page", came: "the error \(error.code.rawValue): \(error.message)")
        }
        try hasPages(seen)
    }

    /// States of a device in which it has no pages to give.
    private static let noPages: Set<CaptureError.Code> = [
        .feederEmpty, .coverOpen, .jammed, .doubleFeed, .offline, .busy, .permissionDenied,
        .passwordNeeded, .unsupported, .stalled,
    ]

    /// A capture of live frames, made once for all checks that judge it.
    ///
    /// A backend that takes files gets two in turn, as from a host.
    func liveSample() throws -> SeenCapture {
        try needs("live.offered")
        if let known = findings.live { return try known.get() }
        let result = Result { try withDevice(captureLive) }
        findings.live = result
        return try result.get()
    }

    private func captureLive(_ connection: CheckConnection, _ handle: Int) throws -> SeenCapture {
        let capture = try WatchedCapture(self, connection, handle, mode: .live, limit: 4)
        let way = try usualWay()
        var ring: [GivenFile] = []
        var begun: ContinuousClock.Instant?
        while true {
            switch try capture.next() {
            case .announced where capture.seen.frames.count > 8:
                // Another check judges whether the backend keeps to the limit.
                try capture.cancel()
                try capture.untilEndRefusing()
                return capture.seen
            case .announced:
                begun = begun ?? .now
                findings.liveTime = .now - (begun ?? .now)
                let count = capture.seen.frames.count - 1
                let most = capture.frame?.announced?.form.mostBytes ?? 0
                if way != .inline, ring.count < 2 {
                    ring.append(try GivenFile(size: most, offset: 0))
                }
                let file = ring.isEmpty ? nil : ring[count % ring.count]
                // A frame of another size needs another file.
                let fits = file?.size == most
                if fits { try file?.write(at: 0, count: most) }
                try capture.grant(way, file: fits ? file : nil)
            case .advanced, .over: break
            case .ended:
                let seen = capture.seen
                if seen.error?.code == .unsupported, seen.frames.isEmpty {
                    findings.hasNoLiveView = true
                    throw NotApplicable("the device has no live view")
                }
                try Self.hasPages(seen)
                return seen
            }
        }
    }
}
