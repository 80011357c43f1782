"""Counts the parts of a PDF that can get lost."""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections import Counter
from pathlib import Path

import pikepdf
from pikepdf import Name

# Operators that paint: paths, and shadings (ISO 32000-1, tables 60 and 77).
PAINTS = {"S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "sh"}


def facts(path: Path) -> dict[str, Counter]:
    """All parts of each kind, with the number of times that they occur."""
    with pikepdf.open(path) as pdf:
        numbers = {page.obj.objgen: index for index, page in enumerate(pdf.pages)}
        return {
            "text": words(path),
            "drawings": sum((paints(page.obj) for page in pdf.pages), Counter()),
            "fonts": Counter({name: 1 for page in pdf.pages for name in fonts(page.obj)}),
            "pictures": pictures(pdf),
            "links": links(pdf, numbers),
            "outline": outline(pdf, numbers),
            "attachments": attachments(pdf),
            "fields": fields(pdf),
            "labels": (
                Counter(f"{index} {page.label}" for index, page in enumerate(pdf.pages))
                if "/PageLabels" in pdf.Root
                else Counter()
            ),
            "tags": tags(pdf, numbers),
            "language": Counter([str(pdf.Root.get("/Lang", ""))]) - Counter([""]),
            "title and dates": information(pdf),
            "signature": signatures(path),
        }


def words(path: Path) -> Counter:
    return Counter(
        subprocess.run(["pdftotext", str(path), "-"], capture_output=True, text=True).stdout.split()
    )


def paints(container) -> Counter:
    """Counts the uses of each painting operator on a page and in its forms."""
    found = Counter(
        str(step.operator)
        for step in pikepdf.parse_content_stream(container)
        if str(step.operator) in PAINTS
    )
    for form in forms(container):
        found += paints(form)
    return found


def forms(container):
    held = container.get("/Resources", {}).get("/XObject", {})
    return [one for _, one in held.items() if one.get("/Subtype") == Name.Form]


def fonts(container) -> set[str]:
    """The names of embedded fonts, without the marks of subsets."""
    found = set()
    for _, font in container.get("/Resources", {}).get("/Font", {}).items():
        whole = font.DescendantFonts[0] if "/DescendantFonts" in font else font
        descriptor = whole.get("/FontDescriptor", {})
        if any(f"/FontFile{kind}" in descriptor for kind in ("", "2", "3")):
            found.add(re.sub(r"^/([A-Z]{6}\+)?", "", str(font.BaseFont)))
    return found.union(*(fonts(form) for form in forms(container)))


def pictures(pdf: pikepdf.Pdf) -> Counter:
    """The pictures by their pixels, whatever their coding."""
    return Counter(
        hashlib.sha1(pikepdf.PdfImage(one).as_pil_image().convert("RGB").tobytes()).hexdigest()
        for one in pdf.objects
        if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == Name.Image
    )


def page_of(target, numbers) -> str:
    """The page that a destination names."""
    if (
        isinstance(target, pikepdf.Array)
        and len(target)
        and isinstance(target[0], pikepdf.Dictionary)
    ):
        return f"page {numbers.get(target[0].objgen, 'lost')}"
    return "nowhere"


def links(pdf: pikepdf.Pdf, numbers) -> Counter:
    found = Counter()
    for index, page in enumerate(pdf.pages):
        for one in page.obj.get("/Annots", []):
            if one.get("/Subtype") == Name.Link:
                action = one.get("/A", {})
                target = str(action.get("/URI", "")) or page_of(
                    one.get("/Dest", action.get("/D")), numbers
                )
                found[f"{index}: {target}"] += 1
    return found


def outline(pdf: pikepdf.Pdf, numbers) -> Counter:
    found = Counter()

    def walk(items, depth):
        for item in items:
            action = item.action if item.action is not None else {}
            target = item.destination if item.destination is not None else action.get("/D")
            found[f"{depth} {item.title} {page_of(target, numbers)}"] += 1
            walk(item.children, depth + 1)

    with pdf.open_outline() as tree:
        walk(tree.root, 0)
    return found


def attachments(pdf: pikepdf.Pdf) -> Counter:
    return Counter(
        f"{name} {hashlib.sha1(one.get_file().read_bytes()).hexdigest()}"
        for name, one in pdf.attachments.items()
    )


def fields(pdf: pikepdf.Pdf) -> Counter:
    """The fields of a page with their values that are visible there."""
    if "/AcroForm" not in pdf.Root:
        return Counter()
    shown = {one.objgen for page in pdf.pages for one in page.obj.get("/Annots", [])}
    return Counter(
        (
            f"{one.get('/T')} {one.get('/FT')} {one.get('/V')}"
            if one.get("/FT") != Name.Sig
            else f"{one.get('/T')}"
        )
        for one in pdf.Root.AcroForm.get("/Fields", [])
        if one.objgen in shown
    )


def tags(pdf: pikepdf.Pdf, numbers) -> Counter:
    """The elements of the structure that refer to content of their page."""
    found = Counter()
    marks = {
        page.obj.objgen: {
            int(step.operands[1].MCID)
            for step in pikepdf.parse_content_stream(page.obj)
            if str(step.operator) == "BDC"
            and isinstance(step.operands[1], pikepdf.Dictionary)
            and "/MCID" in step.operands[1]
        }
        for page in pdf.pages
    }

    def walk(element):
        content = element.get("/K")
        if isinstance(content, pikepdf.Array):
            for child in content:
                if isinstance(child, pikepdf.Dictionary):
                    walk(child)
        elif isinstance(content, pikepdf.Dictionary):
            walk(content)
        elif content is not None and int(content) in marks.get(
            element.get("/Pg", pikepdf.Dictionary()).objgen, ()
        ):
            found[f"{numbers[element.Pg.objgen]} {element.S} {element.get('/Alt', '')}"] += 1

    if "/StructTreeRoot" in pdf.Root and pdf.Root.get("/MarkInfo", {}).get("/Marked", False):
        walk(pdf.Root.StructTreeRoot)
    return found


def information(pdf: pikepdf.Pdf) -> Counter:
    return Counter(
        f"{name} {pdf.docinfo.get(name)}"
        for name in ("/Title", "/Author", "/Subject", "/Keywords", "/CreationDate")
        if name in pdf.docinfo
    )


def signatures(path: Path) -> Counter:
    said = subprocess.run(["pdfsig", "-nocert", str(path)], capture_output=True, text=True).stdout
    return Counter({"valid": said.count("Signature is Valid")})
