import Documents
import Imaging
import Recognition

/// Reads the parts of a page again whose letters were not read well, and keeps the answers with
/// more evidence.
struct RegionReader {
    let engine: RecognizerPool
    /// The reader with the network; nil if there is none.
    var network: RecognizerPool?

    /// The text of a page with its regions read again.
    ///
    /// - Throws: `RecognitionError` with the text read so far; `CancellationError`.
    func improved(_ text: PageText, of page: Raster, languages: [String]) async throws -> PageText {
        var text = text
        for region in RegionFinder(page: page, text: text).regions() {
            do {
                let answer = try await answer(
                    for: region, of: page, before: text, languages: languages)
                guard let (answer, reading) = answer else { continue }
                text = text.replacingWords(
                    in: region.box, with: answer.lines, isTurned: region.isTurned)
                let sureness = Doubt.sureness(text)
                let regions = (text.evidence?.regions ?? []) + [reading]
                text.evidence?.sureness = sureness
                text.evidence?.regions = regions
            } catch let error as RecognitionError {
                throw RecognitionError(error.code, error.message, text: text)
            }
        }
        return text
    }

    /// The answer with the most evidence, and how it was read; nil if none is better than what was
    /// read before.
    private func answer(
        for region: Region, of page: Raster, before text: PageText, languages: [String]
    ) async throws -> (RegionAnswer, RegionReading)? {
        let before = RegionAnswer(text.lines, in: region)
        var best = before
        var found: (RegionAnswer, RegionReading)?
        for way in RegionWay.ways(for: region, hasNetwork: network != nil) {
            let reader = way.byNetwork ? network ?? engine : engine
            let view = RegionView(of: region, on: page, turn: way.turn)
            let read = try await reader.read(
                view.image, languages: languages,
                ReadingManner(layout: way.layout, keepsSize: true))
            let answer = RegionAnswer(view.placed(read.text), in: region)
            if answer.confirms(before) { break }
            guard answer.isBetter(than: best) else { continue }
            best = answer
            found = (
                answer,
                RegionReading(
                    box: region.box, way: way.description(of: region, reader: reader.name))
            )
            if answer.isCertain { break }
        }
        return found
    }
}
