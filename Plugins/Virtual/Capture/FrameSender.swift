import CaptureKit

/// Hands pages to the host in pieces of rows, with the requested fault.
struct FrameSender: Sendable {
    /// The approximate number of bytes of a piece; cancellation is checked between pieces.
    static let pieceBytes = 256 * 1024

    let settings: Settings
    let sink: any FrameSink
    let actuator: any FaultActuator
    let pacer: any Pacer
    /// True for live frames, which may have a form of their own.
    var isLive = false
    /// The time of exposure of the next frame in seconds; nil for pages.
    var time: Double?

    /// The fault of page `number`, counted from 1 within the capture.
    func fault(of number: Int) -> Fault {
        guard number == settings.integer("fault-page") else {
            // Rows are slow from the chosen page on.
            let isSlow = settings.text("fault") == Fault.slow.rawValue
            return isSlow && number > settings.integer("fault-page") ? .slow : .none
        }
        return Fault(rawValue: settings.text("fault")) ?? .none
    }

    /// Sends one page.
    ///
    /// - Throws: ``CaptureError`` for a fault that a device reports; `CancellationError`; the
    ///   errors of the sink.
    func send(_ picture: any RowPicture, number: Int) async throws {
        let fault = fault(of: number)
        guard fault != .skip else {
            try await sink.skip(
                label: picture.label,
                CaptureError(.damagedData, "Page \(number) is damaged, as requested"))
            return
        }
        try await beforePage(fault, number)
        if isLive,
            let form = LiveForm(settings, width: picture.width, height: picture.height)
        {
            return try await send(picture, as: form, number, fault)
        }
        let painter = FramePainter(picture: picture, form: RowForm(settings))
        var announced = painter.description
        announced.time = time
        if settings.isOn("unknown-height") { announced.height = nil }
        if fault == .wrongSize { announced.height = picture.height + 100 }
        if fault == .huge { (announced.width, announced.height) = (60_000, 60_000) }
        if fault == .huge { announced.stride = announced.format.minimumStride(width: 60_000) }
        let writer = try await sink.begin(announced)
        try await atBegin(fault)
        // A live frame that is not wanted need not be painted.
        if writer.isWanted || fault != .none {
            try await rows(of: painter, number, fault, to: writer)
        }
        if fault == .oversized {
            try await writer.write([UInt8](repeating: 0, count: painter.stride))
        }
        try await writer.finish()
    }

    /// Sends a live frame in one piece, as cameras do.
    private func send(
        _ picture: any RowPicture, as form: LiveForm, _ number: Int, _ fault: Fault
    ) async throws {
        let painter = FramePainter(picture: picture, form: RowForm(settings, as: .rgb8))
        var announced = form.description
        announced.label = picture.label
        announced.time = time
        let writer = try await sink.begin(announced)
        try await atBegin(fault)
        if writer.isWanted || fault != .none {
            try await inMiddle(fault, number)
            let size = announced.byteCount(rows: picture.height)
            try await writer.fill(count: size) { bytes in
                try withUnsafeTemporaryAllocation(
                    byteCount: painter.stride * picture.height, alignment: 16
                ) { samples in
                    painter.paint(0..<picture.height, into: samples)
                    return try form.make(UnsafeRawBufferPointer(samples), into: bytes)
                }
            }
        }
        try await writer.finish()
    }

    private func rows(
        of painter: FramePainter, _ number: Int, _ fault: Fault, to writer: any FrameWriter
    ) async throws {
        let height = painter.picture.height
        // A piece always ends in the middle of the page, where faults take place.
        let middle = max(1, height / 2)
        let delay = fault == .slow ? settings.integer("row-delay") : 0
        let piece = delay > 0 ? 1 : max(1, FrameSender.pieceBytes / painter.stride)
        var due = pacer.now()
        var y = 0
        while y < height {
            try Task.checkCancellation()
            let end = min(y + piece, y < middle ? middle : height)
            if delay > 0 {
                due += .milliseconds(delay * (end - y))
                try await pacer.sleep(until: due)
            }
            let rows = y..<end
            try await writer.fill(count: rows.count * painter.stride) { bytes in
                painter.paint(rows, into: bytes)
                return rows.count * painter.stride
            }
            y = end
            if y == middle { try await inMiddle(fault, number) }
        }
        try Task.checkCancellation()
    }

    private func beforePage(_ fault: Fault, _ number: Int) async throws {
        switch fault {
        case .coverOpen:
            throw CaptureError(.coverOpen, "The cover was open before page \(number)")
        case .doubleFeed:
            throw CaptureError(.doubleFeed, "Two sheets were drawn in at page \(number)")
        case .noise: try await actuator.perform(.noise)
        default: break
        }
    }

    /// Triggers faults before the first row.
    ///
    /// The host has answered by then, so the previous page has certainly arrived.
    private func atBegin(_ fault: Fault) async throws {
        switch fault {
        case .exit: try await actuator.perform(.exit(3))
        case .garbage: try await actuator.perform(.garbage)
        default: break
        }
    }

    private func inMiddle(_ fault: Fault, _ number: Int) async throws {
        switch fault {
        case .jam: throw CaptureError(.jammed, "Paper is stuck in the feeder at page \(number)")
        case .crash: try await actuator.perform(.crash)
        case .torn: try await actuator.perform(.exit(0))
        case .hang: try await actuator.perform(.hang)
        case .freeze: try await actuator.perform(.freeze)
        default: break
        }
    }
}

extension CaptureRequest {
    /// Refuses a limit below 1.
    func checkLimit() throws {
        guard limit ?? 1 >= 1 else {
            throw CaptureError(
                .invalidValue, "\(limit ?? 0) frames can't be captured; at least 1 can")
        }
    }
}
