import CQPDF

/// The pictures that a PDF's pages refer to, as their dictionaries describe them (qpdf).
///
/// Poppler tells where a picture is drawn, but neither its size before decoding it nor its JPEG bytes.
final class PDFPictures {
    private let document: qpdf_data

    /// Opens the file a second time (`qpdf_read`); nil when qpdf can't read it, so that its pages are rendered.
    init?(file: OpenFile, password: String) {
        guard let document = qpdf_init() else { return nil }
        qpdf_silence_errors(document)
        qpdf_set_suppress_warnings(document, 1)
        // The descriptor's own name opens the same file, even when its path now names another.
        let status = qpdf_read(document, "/proc/self/fd/\(file.descriptor)", password)
        // The second bit is for errors; the first, for warnings, is no hindrance.
        guard status & 2 == 0 else {
            var doomed: qpdf_data? = document
            qpdf_cleanup(&doomed)
            return nil
        }
        self.document = document
    }

    deinit {
        var doomed: qpdf_data? = document
        qpdf_cleanup(&doomed)
    }

    /// The one picture of page `index`, counted from 0; nil when it refers to none or to several.
    func onlyPicture(onPage index: Int) -> PDFPicture? {
        defer { qpdf_oh_release_all(document) }
        guard index < Int(qpdf_get_num_pages(document)) else { return nil }
        let page = PDFObject(document, qpdf_get_page_n(document, index))
        guard let resources = inherited("/Resources", from: page) else { return nil }
        var found: [PDFObject] = []
        collect(resources["/XObject"], depth: 0, into: &found)
        guard found.count == 1 else { return nil }
        return PDFPicture(found[0])
    }

    /// An entry of the page, or of the nearest of its ancestors that has it (ISO 32000-1, 7.7.3.4).
    private func inherited(_ key: String, from page: PDFObject) -> PDFObject? {
        var node = page
        for _ in 0..<32 {
            let value = node[key]
            if value.isDictionary { return value }
            node = node["/Parent"]
            guard node.isDictionary else { return nil }
        }
        return nil
    }

    /// Adds the pictures among XObjects, those in forms included; stops once there are two.
    private func collect(_ objects: PDFObject, depth: Int, into found: inout [PDFObject]) {
        guard objects.isDictionary, depth < 4 else { return }
        for key in objects.keys {
            let object = objects[key]
            guard object.isStream, found.count < 2 else { continue }
            let dictionary = object.dictionary
            if dictionary["/Subtype"].isName("/Image") {
                found.append(object)
            } else if dictionary["/Subtype"].isName("/Form") {
                collect(dictionary["/Resources"]["/XObject"], depth: depth + 1, into: &found)
            }
        }
    }
}

/// One picture of a PDF.
struct PDFPicture {
    /// Pixels in a row.
    let width: Int
    /// Rows.
    let height: Int
    /// Its JPEG bytes, when its samples are shown as that JPEG decodes, without masks or mappings of colour.
    let jpeg: PixelBuffer?

    init?(_ stream: PDFObject) {
        let dictionary = stream.dictionary
        guard let width = dictionary["/Width"].integer, let height = dictionary["/Height"].integer,
            width > 0, height > 0
        else { return nil }
        self.width = width
        self.height = height
        let isPlain =
            ["/SMask", "/Mask", "/Decode", "/DecodeParms", "/SMaskInData"].allSatisfy {
                dictionary[$0].isNull
            } && !dictionary["/ImageMask"].isTrue
        jpeg =
            isPlain && Self.isDeviceColour(dictionary["/ColorSpace"]) ? Self.jpeg(of: stream) : nil
    }

    /// The JPEG in a stream, or in a deflated one, as optimisers leave it; nil when it holds another coding.
    private static func jpeg(of stream: PDFObject) -> PixelBuffer? {
        let filter = stream.dictionary["/Filter"]
        let filters = filter.isArray ? (0..<min(filter.count, 3)).map(filter.item) : [filter]
        guard filters.last?.isName("/DCTDecode") == true else { return nil }
        if filters.count == 1 { return stream.bytes(decoded: false) }
        guard filters.count == 2, filters[0].isName("/FlateDecode") else { return nil }
        // qpdf undoes all of a stream's filters or none, so in memory the stream is given the first one only.
        stream.dictionary.replace("/Filter", with: filters[0])
        defer { stream.dictionary.replace("/Filter", with: filter) }
        return stream.bytes(decoded: true)
    }

    /// True for gray and RGB, calibrated or not: colour spaces whose numbers are the JPEG's own.
    private static func isDeviceColour(_ space: PDFObject) -> Bool {
        if space.isName("/DeviceGray") || space.isName("/DeviceRGB") { return true }
        guard space.isArray, space.count >= 2 else { return false }
        if space.item(0).isName("/CalGray") || space.item(0).isName("/CalRGB") { return true }
        guard space.item(0).isName("/ICCBased"), space.item(1).isStream else { return false }
        let components = space.item(1).dictionary["/N"].integer
        return components == 1 || components == 3
    }
}
