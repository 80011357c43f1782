import CSANE
import CaptureKit

/// One scan: from the first `sane_start` over every page to the one `sane_cancel` at the end.
@SANEActor struct SANEScan {
    /// The bytes of a piece for the host, which writes each piece to its file immediately.
    static let pieceBytes = 1 << 20

    let handle: ScannerHandle
    let gate: CancelGate
    let sink: any FrameSink
    /// The maximum number of pages to scan.
    let limit: Int
    let isFeeding: Bool
    let isDuplex: Bool
    /// The resolution the driver scans with, asked for after the start.
    let resolution: @SANEActor () -> Resolution?
    /// True when a page may be shorter than announced.
    let endsWithPaper: Bool

    /// Scans until the feeder is empty or the limit is reached.
    ///
    /// - Throws: ``SANEFailure``; ``CaptureError``; `CancellationError` once the task is canceled.
    func perform() async throws {
        try await withTaskCancellationHandler {
            // The scanner is always notified once, and only when no SANE call is running.
            defer { gate.finish() }
            do {
                try await pages()
            } catch let failure as SANEFailure {
                // A driver that was interrupted may answer with any status.
                if gate.isCancelled { throw CancellationError() }
                throw failure
            }
        } onCancel: {
            gate.cancel()
        }
    }

    private func pages() async throws {
        var number = 0
        while number < limit {
            try Task.checkCancellation()
            let parameters: SANE_Parameters
            do throws(SANEFailure) {
                parameters = try handle.start(page: number + 1)
            } catch {
                let isEmpty = error.status == SANE_STATUS_NO_DOCS || error.status == SANE_STATUS_EOF
                if isEmpty && number > 0 { return }
                throw error
            }
            number += 1
            try Task.checkCancellation()
            try await page(number, DriverFrame(parameters))
        }
    }

    private func page(_ number: Int, _ form: DriverFrame) async throws {
        let knowsHeight = form.height != nil && !endsWithPaper
        let description = form.description(
            resolution: resolution(), label: label(number), knowsHeight: knowsHeight)
        let writer = try await sink.begin(description)
        let rows: Int
        switch form.content {
        case .plain: rows = try await copy(form, number, to: writer) / form.stride
        case .packedColor: rows = try await spread(form, number, to: writer)
        case .pass: rows = try await merge(form, number, to: writer)
        }
        if knowsHeight, let height = form.height, rows < height {
            throw CaptureError(
                .damagedData, "Page \(number) ended after \(rows) of its \(height) rows",
                advice: "Scan it again; the pages before it are kept.")
        }
        guard rows > 0 else {
            throw CaptureError(
                .damagedData, "Page \(number) has no rows",
                advice: "Scan it again; the pages before it are kept.")
        }
        try await writer.finish()
    }

    private func label(_ page: Int) -> String? {
        guard isFeeding else { return nil }
        guard isDuplex else { return "sheet \(page)" }
        return "sheet \((page + 1) / 2), \(page % 2 == 1 ? "front" : "back")"
    }

    // MARK: Rows as they are

    /// Passes the driver's bytes on: one piece is read while the previous one is written.
    ///
    /// - Returns: the number of bytes; any beyond the announced height are discarded.
    private func copy(_ form: DriverFrame, _ page: Int, to writer: any FrameWriter) async throws
        -> Int
    {
        var current = ScanBuffer(count: SANEScan.pieceBytes)
        var next = ScanBuffer(count: SANEScan.pieceBytes)
        let isWide = form.depth == 16
        var piece = try read(into: current, page, isWide: isWide, carry: nil)
        var total = 0
        while true {
            let count = min(piece.count, (form.byteCount ?? .max) - total)
            total += count
            if piece.isEnd {
                if count > 0 { try await writer.write(current.prefix(count)) }
                return total
            }
            let (buffer, carry) = (next, piece.carry)
            async let following = read(into: buffer, page, isWide: isWide, carry: carry)
            do {
                if count > 0 { try await writer.write(current.prefix(count)) }
            } catch {
                // A running read must not outlive the scan.
                gate.cancel()
                _ = try? await following
                throw error
            }
            piece = try await following
            swap(&current, &next)
        }
    }

    private struct Piece: Sendable {
        var count: Int
        var isEnd: Bool
        /// The first half of a 16-bit sample whose second half is to come.
        var carry: UInt8?
    }

