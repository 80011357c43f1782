import CLeptonica

/// The byte order of binary 16-bit PGM files, which Netpbm defines as high byte first.
enum DeepPGM {
    /// True for a leptonica that expects the bytes in the machine's order, as 1.82 does; found by
    /// reading a file with one known pixel.
    static let isReadSwapped: Bool = {
        let file = Array("P5 1 1 65535\n".utf8) + [0x12, 0x34]
        guard let picture = PixHandle(pixReadMemPnm(file, file.count)),
            let raster = try? picture.raster(), raster.format == .gray16
        else { return false }
        return raster.withBytes { $0.loadUnaligned(as: UInt16.self) } == 0x3412
    }()
}

extension Raster {
    /// The same gray16 picture with the two bytes of each sample swapped.
    func byteSwapped() -> Raster {
        building { source, result in
            var y = 0
            while y < height {
                let from = UnsafeRawPointer(source.row(y))
                let to = UnsafeMutableRawPointer(result.row(y))
                var x = 0
                while x < width {
                    let value = from.loadUnaligned(fromByteOffset: 2 &* x, as: UInt16.self)
                    to.storeBytes(of: value.byteSwapped, toByteOffset: 2 &* x, as: UInt16.self)
                    x &+= 1
                }
                y &+= 1
            }
        }
    }
}
