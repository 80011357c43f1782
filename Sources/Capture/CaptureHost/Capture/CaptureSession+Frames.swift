import CaptureKit
import Clocks
import Dispatch
import Synchronization

// The effects of the backend's events. The link's reader thread calls these functions one after the
// other; an error that they throw ends the link.
extension CaptureSession {
    /// The maximum number of pages of a capture, skipped ones included.
    private static let mostPages = 100_000

    func handle(_ line: WireLine, _ reader: WireReader) throws -> Effect {
        let effect: Effect
        switch line.header.event.flatMap(EventName.init) {
        case .source: effect = try source(line, reader)
        case .frame: effect = try announce(line.decode(Wire.Frame.self))
        case .pixels: effect = try pixels(line, reader)
        case .text: effect = try text(line.decode(Wire.Text.self))
        case .progress: effect = try progress(line.decode(Wire.Rows.self))
        case .done: effect = try done(line, reader)
        case .skipped: effect = try skipped(line)
        default: effect = .idle
        }
        if effect == .advance { state.withLock { $0.sinceAdvance = Stopwatch(link.clock) } }
        return effect
    }

    // MARK: A backend announces a frame

    private func announce(_ frame: Wire.Frame) throws -> Effect {
        let description = FrameDescription(
            format: frame.format, width: frame.width, height: frame.height,
            stride: (1...FrameDescription.longestSide).contains(frame.width)
                ? frame.stride : frame.stride ?? 1,
            capacity: frame.capacity, resolution: frame.resolution, label: frame.label,
            expected: frame.expected, time: frame.time, problems: frame.problems,
            facts: frame.facts, source: frame.source, metadata: frame.metadata)
        if let fault = description.impossibility {
            throw link.nonsense("announced an impossible frame: \(fault)")
        }
        try checkSource(of: description)
        let isLive = settings.request.mode == .live
        if description.format.isLiveOnly && !isLive {
            throw link.nonsense(
                "announced a page of \(frame.format), which only live frames may be")
        }
        try state.withLock { state in
            state.reading?.held = nil
            guard frame.frame == state.pages + 1, state.open == nil, state.announced == nil else {
                throw link.nonsense("announced frame \(frame.frame) out of order")
            }
            guard state.finished < settings.request.limit ?? .max,
                isLive || state.pages < CaptureSession.mostPages
            else {
                throw link.nonsense("announced frame \(frame.frame), one more than requested")
            }
        }
        let pixels = description.width * (description.height ?? 1)
        guard pixels <= settings.limits.pixels(of: description.format) else {
            refuse(frame.frame, tooLarge(description))
            return .advance
        }
        switch settings.request.mode {
        case .pages: admit(frame.frame, description)
        case .live: try admitLive(frame.frame, description)
        }
        return .advance
    }

    /// Admits a page if the window has room; otherwise the page waits for the next release.
    private func admit(_ number: Int, _ description: FrameDescription) {
        enum Answer { case grant, wait, refuse }
        let answer = state.withLock { state -> Answer in
            if state.isCancelled || state.isEnded { return .refuse }
            state.announced = description
            state.isWaiting = state.held >= settings.window ?? .max
            if state.isWaiting { return .wait }
            state.held += 1
            return .grant
        }
        switch answer {
        case .grant: granting.async { self.grant(number, description) }
        case .refuse: refuse(number, CaptureError(.cancelled, "the capture was canceled"))
        case .wait: break
        }
    }

    private func admitLive(_ number: Int, _ description: FrameDescription) throws {
        guard description.height != nil else {
            throw link.nonsense("announced a live frame without a height")
        }
        if let place = ring.takePlace() {
            state.withLock { $0.announced = description }
            return openLive(number, description, place)
        }
        guard settings.whenFull == .wait else {
            state.withLock { state in
                state.pages += 1
                state.dropped += 1
            }
            return buffer(number, .drop)
        }
        let isRefused = state.withLock { state in
            if state.isCancelled || state.isEnded { return true }
            state.announced = description
            state.isWaiting = true
            return false
        }
        if isRefused {
            return refuse(number, CaptureError(.cancelled, "the capture was canceled"))
        }
        // A buffer may have become free since this page began to wait.
        grantWaitingFrame()
    }

    /// Admits the live frame that waits for a buffer, if one waits and a buffer is free.
    func grantWaitingFrame() {
        let next = state.withLock { state -> (number: Int, FrameDescription, place: Int)? in
            guard state.isWaiting, let description = state.announced,
                let place = ring.takePlace()
            else { return nil }
            state.isWaiting = false
            return (state.pages + 1, description, place)
        }
        if let (number, description, place) = next {
            granting.async { self.openLive(number, description, place) }
        }
    }

