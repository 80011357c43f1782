import CPoppler
import CaptureKit

/// A picture that cairo holds in memory.
final class CairoSurface {
    /// The most pixels cairo allows a side.
    static let maximumSide = 32_767

    private let surface: OpaquePointer

    /// Takes over a surface from a library; nil when it is none, or not one of pixels.
    init?(taking surface: OpaquePointer?) {
        guard let surface else { return nil }
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
            cairo_surface_get_type(surface) == CAIRO_SURFACE_TYPE_IMAGE
        else {
            cairo_surface_destroy(surface)
            return nil
        }
        self.surface = surface
    }

    /// Draws the part of `page` that begins at (`x`, `y`) points on white.
    init(
        rendering page: OpaquePointer, width: Int, height: Int, x: Double, y: Double,
        scaleX: Double,
        scaleY: Double
    ) throws(DecodeFault) {
        guard
            let surface = cairo_image_surface_create(
                CAIRO_FORMAT_RGB24, Int32(width), Int32(height)),
            cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS
        else { throw .outOfMemory(width * height * 4) }
        self.surface = surface
        guard let context = cairo_create(surface) else { throw .outOfMemory(width * height * 4) }
        defer { cairo_destroy(context) }
        cairo_set_source_rgb(context, 1, 1, 1)
        cairo_paint(context)
        cairo_scale(context, scaleX, scaleY)
        cairo_translate(context, -x, -y)
        poppler_page_render(page, context)
        guard cairo_status(context) == CAIRO_STATUS_SUCCESS else {
            throw .damaged(
                "it can't be rendered: \(String(cString: cairo_status_to_string(cairo_status(context))))"
            )
        }
    }

    deinit { cairo_surface_destroy(surface) }

    /// Pixels in a row.
    var width: Int { Int(cairo_image_surface_get_width(surface)) }

    /// Rows.
    var height: Int { Int(cairo_image_surface_get_height(surface)) }

    /// The pixels as 8-bit colour over white.
    func page(limits: ImportLimits) throws(DecodeFault) -> DecodedPage {
        cairo_surface_flush(surface)
        let format = cairo_image_surface_get_format(surface)
        guard format == CAIRO_FORMAT_RGB24 || format == CAIRO_FORMAT_ARGB32,
            let data = cairo_image_surface_get_data(surface)
        else { throw .unsupported("its pixels have an unknown layout") }
        let stride = Int(cairo_image_surface_get_stride(surface))
        let result = try DecodedPage(format: .rgb8, width: width, height: height, limits: limits)
        let opaque = format == CAIRO_FORMAT_RGB24
        let width = width
        for y in 0..<height {
            let line = UnsafeRawPointer(data + y * stride).assumingMemoryBound(to: UInt32.self)
            let row = result.row(y)
            for x in 0..<width {
                // Alpha, red, green, blue from the highest byte down; colours are already multiplied with alpha.
                let word = line[x]
                let white = opaque ? 0 : 255 - (word >> 24)
                row[x * 3] = UInt8(min(255, ((word >> 16) & 255) + white))
                row[x * 3 + 1] = UInt8(min(255, ((word >> 8) & 255) + white))
                row[x * 3 + 2] = UInt8(min(255, (word & 255) + white))
            }
        }
        return result
    }
}
