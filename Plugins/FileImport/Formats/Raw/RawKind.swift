/// The kinds of cameras' raw pictures; a TIFF reader would see only their thumbnails.
enum RawKind {
    /// Signatures of raw files that are not TIFF files (CR3 is recognized by its brand).
    static func isKnown(_ head: [UInt8]) -> Bool {
        let signs: [[UInt8]] = [
            ascii("FUJIFILMCCD-RAW"), ascii("IIRO"), ascii("IIRS"), ascii("MMOR"), ascii("IIU\0"),
            ascii("FOVb"),
            ascii("\0MRM"),
        ]
        return signs.contains { head.starts(with: $0) }
            || head.count >= 14 && head[6..<14].elementsEqual(ascii("HEAPCCDR"))
            || head.count >= 12 && head[4..<12].elementsEqual(ascii("ftypcrx "))
            || head.count >= 10 && head[..<4].elementsEqual([0x49, 0x49, 0x2A, 0])
                && head[8..<10].elementsEqual(ascii("CR"))
    }

    /// True for a TIFF file with a DNG's version, or with the samples of a camera's sensor among
    /// its directories.
    static func isTIFF(_ file: OpenFile) throws(DecodeFault) -> Bool {
        let head = try file.read(at: 0, count: 8)
        guard head.count == 8, ImportFormat.tiff.isHead(head),
            head[2] == 0x2A || head[3] == 0x2A
        else { return false }
        let reader = RawDirectories(file: file, isLittle: head[0] == 0x49)
        var open = [reader.number(head, 4, 4)]
        var seen: Set<Int> = []
        // Raw files have less than a dozen directories; a cycle ends at the first repetition.
        while let offset = open.popLast(), seen.count < 64 {
            guard offset > 0, seen.insert(offset).inserted else { continue }
            let directory = try reader.directory(at: offset)
            if directory.isRaw { return true }
            open += directory.others
        }
        return false
    }
}

/// Reads the properties that identify a raw file from a TIFF file's directories.
private struct RawDirectories {
    let file: OpenFile
    let isLittle: Bool

    func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
        guard offset + count <= bytes.count else { return 0 }
        let slice = bytes[offset..<offset + count]
        return isLittle
            ? slice.reversed().reduce(0) { $0 << 8 | Int($1) }
            : slice.reduce(0) { $0 << 8 | Int($1) }
    }

    func directory(at offset: Int) throws(DecodeFault) -> (isRaw: Bool, others: [Int]) {
        let count = number(try file.read(at: offset, count: 2), 0, 2)
        let bytes = try file.read(at: offset + 2, count: count * 12 + 4)
        var others = [number(bytes, count * 12, 4)]
        for entry in stride(from: 0, to: min(count * 12, bytes.count), by: 12) {
            let values = number(bytes, entry + 4, 4)
            switch number(bytes, entry, 2) {
            // DNGVersion
            case 50_706: return (true, [])
            // PhotometricInterpretation: samples behind a color filter array, or a sensor's linear
            // samples.
            case 262 where [32_803, 34_892].contains(number(bytes, entry + 8, 2)): return (true, [])
            // SubIFDs
            case 330:
                let place = number(bytes, entry + 8, 4)
                if values == 1 {
                    others.append(place)
                } else {
                    let list = try file.read(at: place, count: min(values, 16) * 4)
                    others += stride(from: 0, to: list.count, by: 4).map { number(list, $0, 4) }
                }
            default: break
            }
        }
        return (false, others)
    }
}
