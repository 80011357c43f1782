/// Pictures whose files describe their colors, and the colors according to other programs and
/// published numbers.
enum ColorMaking {
    /// Ghostscript's folder of profiles.
    static let profiles = "/usr/share/color/icc/ghostscript/"

    /// Runs Python in a folder with `in.ppm`.
    ///
    /// It has functions that put into files what encoders can't, and formulas of standards.
    static let python = #"""
        import struct, sys, zlib
        from PIL import Image

        def matrix(rows, pixel):
            return [sum(row[i] * pixel[i] for i in range(3)) for row in rows]

        def to_light(value):
            return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

        def to_level(light):
            light = min(max(light, 0), 1)
            return 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055

        # Linear light of other primaries, of the same white, in that of sRGB.
        P3 = [[1.2249, -0.2247, 0], [-0.0420, 1.0419, 0], [-0.0197, -0.0786, 1.0979]]
        ADOBE = [[1.39836, -0.39836, 0], [0, 1, 0], [0, -0.04293, 1.04293]]

        def reference(source, target, rows=None, power=None):
            picture = Image.open(source).convert('RGB')
            curve = (lambda v: v ** power) if power else to_light
            def pixel(p):
                light = [curve(v / 255) for v in p]
                return tuple(round(255 * to_level(v)) for v in (matrix(rows, light) if rows else light))
            picture.putdata([pixel(p) for p in picture.getdata()])
            picture.save(target)

        def renamed_colors(target, primaries, transfer):
            data = open(target, 'rb').read()
            place = data.index(b'colrnclx') + 8
            open(target, 'wb').write(data[:place] + struct.pack('>HH', primaries, transfer) + data[place + 4:])

        def lab_reference(source, target):
            def place(t):
                return t ** 3 if t > 6 / 29 else 3 * (6 / 29) ** 2 * (t - 4 / 29)
            rows = [[3.2404542, -1.5371385, -0.4985314], [-0.9692660, 1.8760108, 0.0415560], [0.0556434, -0.2040259, 1.0572252]]
            picture = Image.open(source)
            result = Image.new('RGB', picture.size)
            def pixel(lab):
                y = (lab[0] * 100 / 255 + 16) / 116
                xyz = [0.95047 * place(y + (lab[1] - 128) / 500), place(y), 1.08883 * place(y - (lab[2] - 128) / 200)]
                return tuple(round(255 * to_level(v)) for v in matrix(rows, xyz))
            result.putdata([pixel(lab) for lab in picture.getdata()])
            result.save(target)

