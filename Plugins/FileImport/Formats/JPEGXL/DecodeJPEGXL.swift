import CJXL
import CaptureKit
import ColorProfiles

/// Decodes the first picture of a JPEG XL file, turned upright, transparency blended with white
/// (libjxl, `JxlDecoderProcessInput`).
///
/// A truncated file is read as far as possible. Samples of more than 8 bits become 16-bit.
func decodeJPEGXL(
    _ bytes: UnsafeRawBufferPointer, limits: ImportLimits, cancel: CancelFlag
) throws(DecodeFault) -> DecodedPage {
    guard let decoder = JxlDecoderCreate(nil) else { throw .outOfMemory(0) }
    defer { JxlDecoderDestroy(decoder) }
    let events = Int32(
        JXL_DEC_BASIC_INFO.rawValue | JXL_DEC_COLOR_ENCODING.rawValue
            | JXL_DEC_FULL_IMAGE.rawValue)
    guard JxlDecoderSubscribeEvents(decoder, events) == JXL_DEC_SUCCESS,
        JxlDecoderSetInput(decoder, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
            == JXL_DEC_SUCCESS
    else { throw .damaged("its header can't be read") }
    JxlDecoderCloseInput(decoder)
    var picture: JPEGXLPicture?
    while true {
        try cancel.check()
        let status = JxlDecoderProcessInput(decoder)
        switch status {
        case JXL_DEC_BASIC_INFO:
            picture = try JPEGXLPicture(decoder, stored: bytes.count, limits: limits)
        case JXL_DEC_COLOR_ENCODING:
            picture?.takeColors(decoder)
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
            try picture?.takeBuffer(decoder)
        case JXL_DEC_FULL_IMAGE, JXL_DEC_SUCCESS:
            guard let picture, picture.raw != nil else { throw .damaged("it holds no picture") }
            return try picture.page(damage: nil, limits: limits, cancel: cancel)
        default:
            let damage =
                status == JXL_DEC_ERROR
                ? "its picture data can't be decoded" : "it ends too early"
            guard let picture, picture.raw != nil, JxlDecoderFlushImage(decoder) == JXL_DEC_SUCCESS
            else {
                throw .damaged(damage)
            }
            return try picture.page(damage: damage, limits: limits, cancel: cancel)
        }
    }
}

/// A picture's size and kind, and libjxl's pixels.
private struct JPEGXLPicture {
    private let width: Int
    private let height: Int
    private let isGray: Bool
    private let isDeep: Bool
    private let isBilevel: Bool
    private let hasAlpha: Bool
    private let isAnimation: Bool
    /// The colors of the pixels that libjxl yields; nil if it does not report them.
    private var colors: ColorSource?
    /// The pixels; nil until libjxl asks for room.
    private(set) var raw: PixelBuffer?

    private var samples: Int { (isGray ? 1 : 3) + (hasAlpha ? 1 : 0) }
    private var rowBytes: Int { width * samples * (isDeep ? 2 : 1) }

    init(_ decoder: OpaquePointer, stored: Int, limits: ImportLimits) throws(DecodeFault) {
        var info = JxlBasicInfo()
        guard JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS else {
            throw .damaged("its header can't be read")
        }
        width = Int(info.xsize)
        height = Int(info.ysize)
        isGray = info.num_color_channels == 1
        isDeep = info.bits_per_sample > 8
        isBilevel = info.bits_per_sample == 1
        hasAlpha = info.alpha_bits > 0
        isAnimation = info.have_animation != 0
        for index in 0..<min(256, Int(info.num_extra_channels)) {
            var extra = JxlExtraChannelInfo()
            if JxlDecoderGetExtraChannelInfo(decoder, index, &extra) == JXL_DEC_SUCCESS,
                extra.type == JXL_CHANNEL_BLACK
            {
                throw .unsupported("its colors are inks")
            }
        }
        if info.alpha_premultiplied != 0, hasAlpha {
            throw .unsupported("its colors are multiplied with alpha")
        }
        // The memory holds the decoder's samples as 32-bit numbers, the picture with alpha, and the
        // page.
        try limits.check(
            width: width, height: height,
            bytesPerPixel: (samples + Int(min(256, info.num_extra_channels))) * 4 + 8)
        try limits.check(
            width: width, height: height, stored: stored,
            least: ImportLimits.leastStored(decoded: width * height))
    }

    mutating func takeColors(_ decoder: OpaquePointer) {
        var size = 0
        guard
            JxlDecoderGetICCProfileSize(decoder, nil, JXL_COLOR_PROFILE_TARGET_DATA, &size)
                == JXL_DEC_SUCCESS
        else { return }
        guard size <= ColorSource.mostBytes else {
            colors = .fault(.tooLarge)
            return
        }
        var profile = [UInt8](repeating: 0, count: size)
        let status = JxlDecoderGetColorAsICCProfile(
            decoder, nil, JXL_COLOR_PROFILE_TARGET_DATA, &profile, size)
        colors = status == JXL_DEC_SUCCESS ? .profile(profile) : .fault(.damaged)
    }

    mutating func takeBuffer(_ decoder: OpaquePointer) throws(DecodeFault) {
        var format = JxlPixelFormat(
            num_channels: UInt32(samples), data_type: isDeep ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8,
            endianness: JXL_LITTLE_ENDIAN, align: 0)
        var size = 0
        guard JxlDecoderImageOutBufferSize(decoder, &format, &size) == JXL_DEC_SUCCESS,
            size == rowBytes * height
        else {
            throw .damaged("its pixels do not fit the size in its header")
        }
        let buffer = try PixelBuffer(byteCount: size)
        // The missing part of a truncated file is white.
        buffer.mutableBytes.initializeMemory(as: UInt8.self, repeating: 255)
        guard
            JxlDecoderSetImageOutBuffer(decoder, &format, buffer.mutableBytes.baseAddress, size)
                == JXL_DEC_SUCCESS
        else {
            throw .damaged("its picture data can't be decoded")
        }
        raw = buffer
    }

    func page(damage: String?, limits: ImportLimits, cancel: CancelFlag) throws(DecodeFault)
        -> DecodedPage
    {
        guard let raw else { throw .damaged("it holds no picture") }
        let format: FrameFormat = isGray ? (isDeep ? .gray16 : .gray8) : (isDeep ? .rgb16 : .rgb8)
        var page = try DecodedPage(format: format, width: width, height: height, limits: limits)
        let way = PageColors(
            colors, isGray ? .gray : .light, isDeep: isDeep, further: hasAlpha ? 1 : 0)
        way.conversion?.convert(raw.mutableBytes)
        page.problems = way.problems
        for y in 0..<height {
            try cancel.check()
            let row = raw.row(y, length: rowBytes)
            if hasAlpha {
                page.flatten(row, into: y)
            } else {
                page.row(y).copyMemory(from: UnsafeRawBufferPointer(row))
            }
        }
        if isBilevel { page = try page.reduced(limits: limits) }
        page.damage = damage
        page.isAnimation = isAnimation
        return page
    }
}
