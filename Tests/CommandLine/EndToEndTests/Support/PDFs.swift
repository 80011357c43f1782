import Foundation

/// PDFs that a test makes.
struct PDFs {
    private var objects: [Data] = []

    /// The bytes of a file of text pages with a title, a bookmark to each page, a form field and an
    /// attachment.
    ///
    /// - Parameters:
    ///   - isSigned: True if the field is a signature.
    ///   - holdsItself: True if the field occurs twelve times among its own descendants.
    ///   - hasLink: True if a link on the first page leads to the last page, by a name.
    static func digital(
        pages: [String], isSigned: Bool = false, holdsItself: Bool = false, hasLink: Bool = false
    ) -> Data {
        var pdf = PDFs()
        let count = pages.count
        // The objects: 1 catalog, 2 pages, 3 font, 4 outlines, 5 form, 6 field, 7 attachment, 8
        // file specification, then 3 for each page.
        let page = { 9 + 3 * $0 }
        let kids = (0..<count).map { "\(page($0)) 0 R" }.joined(separator: " ")
        let names = "/Dests<</Names[(end) [\(page(count - 1)) 0 R/Fit]]>>"
        pdf.add(
            "<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R/AcroForm 5 0 R/Lang(en-GB)/Names<</EmbeddedFiles<</Names[(data.xml) 8 0 R]>>\(names)>>>>"
        )
        pdf.add("<</Type/Pages/Count \(count)/Kids[\(kids)]>>")
        pdf.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
        pdf.add(
            "<</Type/Outlines/First \(page(0) + 2) 0 R/Last \(page(count - 1) + 2) 0 R/Count \(count)>>"
        )
        pdf.add("<</Fields[6 0 R]>>")
        let below = holdsItself ? "/Kids[\(String(repeating: "6 0 R ", count: 12))]" : ""
        let value = isSigned ? "/FT/Sig/V<</Type/Sig/Contents<00>>>" : "/FT/Tx/V(typed)"
        pdf.add(
            "<</Type/Annot/Subtype/Widget/Rect[50 50 200 70]/T(field)\(below)\(value)/P \(page(0)) 0 R>>"
        )
        pdf.add(stream: Data("<data/>".utf8), "/Type/EmbeddedFile")
        pdf.add("<</Type/Filespec/F(data.xml)/EF<</F 7 0 R>>>>")
        for (index, text) in pages.enumerated() {
            let link =
                hasLink
                ? "<</Type/Annot/Subtype/Link/Rect[72 700 200 724]/A<</S/GoTo/D(end)>>>>" : ""
            let annotations = index == 0 ? "/Annots[6 0 R\(link)]" : ""
            pdf.add(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents \(page(index) + 1) 0 R\(annotations)>>"
            )
            pdf.add(stream: Data(content(text).utf8))
            let neighbors =
                (index > 0 ? "/Prev \(page(index - 1) + 2) 0 R" : "")
                + (index < count - 1 ? "/Next \(page(index + 1) + 2) 0 R" : "")
            pdf.add(
                "<</Title(\(text))/Parent 4 0 R\(neighbors)/Dest[\(page(index)) 0 R/Fit]>>")
        }
        return pdf.file(info: "<</Title(Old title)/Author(Ada)>>")
    }

    /// A page with a text, and another text in a hidden layer.
    ///
    /// - Parameter isByRule: True if the file hides all layers except the named ones.
    static func layered(_ text: String, hidden: String, isByRule: Bool = false) -> Data {
        var pdf = PDFs()
        let state = isByRule ? "/BaseState/OFF" : "/OFF[5 0 R]"
        pdf.add("<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[5 0 R]/D<<\(state)>>>>>>")
        pdf.add("<</Type/Pages/Count 1/Kids[3 0 R]>>")
        pdf.add(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>/Properties<</L 5 0 R>>>>>>"
        )
        pdf.add(
            stream: Data(
                "\(content(text)) /OC /L BDC 0 0 595 400 re f \(content(hidden)) EMC".utf8))
        pdf.add("<</Type/OCG/Name(Layer of \(text))>>")
        return pdf.file(info: "<<>>")
    }

    /// The drawing commands of a text page.
    static func content(_ text: String) -> String { "BT /F1 24 Tf 72 700 Td (\(text)) Tj ET" }

    /// The bytes of a file with one page, which consists of a JPEG.
    static func scan(_ jpeg: Data, width: Int, height: Int, components: Int, isLying: Bool = false)
        -> Data
    {
        let sides = isLying ? "842 595" : "595 842"
        let matrix = isLying ? "842 0 0 595 0 0" : "595 0 0 842 0 0"
        var pdf = PDFs()
        pdf.add("<</Type/Catalog/Pages 2 0 R>>")
        pdf.add("<</Type/Pages/Count 1/Kids[3 0 R]>>")
        pdf.add(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 \(sides)]/Resources<</XObject<</I 5 0 R>>>>/Contents 4 0 R>>"
        )
        pdf.add(stream: Data("\(matrix) cm /I Do".utf8))
        pdf.add(
            stream: jpeg,
            "/Type/XObject/Subtype/Image/Width \(width)/Height \(height)/BitsPerComponent 8/ColorSpace/Device\(components == 1 ? "Gray" : "RGB")/Filter/DCTDecode"
        )
        return pdf.file(info: "<</Title(Scan)>>")
    }

    private mutating func add(_ object: String) { objects.append(Data(object.utf8)) }

    private mutating func add(stream: Data, _ entries: String = "") {
        objects.append(
            Data("<<\(entries)/Length \(stream.count)>>stream\n".utf8) + stream
                + Data("\nendstream".utf8))
    }

    private func file(info: String) -> Data {
        var file = Data("%PDF-1.7\n".utf8)
        var places: [Int] = []
        for (index, object) in (objects + [Data(info.utf8)]).enumerated() {
            places.append(file.count)
            file += Data("\(index + 1) 0 obj\n".utf8) + object + Data("\nendobj\n".utf8)
        }
        let start = file.count
        file += Data("xref\n0 \(places.count + 1)\n0000000000 65535 f \n".utf8)
        for place in places {
            let digits = String(place)
            file += Data(
                "\(String(repeating: "0", count: 10 - digits.count))\(digits) 00000 n \n".utf8)
        }
        file += Data(
            "trailer<</Size \(places.count + 1)/Root 1 0 R/Info \(places.count) 0 R>>\nstartxref\n\(start)\n%%EOF\n"
                .utf8)
        return file
    }
}