    private func read(
        into buffer: ScanBuffer, _ page: Int, isWide: Bool, carry: UInt8?
    ) throws -> Piece {
        var offset = 0
        if let carry {
            buffer.bytes[0] = carry
            offset = 1
        }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[offset...])
        let got = try handle.read(into: room, page: page, gate: gate)
        var piece = Piece(count: offset + got.count, isEnd: got.isEnd)
        if isWide {
            if piece.count % 2 == 1 {
                piece.count -= 1
                piece.carry = buffer.bytes[piece.count]
            }
            ColorRows.toLittleEndian(.init(rebasing: buffer.bytes[..<piece.count]))
        }
        return piece
    }

    // MARK: Rows whose colors lie apart

    private func spread(_ form: DriverFrame, _ page: Int, to writer: any FrameWriter) async throws
        -> Int
    {
        let row = ScanBuffer(count: form.stride)
        let pixels = ScanBuffer(count: 3 * form.width)
        var rows = 0
        var filled = 0
        while true {
            let room = UnsafeMutableRawBufferPointer(rebasing: row.bytes[filled...])
            let got = try handle.read(into: room, page: page, gate: gate)
            filled += got.count
            if filled == form.stride {
                filled = 0
                if rows < form.height ?? .max {
                    ColorRows.spread(
                        row.prefix(form.stride), width: form.width, into: pixels.bytes)
                    try await writer.write(pixels.prefix(3 * form.width))
                    rows += 1
                }
            }
            if got.isEnd { return rows }
            await Task.yield()
        }
    }

    /// Reads the three passes of a page into memory, in any order, and writes them side by side.
    private func merge(
        _ first: DriverFrame, _ page: Int, to writer: any FrameWriter
    ) async throws -> Int {
        var passes: [DriverFrame.Pass: [UInt8]] = [:]
        var form = first
        while true {
            guard case .pass(let pass) = form.content, form.width == first.width,
                form.stride == first.stride, form.depth == first.depth, passes[pass] == nil
            else {
                throw CaptureError(
                    .damagedData, "The three color passes of page \(page) don't fit together",
                    advice: "Scan the page again.")
            }
            passes[pass] = try await wholePass(form, page)
            if form.isLast { break }
            try Task.checkCancellation()
            form = try DriverFrame(handle.start(page: page))
        }
        let planes = DriverFrame.Pass.allCases.compactMap { passes[$0] }
        guard planes.count == 3, let least = planes.map(\.count).min() else {
            throw CaptureError(
                .damagedData, "Only \(planes.count) of 3 color passes of page \(page) arrived",
                advice: "Scan the page again.")
        }
        let rows = min(least / first.stride, first.height ?? .max)
        let rowBytes = (first.depth == 16 ? 6 : 3) * first.width
        let pixels = ScanBuffer(count: rowBytes)
        for y in 0..<rows {
            interleave(planes, y, first, into: pixels.bytes)
            try await writer.write(pixels.prefix(rowBytes))
        }
        return rows
    }

    private func interleave(
        _ planes: [[UInt8]], _ y: Int, _ form: DriverFrame,
        into pixels: UnsafeMutableRawBufferPointer
    ) {
        let range = y * form.stride..<(y + 1) * form.stride
        planes[0].withUnsafeBytes { red in
            planes[1].withUnsafeBytes { green in
                planes[2].withUnsafeBytes { blue in
                    ColorRows.interleave(
                        [red, green, blue].map { UnsafeRawBufferPointer(rebasing: $0[range]) },
                        width: form.width, depth: form.depth, into: pixels)
                }
            }
        }
        if form.depth == 16 { ColorRows.toLittleEndian(pixels) }
    }

    private func wholePass(_ form: DriverFrame, _ page: Int) async throws -> [UInt8] {
        // More than any page has: a driver that sends as many rows is faulty.
        let most = form.byteCount ?? min(form.stride * 65_535, 2 << 30)
        let buffer = ScanBuffer(count: SANEScan.pieceBytes)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(form.byteCount ?? 0)
        while true {
            let got = try handle.read(into: buffer.bytes, page: page, gate: gate)
            bytes += buffer.prefix(min(got.count, most - bytes.count))
            if got.isEnd { return bytes }
            await Task.yield()
        }
    }
}
