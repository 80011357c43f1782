import HTTPClient

/// A store's answer to `ListObjectsV2`.
struct ObjectList {
    /// The files with names such as a store of images makes, in the order of their keys.
    private(set) var files: [(key: String, bytes: Int, age: Double)] = []
    /// The last key of all; nil for an empty list.
    private(set) var last: String?
    /// True when more objects follow.
    private(set) var isCut = false
    /// The bytes of the largest object that any store keeps, and more.
    private static let sizes = 0...(1 << 50)

    /// Reads the answer; one that is not a list gives no objects.
    ///
    /// - Parameter prefix: the beginning of the keys of files; other objects are somebody else's.
    init(_ answer: WebAnswer, below prefix: String) {
        let text = String(decoding: answer.body, as: UTF8.self)
        let now = answer.headers["date"].flatMap(RetryAfter.date)
        isCut = Self.value("IsTruncated", in: text[...]) == "true"
        var rest = text[...]
        while let start = rest.firstRange(of: "<Contents>"),
            let end = rest[start.upperBound...].firstRange(of: "</Contents>")
        {
            let entry = rest[start.upperBound..<end.lowerBound]
            rest = rest[end.upperBound...]
            guard let key = Self.value("Key", in: entry),
                let bytes = Self.value("Size", in: entry).flatMap({ Int($0) })
            else { continue }
            last = String(key)
            guard Self.isPlain(key, below: prefix), Self.sizes.contains(bytes) else { continue }
            // A file without a time counts as new, and stays.
            let written = Self.value("LastModified", in: entry).flatMap(Timestamp.seconds)
            let age = now.flatMap { now in written.map { now - $0 } } ?? 0
            files.append((String(key), bytes, age))
        }
    }

    /// True for a key of letters, digits and slashes, hyphens, underscores and dots that leads
    /// nowhere but below the prefix, even in an address.
    private static func isPlain(_ key: Substring, below prefix: String) -> Bool {
        key.hasPrefix(prefix)
            && key.utf8.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122: true
                default: "/-_.".utf8.contains(byte)
                }
            }
            && key.split(separator: "/", omittingEmptySubsequences: false)
                .allSatisfy { !["", ".", ".."].contains($0) }
    }

    private static func value(_ name: String, in text: Substring) -> Substring? {
        guard let start = text.firstRange(of: "<\(name)>")?.upperBound,
            let end = text[start...].firstRange(of: "</\(name)>")?.lowerBound
        else { return nil }
        return text[start..<end]
    }
}

extension Timestamp {
    /// A time in the stores' form, such as `2026-11-05T09:30:00.000Z`, in seconds since 1970.
    static func seconds(_ text: some StringProtocol) -> Double? {
        let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
        guard numbers.count >= 6, text.hasSuffix("Z"), (1970...9999).contains(numbers[0]),
            (1...12).contains(numbers[1]), (1...31).contains(numbers[2]),
            (0...23).contains(numbers[3]), (0...59).contains(numbers[4]),
            (0...60).contains(numbers[5])
        else { return nil }
        let days = RetryAfter.daysSince1970(
            year: numbers[0], month: numbers[1], day: numbers[2])
        return Double(days * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5])
    }
}
