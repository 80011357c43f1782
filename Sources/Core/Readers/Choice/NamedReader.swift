import Documents
import Imaging
import Recognition

/// A named reader reads the pages.
///
/// Tesseract reads single lines and codes, and finds a page's orientation, because only it can.
struct NamedReader: TextRecognizer {
    let pool: RecognizerPool
    let engine: RecognizerPool

    func recognize(_ image: Raster, languages: [String]) async throws -> PageText {
        try await pool.recognize(image, languages: languages)
    }

    func recognize(
        _ image: Raster, languages: [String], layout: TextLayout
    ) async throws -> PageText {
        guard layout != .any else {
            return try await pool.recognize(image, languages: languages)
        }
        return try await engine.recognize(image, languages: languages, layout: layout)
    }

    func detectOrientation(_ image: Raster) async throws -> OrientationGuess? {
        try await engine.detectOrientation(image)
    }

    func prewarm(languages: [String]) { pool.prewarm(languages: languages) }
}
