import CaptureHost
import CaptureKit
import Delivery
import Glibc

extension FedPage {
    /// The PDF with this page, for the archive to keep unchanged; nil for none.
    ///
    /// The job has a copy, unless the PDF is encrypted: an encrypted PDF is not copied, so the file
    /// itself is used.
    var importedFile: ImportedFile? {
        let (name, number) = Self.parts(of: label ?? "")
        if let source = captured.source {
            return ImportedFile(
                path: source.path, name: name, media: Self.media, page: source.page)
        }
        guard let origin, origin.size <= FrameSource.mostBytes, origin.isPDF, origin.isUnchanged
        else { return nil }
        return ImportedFile(path: origin.path, name: name, media: Self.media, page: number)
    }

    private static let media = "application/pdf"

    /// A label such as `report.pdf, page 3`: the file's name, and the page's number in it.
    private static func parts(of label: String) -> (name: String, number: Int) {
        guard let mark = label.ranges(of: ", page ").last,
            let number = Int(label[mark.upperBound...]),
            number > 0
        else { return (label, 1) }
        return (String(label[..<mark.lowerBound]), number)
    }
}

extension SourceFile {
    /// True if the file names itself a PDF in its first 1,024 bytes, where PDF readers look (ISO
    /// 32000-1, annex H.3, note 13).
    fileprivate var isPDF: Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return false }
        defer { close(file) }
        var head = [UInt8](repeating: 0, count: 1_024)
        let count = max(0, read(file, &head, head.count))
        let mark = Array("%PDF-".utf8)
        return (0...max(0, count - mark.count)).contains { start in
            head[start..<min(count, start + mark.count)].elementsEqual(mark)
        }
    }
}
