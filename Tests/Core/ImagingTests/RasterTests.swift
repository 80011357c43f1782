import Synchronization
import Testing

@testable import Imaging

@Suite struct RasterTests {
    @Test("Writing to a copy does not change the original")
    func copyOnWrite() {
        let first = Raster.noise(9, 5, .rgb8)
        let before = first.samples
        var second = first
        second.withMutableBytes { $0[0] = ~$0[0] }
        #expect(first.samples == before)
        #expect(second.samples != before)
    }

    @Test("Adopted bytes are never written to, and released once with the last copy")
    func adopting() {
        final class Counter: Sendable {
            let count = Mutex(0)
        }
        let counter = Counter()
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 12, alignment: 1)
        defer { bytes.deallocate() }
        bytes.initializeMemory(as: UInt8.self, repeating: 7)
        do {
            let adopted = Raster(
                width: 4, height: 3, format: .gray8, stride: 4, adopting: bytes,
                release: { counter.count.withLock { $0 += 1 } })
            var written = adopted
            written.withMutableBytes { $0[0] = 99 }
            #expect(bytes[0] == 7)
            #expect(written.sample(0, 0) == 99)
            #expect(adopted.sample(0, 0) == 7)
            #expect(counter.count.withLock { $0 } == 0)
        }
        #expect(counter.count.withLock { $0 } == 1)
    }

    @Test("Rectangles are clipped without overflow")
    func intersection() {
        let bounds = PixelRect(x: 0, y: 0, width: 10, height: 8)
        #expect(
            PixelRect(x: -5, y: 2, width: 8, height: .max).intersection(bounds)
                == PixelRect(x: 0, y: 2, width: 3, height: 6))
        #expect(PixelRect(x: 10, y: 0, width: 5, height: 5).intersection(bounds) == nil)
        #expect(PixelRect(x: .max, y: .max, width: .max, height: .max).intersection(bounds) == nil)
        #expect(PixelRect(x: 2, y: 2, width: 0, height: 5).intersection(bounds) == nil)
        #expect(PixelRect(x: 2, y: 2, width: .min, height: .min).intersection(bounds) == nil)
        #expect(PixelRect(x: .min, y: .min, width: .min, height: -1).intersection(bounds) == nil)
    }
}
