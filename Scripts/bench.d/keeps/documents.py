"""Generated PDFs with everything that can get lost when a program changes a PDF."""

from __future__ import annotations

import io
import random
import subprocess
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, OutlineItem, String
from PIL import Image, ImageDraw, ImageFont

FACE = Path("/usr/share/fonts/opentype/urw-base35/NimbusMonoPS-Regular.otf")
WORDS = (
    "harbor lantern meadow copper river window garden timber silver station bridge market orchard"
    " winter captain journal gallery mountain thunder village anchor compass shadow blanket kitchen"
    " ribbon"
).split()
A4 = (595, 842)
DPI = 300


def lines(generator: random.Random) -> list[str]:
    return [" ".join(generator.choice(WORDS) for _ in range(7)) for _ in range(20)]


def new() -> pikepdf.Pdf:
    return pikepdf.new()


def face(pdf: pikepdf.Pdf):
    """An embedded font whose letters are all equally wide."""
    descriptor = pdf.make_indirect(
        Dictionary(
            Type=Name.FontDescriptor,
            FontName=Name("/ABCDEF+NimbusMonoPS-Regular"),
            Flags=33,
            FontBBox=[-43, -278, 681, 871],
            ItalicAngle=0,
            Ascent=800,
            Descent=-200,
            CapHeight=563,
            StemV=41,
            FontFile3=pikepdf.Stream(pdf, FACE.read_bytes(), Subtype=Name.OpenType),
        )
    )
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.Type1,
            BaseFont=Name("/ABCDEF+NimbusMonoPS-Regular"),
            FirstChar=32,
            LastChar=126,
            Widths=[600] * 95,
            Encoding=Name.WinAnsiEncoding,
            FontDescriptor=descriptor,
        )
    )


def text(said: list[str], top: int = 780, mark: str = "") -> str:
    drawn = (
        f"BT /F1 11 Tf 60 {top} Td 16 TL " + " ".join(f"({line}) Tj T*" for line in said) + " ET\n"
    )
    return f"{mark} BDC\n{drawn}EMC\n" if mark else drawn


def drawing(number: int) -> str:
    """A chart, in curves and lines."""
    bars = "".join(
        f"{0.1 * bar:.1f} 0.4 0.7 rg {80 + 40 * bar} 90 25 {20 + 17 * ((bar * 7 + number) % 9)}"
        " re f\n"
        for bar in range(9)
    )
    return "q\n" + bars + "1 0 0 RG 2 w 80 260 m 180 340 300 180 460 300 c S\nQ\n"


def page(pdf: pikepdf.Pdf, content: str, font, **pictures):
    made = Dictionary(
        Type=Name.Page,
        MediaBox=[0, 0, *A4],
        Contents=pikepdf.Stream(pdf, content.encode("latin-1")),
        Resources=Dictionary(XObject=Dictionary(**pictures)),
    )
    if "/F1" in content:
        made.Resources.Font = Dictionary(F1=font)
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(made)))
    return pdf.pages[-1]


