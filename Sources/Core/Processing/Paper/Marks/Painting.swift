import Imaging

extension Raster {
    /// The picture with some runs of pixels painted like the paper beside them: like the brightest
    /// seventh of the pixels within `room` of each.
    ///
    /// 16-bit samples become 8-bit ones. In a bilevel picture, the runs become white.
    func painted(over runs: [InkComponents.Run], room: Int) -> Raster {
        switch format {
        case .bilevel:
            var result = self
            let stride = stride
            result.withMutableBytes { bytes in
                for run in runs {
                    for x in run.start..<run.end {
                        bytes[run.y * stride + x / 8] &= ~(0x80 >> UInt8(x % 8))
                    }
                }
            }
            return result
        case .gray8, .rgb8: return paintedBytes(runs, room: room)
        case .gray16: return converted(to: .gray8).paintedBytes(runs, room: room)
        case .rgb16: return converted(to: .rgb8).paintedBytes(runs, room: room)
        }
    }

    private func paintedBytes(_ runs: [InkComponents.Run], room: Int) -> Raster {
        let channels = format.channels
        let (width, height, stride) = (width, height, stride)
        var result = self
        withBytes { source in
            result.withMutableBytes { bytes in
                for run in runs {
                    let left = max(0, run.start - room)
                    let right = min(width - 1, run.end - 1 + room)
                    for channel in 0..<channels {
                        var levels: [UInt8] = []
                        for y in Swift.stride(
                            from: max(0, run.y - room), through: min(height - 1, run.y + room),
                            by: max(1, room / 2))
                        {
                            for x in Swift.stride(
                                from: left, through: right, by: max(1, (right - left) / 16))
                            {
                                levels.append(source[y * stride + x * channels + channel])
                            }
                        }
                        levels.sort()
                        let bright = levels.suffix(max(1, levels.count / 7))
                        let level = bright.reduce(0) { $0 + Int($1) } / bright.count
                        for x in run.start..<run.end {
                            bytes[run.y * stride + x * channels + channel] = UInt8(level)
                        }
                    }
                }
            }
        }
        return result
    }
}
