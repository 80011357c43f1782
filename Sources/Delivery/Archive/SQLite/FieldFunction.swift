import CSQLite
import ExpectedFailures
import FoundationEssentials

/// The SQL function `is_found(name, value, wanted)`: whether
/// ``wantedList(tags:fields:for:)`` contains a field.
///
/// Made for `sqlite3_create_function_v2`. SQLite uses an instance on the thread of its connection.
final class FieldFunction {
    private struct Wanted: Decodable {
        var field: [String]
        var text: [String]
    }

    private var tokenizer: TextTokenizer?
    /// The decoded arguments by their text: a statement asks many rows for the same few fields.
    private var known: [String: Wanted] = [:]

    /// Makes the function known to a connection.
    static func register(_ handle: OpaquePointer) throws(DatabaseError) {
        let code = sqlite3_create_function_v2(
            handle, "is_found", 3, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
            Unmanaged.passRetained(FieldFunction()).toOpaque(), run, nil, nil, releaseFunction)
        guard code == SQLITE_OK else {
            throw DatabaseError(
                code: code, message: "the function is refused", operation: "is_found")
        }
    }

    fileprivate func isFound(_ name: String, _ value: String, _ wanted: String) -> Bool {
        guard let wanted = meaning(of: wanted), let name = ofKnownForm({ try folded(name) }),
            zip(name.spellings, wanted.field).contains(where: ==),
            let value = ofKnownForm({ try folded(value) })
        else { return false }
        return zip(value.spellings, wanted.text).contains { value, text in
            text.isEmpty || value.utf8.firstRange(of: text.utf8) != nil
        }
    }

    private func folded(_ text: String) throws -> FoldedText {
        try FoldedText(text) {
            if let tokenizer { return tokenizer }
            let made = try TextTokenizer()
            tokenizer = made
            return made
        }
    }

    private func meaning(of text: String) -> Wanted? {
        if let known = known[text] { return known }
        let decoded = ofKnownForm {
            try JSONDecoder().decode(Wanted.self, from: Data(text.utf8))
        }
        guard let wanted = decoded else { return nil }
        if known.count > 50 { known.removeAll() }
        known[text] = wanted
        return wanted
    }
}

private func releaseFunction(_ function: UnsafeMutableRawPointer?) {
    guard let function else { return }
    Unmanaged<FieldFunction>.fromOpaque(function).release()
}

private func run(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let function = sqlite3_user_data(context), let values, count == 3 else { return }
    func text(_ index: Int) -> String {
        guard let bytes = sqlite3_value_text(values[index]) else { return "" }
        let count = Int(sqlite3_value_bytes(values[index]))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
    let one = Unmanaged<FieldFunction>.fromOpaque(function).takeUnretainedValue()
    sqlite3_result_int(context, one.isFound(text(0), text(1), text(2)) ? 1 : 0)
}