def scan(pdf: pikepdf.Pdf, said: list[str]):
    """A JPEG of a printed page."""
    picture = Image.new("L", (A4[0] * DPI // 72, A4[1] * DPI // 72), 250)
    pen = ImageDraw.Draw(picture)
    letters = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf", 46)
    for index, line in enumerate(said):
        pen.text((250, 300 + 100 * index), line, fill=20, font=letters)
    bytes = io.BytesIO()
    picture.save(bytes, "JPEG", quality=75, dpi=(DPI, DPI))
    return pikepdf.Stream(
        pdf,
        bytes.getvalue(),
        Type=Name.XObject,
        Subtype=Name.Image,
        Width=picture.width,
        Height=picture.height,
        ColorSpace=Name.DeviceGray,
        BitsPerComponent=8,
        Filter=Name.DCTDecode,
    )


ATTACHED = {"figures.csv": b"year,tons\n2024,17\n2025,19\n", "note.txt": b"Not to be lost.\n"}
SHOWN = f"q {A4[0]} 0 0 {A4[1]} 0 0 cm /Im0 Do Q\n"


def furnish(pdf: pikepdf.Pdf, title: str, font) -> None:
    """Adds to a document of three pages the parts that readers show beside the pages."""
    first, second, third = (page.obj for page in pdf.pages)
    first.Annots = pdf.make_indirect(
        Array(
            [
                link(
                    [60, 700, 200, 715],
                    A=Dictionary(S=Name.URI, URI=String("https://example.org/harbor")),
                ),
                link([60, 660, 200, 675], Dest=Array([third, Name.Fit])),
            ]
        )
    )
    second.Annots = Array(
        [link([60, 600, 200, 615], A=Dictionary(S=Name.GoTo, D=Array([first, Name.FitH, 800])))]
    )
    with pdf.open_outline() as outline:
        chapter = OutlineItem("Chapter 1", 0)
        chapter.children.append(OutlineItem("Section 1.1", 1))
        outline.root.extend([chapter, OutlineItem("Chapter 2", 2)])
    for name, data in ATTACHED.items():
        pdf.attachments[name] = pikepdf.AttachedFileSpec(pdf, data, filename=name)
    pdf.Root.PageLabels = Dictionary(
        Nums=[0, Dictionary(S=Name.r), 1, Dictionary(S=Name.D, P=String("A-"), St=5)]
    )
    pdf.Root.Lang = String("en-GB")
    pdf.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True)
    pdf.docinfo["/Title"] = title
    pdf.docinfo["/Author"] = "Ada Harbor"
    pdf.docinfo["/Subject"] = "What is kept"
    pdf.docinfo["/Keywords"] = "ships, lanterns"
    pdf.docinfo["/CreationDate"] = "D:20240229120000+01'00'"
    drawn = Dictionary(Font=Dictionary(F1=font))
    fields = [
        field(pdf, first, "name", "Tx", String("Grace Lantern"), [300, 700, 500, 718], drawn),
        field(pdf, first, "agreed", "Btn", Name.Yes, [300, 670, 312, 682], drawn),
    ]
    pdf.Root.AcroForm = Dictionary(Fields=Array(fields), DA=String("/F1 10 Tf 0 g"), DR=drawn)


def link(box: list[int], **target) -> Dictionary:
    # The annotation is printed, as PDF/A requires.
    return Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=box, Border=[0, 0, 1], F=4, **target)


def field(pdf: pikepdf.Pdf, page, name: str, kind: str, value, box: list[int], drawn):
    size = [0, 0, box[2] - box[0], box[3] - box[1]]
    shown = (
        "0 0 10 10 re f" if kind == "Btn" else f"/Tx BMC BT /F1 10 Tf 2 5 Td ({value}) Tj ET EMC"
    )
    look = pikepdf.Stream(
        pdf, shown.encode(), Type=Name.XObject, Subtype=Name.Form, BBox=size, Resources=drawn
    )
    made = Dictionary(
        Type=Name.Annot,
        Subtype=Name.Widget,
        FT=Name("/" + kind),
        T=String(name),
        V=value,
        Rect=box,
        F=4,
        P=page,
        DA=String("/F1 10 Tf 0 g"),
        AP=Dictionary(N=Dictionary(Yes=look) if kind == "Btn" else look),
    )
    if kind == "Btn":
        made.AS = Name.Yes
    made = pdf.make_indirect(made)
    page.Annots.append(made)
    return made


def digital(folder: Path, generator: random.Random) -> tuple[Path, list[str]]:
    pdf = new()
    font = face(pdf)
    for number in range(3):
        page(pdf, text(lines(generator)) + drawing(number), font)
    furnish(pdf, "A digital document", font)
    return saved(pdf, folder / "digital.pdf"), []


def scanned(folder: Path, generator: random.Random) -> tuple[Path, list[str]]:
    pdf = new()
    font = face(pdf)
    said: list[str] = []
    for _ in range(3):
        words = lines(generator)
        said += words
        page(pdf, SHOWN, font, Im0=scan(pdf, words))
    furnish(pdf, "A scanned document", font)
    return saved(pdf, folder / "scanned.pdf"), said


def mixed(folder: Path, generator: random.Random) -> tuple[Path, list[str]]:
    """A digital page, a scan, and a scan with a digital stamp."""
    pdf = new()
    font = face(pdf)
    page(pdf, text(lines(generator)) + drawing(1), font)
    said = lines(generator)
    page(pdf, SHOWN, font, Im0=scan(pdf, said))
    page(
        pdf,
        SHOWN + text(["Received harbor office"], 60) + "1 0 0 RG 55 50 230 25 re S\n",
        font,
        Im0=scan(pdf, lines(generator)),
    )
    furnish(pdf, "A mixed document", font)
    return saved(pdf, folder / "mixed.pdf"), said


