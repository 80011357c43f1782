import BlockingWork

/// The picture of a camera: a clip, a folder's pictures one after another, or a virtual desk.
struct CameraContent: Sendable {
    let pictures: [PictureReference]
    let clip: VideoClip?
    let cache: PictureCache
    /// True when the contents begin again at their end; an artificial desk has none.
    let loops: Bool
    /// Pixels of a made-up frame.
    let size: (width: Int, height: Int)

    /// Sends frame `index`, counted from 0; false when the content has ended before it.
    ///
    /// A still of the made-up desk shows a page at rest, another one each time.
    ///
    /// - Throws: the errors of ``FrameSender/send(_:number:)``; ``CaptureError`` for an unreadable
    ///   clip.
    func send(
        _ index: Int, number: Int, isStill: Bool = false, with sender: FrameSender
    ) async throws -> Bool {
        if let clip {
            guard let place = place(index, of: clip.count) else { return false }
            try await sender.send(try await onOwnThread { try clip.frame(place) }, number: number)
        } else if !pictures.isEmpty {
            guard let place = place(index, of: pictures.count) else { return false }
            try await cache.send(pictures[place], number: number, with: sender)
        } else {
            let scene = CameraScene(width: size.width, height: size.height)
            let moment = isStill ? index * CameraScene.period + CameraScene.moving : index
            try await sender.send(scene.picture(moment), number: number)
        }
        return true
    }

    private func place(_ index: Int, of count: Int) -> Int? {
        loops || index < count ? index % count : nil
    }
}
