import CPageNetwork
import Imaging
import Testing

@testable import Detection

@Suite struct FrameViewTests {
    @Test("A view reaches no byte beyond its buffer")
    func bounds() {
        let bytes = [UInt8](repeating: 0, count: 1000)
        bytes.withUnsafeBytes { raw in
            #expect(FrameView.luma(raw, width: 20, height: 50) != nil)
            #expect(FrameView.luma(raw, width: 20, height: 51) == nil)
            // The last row ends with its last pixel.
            #expect(FrameView.luma(raw, width: 20, height: 50, rowBytes: 20) != nil)
            #expect(FrameView.luma(raw, width: 10, height: 50, rowBytes: 20) != nil)
            #expect(FrameView.luma(raw, width: 20, height: 50, rowBytes: 19) == nil)
            #expect(FrameView.yuyv(raw, width: 20, height: 25) != nil)
            #expect(FrameView.yuyv(raw, width: 20, height: 26) == nil)
            #expect(FrameView.rgb(raw, width: 20, height: 16) != nil)
            #expect(FrameView.rgb(raw, width: 20, height: 17) == nil)
            for size in [0, -1, .min, .max, 1 << 40] {
                #expect(FrameView.luma(raw, width: size, height: 1) == nil)
                #expect(FrameView.luma(raw, width: 1, height: size) == nil)
                #expect(FrameView.yuyv(raw, width: size, height: 1) == nil)
                #expect(FrameView.rgb(raw, width: size, height: 1) == nil)
                #expect(FrameView.luma(raw, width: 1, height: 2, rowBytes: size) == nil)
            }
        }
        #expect(
            FrameView.luma(UnsafeRawBufferPointer(start: nil, count: 0), width: 1, height: 1) == nil
        )
    }

    @Test("A copy holds the pixels of a view, whatever is between them")
    func copied() {
        let bytes = (0..<UInt8(96)).map { $0 }
        bytes.withUnsafeBytes { raw in
            let luma = FrameView.luma(raw, width: 3, height: 4, rowBytes: 24)!.copy()
            let yuyv = FrameView.yuyv(raw, width: 3, height: 4, rowBytes: 24)!.copy()
            let rgb = FrameView.rgb(raw, width: 3, height: 4, rowBytes: 24)!.copy()
            #expect(luma.format == .gray8 && yuyv.format == .gray8 && rgb.format == .rgb8)
            for y in 0..<4 {
                for x in 0..<3 {
                    let row = UInt8(24 * y)
                    #expect(luma.withBytes { $0[y * luma.stride + x] } == row + UInt8(x))
                    #expect(yuyv.withBytes { $0[y * yuyv.stride + x] } == row + UInt8(2 * x))
                    for c in 0..<3 {
                        #expect(
                            rgb.withBytes { $0[y * rgb.stride + 3 * x + c] }
                                == row + UInt8(3 * x + c))
                    }
                }
            }
        }
    }

    @Test(
        "The network's picture is the area average of the frame, in every implementation",
        arguments: NetworkTests.implementations,
        [(192, 192), (1920, 108), (333, 777), (100, 50), (1, 1), (640, 2000)])
    func averaged(index: Int, size: (Int, Int)) throws {
        var generator = SeededGenerator(seed: UInt64(size.0))
        let network = PageNetwork(
            try NetworkWeights.pages.get(), kernels: pn_kernels_at(index))
        for format in [PixelFormat.gray8, .rgb8] {
            var raster = Raster(width: size.0, height: size.1, format: format)
            raster.withMutableBytes { bytes in
                for i in bytes.indices {
                    bytes[i] = UInt8(truncatingIfNeeded: generator.next() >> 40)
                }
            }
            _ = raster.withFrameView { network.look(at: $0) }
            let expected = raster.resized(to: 192, 192, filter: .area)
            let channels = format.channels
            var worst: Float = 0
            network.withPicture(isColor: channels == 3) { picture in
                expected.withBytes { bytes in
                    for y in 0..<192 {
                        for i in 0..<192 * channels {
                            let value = (picture.origin[y * picture.row + i] / 4 + 0.5) * 255
                            let truth = Float(bytes[y * expected.stride + i])
                            worst = max(worst, (value - truth).magnitude)
                        }
                    }
                }
            }
            // The raster's values are rounded to whole levels.
            #expect(worst < 0.52)
        }
    }
}