    private func openLive(_ number: Int, _ description: FrameDescription, _ place: Int) {
        do {
            let size = description.byteCount(rows: description.height ?? 0)
            let buffer = try ring.buffer(at: place, size: size)
            try open(number, description, most: size, .live(buffer))
        } catch {
            state.withLock { $0.announced = nil }
            refuse(number, CaptureError(.inputOutput, "the host has no memory for the frame"))
            fail(error, at: number)
        }
    }

    /// Creates the file of a page and sends it to the backend.
    private func grant(_ number: Int, _ description: FrameDescription) {
        let rows =
            description.height
            ?? min(
                FrameDescription.longestSide,
                settings.limits.pixels(of: description.format) / description.width)
        let most = description.byteCount(rows: rows)
        do {
            // A backend that can't leave room writes from the file's start. Its page is just as
            // good, but a delivery must copy it.
            let room =
                link.takesDescriptors && !link.takesOffsets ? 0 : settings.room
            let file = try SpoolFile(
                path: settings.spool.pagePath(page(number), "raw"),
                size: description.height == nil ? 0 : room + most)
            if room > 0 { try file.writeZeros(count: room) }
            try open(number, description, most: most, .page(file), room: room)
        } catch {
            state.withLock { state in
                state.announced = nil
                state.held -= 1
            }
            refuse(number, CaptureError(.inputOutput, "the host can't store the page"))
            fail(error, at: number)
        }
    }

    private func open(
        _ number: Int, _ description: FrameDescription, most: Int, _ storage: OpenFrame.Storage,
        room: Int = 0
    ) throws {
        let frame = OpenFrame(
            number: number, description: description, most: most,
            isInline: !link.takesDescriptors, storage: storage, room: room)
        try frame.markEnd()
        let isEnded = state.withLock { state in
            state.announced = nil
            state.sinceAdvance = Stopwatch(link.clock)
            if !state.isEnded { state.open = frame }
            return state.isEnded
        }
        if isEnded { return frame.discard() }
        continuation.yield(.began(page: page(number), description))
        // This comes before the backend gets its buffer, since the page may end right after that.
        if case .page = storage, description.height != nil, settings.spool.isKept {
            frame.writeNote(in: settings.spool, page: page(number), note(frame), on: granting)
        }
        if frame.isInline {
            buffer(number, .inline, most: most)
        } else {
            buffer(
                number, .fd, size: description.height == nil ? 0 : most, most: most,
                offset: room > 0 ? room : nil, frame.descriptor)
        }
    }

    /// The content of a page's note, which the page's end may still change.
    private func note(_ frame: OpenFrame) -> SpoolFolder.Note {
        SpoolFolder.Note(
            description: frame.description, room: frame.room > 0 ? frame.room : nil,
            modified: .now, source: pageSource(of: frame.description))
    }

    private func buffer(
        _ number: Int, _ way: Wire.Buffer.Way, size: Int? = nil, most: Int? = nil,
        offset: Int? = nil, _ descriptor: OwnedDescriptor? = nil
    ) {
        link.transmit(
            WireHeader(event: .buffer, fd: descriptor == nil ? nil : true),
            Wire.Buffer(
                capture: id, frame: number, way: way, size: size, most: most, offset: offset),
            descriptor: descriptor)
    }

    /// Informs the backend that an announced frame gets no buffer; the frame's number becomes free
    /// again.
    func refuse(_ number: Int, _ error: CaptureError) {
        link.transmit(
            WireHeader(event: .refused, error: error),
            Wire.FrameReference(capture: id, frame: number))
    }

    private func tooLarge(_ description: FrameDescription) -> CaptureError {
        let limit = settings.limits.pixels(of: description.format) / 1_000_000
        return CaptureError(
            .tooLarge,
            "a frame of \(description.width) × \(description.height ?? 1) pixels is beyond the limit of \(limit) million"
        )
    }

    // MARK: A frame's pixels arrive

    private func openFrame(_ number: Int, _ event: String) throws -> OpenFrame {
        guard let frame = state.withLock({ $0.open }), frame.number == number else {
            throw link.nonsense("sent '\(event)' for frame \(number), which has no buffer")
        }
        return frame
    }