def tagged(folder: Path, generator: random.Random) -> tuple[Path, list[str]]:
    """Every heading, paragraph and chart is an element of the structure."""
    pdf = new()
    font = face(pdf)
    root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
    body = pdf.make_indirect(
        Dictionary(Type=Name.StructElem, S=Name.Document, P=root, Lang=String("en-GB"))
    )
    parts, parents = [], []
    for number in range(3):
        content = (
            text([f"Heading {number + 1} harbor"], 800, "/H1 <</MCID 0>>")
            + text(lines(generator), 760, "/P <</MCID 1>>")
            + f"/Figure <</MCID 2>> BDC\n{drawing(number)}EMC\n"
        )
        made = page(pdf, content, font).obj
        made.StructParents = number
        made.Tabs = Name.S
        elements = [
            pdf.make_indirect(
                Dictionary(Type=Name.StructElem, S=Name("/" + kind), P=body, Pg=made, K=mark)
            )
            for mark, kind in enumerate(("H1", "P", "Figure"))
        ]
        elements[2].Alt = String(f"Chart {number + 1} of lanterns")
        parts += elements
        parents += [number, Array(elements)]
    body.K = Array(parts)
    root.K = body
    root.ParentTree = pdf.make_indirect(Dictionary(Nums=Array(parents)))
    root.ParentTreeNextKey = 3
    pdf.Root.StructTreeRoot = root
    pdf.Root.MarkInfo = Dictionary(Marked=True)
    furnish(pdf, "A tagged document", font)
    return saved(pdf, folder / "tagged.pdf"), []


def signed(folder: Path, generator: random.Random) -> tuple[Path, list[str]]:
    """Signs the document as in ISO 32000-1, 12.8, with its own certificate."""
    pdf = new()
    font = face(pdf)
    for number in range(3):
        page(pdf, text(lines(generator)) + drawing(number), font)
    furnish(pdf, "A signed document", font)
    first = pdf.pages[0].obj
    room = 8192
    signature = pdf.make_indirect(
        Dictionary(
            Type=Name.Sig,
            Filter=Name("/Adobe.PPKLite"),
            SubFilter=Name("/adbe.pkcs7.detached"),
            M=String("D:20240301120000Z"),
            ByteRange=Array([0, 1111111111, 1111111111, 1111111111]),
            Contents=String(b"\0" * room),
        )
    )
    made = pdf.make_indirect(
        Dictionary(
            Type=Name.Annot,
            Subtype=Name.Widget,
            FT=Name.Sig,
            T=String("signature"),
            V=signature,
            Rect=[0, 0, 0, 0],
            F=132,
            P=first,
        )
    )
    first.Annots.append(made)
    pdf.Root.AcroForm.Fields.append(made)
    pdf.Root.AcroForm.SigFlags = 3
    place = folder / "signed.pdf"
    pdf.save(place, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    sign(place, room, folder)
    return place, []


def sign(place: Path, room: int, folder: Path) -> None:
    data = bytearray(place.read_bytes())
    start = data.index(b"<" + b"00" * room + b">")
    end = start + 2 * room + 2
    hole = data.index(b"[ 0 1111111111 1111111111 1111111111 ]")
    numbers = f"[ 0 {start} {end} {len(data) - end}".encode()
    data[hole : hole + 38] = numbers.ljust(37) + b"]"
    (folder / "signed.bytes").write_bytes(data[:start] + data[end:])
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    quietly(
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-subj",
        "/CN=Ada Harbor",
        "-days",
        "3650",
        "-keyout",
        str(key),
        "-out",
        str(certificate),
    )
    made = quietly(
        "openssl",
        "cms",
        "-sign",
        "-binary",
        "-in",
        str(folder / "signed.bytes"),
        "-signer",
        str(certificate),
        "-inkey",
        str(key),
        "-outform",
        "DER",
        "-md",
        "sha256",
    )
    data[start + 1 : start + 1 + 2 * len(made)] = made.hex().encode()
    place.write_bytes(data)


def quietly(*command: str) -> bytes:
    return subprocess.run(command, check=True, capture_output=True).stdout


def saved(pdf: pikepdf.Pdf, place: Path) -> Path:
    pdf.save(place)
    return place


KINDS = {"digital": digital, "scanned": scanned, "mixed": mixed, "signed": signed, "tagged": tagged}
