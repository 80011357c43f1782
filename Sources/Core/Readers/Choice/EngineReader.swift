import Documents
import Imaging
import Recognition

/// Tesseract alone: it reads doubtful pages again in other ways, and the best answer is kept, line
/// by line.
struct EngineReader: EngineFirstReader {
    let engine: RecognizerPool

    /// The layouts with which doubtful pages are read again: Tesseract's own rules for scale and
    /// resolution don't suit all of them, and its search for columns mistakes the cells of some
    /// tables for pictures.
    private static let otherWays = [TextLayout.any, .sparse]

    func recognize(_ image: Raster, languages: [String]) async throws -> PageText {
        let (text, doubt) = try await engine.read(
            image.sharpenedIfCoarse, languages: languages)
        let best = doubt.isLarge ? try await best(text, of: image, languages: languages) : text
        return try await RegionReader(engine: engine)
            .improved(best, of: image, languages: languages)
    }

    /// The best of several readings of a page.
    private func best(
        _ text: PageText, of image: Raster, languages: [String]
    ) async throws -> PageText {
        let view = PlainView(of: image, as: text)
        var others: [PageText] = []
        for layout in Self.otherWays {
            do {
                let other = try await engine.read(
                    view.image, languages: languages, ReadingManner(layout: layout, keepsSize: true)
                )
                others.append(view.placed(other.text))
            } catch let error as RecognitionError {
                throw RecognitionError(
                    error.code, error.message, text: BestLines(first: text, others: others).text())
            }
        }
        return BestLines(first: text, others: others).text()
    }
}
