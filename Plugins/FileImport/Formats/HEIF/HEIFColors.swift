import CHEIF
import ColorProfiles

/// What a HEIC or AVIF file says of a picture's colors: a profile, else numbers of ITU-T H.273
/// (ISO/IEC 14496-12, 12.1.5).
func heifColors(_ picture: OpaquePointer) -> ColorSource? {
    switch heif_image_handle_get_color_profile_type(picture) {
    case heif_color_profile_type_rICC, heif_color_profile_type_prof:
        let size = heif_image_handle_get_raw_color_profile_size(picture)
        guard size <= ColorSource.mostBytes else { return .fault(.tooLarge) }
        var profile = [UInt8](repeating: 0, count: size)
        guard
            size > 0,
            heif_image_handle_get_raw_color_profile(picture, &profile).code == heif_error_Ok
        else { return .fault(.damaged) }
        return .profile(profile)
    case heif_color_profile_type_nclx:
        var numbers: UnsafeMutablePointer<heif_color_profile_nclx>?
        guard heif_image_handle_get_nclx_color_profile(picture, &numbers).code == heif_error_Ok,
            let numbers
        else { return nil }
        defer { heif_nclx_color_profile_free(numbers) }
        return colors(numbers.pointee)
    default: return nil
    }
}

private func colors(_ numbers: heif_color_profile_nclx) -> ColorSource? {
    let primaries: ColorSource.Primaries
    switch numbers.color_primaries {
    // Those of old television are as good as sRGB's, and unspecified is what most pictures are.
    case heif_color_primaries_SMPTE_EG_432_1: primaries = .displayP3
    case heif_color_primaries_ITU_R_BT_2020_2_and_2100_0: primaries = .bt2020
    default: primaries = .sRGB
    }
    switch numbers.transfer_characteristics {
    case heif_transfer_characteristic_ITU_R_BT_2100_0_PQ,
        heif_transfer_characteristic_ITU_R_BT_2100_0_HLG:
        return .fault(.unknown)
    case heif_transfer_characteristic_linear: return .measured(primaries, .power(1))
    case heif_transfer_characteristic_ITU_R_BT_470_6_System_M:
        return .measured(primaries, .power(2.2))
    case heif_transfer_characteristic_ITU_R_BT_470_6_System_B_G:
        return .measured(primaries, .power(2.8))
    default: return primaries == .sRGB ? nil : .measured(primaries, .sRGB)
    }
}