    private func pixels(_ line: WireLine, _ reader: WireReader) throws -> Effect {
        let number = try line.decode(Wire.FrameReference.self).frame
        let frame = try openFrame(number, "pixels")
        let count = line.header.bytes ?? 0
        guard frame.isInline, count <= WireLimits.pixels else {
            throw link.nonsense("sent \(count) bytes of pixels where none, or fewer, were expected")
        }
        var offset = frame.received
        guard frame.receive(count) else {
            throw link.nonsense(
                "sent more than the \(frame.most) bytes of frame \(number)")
        }
        var failure: (any Error)?
        try reader.readBytes { bytes in
            defer { offset += bytes.count }
            guard failure == nil else { return }
            do { try store(bytes, at: offset, of: frame) } catch { failure = error }
        }
        if let failure { fail(failure, at: number) }
        let rows = frame.description.wholeRows(in: frame.received)
        if frame.advance(to: rows).isWorthReporting {
            continuation.yield(.progress(page: page(number), rows: rows))
            beginWriting(frame, rows: rows)
        }
        return count > 0 ? .advance : .idle
    }

    private func store(_ bytes: UnsafeRawBufferPointer, at offset: Int, of frame: OpenFrame) throws
    {
        switch frame.storage {
        case .page(let file): try file.write(bytes, at: frame.room + offset)
        case .live(let buffer): try buffer.write(bytes, at: offset)
        }
    }

    private func text(_ text: Wire.Text) throws -> Effect {
        let frame = try openFrame(text.frame, "text")
        if let fault = text.words.lazy.compactMap({ FrameText.fault($0, in: frame.description) })
            .first
        {
            throw link.nonsense("sent \(fault), for frame \(text.frame)")
        }
        guard frame.add(text.words, isPartial: text.partial ?? false) else {
            throw link.nonsense(
                "sent more than \(FrameText.mostWords) words of frame \(text.frame)")
        }
        return text.words.isEmpty ? .idle : .advance
    }

    private func progress(_ progress: Wire.Rows) throws -> Effect {
        let frame = try openFrame(progress.frame, "progress")
        guard (0...FrameDescription.longestSide).contains(progress.rows),
            progress.rows <= frame.description.height ?? .max
        else {
            throw link.nonsense("claims \(progress.rows) rows of frame \(progress.frame)")
        }
        let (isAdvance, isWorthReporting) = frame.advance(to: progress.rows)
        if isWorthReporting {
            continuation.yield(.progress(page: page(frame.number), rows: progress.rows))
            beginWriting(frame, rows: progress.rows)
        }
        return isAdvance ? .advance : .idle
    }

    /// Starts to write the rows so far to the disk, while the device continues.
    private func beginWriting(_ frame: OpenFrame, rows: Int) {
        guard case .page(let file) = frame.storage, settings.spool.isKept else { return }
        storing.async { file.beginWriting(upTo: frame.room + rows * frame.description.stride) }
    }

    // MARK: A page could not be captured

    private func skipped(_ line: WireLine) throws -> Effect {
        let skip = try line.decode(Wire.Skipped.self)
        guard let error = line.header.error else {
            throw link.nonsense("skipped frame \(skip.frame) without saying why")
        }
        let dropped = try state.withLock { state -> OpenFrame? in
            guard skip.frame == state.pages + 1, state.announced == nil else {
                throw link.nonsense("skipped frame \(skip.frame) out of order")
            }
            guard state.pages < CaptureSession.mostPages else {
                throw link.nonsense("skipped more than \(CaptureSession.mostPages) pages")
            }
            state.pages += 1
            state.skipped += 1
            state.reading?.held = nil
            defer { state.open = nil }
            return state.open
        }
        let page = page(skip.frame)
        // The event comes after the pages that are being stored, so that events keep their order.
        storing.async { [self] in
            dropped?.discard()
            continuation.yield(.skipped(page: page, label: skip.label, error))
        }
        switch dropped?.storage {
        case .page: releasePage()
        case .live(let buffer): give(buffer)
        case nil: break
        }
        return .advance
    }

    // MARK: Pages and buffers are released

    /// Releases a live frame's buffer, for which the next frame may be waiting.
    func give(_ buffer: LiveBuffer) {
        ring.give(buffer)
        grantWaitingFrame()
    }

    /// Counts a page as done, and admits the next one if it is waiting.
    func releasePage() {
        let waiting = state.withLock { state -> (Int, FrameDescription)? in
            state.held -= 1
            guard state.isWaiting, let description = state.announced else { return nil }
            state.isWaiting = false
            state.held += 1
            return (state.pages + 1, description)
        }
        if let (number, description) = waiting {
            granting.async { self.grant(number, description) }
        }
    }
}
