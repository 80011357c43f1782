import Imaging
import Testing

@testable import Delivery

@Suite struct PDFReadersTests {
    @Test(
        "Every kind of PDF opens in poppler, MuPDF, ghostscript, qpdf and Chromium without a warning"
    )
    func readers() throws {
        let folder = try TemporaryFolder()
        let text = sampleText([sampleLine(["found"], y: 90)])
        let pages = [
            samplePage(
                writtenPage(inks: [(20, 20, 20), (180, 30, 30)]), text: text, resolution: 300),
            samplePage(writtenPage(.gray8), number: 2, text: text, resolution: 300),
        ]
        var paths: [String] = []
        for compression in PDFOptions.Compression.allCases {
            for archival in [nil, PDFOptions.Archival.pdfA2b] {
                var options = FileSinkOptions()
                options.pdf.compression = compression
                options.pdf.archival = archival
                let path = "\(folder.path)/\(compression)-\(archival?.rawValue ?? "plain").pdf"
                try deliver(pages, to: path, options: options)
                try expectSound(path)
                #expect(try words(in: path).map(\.text) == ["found", "found"])
                paths.append(path)
            }
        }
        var open = FileSinkOptions()
        open.pdf.protection = PDFProtection(password: nil, ownerPassword: "owner")
        try deliver(pages, to: folder.path + "/owned.pdf", options: open)
        try expectSound(folder.path + "/owned.pdf")
        paths.append(folder.path + "/owned.pdf")

        let script =
            String(#filePath.dropLast("PDFKinds/PDFReadersTests.swift".count))
            + "Support/chromium.py"
        let answer = try run(["/usr/bin/python3", script] + paths)
        let seen = answer.output.split(separator: "\n").map(String.init)
        #expect(seen == paths.map { $0 + " seen" }, "\(answer.errors)")
    }
}
