import CSQLite
import Documents

/// The tokenizer of the index, `copystand`: SQLite's `unicode61`, with ``WordSpellings`` and
/// ideographs.
///
/// A word with letters that are spelled in two ways gives two tokens at one place, so each spelling
/// finds the other. Each ideograph is a token, and each pair of adjacent ideographs is another one
/// at the same place. So a search for two or more ideographs need not read all texts that contain
/// the first one.
///
/// Made for `fts5_api.xCreateTokenizer`. FTS5 uses an instance on the thread of its connection.
final class FoldingTokenizer {
    /// Finds the words, and folds the plain ones.
    private let words: UnicodeTokenizer
    /// Folds a word that was spelled out, since `words` is in use at that time and has one buffer.
    private let folder: UnicodeTokenizer

    init(_ api: UnsafeMutablePointer<fts5_api>) throws(DatabaseError) {
        words = try UnicodeTokenizer(api)
        folder = try UnicodeTokenizer(api)
    }

    /// Makes the tokenizer known to a connection.
    static func register(_ handle: OpaquePointer) throws(DatabaseError) {
        guard let api = csqlite_fts5(handle) else {
            throw DatabaseError(
                code: SQLITE_ERROR, message: "SQLite was built without FTS5", operation: "fts5")
        }
        var functions = fts5_tokenizer(
            xCreate: createTokenizer, xDelete: deleteTokenizer, xTokenize: tokenize)
        let code = api.pointee.xCreateTokenizer(api, "copystand", api, &functions, nil)
        guard code == SQLITE_OK else {
            throw DatabaseError(
                code: code, message: "the tokenizer is refused", operation: "xCreateTokenizer")
        }
    }

    /// `xCreate`: the new instance, which FTS5 owns until it calls `xDelete`.
    fileprivate static func make(_ api: UnsafeMutableRawPointer) -> OpaquePointer? {
        guard
            let made = try? FoldingTokenizer(api.assumingMemoryBound(to: fts5_api.self))
        else { return nil }
        return OpaquePointer(Unmanaged.passRetained(made).toOpaque())
    }

    func run(_ text: UnsafeBufferPointer<CChar>, _ flags: Int32, _ sink: TokenSink)
        -> Int32
    {
        let isQuery = flags & FTS5_TOKENIZE_QUERY != 0
        return words.run(text, flags) { token, range in
            let word = UnsafeBufferPointer(rebasing: text[range])
            if word.allSatisfy({ $0 >= 0 }) { return sink.add(token, at: range) }
            let scalars = placedScalars(of: word, from: range.lowerBound)
            if scalars.contains(where: { $0.scalar.isIdeograph }) {
                return self.addSigns(scalars, flags, isQuery: isQuery, sink: sink)
            }
            return self.addSpelled(
                scalars.map(\.scalar), token, range: range, flags: flags, sink: sink)
        }
    }

    /// Adds a word of letters, folded or in its two spellings.
    private func addSpelled(
        _ word: [Unicode.Scalar], _ token: UnsafeBufferPointer<CChar>?, range: Range<Int>,
        flags: Int32, sink: TokenSink
    ) -> Int32 {
        guard let spelled = WordSpellings.of(word) else {
            if let token { return sink.add(token, at: range) }
            return fold(String.UnicodeScalarView(word), flags) { sink.add($0, at: range) }
        }
        let code = fold(spelled.short, flags) { sink.add($0, at: range) }
        guard code == SQLITE_OK, !spelled.long.elementsEqual(spelled.short) else { return code }
        return fold(spelled.long, flags) { sink.add($0, at: range, isSamePlace: true) }
    }

    /// Adds ideographs, and the letters and digits between them.
    private func addSigns(
        _ scalars: [PlacedScalar], _ flags: Int32, isQuery: Bool, sink: TokenSink
    ) -> Int32 {
        var index = 0
        while index < scalars.count {
            let one = scalars[index]
            guard one.scalar.isIdeograph else {
                let rest = scalars[index...].prefix { !$0.scalar.isIdeograph }
                let range = one.range.lowerBound..<(rest.last ?? one).range.upperBound
                let code = addSpelled(
                    rest.map(\.scalar), nil, range: range, flags: flags, sink: sink)
                if code != SQLITE_OK { return code }
                index += rest.count
                continue
            }
            index += 1
            let next = index < scalars.count ? scalars[index].scalar : nil
            let pair = next.flatMap { $0.isIdeograph ? $0 : nil }.map { [one.scalar, $0] }
            // A query asks only for the pair, which is on fewer pages than either character.
            if let pair, isQuery {
                let code = sink.add(pair, at: one.range)
                if code != SQLITE_OK { return code }
                continue
            }
            var code = sink.add([one.scalar], at: one.range)
            if code == SQLITE_OK, let pair {
                code = sink.add(pair, at: one.range, isSamePlace: true)
            }
            if code != SQLITE_OK { return code }
        }
        return SQLITE_OK
    }

    private func fold(
        _ word: String.UnicodeScalarView, _ flags: Int32,
        _ body: (UnsafeBufferPointer<CChar>) -> Int32
    ) -> Int32 {
        var text = String(word)
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                folder.run(text, flags) { token, _ in body(token) }
            }
        }
    }
}

private func createTokenizer(
    _ api: UnsafeMutableRawPointer?, _ arguments: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
    _ count: Int32, _ made: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let api, let instance = FoldingTokenizer.make(api) else { return SQLITE_ERROR }
    made?.pointee = instance
    return SQLITE_OK
}

private func deleteTokenizer(_ instance: OpaquePointer?) {
    guard let instance else { return }
    Unmanaged<FoldingTokenizer>.fromOpaque(UnsafeRawPointer(instance)).release()
}

private func tokenize(
    _ instance: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ flags: Int32,
    _ text: UnsafePointer<CChar>?, _ count: Int32, _ add: TokenSink.Function?
) -> Int32 {
    guard let instance, let add else { return SQLITE_ERROR }
    let tokenizer = Unmanaged<FoldingTokenizer>.fromOpaque(UnsafeRawPointer(instance))
        .takeUnretainedValue()
    return tokenizer.run(
        UnsafeBufferPointer(start: text, count: Int(count)), flags,
        TokenSink(context: context, function: add))
}
