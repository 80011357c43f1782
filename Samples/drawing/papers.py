"""The papers of the society, as they were printed."""

import numpy as np

from .sheet import MONO, SANS, SANS_BOLD, SERIF, SERIF_BOLD, Sheet


def letter():
    s = Sheet(204, 286, 300, paper=255)
    s.crest(22, 16, 15)
    s.line(42, 23, "Aldermouth Museum Digitisation Society", SERIF_BOLD, 15)
    s.line(42, 30, "The Old Ropewalk, 14 Quay Street, Aldermouth", SANS, 9)
    s.rule(22, 36, 182, 36, 0.4)
    s.line(182, 48, "3 March 2025", points=11, anchor="rs")
    for i, t in enumerate(
        ("Mrs Ottilie Farrant", "Keeper of the Harbour Collection", "Aldermouth Museum")
    ):
        s.line(22, 48 + 5.4 * i, t)
    y = s.paragraph(22, 74, 160, "Dear Mrs Farrant,")
    for text in (
        (
            "Thank you for lending us the first four boxes of the pilots' correspondence. The"
            " sheets have arrived in good order, and the volunteers began photographing them on"
            " Tuesday evening. By the end of the week we had captured two hundred and twelve pages,"
            " of which nine must be taken again because the lamp was left at an angle and the fold"
            " in the paper threw a shadow."
        ),
        (
            "You asked how the pages will be kept. Every sheet is captured at three hundred dots"
            " per inch, squared up, and read by machine, so that a visitor can search for a ship or"
            " a captain by name. The pictures themselves are never altered once they have been"
            " filed; a corrected reading is stored beside them with the date and the initials of"
            " the person who made it."
        ),
        (
            "Two matters need your decision. Box 3 contains a folded chart of the estuary that is"
            " larger than our table, and we would rather not flatten it without a conservator in"
            " the room. Box 4 has eleven letters written in pencil so faint that the scanner sees"
            " almost nothing; we suggest that these be photographed under raking light."
        ),
        (
            "The next open evening is on Thursday 20 March at half past six. There will be soup,"
            " and the treasurer has promised to explain the invoice for the new copy stand."
        ),
    ):
        y = s.paragraph(22, y + 3.5, 160, text)
    s.paragraph(22, y + 4, 160, "With kind regards,")
    s.line(22, y + 26, "Bartholomew Quill", SERIF_BOLD)
    s.line(22, y + 31.5, "Honorary Secretary")
    x, yy = s.px(22), s.px(y + 15)
    pen = [
        (x + t * s.px(0.5), yy + s.px(3.2) * np.sin(t * 0.55) * np.cos(t * 0.13) - t * s.px(0.02))
        for t in range(90)
    ]
    s.draw.line(pen, s.ink, s.px(0.35), joint="curve")
    return s


def minutes():
    s = Sheet(210, 297, 300)
    s.line(105, 26, "Minutes of the Spring Meeting", SERIF_BOLD, 18, anchor="ms")
    s.line(105, 33, "held in the Net Loft on Thursday 20 March 2025", SANS, 9.5, anchor="ms")
    s.rule(20, 38, 190, 38, 0.4)
    left = (
        (
            "Present",
            (
                "Mr Quill in the chair; Mrs Farrant, Dr Iyer, Miss Penhallow, Mr Okonkwo, Captain"
                " Sorrel and fourteen members. Apologies were received from the Mayor, who was at"
                " sea."
            ),
        ),
        (
            "Last minutes",
            (
                "The minutes of the winter meeting were read and agreed, after the word pickled had"
                " been replaced by the word picked in the account of the apple harvest."
            ),
        ),
        (
            "Progress",
            (
                "Miss Penhallow reported that 1,840 pages had been captured since January. The best"
                " evening produced 260 pages and the worst produced none, because the fuse had"
                " blown. Spoilt pages fell from seven in a hundred to three after a sheet of black"
                " card was laid under the glass."
            ),
        ),
        (
            "Equipment",
            (
                "Dr Iyer showed the new copy stand. Its arm carries a camera of twenty megapixels,"
                " and two lamps stand at forty-five degrees. A page is taken as soon as it lies"
                " still, which spares the volunteers a good deal of clicking."
            ),
        ),
    )
    right = (
        (
            "Text recognition",
            (
                "Captain Sorrel had searched the pilots' letters for his grandfather and found him"
                " four times, once as a captain and three times as a debtor. He asked that the"
                " society keep the machine's reading even where it was plainly wrong."
            ),
        ),
        (
            "Money",
            (
                "The treasurer explained the invoice. The stand cost less than the estimate and the"
                " lamps rather more. The balance at the bank is 612 pounds and 40 pence."
            ),
        ),
        (
            "Loans",
            (
                "It was agreed that no box leaves the museum without a receipt, that the receipt is"
                " photographed first, and that the photograph is filed before the lid is opened."
            ),
        ),
        (
            "Any other business",
            (
                "Mr Okonkwo offered to build a cradle for bound volumes. The offer was accepted"
                " with applause. A member asked whether the soup could be digitised; the chair"
                " ruled that it could not."
            ),
        ),
        (
            "Next meeting",
            "Thursday 19 June 2025 at half past six. The meeting closed at ten minutes to nine.",
        ),
    )
    for x, column in ((20, left), (109, right)):
        y = 48
        for title, text in column:
            s.line(x, y, title, SANS_BOLD, 10.5)
            y = s.paragraph(x, y + 5.4, 81, text, points=10) + 3
    s.rule(105, 44, 105, 270, 0.15)
    s.line(105, 285, "Page 1", SANS, 9, anchor="ms")
    return s


