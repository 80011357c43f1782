import CQPDF

/// Writes PDF files by hand (ISO 32000-1): each page a content stream and its XObjects.
struct PDFFixture {
    struct Picture {
        /// The dictionary's entries besides type, subtype and length.
        var entries: String
        var data: [UInt8]
    }

    struct Page {
        /// Width and height in points.
        var size: (Int, Int) = (200, 100)
        var content: String
        var pictures: [String: Picture] = [:]
        var rotate = 0
        /// Fonts besides F1, which is Helvetica.
        var fonts = ""
        /// Further entries of its resources.
        var resources = ""
        /// Further entries of the page's dictionary.
        var more = ""
    }

    static func bytes(_ pages: [Page]) -> [UInt8] {
        var objects: [[UInt8]] = [[], []]
        var kids: [Int] = []
        objects.append(
            Array(
                "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
                    .utf8))
        for page in pages {
            var names = ""
            for (name, picture) in page.pictures.sorted(by: { $0.key < $1.key }) {
                let head =
                    "<< /Type /XObject /Subtype /Image \(picture.entries) /Length \(picture.data.count) >>\nstream\n"
                objects.append(Array(head.utf8) + picture.data + Array("\nendstream".utf8))
                names += "/\(name) \(objects.count) 0 R "
            }
            objects.append(
                Array(
                    "<< /Length \(page.content.utf8.count) >>\nstream\n\(page.content)\nendstream"
                        .utf8))
            let content = objects.count
            objects.append(
                Array(
                    """
                    << /Type /Page /Parent 2 0 R /MediaBox [0 0 \(page.size.0) \(page.size.1)] \
                    /Rotate \(page.rotate) /Contents \(content) 0 R \(page.more) \
                    /Resources << /XObject << \(names)>> /Font << /F1 3 0 R \(page.fonts) >> \
                    \(page.resources) >> >>
                    """.utf8))
            kids.append(objects.count)
        }
        objects[0] = Array("<< /Type /Catalog /Pages 2 0 R >>".utf8)
        let list = kids.map { "\($0) 0 R" }.joined(separator: " ")
        objects[1] = Array("<< /Type /Pages /Kids [\(list)] /Count \(kids.count) >>".utf8)

        var file = Array("%PDF-1.5\n".utf8)
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(file.count)
            file += Array("\(index + 1) 0 obj\n".utf8) + object + Array("\nendobj\n".utf8)
        }
        let table = file.count
        var end = "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for offset in offsets {
            let digits = String(offset)
            end += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
        }
        end += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(table)\n%%EOF\n"
        return file + Array(end.utf8)
    }

    /// A page that is one picture over all of it.
    static func scan(
        _ picture: Picture, size: (Int, Int), matrix: String? = nil, rotate: Int = 0,
        after: String = ""
    ) -> Page {
        let matrix = matrix ?? "\(size.0) 0 0 \(size.1) 0 0"
        return Page(
            size: size, content: "q \(matrix) cm /Im0 Do Q \(after)", pictures: ["Im0": picture],
            rotate: rotate)
    }

    /// A picture with uncompressed samples.
    static func raw(
        width: Int, height: Int, bits: Int = 8, space: String, more: String = "", _ data: [UInt8]
    ) -> Picture {
        Picture(
            entries:
                "/Width \(width) /Height \(height) /BitsPerComponent \(bits) /ColorSpace /\(space) \(more)",
            data: data)
    }

    /// A picture coded as JPEG.
    static func jpeg(width: Int, height: Int, space: String, more: String = "", _ data: [UInt8])
        -> Picture
    {
        raw(width: width, height: height, space: space, more: "/Filter /DCTDecode \(more)", data)
    }

    /// The PDF encrypted with AES-256 (qpdf, `qpdf_set_r6_encryption_parameters2`).
    static func encrypted(_ bytes: [UInt8], user: String, owner: String) throws -> [UInt8] {
        var document: qpdf_data? = qpdf_init()
        defer { qpdf_cleanup(&document) }
        let chars = bytes.map { CChar(bitPattern: $0) }
        guard qpdf_read_memory(document, "fixture", chars, UInt64(chars.count), nil) & 2 == 0,
            qpdf_init_write_memory(document) & 2 == 0
        else { throw Unexpected("qpdf can't read the fixture") }
        qpdf_set_r6_encryption_parameters2(
            document, user, owner, 1, 1, 1, 1, 1, 1, qpdf_r3p_full, 1)
        guard qpdf_write(document) & 2 == 0 else { throw Unexpected("qpdf can't encrypt") }
        let count = qpdf_get_buffer_length(document)
        return Array(UnsafeBufferPointer(start: qpdf_get_buffer(document), count: count))
    }
}
