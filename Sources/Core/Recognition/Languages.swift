import ExpectedFailures
import FoundationEssentials
import Glibc

/// The languages whose data is installed, sorted, as Tesseract names them: `deu`, `eng`, `chi_sim`.
///
/// Looks where the engine looks: in `TESSDATA_PREFIX`, or else in the folder that Debian's packages
/// use. `osd` (orientation) and `equ` (equations) are not languages and are left out.
public func installedLanguages() -> [String] {
    guard let folder = TessdataFolder.current else { return [] }
    let suffix = ".traineddata"
    let names = ifSupported { try FileManager.default.contentsOfDirectory(atPath: folder) } ?? []
    return names.filter { $0.hasSuffix(suffix) }
        .map { String($0.dropLast(suffix.count)) }
        .filter { $0 != "osd" && $0 != "equ" }
        .sorted()
}

/// Finds the folder of the engine's data; the host and its helpers use the same rules.
package enum TessdataFolder {
    /// The first existing folder among `TESSDATA_PREFIX` and those of packages.
    package static var current: String? {
        let known = [
            "/usr/share/tesseract-ocr/5/tessdata", "/usr/local/share/tessdata",
            "/usr/share/tessdata", "/usr/share/tesseract-ocr/4.00/tessdata",
        ]
        let chosen = getenv("TESSDATA_PREFIX").map { [String(cString: $0)] } ?? []
        return (chosen + known).first { path in
            var isFolder = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
        }
    }

    /// Checks that the data of each name is installed.
    ///
    /// - Throws: ``RecognitionError`` with `languageMissing`, naming the package to install.
    package static func require(_ names: [String]) throws(RecognitionError) {
        guard !names.isEmpty else {
            throw RecognitionError(
                .languageMissing,
                "No language was given for reading. Name at least one, such as eng.")
        }
        for name in names { try require(name) }
    }

    private static func require(_ name: String) throws(RecognitionError) {
        // The name becomes a part of a path and of the engine's own "a+b" syntax.
        let isPlain = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || byte == UInt8(ascii: "_")
        }
        guard !name.isEmpty, isPlain, name.utf8.count <= 32 else {
            throw RecognitionError(
                .languageMissing,
                "'\(name.prefix(40))' is not the name of a language. Use a code such as eng, deu or chi_sim."
            )
        }
        guard let folder = current else {
            throw RecognitionError(
                .languageMissing,
                "The data for reading text is not installed. Install it with: apt install \(package(name))"
            )
        }
        guard FileManager.default.fileExists(atPath: "\(folder)/\(name).traineddata") else {
            let installed = installedLanguages().joined(separator: ", ")
            throw RecognitionError(
                .languageMissing,
                "The data for the language '\(name)' is not in \(folder) (installed: \(installed.isEmpty ? "none" : installed)). Install it with: apt install \(package(name))"
            )
        }
    }

    /// Debian's package for a language.
    private static func package(_ name: String) -> String {
        "tesseract-ocr-" + name.lowercased().split(separator: "_").joined(separator: "-")
    }
}