def invoice():
    s = Sheet(210, 148, 300)
    s.line(14, 20, "Halloran & Voss", SANS_BOLD, 17)
    s.line(14, 26, "Cameras, Stands and Lamps, 7 Chandler's Row, Port Linnet", SANS, 9)
    s.line(196, 20, "INVOICE", SANS_BOLD, 17, anchor="rs")
    s.line(14, 38, "To: Aldermouth Museum Digitisation Society", SANS, 10)
    s.line(196, 38, "Number 20417", SANS, 10, anchor="rs")
    s.line(14, 44, "Terms: thirty days", SANS, 10)
    s.line(196, 44, "Date 11 March 2025", SANS, 10, anchor="rs")
    columns = (14, 30, 128, 160, 196)
    rows = (
        ("Qty", "Description", "Price", "Amount"),
        ("1", "Copy stand, column 90 cm, oak base", "285.00", "285.00"),
        ("2", "Lamp with diffuser, daylight", "64.50", "129.00"),
        ("4", "Sheet of museum glass, 40 by 30 cm", "12.25", "49.00"),
        ("1", "Grey card and ruler", "8.40", "8.40"),
        ("10", "Cotton gloves, pair", "1.15", "11.50"),
    )
    top, step = 52, 8.6
    for i, row in enumerate(rows):
        path = SANS_BOLD if i == 0 else SANS
        y = top + step * i + 6
        s.line(columns[0] + 2, y, row[0], path, 10)
        s.line(columns[1] + 2, y, row[1], path, 10)
        s.line(columns[3] - 2, y, row[2], path, 10, anchor="rs")
        s.line(columns[4] - 2, y, row[3], path, 10, anchor="rs")
    for i in range(len(rows) + 1):
        s.rule(14, top + step * i, 196, top + step * i, 0.4 if i < 2 else 0.2)
    for x in columns:
        s.rule(x, top, x, top + step * len(rows), 0.2)
    for i, (name, amount) in enumerate(
        (("Goods", "482.90"), ("Carriage", "9.50"), ("Total due", "492.40"))
    ):
        path = SANS_BOLD if i == 2 else SANS
        s.line(158, 112 + 6.4 * i, name, path, 10, anchor="rs")
        s.line(194, 112 + 6.4 * i, amount, path, 10, anchor="rs")
    s.rule(136, 120.2, 196, 120.2, 0.3)
    s.line(14, 138, "Please quote the invoice number with your payment. Thank you.", SANS, 9)
    return s


ENTRIES = (
    (
        "Chart",
        (
            "Estuary from the Linnet Light to Aldermouth Bar, ink on linen, torn at the fold."
            " Surveyed 1871."
        ),
    ),
    (
        "Letter",
        "Pilot Jeremiah Stokes to the harbour office, asking for a dry boat and a better lantern.",
    ),
    ("Ledger", "Dues of the outer quay, January to December 1884, green cloth, spine loose."),
    (
        "Photograph",
        "The lifeboat Constance with her crew of eleven, mounted on card, foxed at the edge.",
    ),
    ("Letter", "The harbour office to Pilot Stokes, refusing the lantern and granting the boat."),
    ("Handbill", "Reward of five guineas for a brass bell taken from the chapel steps at night."),
    ("Plan", "Section through the ropewalk roof, pencil and red wash, drawn by E. Marchmont."),
    (
        "Diary",
        "Miss Adela Crane, schoolteacher, with pressed seaweed between the pages for August.",
    ),
    ("Receipt", "Forty fathoms of tarred rope, paid in full, with the thumbprint of the seller."),
    ("Postcard", "View of the ferry stage in snow; on the back, a recipe for ginger biscuits."),
    ("Map", "Drains of the lower town, traced in 1902 from an older sheet that is lost."),
    ("Letter", "Captain Sorrel to his creditors, explaining the wind."),
    ("Poster", "Regatta of 1911, two colours, the date corrected by hand to a dry Saturday."),
    ("Notebook", "Tide readings taken every six hours by the keeper of the Linnet Light."),
    ("Photograph", "Fish market, women gutting herring, glass plate, cracked across one corner."),
    ("Certificate", "Award to the brass band for perseverance, framed, the glass missing."),
)


