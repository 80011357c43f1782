import CaptureKit

/// A folder whose pictures, in natural order, are the frames of a recording.
final class FolderOfFrames: RecordingSource {
    private let files: [(path: FilePath, relative: [UInt8])]
    private let clock: FrameClock
    private let settings: ImportSettings
    private let limits: ImportLimits
    private var position = 0
    private var index = 0

    init(
        _ folder: FilePath, name: String, settings: ImportSettings, limits: ImportLimits
    ) throws(DecodeFault) {
        self.settings = settings
        self.limits = limits
        files = try FolderListing(
            folder, recursive: settings.recursive, limit: limits.maximumFiles
        ).files
        clock = FrameClock(name: name, asked: settings.rate, own: nil)
    }

    var frameCount: Int? { files.count }

    func next(_ cancel: CancelFlag) throws(DecodeFault) -> RecordedStep? {
        while position < files.count {
            try cancel.check()
            let file = files[position]
            position += 1
            let label = shownName(file.relative.suffix(1_000))
            do throws(DecodeFault) {
                guard var frame = try frame(file.path, label, cancel) else { continue }
                frame.description.time = clock.time(index)
                index += 1
                return .frame(frame)
            } catch {
                if case .cancelled = error { throw error }
                index += 1
                return .damaged(label: label, error)
            }
        }
        return nil
    }

    /// The picture in a file; nil for a file that is not a picture and does not claim to be one.
    private func frame(
        _ path: FilePath, _ label: String, _ cancel: CancelFlag
    ) throws(DecodeFault) -> RecordedFrame? {
        if let frame = try untouched(path, label) { return frame }
        let page: DecodedPage?
        do throws(OpenFailure) {
            let source = try openSource(path, settings: settings, limits: limits).source
            page = try decoded(source, cancel)
        } catch {
            if error.isOfAnotherKind(path) { return nil }
            throw error.fault
        }
        guard let page = try page?.forLiveView(limits: limits) else { return nil }
        return RecordedFrame(
            description: FrameDescription(
                format: page.format, width: page.width, height: page.height, label: label),
            bytes: page.pixels)
    }

    private func decoded(
        _ source: any PageSource, _ cancel: CancelFlag
    ) throws(OpenFailure) -> DecodedPage? {
        do throws(DecodeFault) {
            return try source.page(0, cancel: cancel)
        } catch {
            throw OpenFailure(fault: error, format: nil)
        }
    }

    /// An unchanged JPEG picture, unless it must be turned, or has a form that cameras don't
    /// send.
    private func untouched(
        _ path: FilePath, _ label: String
    ) throws(DecodeFault) -> RecordedFrame? {
        let file = try OpenFile(path)
        let head = try file.read(at: 0, count: 3)
        guard ImportFormat.recognize(head) == .jpeg, file.size <= MJPEGSource.mostBytes(limits)
        else {
            return nil
        }
        return try file.buffer(at: 0, count: file.size).withBytes { bytes throws(DecodeFault) in
            let markers = JPEGMarkers(bytes)
            let exif = markers.exif.map { ExifFacts(ByteReader(bytes: bytes).slice($0)) }
            guard markers.isCommonFrame, [1, 3].contains(markers.components), markers.end != nil,
                exif?.turn ?? Turn.none == Turn.none
            else { return nil }
            return try jpegFrame(bytes, markers, label: label, time: 0, limits: limits)
        }
    }
}
