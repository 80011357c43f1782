import ColorProfiles
import Testing

/// Tests the conversion from a file's colors to sRGB with numbers that can be calculated by hand.
@Suite struct ConversionTests {
    private func converted(
        _ pixels: [UInt8], from source: ColorSource, _ kind: SampleKind = .light, further: Int = 0
    ) throws -> [UInt8]? {
        guard let way = try ColorConversion(from: source, kind, isDeep: false, further: further)
        else { return nil }
        var pixels = pixels
        pixels.withUnsafeMutableBytes { way.convert($0) }
        return pixels
    }

    @Test("Our own profile of sRGB, its primaries and its curve are recognized as sRGB")
    func identity() throws {
        for source: ColorSource in [
            .profile(MadeProfile.sRGB.bytes), .measured(nil, nil), .measured(.sRGB, .sRGB),
        ] {
            for isDeep in [false, true] {
                #expect(try ColorConversion(from: source, .light, isDeep: isDeep) == nil)
            }
        }
        #expect(try ColorConversion(from: .measured(nil, .sRGB), .gray, isDeep: false) == nil)
    }

    @Test("Adobe RGB's green is beyond sRGB's, grays stay gray, and alpha stays as it is")
    func adobe() throws {
        let pixels: [UInt8] = [60, 160, 60, 9, 255, 255, 255, 7, 0, 0, 0, 5]
        let result = try #require(try converted(pixels, from: .adobeRGB, further: 1))
        // The values were computed by hand from the matrices of both standards; red is below 0.
        #expect(result[0] == 0 && abs(Int(result[1]) - 161) <= 1 && abs(Int(result[2]) - 47) <= 1)
        #expect(result[3] == 9 && result[7] == 7 && result[11] == 5)
        #expect(result[4..<7].allSatisfy { $0 >= 254 } && result[8..<11].allSatisfy { $0 <= 1 })
    }

    @Test("Linear light gets the curve of sRGB")
    func linear() throws {
        // IEC 61966-2-1: 0.2140 of the light is level 0.5, and 55 / 255 is 0.2157.
        let gray = try #require(try converted([55], from: .measured(nil, .power(1)), .gray))
        #expect(abs(Int(gray[0]) - 128) <= 1)
        let light = try #require(try converted([55, 55, 55], from: .measured(nil, .power(1))))
        #expect(light.allSatisfy { abs(Int($0) - 128) <= 1 })
    }

    @Test("Unusable profiles have different errors")
    func faults() {
        let profile = MadeProfile.sRGB.bytes
        func fault(_ bytes: [UInt8], _ kind: SampleKind = .light) -> ProfileFault? {
            do throws(ProfileFault) {
                _ = try ColorConversion(from: .profile(bytes), kind, isDeep: false)
                return nil
            } catch { return error }
        }
        #expect(fault(profile) == nil)
        #expect(fault(profile, .gray) == .foreign && fault(profile, .inks) == .foreign)
        #expect(fault([]) == .damaged && fault(Array(profile.prefix(300))) == .damaged)
        #expect(fault([UInt8](repeating: 0, count: ColorSource.mostBytes + 1)) == .tooLarge)
        for index in stride(from: 0, to: 600, by: 7) {
            var broken = profile
            broken[index] ^= 0xFF
            // Any broken profile can be read without a trap or an endless loop.
            _ = fault(broken)
        }
    }

    @Test("A JPEG's profile is assembled from its parts, and left out when one is missing")
    func parts() throws {
        let profile = MadeProfile.adobeRGB.bytes
        func segment(_ number: UInt8, _ of: UInt8, _ body: ArraySlice<UInt8>) -> [UInt8] {
            let content = Array("ICC_PROFILE\0".utf8) + [number, of] + body
            let length = content.count + 2
            return [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)] + content
        }
        let (first, second) = (segment(1, 2, profile[..<100]), segment(2, 2, profile[100...]))
        let end: [UInt8] = [0xFF, 0xDA, 0, 4, 1, 2, 0xFF, 0xD9]
        func source(_ segments: [UInt8]) -> ColorSource? {
            ([0xFF, 0xD8] + segments + end).withUnsafeBytes { JPEGColors.source(of: $0) }
        }
        for segments in [first + second, second + first] {
            guard case .profile(profile)? = source(segments) else {
                Issue.record("the profile is not whole")
                continue
            }
        }
        for segments in [first, second, first + first] {
            guard case .fault(.damaged)? = source(segments) else {
                Issue.record("a part is missing, and nothing is said")
                continue
            }
        }
        #expect(source([]) == nil)
        #expect(
            JPEGColors.removed(from: [0xFF, 0xD8] + first + second + end) == [0xFF, 0xD8] + end)
    }
}
