"""Where the pages of a station's jobs are, as its API and its events say: in the queue of a shared
archive, with a worker, given up, in the archive, and on the station while the server is away.

    places.py BIN POSTGRESQL FOLDER

POSTGRESQL is a script that runs a server until its standard input ends. Prints `placed`.
"""

import json
import sys
import threading
from pathlib import Path

from station import Database, Station, until

FEEDER = {"device": "virtual:feeder", "pages": 3}


def job(station: Station, name: str) -> dict:
    """A job as the API shows it."""
    return station.ask("jobs/" + name)


def arrivals(station: Station, token: str = "") -> list[tuple]:
    """The names of the jobs that are not in the archive yet, with their places."""
    return [
        (one.get("job"), one["place"], one["pages"], one.get("ahead"))
        for one in station.ask("arrivals", token=token)["arrivals"]
    ]


def token(station: Station, *words: str) -> str:
    """A new token."""
    return station.run("token", "add", *words).split()[-1]


def listen(station: Station, places: dict[str, list[str]]) -> None:
    """Notes each new place that an event reports of a job."""
    request = station.open("events")

    def read() -> None:
        name = ""
        for line in request:
            text = line.decode()
            if text.startswith("event: "):
                name = text[7:].strip()
            if name == "job" and text.startswith("data: "):
                told = json.loads(text[6:])
                known = places.setdefault(told["id"], [])
                if known[-1:] != [told["place"]]:
                    known.append(told["place"])

    threading.Thread(target=read, daemon=True).start()


def claim(database: Database, name: str, progress: int) -> None:
    """Claims a job for a worker that has read some of its pages."""
    database.ask(
        "UPDATE copystand_queue.job SET state = 1, attempt = attempt + 1, used = 1, worker = 'w',"
        f" beat = now() + interval '1 hour', progress = {progress} WHERE key = '{name}'"
    )


def follow(station: Station, database: Database) -> None:
    """Follows two jobs through the queue into the archive."""
    places: dict[str, list[str]] = {}
    listen(station, places)
    office, ada = (token(station, *words) for words in (("office",), ("ada", "--sees", "own")))
    first, second = (
        station.scan(office, title=title, **FEEDER)["id"] for title in ("First", "Second")
    )
    until(lambda: job(station, second).get("ahead") == 3, "the place in the queue")
    assert job(station, first)["place"] == "waiting" and job(station, first)["ahead"] == 0
    assert job(station, second)["state"] == "completed", job(station, second)
    assert arrivals(station) == [(first, "waiting", 3, 0), (second, "waiting", 3, 3)]
    assert not station.ask("documents")["documents"]
    assert arrivals(station, office) == arrivals(station)
    seen = arrivals(station, ada), station.ask("jobs", token=ada)["jobs"]
    assert seen == ([], []), seen

    claim(database, first, 2)
    until(lambda: job(station, first).get("read") == 2, "the first job with a worker")
    assert job(station, first)["place"] == "reading"
    until(lambda: job(station, second).get("ahead") == 0, "the second job to be the next")

    database.ask(
        "UPDATE copystand_queue.job SET state = 3, ended = now(), worker = NULL,"
        f" reason = 'Its lens is broken.' WHERE key = '{first}'"
    )
    until(lambda: job(station, first)["state"] == "failed", "the first job to be given up")
    assert job(station, first)["problemCode"] == "given-up", job(station, first)
    assert "lens" in job(station, first)["problem"]
    station.run("work", "retry")
    until(lambda: job(station, first)["state"] == "completed", "the first job to wait again")
    assert "problem" not in job(station, first)

    station.run("work", "-j", "1", "--until-idle")
    until(lambda: job(station, second)["place"] == "done", "the end of the second job")
    until(lambda: job(station, first)["place"] == "done", "the end of the first job")
    for name, title in ((first, "First"), (second, "Second")):
        (delivery,) = job(station, name)["deliveries"]
        document = station.ask("documents/" + delivery["document"])["document"]
        assert document["title"] == title and delivery["pages"] == 3, (delivery, document)
    assert not arrivals(station)
    until(lambda: places[second][-1] == "done", "the event of the end")
    assert places[first][-1] == "done" and "reading" in places[first], places
    # Of a short time with a worker, the host may not hear.
    seen = [place for place in places[second] if place != "reading"]
    assert seen == ["station", "uploading", "waiting", "done"], places


def stay(station: Station, database: Database) -> None:
    """While the server is away, pages are on the station, and the API says so."""
    database.stop()
    name = station.scan(title="Third", **FEEDER)["id"]
    assert job(station, name)["place"] == "station", job(station, name)
    database.start()
    until(lambda: job(station, name)["place"] == "waiting", "the pages in the queue")


def main() -> None:
    """The command line."""
    program, script, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    database = Database(script)
    try:
        station = Station(program, folder, database.address, "--process", "later", "--token")
        station.token = token(station, "boss", "--scope", "admin")
        try:
            follow(station, database)
            stay(station, database)
        finally:
            station.process.terminate()
            station.process.wait()
    finally:
        database.end()
    print("placed")


if __name__ == "__main__":
    main()
