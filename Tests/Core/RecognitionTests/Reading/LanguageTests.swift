import Imaging
import Readers
import Recognition
import Testing

@Suite struct LanguageTests {
    private let pool = RecognizerPool(workers: 1, command: .real)
    private let page = Raster(width: 100, height: 100, format: .gray8)

    @Test("The installed languages are listed without the orientation data")
    func listsLanguages() {
        let languages = installedLanguages()
        #expect(languages.contains("eng"))
        #expect(!languages.contains("osd"))
        #expect(languages == languages.sorted())
    }

    @Test(
        "A language that is not installed is an error that names its package",
        arguments: [
            ("xho", "apt install tesseract-ocr-xho"),
            ("kmr_Zzzz", "apt install tesseract-ocr-kmr-zzzz"),
        ])
    func missingLanguage(name: String, advice: String) async throws {
        let error = await #expect(throws: RecognitionError.self) {
            try await pool.recognize(page, languages: ["eng", name])
        }
        #expect(error?.code == .languageMissing)
        #expect(error?.message.contains("'\(name)'") == true)
        #expect(error?.message.hasSuffix(advice) == true)
    }

    @Test(
        "A name that is not a language never becomes part of a path",
        arguments: ["", "../eng", "eng/..", "eng+deu", "e ng", "eng\n", "éng", "en\u{0}g"])
    func wrongNames(name: String) async throws {
        let error = await #expect(throws: RecognitionError.self) {
            try await pool.recognize(page, languages: [name])
        }
        #expect(error?.code == .languageMissing)
        #expect(error?.message.contains("is not the name of a language") == true)
    }

    @Test("No language at all is an error")
    func noLanguage() async throws {
        let error = await #expect(throws: RecognitionError.self) {
            try await pool.recognize(page, languages: [])
        }
        #expect(error?.code == .languageMissing)
    }
}
