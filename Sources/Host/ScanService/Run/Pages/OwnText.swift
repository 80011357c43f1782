import CaptureKit
import Documents
import Imaging
import Processing

extension PageText {
    /// A page's own text, in the frame's pixels and with full confidence.
    init(_ own: FrameText) {
        var blocks: [TextBlock] = []
        var lines: [TextLine] = []
        var words: [Word] = []
        func endLine() {
            if let box = Box(around: words.map(\.box)) {
                lines.append(TextLine(words: words, box: box))
            }
            words = []
        }
        func endBlock() {
            endLine()
            if let box = Box(around: lines.map(\.box)) {
                blocks.append(
                    TextBlock(paragraphs: [Paragraph(lines: lines, box: box)], box: box))
            }
            lines = []
        }
        for word in own.words where word.box.count == 4 {
            let box = Box(
                x: word.box[0], y: word.box[1], width: word.box[2], height: word.box[3])
            words.append(Word(text: word.text, box: box, confidence: 1))
            switch word.ends {
            case .line: endLine()
            case .block: endBlock()
            case nil: break
            }
        }
        endBlock()
        self.init(blocks: blocks, languages: [])
    }

    /// The text of a frame, moved to the picture that was made from a part of the frame.
    func stretched(
        from frame: FrameDescription, to picture: Raster, cut part: PixelRect
    ) -> PageText? {
        let across = Double(picture.width) / Double(frame.width)
        let down = Double(picture.height) / Double(frame.height ?? 1)
        let map = Homography(matrix: [
            across, 0, -Double(part.x), 0, down, -Double(part.y), 0, 0, 1,
        ])
        return map.flatMap { moved(by: $0, width: part.width, height: part.height) }
    }
}
