import Documents

/// The document's metadata as an XMP packet (ISO 16684-1), which repeats the information
/// dictionary.
///
/// - Parameter archival: the archival form that the document claims (ISO 19005-2, 6.6.4).
func xmpPacket(
    _ info: DocumentInfo, producer: String, archival: PDFOptions.Archival? = nil
) -> [UInt8] {
    let date = Timestamp(seconds: info.created).iso8601
    let title = cleaned(info.title)
    var properties = ""
    if !title.isEmpty {
        properties += "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">\(xmlEscaped(title))"
        properties += "</rdf:li></rdf:Alt></dc:title>\n"
    }
    if let language = languageTag(info.language) {
        properties += "<dc:language><rdf:Bag><rdf:li>\(language)</rdf:li></rdf:Bag></dc:language>\n"
    }
    let form =
        switch archival {
        case .pdfA2b: "<pdfaid:part>2</pdfaid:part>\n<pdfaid:conformance>B</pdfaid:conformance>\n"
        case nil: ""
        }
    let packet = """
        <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/">
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about=""
         xmlns:dc="http://purl.org/dc/elements/1.1/"
         xmlns:xmp="http://ns.adobe.com/xap/1.0/"
         xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
         xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
        <dc:format>application/pdf</dc:format>
        \(form)\(properties)<xmp:CreateDate>\(date)</xmp:CreateDate>
        <xmp:ModifyDate>\(date)</xmp:ModifyDate>
        <pdf:Producer>\(xmlEscaped(producer))</pdf:Producer>
        </rdf:Description>
        </rdf:RDF>
        </x:xmpmeta>
        <?xpacket end="r"?>

        """
    return Array(packet.utf8)
}
