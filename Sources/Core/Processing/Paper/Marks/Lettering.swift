import Imaging

/// A page's letters in black and white, without the rules, frames and pictures among them.
///
/// Rules under the rows of a table fill the space below letters, and are then mistaken for
/// descenders.
struct Lettering {
    /// The letters.
    let sketch: PageSketch
    /// The number of patches as large as letters.
    let count: Int

    /// The limits of a letter's longer side, in pixels at 150 dots per inch: it is shorter than an
    /// inch, and at least a thirtieth of one.
    private static let tooLong = 150
    private static let tooSmall = 5

    /// The letters of a sketch.
    ///
    /// - Throws: `libraryFailed` when memory runs out.
    init(_ sketch: PageSketch) throws {
        let ink = InkComponents(of: sketch.image)
        var others: [InkComponents.Run] = []
        var count = 0
        for patch in ink.components {
            let length = max(patch.box.width, patch.box.height)
            if length >= Self.tooLong {
                others += ink.runs[patch.runs]
            } else if length >= Self.tooSmall {
                count += 1
            }
        }
        self.count = count
        self.sketch =
            others.isEmpty
            ? sketch : try PageSketch(of: sketch.image.painted(over: others, room: 0))
    }
}
