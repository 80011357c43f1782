extension Raster {
    /// The picture with more contrast, a little brighter and sharper; the defaults suit scanned
    /// text.
    ///
    /// On a scale of 0…255, and for each channel separately:
    ///
    ///     t   = clip((v − 127.5) × contrast + 127.5 + brightness × 255)
    ///     out = clip(t + sharpening × (t − blur(t)))
    ///
    /// `blur` is the 3×3 binomial kernel (1 2 1 ⊗ 1 2 1) ÷ 16, with the edge pixels repeated;
    /// `clip` keeps 0…255. This is an unsharp mask of radius about one pixel. `t` is rounded to a
    /// whole level before it is sharpened. Results are within one level of the formula. 16-bit
    /// pictures use the same formula on their own scale. Bilevel pictures have no contrast to
    /// change and are returned unchanged.
    ///
    /// - Parameters:
    ///   - contrast: 0…3.9; 1 changes nothing. Values outside are clipped to that range, and NaN
    ///     changes nothing.
    ///   - brightness: −1…1, as a fraction of the whole scale; 0 changes nothing.
    ///   - sharpening: 0…3.9; 0 changes nothing.
    public func enhanced(
        contrast: Double = 1.1, brightness: Double = 0.05, sharpening: Double = 0.4
    ) -> Raster {
        let tone = Tone(contrast: contrast, brightness: brightness)
        let amount = sharpening.clipped(to: 0...3.9, otherwise: 0)
        return switch format {
        case .bilevel: self
        case .gray8, .rgb8: enhanced8(tone, sharpening: amount)
        case .gray16, .rgb16: enhanced16(tone, sharpening: amount)
        }
    }

    /// Computes in 16-bit lanes with 4 fractional bits, in loops that the compiler vectorizes.
    private func enhanced8(_ tone: Tone, sharpening: Double) -> Raster {
        let channels = format.channels
        let count = width * channels
        let table = tone.table
        let strength = Int16((sharpening * 8192).rounded())
        return building { source, result in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * count) { toned in
                withUnsafeTemporaryAllocation(of: Int16.self, capacity: count + 2 * channels) {
                    sums in
                    let rows = toned.baseAddress!
                    let sums = sums.baseAddress!
                    // Row y of the picture after contrast and brightness is in slot y % 3.
                    func fill(_ y: Int) {
                        table.apply(source.row(y), to: rows + (y % 3) &* count, count: count)
                    }
                    fill(0)
                    if height > 1 { fill(1) }
                    var y = 0
                    while y < height {
                        if y > 0, y &+ 1 < height { fill(y &+ 1) }
                        let middle = rows + (y % 3) &* count
                        Sharpening.addRows(
                            rows + (max(y &- 1, 0) % 3) &* count, middle,
                            rows + (min(y &+ 1, height &- 1) % 3) &* count, to: sums,
                            channels: channels, count: count)
                        Sharpening.apply(
                            middle, sums, strength: strength, channels: channels, count: count,
                            to: result.row(y))
                        y &+= 1
                        // Without this, both whole pictures would be in memory.
                        if y % 1024 == 0 { forget(before: y &- 1) }
                    }
                }
            }
        }
    }

    /// The same computation in `Float`, for the rare 16-bit page.
    private func enhanced16(_ tone: Tone, sharpening: Double) -> Raster {
        let channels = format.channels
        let count = width * channels
        let amount = Float(sharpening)
        return building { source, result in
            withUnsafeTemporaryAllocation(of: Float.self, capacity: 4 * count) { buffer in
                let rows = buffer.baseAddress!
                let output = rows + 3 &* count
                func fill(_ y: Int) {
                    let row = rows + (y % 3) &* count
                    row.initialize(repeating: 0, count: count)
                    SampleRow.add(source.row(y), format, count, weight: 1, to: row)
                    var i = 0
                    while i < count {
                        row[i] = Float(tone.apply(Double(row[i]), top: 65535))
                        i &+= 1
                    }
                }
                fill(0)
                if height > 1 { fill(1) }
                for y in 0..<height {
                    if y > 0, y + 1 < height { fill(y + 1) }
                    let above = rows + (max(y - 1, 0) % 3) * count
                    let middle = rows + (y % 3) * count
                    let below = rows + (min(y + 1, height - 1) % 3) * count
                    for i in 0..<count {
                        let left = i < channels ? i : i - channels
                        let right = i + channels < count ? i + channels : i
                        var blur = above[left] + 2 * above[i] + above[right]
                        blur += 2 * (middle[left] + 2 * middle[i] + middle[right])
                        blur += below[left] + 2 * below[i] + below[right]
                        output[i] = middle[i] + amount * (middle[i] - blur / 16)
                    }
                    SampleRow.store(output, count: count, format, to: result.row(y))
                }
            }
        }
    }
}
