import CSQLite

/// An instance of SQLite's tokenizer `unicode61`, which also removes accents from letters.
final class UnicodeTokenizer {
    typealias Body = (UnsafeBufferPointer<CChar>, Range<Int>) -> Int32

    private var functions = fts5_tokenizer()
    private var instance: OpaquePointer?

    /// Makes one with `fts5_api.xFindTokenizer`.
    init(_ api: UnsafeMutablePointer<fts5_api>) throws(DatabaseError) {
        var data: UnsafeMutableRawPointer?
        var code = api.pointee.xFindTokenizer(api, "unicode61", &data, &functions)
        if code == SQLITE_OK {
            code = csqlite_create_tokenizer(&functions, data, &instance)
        }
        guard code == SQLITE_OK else {
            throw DatabaseError(
                code: code, message: "there is no unicode61", operation: "xFindTokenizer")
        }
    }

    deinit {
        if let instance { functions.xDelete(instance) }
    }

    /// Gives each token, and its place in bytes of `text`, to `body` until that returns an error.
    func run(_ text: UnsafeBufferPointer<CChar>, _ flags: Int32, _ body: Body) -> Int32 {
        withoutActuallyEscaping(body) { body in
            var handler = TokenHandler(body: body)
            return withUnsafeMutablePointer(to: &handler) { handler in
                functions.xTokenize(
                    instance, handler, flags, text.baseAddress, Int32(text.count), takeToken)
            }
        }
    }
}

private struct TokenHandler {
    let body: UnicodeTokenizer.Body
}

private func takeToken(
    _ context: UnsafeMutableRawPointer?, _ flags: Int32, _ token: UnsafePointer<CChar>?,
    _ count: Int32, _ start: Int32, _ end: Int32
) -> Int32 {
    guard let context else { return SQLITE_ERROR }
    return context.assumingMemoryBound(to: TokenHandler.self).pointee.body(
        UnsafeBufferPointer(start: token, count: Int(count)), Int(start)..<Int(end))
}
