import CSQLite

/// A word of a text as the index has it.
struct TextToken: Hashable {
    /// The word as it was folded.
    let text: String
    /// The token's range, in bytes of the text.
    let range: Range<Int>
    /// True for another spelling of the preceding token.
    let isSamePlace: Bool
}

/// Makes the same tokens as the index, by the same code, where FTS5 is not the caller.
///
/// It is used by one thread at a time.
final class TextTokenizer {
    private let tokenizer: FoldingTokenizer
    private let handle: OpaquePointer

    /// Finds `unicode61` in a database in memory.
    init() throws(DatabaseError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(
            ":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle = opened, let api = csqlite_fts5(handle) else {
            sqlite3_close_v2(opened)
            throw DatabaseError(
                code: code, message: "SQLite was built without FTS5", operation: "fts5")
        }
        self.handle = handle
        tokenizer = try FoldingTokenizer(api)
    }

    deinit { sqlite3_close_v2(handle) }

    /// The tokens of a text in order.
    ///
    /// - Parameter isQuery: true for the words of a search.
    func tokens(of text: String, isQuery: Bool = false) -> [TextToken] {
        let found = FoundTokens()
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                let sink = TokenSink(
                    context: Unmanaged.passUnretained(found).toOpaque(), function: keepToken)
                _ = tokenizer.run(
                    bytes, isQuery ? FTS5_TOKENIZE_QUERY : FTS5_TOKENIZE_DOCUMENT, sink)
            }
        }
        return found.tokens
    }
}

private final class FoundTokens {
    var tokens: [TextToken] = []
}

private func keepToken(
    _ context: UnsafeMutableRawPointer?, _ flags: Int32, _ token: UnsafePointer<CChar>?,
    _ count: Int32, _ start: Int32, _ end: Int32
) -> Int32 {
    guard let context else { return SQLITE_ERROR }
    let bytes = UnsafeRawBufferPointer(start: token, count: Int(count))
    Unmanaged<FoundTokens>.fromOpaque(context).takeUnretainedValue().tokens.append(
        TextToken(
            text: String(decoding: bytes, as: UTF8.self), range: Int(start)..<Int(end),
            isSamePlace: flags & FTS5_TOKEN_COLOCATED != 0))
    return SQLITE_OK
}
