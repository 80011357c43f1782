"""Where the pictures of an archive are: a folder, or a bucket of a store."""

import hashlib
from pathlib import Path

from servers import bucket_client
from setup import check


class ImagesFolder:
    """A folder that all machines share."""

    environment: dict = {}

    def __init__(self, folder: Path):
        self.folder = folder
        self.place = str(folder)

    def content(self, name):
        return (self.folder / name[:2] / name[2:4] / name).read_bytes()

    def end(self):
        pass


class Bucket:
    """A bucket of a receiver of receivers.py or servers.py. Machines reach it at `endpoint`, such
    as by a proxy, if one is given.
    """

    place = "s3://scans/pictures"

    def __init__(self, receiver, endpoint=None):
        self.receiver = receiver
        words = dict(zip(receiver.words[::2], receiver.words[1::2]))
        user, secret = words["--user"], Path(words["--password-file"]).read_text().strip()
        self.port = int(words["--url"].rpartition(":")[2])
        endpoint = endpoint or words["--url"]
        self.environment = {
            "AWS_ACCESS_KEY_ID": user,
            "AWS_SECRET_ACCESS_KEY": secret,
            "AWS_ENDPOINT_URL": endpoint,
            "AWS_REGION": "eu-central-1",
        }
        self.client = bucket_client(endpoint, user, secret)

    def content(self, name):
        key = f"pictures/{name[:2]}/{name[2:4]}/{name}"
        return self.client.get_object(Bucket="scans", Key=key)["Body"].read()

    def put(self, key, content):
        self.client.put_object(Bucket="scans", Key=key, Body=content)

    def end(self):
        self.receiver.stop()


def whole_content(images, name):
    """The bytes of a picture, whose name is their hash."""
    content = images.content(name)
    check(hashlib.sha256(content).hexdigest() == name, f"the picture {name} has another hash")
    return content
