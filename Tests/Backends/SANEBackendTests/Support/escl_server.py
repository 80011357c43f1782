"""A small eSCL (AirScan) scanner for tests: a platen and a feeder of three sheets, whose pixels
follow a rule.

    escl_server.py FOLDER

writes its port to FOLDER/port, and every job that it receives to FOLDER/jobs. While FOLDER/jam
exists, the feeder jams at its second page; while FOLDER/cut exists, the connection is closed in
the middle of a second page. Gray pixels are (x + 2y + 50p) mod 256 with p the page of the job from
1; colors are that, 255 less, and x alone.
"""

import http.server
import os
import re
import struct
import sys
import uuid
import zlib

FOLDER = sys.argv[1]
SHEETS = 3
JOBS = {}

PROFILES = """<scan:SettingProfiles><scan:SettingProfile>
<scan:ColorModes><scan:ColorMode>Grayscale8</scan:ColorMode>
<scan:ColorMode>RGB24</scan:ColorMode></scan:ColorModes>
<scan:DocumentFormats><pwg:DocumentFormat>image/png</pwg:DocumentFormat>
<scan:DocumentFormatExt>image/png</scan:DocumentFormatExt></scan:DocumentFormats>
<scan:SupportedResolutions>
<scan:DiscreteResolutions>%s</scan:DiscreteResolutions>
</scan:SupportedResolutions>
</scan:SettingProfile></scan:SettingProfiles>""" % "".join(
    f"<scan:DiscreteResolution><scan:XResolution>{r}</scan:XResolution>"
    f"<scan:YResolution>{r}</scan:YResolution></scan:DiscreteResolution>"
    for r in (75, 100, 300)
)


def caps(height):
    return f"""<scan:MinWidth>16</scan:MinWidth><scan:MaxWidth>2550</scan:MaxWidth>
<scan:MinHeight>16</scan:MinHeight>
<scan:MaxHeight>{height}</scan:MaxHeight><scan:MaxScanRegions>1</scan:MaxScanRegions>{PROFILES}"""


NAMESPACES = (
    'xmlns:pwg="http://www.pwg.org/schemas/2010/12/sm"'
    ' xmlns:scan="http://schemas.hp.com/imaging/escl/2011/05/03"'
)
CAPABILITIES = f"""<?xml version="1.0" encoding="UTF-8"?><scan:ScannerCapabilities {NAMESPACES}>
<pwg:Version>2.6</pwg:Version><pwg:MakeAndModel>Copystand Test</pwg:MakeAndModel>
<pwg:SerialNumber>1</pwg:SerialNumber>
<scan:Platen><scan:PlatenInputCaps>{caps(3508)}</scan:PlatenInputCaps></scan:Platen>
<scan:Adf><scan:AdfSimplexInputCaps>{caps(4200)}</scan:AdfSimplexInputCaps>
<scan:AdfDuplexInputCaps>{caps(4200)}</scan:AdfDuplexInputCaps></scan:Adf>
</scan:ScannerCapabilities>"""


def is_there(name):
    return os.path.exists(f"{FOLDER}/{name}")


def png(width, height, is_color, page):
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        gray = bytes((x + 2 * y + 50 * page) & 255 for x in range(width))
        if not is_color:
            rows += gray
            continue
        row = bytearray(3 * width)
        row[0::3] = gray
        row[1::3] = bytes(255 - g for g in gray)
        row[2::3] = bytes(x & 255 for x in range(width))
        rows += row

    def chunk(name, data):
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2 if is_color else 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(bytes(rows), 1))
        + chunk(b"IEND", b"")
    )


class Job:
    def __init__(self, settings):
        def value(name, usual):
            match = re.search(rf"<\w+:{name}>([^<]*)<", settings)
            return match.group(1) if match else usual

        resolution = int(value("XResolution", "300"))
        self.width = int(value("Width", "2550")) * resolution // 300
        self.height = int(value("Height", "3508")) * resolution // 300
        self.is_color = value("ColorMode", "RGB24") == "RGB24"
        self.feeds = value("InputSource", "Platen") == "Feeder"
        sides = 2 if value("Duplex", "false") == "true" else 1
        self.pages = SHEETS * sides if self.feeds else 1
        self.page = 0


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def answer(self, status, body=b"", kind="text/xml", **headers):
        if isinstance(body, str):
            body = body.encode()
        self.send_response(status)
        for name, text in headers.items():
            self.send_header(name, text)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/eSCL/ScannerCapabilities":
            return self.answer(200, CAPABILITIES)
        if self.path == "/eSCL/ScannerStatus":
            adf = "ScannerAdfJam" if is_there("jam") else "ScannerAdfLoaded"
            return self.answer(
                200,
                f"""<?xml version="1.0" encoding="UTF-8"?><scan:ScannerStatus {NAMESPACES}>
<pwg:Version>2.6</pwg:Version><pwg:State>Idle</pwg:State>
<scan:AdfState>{adf}</scan:AdfState></scan:ScannerStatus>""",
            )
        match = re.fullmatch(r"/eSCL/ScanJobs/([\w-]+)/NextDocument", self.path)
        job = JOBS.get(match.group(1)) if match else None
        if job is None or job.page >= job.pages:
            return self.answer(404)
        if job.feeds and job.page == 1 and is_there("jam"):
            return self.answer(409)
        job.page += 1
        image = png(job.width, job.height, job.is_color, job.page)
        if job.page == 2 and is_there("cut"):
            self.send_response(200)
            self.send_header("Content-Type", "image/png")
            self.send_header("Content-Length", str(len(image)))
            self.end_headers()
            self.wfile.write(image[: len(image) // 2])
            self.close_connection = True
            return
        self.answer(200, image, "image/png")

    def do_POST(self):
        settings = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        with open(f"{FOLDER}/jobs", "a") as log:
            log.write(settings + "\n")
        name = str(uuid.uuid4())
        JOBS[name] = Job(settings)
        self.answer(201, Location=f"/eSCL/ScanJobs/{name}")

    def do_DELETE(self):
        self.answer(200 if JOBS.pop(self.path.split("/")[-1], None) else 404)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open(f"{FOLDER}/port.part", "w") as file:
    file.write(str(server.server_port))
os.rename(f"{FOLDER}/port.part", f"{FOLDER}/port")
server.serve_forever()
