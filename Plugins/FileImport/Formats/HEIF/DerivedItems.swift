/// Finds the pictures of a HEIC or AVIF file that are only parts of others, such as the tiles of a
/// grid.
///
/// Some programs do not mark tiles as hidden, and libheif lists them among the pictures.
struct DerivedItems {
    /// The parts of each picture that is put together, by its item (ISO/IEC 14496-12, 8.11.12,
    /// references of the type `dimg`).
    private(set) var parts: [Int: Set<Int>] = [:]

    /// References beyond this number are not read.
    private static let most = 100_000

    init(_ file: UnsafeRawBufferPointer) {
        let file = ByteReader(bytes: file)
        guard let meta = Self.content(of: "meta", in: file, from: 0, to: file.count),
            let references = Self.content(
                of: "iref", in: file, from: meta.lowerBound + 4, to: meta.upperBound),
            let version = file.byte(references.lowerBound)
        else { return }
        read(file, references.lowerBound + 4, references.upperBound, isWide: version > 0)
    }

    /// The pictures of a list that are not part of another picture in it.
    func whole(of pictures: [Int]) -> [Int] {
        let hidden = pictures.reduce(into: Set<Int>()) { $0.formUnion(parts[$1] ?? []) }
        let whole = pictures.filter { !hidden.contains($0) }
        // If pictures are parts of each other, the references are useless.
        return whole.isEmpty ? pictures : whole
    }

    private mutating func read(_ file: ByteReader, _ start: Int, _ end: Int, isWide: Bool) {
        let step = isWide ? 4 : 2
        func number(_ place: Int) -> Int? { isWide ? file.big32(place) : file.big16(place) }
        var (place, count) = (start, 0)
        while place + 8 <= end, let size = file.big32(place), size >= 8, place + size <= end {
            if file.has("dimg", at: place + 4), let whole = number(place + 8),
                let references = file.big16(place + 8 + step)
            {
                let first = place + 10 + step
                for index in 0..<references where first + (index + 1) * step <= place + size {
                    count += 1
                    guard count <= Self.most, let part = number(first + index * step) else {
                        return
                    }
                    parts[whole, default: []].insert(part)
                }
            }
            place += size
        }
    }

    /// The content of the first box of that name between two places; nil if there is none.
    private static func content(
        of name: StaticString, in file: ByteReader, from start: Int, to end: Int
    ) -> Range<Int>? {
        var place = start
        while place + 8 <= end, let size = file.big32(place) {
            // Only the data of pictures can have sizes beyond 32 bits; a size of 0 means up to the
            // end.
            let length = size == 0 ? end - place : size
            guard length >= 8, place + length <= end else { return nil }
            if file.has(name, at: place + 4) { return place + 8..<place + length }
            place += length
        }
        return nil
    }
}
