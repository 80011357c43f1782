import CHEIF
import ColorProfiles

/// The colors of a HEIC or AVIF picture: a profile, or else codes of ITU-T H.273 (ISO/IEC 14496-12,
/// 12.1.5).
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
        return .coded(
            primaries: Int(numbers.pointee.color_primaries.rawValue),
            transfer: Int(numbers.pointee.transfer_characteristics.rawValue))
    default: return nil
    }
}