        def png_with(target, *chunks):
            Image.open('in.ppm').save(target)
            data = open(target, 'rb').read()
            more = b''.join(
                struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))
                for kind, body in chunks)
            open(target, 'wb').write(data[:33] + more + data[33:])

        def jp2_with(target, profile):
            data = open(target, 'rb').read()
            head, color = data.index(b'jp2h') - 4, data.index(b'colr') - 4
            old = struct.unpack('>I', data[color:color + 4])[0]
            box = struct.pack('>I4s3B', 11 + len(profile), b'colr', 2, 0, 0) + profile
            size = struct.unpack('>I', data[head:head + 4])[0] + len(box) - old
            open(target, 'wb').write(
                data[:head] + struct.pack('>I', size) + data[head + 4:color] + box + data[color + old:])

        def bmp_with(target, profile):
            picture = Image.open('in.ppm').convert('RGB')
            w, h = picture.size
            stride = (w * 3 + 3) // 4 * 4
            rows = b''.join(
                b''.join(bytes(picture.getpixel((x, y))[::-1]) for x in range(w)).ljust(stride, b'\0')
                for y in reversed(range(h)))
            start = 14 + 124
            head = struct.pack('<IiiHHIIiiII', 124, w, h, 1, 24, 0, len(rows), 0, 0, 0, 0)
            head += bytes(16) + struct.pack('<I', 0x4D424544) + bytes(48)
            head += struct.pack('<IIII', 4, 124 + len(rows), len(profile), 0)
            open(target, 'wb').write(
                b'BM' + struct.pack('<IHHI', start + len(rows) + len(profile), 0, 0, start) + head + rows + profile)

        # A page that is one picture of colors that a profile describes.
        # With `marks` the page draws more, and is higher than the picture.
        def pdf_with(target, stream, more, profile, components, marks=b''):
            w, h = 64, 48
            content = b'q %d 0 0 %d 0 0 cm /Im1 Do Q %s' % (w, h, marks)
            objects = [
                b'<</Type/Catalog/Pages 2 0 R>>', b'<</Type/Pages/Kids[3 0 R]/Count 1>>',
                b'<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Contents 4 0 R/Resources<</XObject<</Im1 5 0 R>>>>>>' % (w, h),
                b'<</Length %d>>stream\n' % len(content) + content + b'\nendstream',
                b'<</Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8/ColorSpace[/ICCBased 6 0 R]/Length %d' % (w, h, len(stream))
                + more + b'>>stream\n' + stream + b'\nendstream',
                b'<</N %d/Length %d>>stream\n' % (components, len(profile)) + profile + b'\nendstream']
            out, places = b'%PDF-1.4\n', []
            for number, body in enumerate(objects, 1):
                places.append(len(out))
                out += b'%d 0 obj' % number + body + b'endobj\n'
            start = len(out)
            out += b'xref\n0 7\n0000000000 65535 f \n' + b''.join(b'%010d 00000 n \n' % p for p in places)
            open(target, 'wb').write(out + b'trailer<</Size 7/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF' % start)

        # Directories that lead to the interoperability index R03.
        def adobe_exif():
            def directory(tag, kind, count, value, at):
                return struct.pack('<HHHI4sI', 1, tag, kind, count, value, 0)
            tiff = b'II*\0' + struct.pack('<I', 8)
            tiff += directory(0x8769, 4, 1, struct.pack('<I', 26), 8)
            tiff += directory(0xA005, 4, 1, struct.pack('<I', 44), 26)
            tiff += directory(1, 2, 4, b'R03\0', 44)
            return b'Exif\0\0' + tiff

        """#

    /// A smooth picture of every hue, within the colors that inks can print.
    static let picture = KnownPicture(width: 64, height: 48) { x, y in
        [UInt8(40 + x * 3), UInt8(60 + y * 3), UInt8(220 - x * 2 - y)]
    }

    /// A folder with `in.ppm`, in which the commands have run.
    static func scratch(_ commands: String) throws -> Scratch {
        let scratch = try Scratch()
        try scratch.file("in.ppm", picture.ppm)
        try scratch.file("colors.py", Array(python.utf8))
        try make(
            in: scratch,
            "P=\(profiles); export PYTHONPATH=.; \(functions); plain in.ppm; cp plain.tif in.tif; \(commands)"
        )
        return scratch
    }

    /// The shell's `plain FILE` decodes a picture into `plain.tif`.
    ///
    /// ImageMagick's TIFFs name primaries, which tificc prefers to the profile it is given.
    private static var functions: String {
        "plain() { \(script("Image.open(sys.argv[1]).convert('RGB').save('plain.tif')")) \"$1\"; }"
    }

    /// Runs Python in that folder.
    static func script(_ text: String) -> String {
        "/usr/bin/python3 -c \"from colors import *; \(text)\""
    }

    /// The samples of a picture in the folder as ImageMagick reads it, ignoring its color profile.
    static func samples(_ scratch: Scratch, _ file: String, gray: Bool = false) throws -> [UInt8] {
        try make(
            in: scratch,
            "convert '\(file)' -strip +profile '*' \(gray ? "-colorspace gray" : "") -depth 8 '\(gray ? "gray" : "rgb"):ref.raw'"
        )
        return try Scratch.read(scratch.path + "/ref.raw")
    }
}
