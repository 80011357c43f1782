import CLittleCMS

/// A profile that Little CMS has opened; the caller closes it.
struct OpenProfile {
    let handle: cmsHPROFILE

    init?(_ handle: cmsHPROFILE?) {
        guard let handle else { return nil }
        self.handle = handle
    }

    /// The profile of sRGB for gray or light.
    static func sRGB(_ kind: SampleKind) -> OpenProfile? {
        kind == .gray ? gray(.sRGB) : light(.sRGB, .sRGB)
    }

    /// A profile that was made here, opened as version 2: in version 4, Little CMS would make black
    /// as light as printed black, and so lighten the black of other profiles.
    private static func made(_ handle: cmsHPROFILE?) -> OpenProfile? {
        guard let profile = OpenProfile(handle) else { return nil }
        cmsSetProfileVersion(profile.handle, 2.1)
        return profile
    }

    /// A profile for gray samples.
    fileprivate static func gray(_ curve: ColorSource.Curve) -> OpenProfile? {
        guard let tone = tone(curve) else { return nil }
        defer { cmsFreeToneCurve(tone) }
        return made(cmsCreateGrayProfile(cmsD50_xyY(), tone))
    }

    /// A profile for red, green and blue samples.
    fileprivate static func light(_ primaries: ColorSource.Primaries, _ curve: ColorSource.Curve)
        -> OpenProfile?
    {
        guard let tone = tone(curve) else { return nil }
        defer { cmsFreeToneCurve(tone) }
        func place(_ index: Int) -> cmsCIExyY {
            cmsCIExyY(x: primaries.numbers[2 * index], y: primaries.numbers[2 * index + 1], Y: 1)
        }
        var white = place(3)
        var three = cmsCIExyYTRIPLE(Red: place(0), Green: place(1), Blue: place(2))
        var tones: [OpaquePointer?] = [tone, tone, tone]
        return made(cmsCreateRGBProfile(&white, &three, &tones))
    }

    private static func tone(_ curve: ColorSource.Curve) -> OpaquePointer? {
        switch curve {
        // IEC 61966-2-1 as type 4 of Little CMS's curves: gamma, a, b, c, d.
        case .sRGB:
            cmsBuildParametricToneCurve(
                nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        case .power(let gamma): cmsBuildGamma(nil, min(max(gamma, 0.1), 10))
        }
    }
}

extension ColorSource {
    /// Opens the profile that the file names or contains, for pixels of `kind`.
    func opened(for kind: SampleKind) throws(ProfileFault) -> OpenProfile {
        switch self {
        case .fault(let fault): throw fault
        case .profile(let bytes):
            try ProfileHeader.check(bytes, kind)
            guard let profile = OpenProfile(cmsOpenProfileFromMem(bytes, UInt32(bytes.count)))
            else { throw .damaged }
            return profile
        case .adobeRGB:
            // Gray needs only the curve.
            if kind == .gray {
                return try Self.measured(nil, .power(2 + 51.0 / 256)).opened(for: kind)
            }
            return try Self.profile(MadeProfile.adobeRGB.bytes).opened(for: kind)
        case .measured(let primaries, let curve):
            let made =
                switch kind {
                case .gray: OpenProfile.gray(curve ?? .sRGB)
                case .light: OpenProfile.light(primaries ?? .sRGB, curve ?? .sRGB)
                case .inks, .invertedInks, .lab: OpenProfile(nil)
                }
            guard let made else { throw .foreign }
            return made
        case .lab:
            guard kind == .lab, let profile = OpenProfile(cmsCreateLab4Profile(nil)) else {
                throw .foreign
            }
            return profile
        }
    }
}