def register(page):
    s = Sheet(210, 297, 300, ink=0)
    s.line(20, 25, "Register of Items Received", SERIF_BOLD, 16)
    s.line(190, 25, f"Sheet {page + 1} of 2", SANS, 10, anchor="rs")
    s.rule(20, 29, 190, 29, 0.5)
    y = 40
    for number in range(page * 8 + 1, page * 8 + 9):
        kind, text = ENTRIES[number - 1]
        s.line(29, y, f"{number}.", SERIF_BOLD, 12, anchor="rs")
        s.line(33, y, kind, SERIF_BOLD, 12)
        y = s.paragraph(33, y + 6, 152, text, points=12, lead=1.35)
        s.line(33, y, f"Shelf mark AM-{1870 + number * 3}-{number:02d}", MONO, 10)
        y += 12
    return s


def notice():
    s = Sheet(210, 297, 300)
    s.line(105, 40, "Notice to Volunteers", SANS_BOLD, 26, anchor="ms")
    s.rule(25, 47, 185, 47, 0.8)
    y = 62
    for text in (
        (
            "Wash your hands and leave your pens at the door. Only pencils are allowed in the Net"
            " Loft."
        ),
        (
            "Lay the page flat on the black card. If it will not lie flat, do not press it: call"
            " for the glass and ask a second person to help you lower it."
        ),
        (
            "Wait until the green light is steady. The camera takes the picture by itself when the"
            " page has been still for one second."
        ),
        (
            "Turn the pages in order. If two have stuck together, stop, and write the number of the"
            " page on the list by the kettle."
        ),
        "Never lean on the arm of the stand. It remembers every knock.",
    ):
        y = s.paragraph(25, y + 5, 160, text, SANS, 14, 1.45)
    s.line(25, y + 16, "Lamps off at nine o'clock.", SANS_BOLD, 16)
    s.line(25, y + 30, "A. Penhallow, Digitisation Officer", SANS, 12)
    return s


def receipt():
    s = Sheet(148, 210, 300)
    s.line(74, 24, "Receipt for a Loan", SERIF_BOLD, 18, anchor="ms")
    s.rule(14, 30, 134, 30, 0.4)
    s.line(14, 40, "Receipt number 0058", SANS, 10)
    s.line(134, 40, "20 March 2025", SANS, 10, anchor="rs")
    y = s.paragraph(
        14,
        52,
        120,
        "Received from the Aldermouth Museum, Harbour Collection, one box of pilots'"
        " correspondence, marked Box 5, holding one hundred and thirty-seven sheets and one empty"
        " envelope.",
        points=11,
    )
    y = s.paragraph(
        14,
        y + 4,
        120,
        "The box will be returned on or before Friday 18 April 2025. Until then it is kept in the"
        " iron cupboard, and the key hangs on the nail that everybody knows about.",
        points=11,
    )
    for name, value in (
        ("Condition on arrival", "good, slight damp"),
        ("Insured for", "400 pounds"),
        ("Received by", "Samuel Okonkwo"),
    ):
        y += 9
        s.line(14, y, name, SANS_BOLD, 10)
        s.line(60, y, value, SANS, 10)
        s.rule(60, y + 1.6, 134, y + 1.6, 0.15)
    s.paragraph(
        14, y + 16, 120, "This receipt was photographed before the lid was opened.", points=11
    )
    return s


def till():
    """A receipt from a till, 76 mm wide, in the gray print that such paper has after a month."""
    s = Sheet(76, 168, 300, ink=70)
    s.line(38, 12, "ALDERMOUTH CHANDLERY", SANS_BOLD, 12, anchor="ms")
    for i, t in enumerate(("3 Quay Street, Aldermouth", "Tel. 01632 960 114")):
        s.line(38, 19 + 5 * i, t, MONO, 8, anchor="ms")
    s.line(6, 34, "21/03/2025  16:42", MONO, 9)
    s.line(70, 34, "Till 2", MONO, 9, anchor="rs")
    s.rule(6, 38, 70, 38)
    y = 45
    for name, price in (
        ("Tarred twine 50 m", "6.40"),
        ("Brass shackle x2", "9.80"),
        ("Lamp oil 1 l", "4.25"),
        ("Ginger biscuits", "1.95"),
        ("Dry boat varnish", "12.60"),
    ):
        s.line(6, y, name, MONO, 9)
        s.line(70, y, price, MONO, 9, anchor="rs")
        y += 6
    s.rule(6, y - 2, 70, y - 2)
    for name, price, face, points in (
        ("Subtotal", "35.00", MONO, 9),
        ("VAT 20 %", "7.00", MONO, 9),
        ("TOTAL EUR", "42.00", SANS_BOLD, 13),
        ("Cash", "50.00", MONO, 9),
        ("Change", "8.00", MONO, 9),
    ):
        y += 7
        s.line(6, y, name, face, points)
        s.line(70, y, price, face, points, anchor="rs")
    s.line(38, y + 14, "No lanterns exchanged.", MONO, 8, anchor="ms")
    s.line(38, y + 20, "Thank you, and mind the step.", MONO, 8, anchor="ms")
    return s
