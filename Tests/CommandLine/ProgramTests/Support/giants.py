"""Writes tiny files that claim to be huge pictures: giants.py FOLDER."""

import io
import os
import struct
import sys
import zlib

from PIL import Image

folder = sys.argv[1]


def write(name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(width, height, depth, color, interlaced=0, data=b"\0" * 9):
    head = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(data))
        + chunk(b"IEND", b"")
    )


def encoded(kind, size=(64, 64), **options):
    picture = Image.radial_gradient("L").resize(size).convert("RGB")
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return bytearray(buffer.getvalue())


def jpeg(width, height, **options):
    data = encoded("JPEG", **options)
    frame = next(
        at for at in range(len(data) - 1) if data[at] == 0xFF and data[at + 1] in (0xC0, 0xC2)
    )
    data[frame + 5 : frame + 9] = struct.pack(">HH", height, width)
    return bytes(data)


def tiff(width, height, compression, data, bits=8, samples=1, photometric=1, rows=None, tile=None):
    entries = [
        (256, 4, 1, width),
        (257, 4, 1, height),
        (258, 3, 1, bits),
        (259, 3, 1, compression),
        (262, 3, 1, photometric),
        (277, 3, 1, samples),
    ]
    if tile:
        entries += [(322, 4, 1, tile), (323, 4, 1, tile), (324, 4, 1, 8), (325, 4, 1, len(data))]
    else:
        entries += [(273, 4, 1, 8), (278, 4, 1, rows or height), (279, 4, 1, len(data))]
    if samples == 3:
        entries = [
            (258, 3, 3, 8 + len(data) + len(data) % 2) if entry[0] == 258 else entry
            for entry in entries
        ]
    start = 8 + len(data) + len(data) % 2 + 6
    directory = struct.pack("<H", len(entries))
    for tag, kind, count, value in sorted(entries):
        directory += struct.pack("<HHII", tag, kind, count, value)
    return (
        b"II*\0"
        + struct.pack("<I", start)
        + data
        + b"\0" * (len(data) % 2)
        + struct.pack("<HHH", bits, bits, bits)
        + directory
        + struct.pack("<I", 0)
    )


def webp(width, height, lossless):
    data = encoded("WEBP", lossless=lossless)
    if lossless:
        bits = struct.unpack("<I", data[21:25])[0] & ~0xFFFFFFF
        data[21:25] = struct.pack("<I", bits | (width - 1) | (height - 1) << 14)
    else:
        data[26:30] = struct.pack("<HH", width, height)
    return bytes(data)


def avi(frame, height):
    def part(name, body):
        return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)

    head = part(b"strh", b"vidsMJPG" + b"\0" * 12 + struct.pack("<II", 1, 25) + b"\0" * 28)
    form = part(b"strf", struct.pack("<IIIHH", 40, 24, height, 1, 24) + b"MJPG" + b"\0" * 20)
    lists = part(
        b"LIST", b"hdrl" + part(b"avih", b"\0" * 56) + part(b"LIST", b"strl" + head + form)
    )
    return part(b"RIFF", b"AVI " + lists + part(b"LIST", b"movi" + part(b"00dc", frame)))


write("row.png", png(2**31 - 1, 1, 8, 0))
write("rows16.png", png(2**31 - 1, 2**31 - 1, 16, 6))
write("gray.png", png(65_535, 6_000, 8, 0))
write("woven.png", png(20_000, 15_000, 8, 2, interlaced=1))
write("clear.png", png(16_000, 16_000, 8, 6))
write("palette.png", png(65_535, 6_000, 1, 3))
write("empty.jpg", jpeg(65_500, 3_000))
write("steps.jpg", jpeg(65_500, 3_000, progressive=True))
write("cut.jpg", jpeg(65_500, 3_000)[:-40])
for name, compression in [
    ("plain", 1),
    ("lzw", 5),
    ("jpeg", 7),
    ("deflate", 8),
    ("packed", 32773),
    ("zstd", 50000),
]:
    data = zlib.compress(b"\0" * 99) if compression == 8 else b"\x80\x0b\x60\x50"
    write(name + ".tif", tiff(60_000, 6_000, compression, data))
    write(name + "-color.tif", tiff(20_000, 15_000, compression, data, samples=3, photometric=2))
    write(name + "-tiled.tif", tiff(60_000, 6_000, compression, data, tile=16_384))
    write(name + "-rgba.tif", tiff(20_000, 14_000, compression, data, bits=4, photometric=1))
write("lossy.webp", webp(16_383, 16_383, False))
write("lossless.webp", webp(16_383, 16_383, True))
write("plain.pgm", b"P5 65535 6000 255\n" + b"\0" * 50)
write("letters.ppm", b"P3 20000 15000 65535\n" + b"0 " * 50)
write("film.y4m", b"YUV4MPEG2 W60000 H6000 F25:1\nFRAME\n" + b"\0" * 50)
write("film.avi", avi(jpeg(65_500, 3_000), 3_000))
write("film.mjpeg", jpeg(65_500, 3_000) * 2)
