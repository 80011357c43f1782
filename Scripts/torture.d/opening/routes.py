"""What every route of the web API must do on a disk that takes nothing. A route that is missing
here fails. The kinds are those of the commands.
"""

import json
import urllib.error
import urllib.request

from opening.commands import ARCHIVE, FREES, HOME, READS

# The words that stand for the parts of an address.
PARTS = {
    "{id}": "1", "{number}": "1", "{name}": "shelf", "{alias}": "corner", "{device}":
    "virtual:flatbed",
}  # fmt: skip

# Each route with its kind and the body of its request; None for none.
ROUTES = {
    "PATCH /api/v1/documents/{id}": (ARCHIVE, {"title": "Other"}),
    "POST /api/v1/documents/{id}/restore": (ARCHIVE, None),
    "POST /api/v1/documents/{id}/undo": (ARCHIVE, None),
    "POST /api/v1/bulk": (ARCHIVE, {"documents": [1], "addTags": ["paid"]}),
    "POST /api/v1/documents/{id}/review": (
        ARCHIVE, {"rotate": [{"pages": [1], "degrees": 90}]},
    ),
    "PUT /api/v1/aliases/{alias}": (HOME, {"device": "virtual:flatbed"}),
    "PUT /api/v1/default-device": (HOME, {"device": "virtual:flatbed"}),
    "PUT /api/v1/shares/{device}": (HOME, None),
    "POST /api/v1/tokens": (HOME, {"name": "cellar", "scope": "scan"}),
    "POST /api/v1/uploads": (HOME, b"a" * 70_000),
    "POST /api/v1/jobs": (HOME, {"device": "virtual:flatbed", "profile": "plain"}),
    "POST /api/v1/documents/{id}/trash": (FREES, None),
    "DELETE /api/v1/documents/{id}": (FREES, None),
    "DELETE /api/v1/trash": (FREES, None),
}  # fmt: skip

# Routes that are not asked, and why.
APART = {
    **dict.fromkeys(
        [
            "GET /api/v1/jobs/{id}", "DELETE /api/v1/jobs/{id}", "GET /api/v1/jobs/{id}/result",
            "POST /api/v1/jobs/{id}/stop", "POST /api/v1/jobs/{id}/answer",
            "POST /api/v1/jobs/{id}/resume", "POST /api/v1/jobs/{id}/continue",
            "GET /api/v1/jobs/{id}/pages/{number}/thumbnail", "POST /api/v1/jobs/{id}/capture",
            "PUT /api/v1/jobs/{id}/live/region", "GET /api/v1/jobs/{id}/live",
            "GET /api/v1/jobs/{id}/live/frame", "GET /api/v1/jobs/{id}/live/events",
        ],
        "needs a job that runs",
    ),
    **dict.fromkeys(
        [
            "POST /api/v1/previews", "GET /api/v1/previews/{id}", "DELETE /api/v1/previews/{id}",
            "GET /api/v1/previews/{id}/picture", "POST /api/v1/devices/{id}/check",
            "POST /api/v1/profile-preview",
        ],
        "needs a device; it keeps pictures in memory or as a job does",
    ),
    **dict.fromkeys(
        [
            "DELETE /api/v1/aliases/{alias}", "DELETE /api/v1/default-device",
            "PATCH /api/v1/shares/{device}", "DELETE /api/v1/shares/{device}",
            "PUT /api/v1/profiles/{name}", "DELETE /api/v1/profiles/{name}", "POST /api/v1/sinks",
            "PATCH /api/v1/sinks/{name}", "DELETE /api/v1/sinks/{name}",
            "DELETE /api/v1/tokens/{name}",
        ],
        "changes settings as the ones that are tried do",
    ),
    **dict.fromkeys(
        [
            "GET /api/v1/session", "POST /api/v1/session", "DELETE /api/v1/session",
            "POST /api/v1/session/codes",
        ],
        "is about a browser's session",
    ),
    **dict.fromkeys(
        [
            "POST /api/v1/outbox/{id}/retry", "POST /api/v1/sinks/{name}/test",
            "POST /api/v1/documents/{id}/send", "DELETE /api/v1/outbox/{id}",
        ],
        "asks a service, or needs a document that waits for one",
    ),
    "POST /api/v1/documents/{id}/redo": "needs a change that was undone",
    "GET /api/v1/documents/{id}/originals/{number}": "needs an imported file",
    "GET /api/v1/images/{hash}": "needs an image's hash; the pages' pictures are read",
    "GET /api/v1/events": "does not end",
    "GET /api/v1/workers": "needs an archive on a server",
    "GET /api/v1/arrivals": "needs an archive on a server",
    "GET /copystand-ca.crt": "needs a certificate",
    "POST /api/v1/profile-check": "writes nothing",
}  # fmt: skip


def ask(port, token, method, path, body=None):
    """The status and text of an answer."""
    is_bytes = isinstance(body, bytes)
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}",
        data=body if is_bytes or body is None else json.dumps(body).encode(),
        method=method,
        headers={
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/octet-stream" if is_bytes else "application/json",
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode(errors="replace")
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(errors="replace")


def listed(port, token):
    """Every route, as the host describes itself."""
    _, text = ask(port, token, "GET", "/api/v1/openapi.json")
    return [
        f"{method.upper()} {path}"
        for path, methods in json.loads(text)["paths"].items()
        for method in methods
        if method in ("get", "put", "post", "delete", "patch")
    ]


def kind(route):
    """The kind and body of a route's request; None if it is not asked, and an error if unknown."""
    if route in ROUTES:
        return ROUTES[route]
    if route in APART:
        return None
    if route.startswith("GET "):
        return READS, None
    raise KeyError(route)
