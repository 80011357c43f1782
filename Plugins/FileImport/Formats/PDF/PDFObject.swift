import CQPDF
import Glibc

/// A handle of an object in a PDF; valid until its document releases all handles.
struct PDFObject {
    private let document: qpdf_data
    private let handle: qpdf_oh

    init(_ document: qpdf_data, _ handle: qpdf_oh) {
        self.document = document
        self.handle = handle
    }

    /// A dictionary's entry; a null object when there is none, or when this is no dictionary.
    subscript(key: String) -> PDFObject {
        PDFObject(document, qpdf_oh_get_key_if_dict(document, handle, key))
    }

    /// An array's element, from 0.
    func item(_ index: Int) -> PDFObject {
        PDFObject(document, qpdf_oh_get_array_item(document, handle, Int32(clamping: index)))
    }

    /// A stream's dictionary.
    var dictionary: PDFObject { PDFObject(document, qpdf_oh_get_dict(document, handle)) }

    /// How many elements an array has.
    var count: Int { Int(qpdf_oh_get_array_n_items(document, handle)) }

    var isNull: Bool { qpdf_oh_is_null(document, handle) != 0 }
    var isDictionary: Bool { qpdf_oh_is_dictionary(document, handle) != 0 }
    var isStream: Bool { qpdf_oh_is_stream(document, handle) != 0 }
    var isArray: Bool { qpdf_oh_is_array(document, handle) != 0 }

    /// True for the boolean true.
    var isTrue: Bool {
        var value: QPDF_BOOL = 0
        return qpdf_oh_get_value_as_bool(document, handle, &value) != 0 && value != 0
    }

    /// True for this name, slash included.
    func isName(_ name: String) -> Bool { qpdf_oh_is_name_and_equals(document, handle, name) != 0 }

    /// A whole number; nil for anything else.
    var integer: Int? {
        var value: Int64 = 0
        return qpdf_oh_get_value_as_longlong(document, handle, &value) != 0 ? Int(value) : nil
    }

    /// A dictionary's keys, at most 1,000.
    var keys: [String] {
        var keys: [String] = []
        qpdf_oh_begin_dict_key_iter(document, handle)
        while keys.count < 1_000, qpdf_oh_dict_more_keys(document) != 0,
            let key = qpdf_oh_dict_next_key(document)
        {
            keys.append(String(cString: key))
        }
        return keys
    }

    /// Replaces a dictionary's entry in memory; the file stays as it is.
    func replace(_ key: String, with value: PDFObject) {
        qpdf_oh_replace_key(document, handle, key, value.handle)
    }

    /// A stream's bytes, decrypted, and inflated when `decoded` (`qpdf_oh_get_stream_data`); nil when they can't be read.
    func bytes(decoded: Bool) -> PixelBuffer? {
        var buffer: UnsafeMutablePointer<UInt8>?
        var length = 0
        let status = qpdf_oh_get_stream_data(
            document, handle, decoded ? qpdf_dl_generalized : qpdf_dl_none, nil, &buffer, &length)
        defer { free(buffer) }
        guard status & 2 == 0, let buffer, length > 0 else { return nil }
        do throws(DecodeFault) {
            let copy = try PixelBuffer(byteCount: length)
            copy.mutableBytes.copyMemory(from: UnsafeRawBufferPointer(start: buffer, count: length))
            return copy
        } catch {
            return nil
        }
    }
}
