"""Runs a whole job with a client that openapi-python-client has made from the host's own
description.

api_client_job.py FOLDER ADDRESS     FOLDER has the client as the package `client`

Scans, waits, names and tags the document, is refused when it names an old version, turns a page,
undoes that, finds the document by a word, downloads it and deletes it for good.
"""

import sys
import time
from http import HTTPStatus
from importlib import import_module

FOLDER, ADDRESS = sys.argv[1:3]
sys.path.insert(0, FOLDER)
from client import Client, models  # noqa: E402

CLIENT = Client(base_url=ADDRESS, timeout=60)
# A scan of three pages takes seconds; only a fault takes this long.
PATIENCE = 300


def ask(group: str, operation: str, *arguments, status: int = 200, **named):
    """The answer of an operation as a value of its model. Its status must be the given one."""
    module = import_module(f"client.api.{group}.{operation}")
    answer = module.sync_detailed(*arguments, client=CLIENT, **named)
    assert answer.status_code == HTTPStatus(status), (operation, answer.status_code, answer.content)
    return answer


devices = ask("devices", "get_devices").parsed.devices
device = next(one for one in devices if one.id == "virtual:feeder")

order = models.PostJobsBody(device=device.id, pages=3, title="By a client")
job = ask("jobs", "post_jobs", body=order, status=202).parsed
end = time.monotonic() + PATIENCE
while job.state == models.JobState.RUNNING:
    assert time.monotonic() < end, job
    time.sleep(0.2)
    job = ask("jobs", "get_jobs_by_id", job.id).parsed
assert job.state == models.JobState.COMPLETED, job
assert len(job.pages) == 3, job
(delivery,) = job.deliveries
document = str(delivery.document)

whole = ask("documents", "get_documents_by_id", document).parsed
assert whole.document.title == "By a client", whole
assert whole.document.created.tzinfo is not None, whole.document.created
change = models.PatchDocumentsByIdBody(title="Renamed", add_tags=["client"])
seen = f'"{whole.version}"'
named = ask("documents", "patch_documents_by_id", document, body=change, if_match=seen)
assert named.parsed.document.title == "Renamed" and named.parsed.document.tags == ["client"]
assert named.headers["ETag"] == f'"{named.parsed.version}"' != seen
stale = ask("documents", "patch_documents_by_id", document, body=change, if_match=seen, status=412)
assert stale.parsed.code == "changed-meanwhile", stale.parsed
nothing = models.PatchDocumentsByIdBody()
empty = ask("documents", "patch_documents_by_id", document, body=nothing, status=422).parsed
assert empty.code == "no-change", empty

turn = models.PostDocumentsByIdReviewBodyRotateItem(pages=[1], degrees=90)
review = models.PostDocumentsByIdReviewBody(rotate=[turn])
turned = ask("documents", "post_documents_by_id_review", document, body=review).parsed.document
first, turned_first = whole.pages[0], turned.pages[0]
assert (turned_first.width, turned_first.height) == (first.height, first.width), turned_first
undone = ask("documents", "post_documents_by_id_undo", document).parsed
assert (undone.pages[0].width, undone.pages[0].height) == (first.width, first.height), undone

pages = ask("documents", "get_documents_by_id", document, text=True).parsed.pages
word = max(pages[0].text.split(), key=len)
hits = ask("documents", "get_search", q=f'"{word}"').parsed
assert str(hits.hits[0].document) == document and hits.total >= 1, hits
listed = ask("documents", "get_documents", tag="client").parsed
assert listed.total == 1 and str(listed.documents[0].id) == document, listed

pdf = models.GetDocumentsByIdExportFormat.PDF
assert ask("documents", "get_documents_by_id_export", document, format_=pdf).content[:5] == b"%PDF-"

ask("documents", "post_documents_by_id_trash", document)
ask("documents", "delete_documents_by_id", document, status=204)
gone = ask("documents", "get_documents_by_id", document, status=404).parsed
assert gone.code == "no-such-document", gone
print("A client made from the description scanned, changed, found, downloaded and deleted.")
