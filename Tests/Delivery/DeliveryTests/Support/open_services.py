"""The services that peer.py simulates in part by their OpenAPI descriptions: Immich, Docspell, and
an issuer of OAuth2 tokens.
"""

import datetime
import email.parser
import email.policy
import hashlib
import json
import uuid


def parts(headers, body):
    """Returns the parts of a form: name → (file name, bytes), repeated names as a list."""
    head = f"Content-Type: {headers['Content-Type']}\r\n\r\n".encode()
    message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
    found = {}
    for part in message.iter_parts():
        name = part.get_param("name", header="content-disposition")
        found.setdefault(name, []).append((part.get_filename(), part.get_payload(decode=True)))
    return found


class OpenServices:
    """Each method returns a status and a body. Accepted documents are in `documents`."""

    def token(self, form):
        """Gives a token for a refresh token, which is replaced by a new one (RFC 6749, 6)."""
        if form.get("grant_type") != ["refresh_token"] or form.get("client_id") != ["client-7"]:
            return 400, {"error": "invalid_request"}
        if form.get("refresh_token") != [self.settings["refresh"]]:
            return 400, {"error": "invalid_grant"}
        self.settings["refresh"] += "x"
        return 200, {
            "access_token": self.settings["access"],
            "token_type": "Bearer",
            "expires_in": 3600,
            "refresh_token": self.settings["refresh"],
        }

    def immich(self, path, taken):
        """POST /api/assets and GET /api/users/me of Immich's OpenAPI."""
        if self.headers.get("x-api-key") != "immich-key-1":
            return 401, {"message": "Invalid API key", "statusCode": 401}
        if path == "/api/users/me" and self.command == "GET":
            return 200, {"id": str(uuid.uuid4()), "email": "ada@example.org"}
        if path != "/api/assets" or self.command != "POST":
            return 404, {"message": "Not found", "statusCode": 404}
        form = parts(self.headers, taken)
        needed = {"assetData", "deviceAssetId", "deviceId", "fileCreatedAt", "fileModifiedAt"}
        if not needed <= form.keys():
            return 400, {"message": sorted(needed - form.keys()), "statusCode": 400}
        name, content = form["assetData"][0]
        if not content.startswith(b"\xff\xd8"):
            return 400, {"message": f"Unsupported file type {name}", "statusCode": 400}
        datetime.datetime.fromisoformat(form["fileCreatedAt"][0][1].decode())
        hash = hashlib.sha1(content).hexdigest()
        for document in self.documents:
            if document["key"] == hash:
                return 200, {"id": document["title"], "status": "duplicate"}
        self.documents.append({"key": hash, "title": str(uuid.uuid4())})
        return 201, {"id": self.documents[-1]["title"], "status": "created"}

    def docspell(self, path, taken):
        """POST /api/v1/open/upload/item/ID and GET /api/info/version of Docspell's OpenAPI."""
        if path == "/api/info/version":
            return 200, {"version": "0.43.0"}
        if path != "/api/v1/open/upload/item/source-id-17" or self.command != "POST":
            return 404, {"success": False, "message": "Not found"}
        form = parts(self.headers, taken)
        meta = json.loads(form["meta"][0][1]) if "meta" in form else {}
        # Accepted files are queued. A file that the service already has is skipped if the request
        # says so.
        for name, content in form["file"]:
            hash = hashlib.sha256(content).hexdigest()
            known = [document["key"] for document in self.documents]
            if not (meta.get("skipDuplicates") and hash in known):
                self.documents.append({"key": hash, "title": name, "metadata": meta})
        return 200, {"success": self.settings["docspell"], "message": "Files submitted"}
