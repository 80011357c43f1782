import Documents
import Imaging
import Recognition

/// Tesseract reads every page, and the network reads those that remain doubtful; then regions are
/// read again.
struct AutomaticReader: EngineFirstReader {
    let engine: RecognizerPool
    let network: RecognizerPool

    func recognize(_ image: Raster, languages: [String]) async throws -> PageText {
        let (text, doubt) = try await engine.read(
            image.sharpenedIfCoarse, languages: languages)
        var merged = text
        if doubt.isLarge {
            do {
                let second = try await network.recognize(image, languages: languages)
                merged = LineMerge(engine: text, network: second).text()
            } catch let error as RecognitionError {
                throw RecognitionError(error.code, error.message, text: text)
            }
        }
        return try await RegionReader(engine: engine, network: network)
            .improved(merged, of: image, languages: languages)
    }
}
