import CaptureKit

/// One live capture: every frame of a recording in order, with its time, as fast as the host reads.
struct LiveRun {
    let worker: ImportWorker
    let settings: ImportSettings
    let limits: ImportLimits
    let sink: any FrameSink
    let limit: Int?

    /// The maximum number of damaged frames in a row; more of them end the recording.
    private static let mostDamaged = 1_000

    /// Plays the recording, or the folder of frames, at `path`.
    ///
    /// - Throws: ``CaptureError`` when it can't be opened, has no complete frame, or can't be read
    ///   to its end.
    func play(_ path: FilePath) async throws {
        do {
            try await frames(of: path)
        } catch let fault as DecodeFault {
            if fault == .cancelled { throw CancellationError() }
            throw fault.sentence(for: path.display)
        }
    }

    private func frames(of path: FilePath) async throws {
        let (expected, isFolder) = try await worker.run { [worker, settings, limits] _ in
            worker.source = nil
            let recording = try openRecording(path, settings: settings, limits: limits)
            worker.recording = recording
            return (recording.frameCount, recording is FolderOfFrames)
        }
        var sent = 0
        var firstFault: DecodeFault?
        var damaged = 0
        while sent < limit ?? .max {
            try Task.checkCancellation()
            let step = try await worker.run { [worker] cancel in
                try worker.recording?.next(cancel)
            }
            guard let step else { break }
            switch step {
            case .frame(var frame):
                frame.description.expected = expected.map {
                    min(max($0, sent + 1), limit ?? .max, 1_000_000)
                }
                damaged = 0
                sent += 1
                try await deliver(frame)
            case .damaged(let label, let fault):
                damaged += 1
                firstFault = firstFault ?? fault
                guard damaged <= Self.mostDamaged else { throw fault }
                // Damaged frames before the first good one are reported with that one, so that a
                // recording with only damaged frames ends in a single error.
                if sent > 0 {
                    try await sink.skip(label: label, fault.sentence(for: path.display))
                }
            }
        }
        try await worker.run { [worker] _ in worker.recording = nil }
        guard sent > 0 else {
            throw firstFault ?? (isFolder ? .noPictures : .damaged("it holds no whole frame"))
        }
    }

    private func deliver(_ frame: RecordedFrame) async throws {
        let writer = try await sink.begin(frame.description)
        if writer.isWanted {
            switch frame.content {
            case .made(let bytes): try await writer.writePieces(of: bytes)
            case .drawn(let count, let draw):
                try await writer.fill(count: count) { memory in
                    try draw(memory)
                    return count
                }
            }
        }
        try await writer.finish()
    }
}
