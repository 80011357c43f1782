"""Runs the torture tests; Scripts/torture describes them."""

import argparse
import os
import shutil
import sys
import tempfile
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import advice
import config
import crowd
import deliveries
import faults
import full
import half
import hot_folders
import kills
import order
import orphans
import receivers
import servers
import services
from cluster import parts
from opening import disks
from setup import TortureSetup, Lost

PARTS = [
    "kill", "half", "full", "opening", "services", "deliveries", "faults", "rate", "folders", "crowd",
    "config", "order", "orphans", "cluster", *advice.SITUATIONS,
]  # fmt: skip


class Report:
    """Prints the progress line, and collects failures and what was skipped."""

    def __init__(self, is_verbose):
        self.is_verbose, self.failed, self.begun = is_verbose, [], time.monotonic()
        self.skipped, self.done = [], 0
        self.lock = threading.Lock()

    def skip(self, part, reason):
        self.skipped.append(part)
        print(f"{part}: skipped: {reason}", flush=True)

    def told(self, part, done, total, words):
        with self.lock:
            self.done += 1
            line = (
                f"{part} {done}/{total}, {len(self.failed)} failed,"
                f" {time.monotonic() - self.begun:.0f} s"
            )
            if self.is_verbose:
                print(f"{line}: {words}", flush=True)
            elif sys.stderr.isatty():
                print(f"\r{line:60}", end="", file=sys.stderr, flush=True)
            elif done % 25 == 0 or done == total:
                print(line, flush=True)

    def fail(self, part, number, seed, place, error):
        with self.lock:
            self.failed.append((part, number))
            print(
                f"\nFAILED {part} {number} (seed {seed}): {error}\n  what it left: {place}\n"
                f"  again: Scripts/torture {part} --seed {seed} --only {number}",
                flush=True,
            )


def run_all(part, numbers, arguments, report, place, work, workers=None):
    """Runs `work(number, folder)` for every number. Folders of failed runs are kept."""
    seed = arguments.seed
    if arguments.only is not None:
        numbers = [arguments.only]

    def attempt(number):
        folder = place / f"{part}-{number}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        try:
            words = work(number, folder)
        except Exception as error:
            if not isinstance(error, Lost):
                traceback.print_exc()
            report.fail(part, number, seed, folder, error)
            return "failed"
        shutil.rmtree(folder, ignore_errors=True)
        return words

    with ThreadPoolExecutor(workers or arguments.jobs) as pool:
        futures = [pool.submit(attempt, number) for number in numbers]
        for done, future in enumerate(as_completed(futures), 1):
            words = future.result()

            report.told(part, done, len(numbers), words)


def main():
    parser = argparse.ArgumentParser(prog="Scripts/torture")
    parser.add_argument("part", nargs="?", choices=PARTS)
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int)
    parser.add_argument("--only", type=int)
    parser.add_argument("--kind", action="append", choices=[*servers.ALL, *parts.SITUATIONS])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--dir", type=Path, help="where the folders of the runs are made")
    arguments = parser.parse_args()
    place = Path(tempfile.mkdtemp(prefix="copystand-torture-", dir=arguments.dir))
    # Servers that run as other users must be able to reach their folders.
    place.chmod(0o711)
    programs = arguments.bin.resolve()
    report = Report(arguments.verbose)

    def count(long, short):
        return arguments.count or (short if arguments.short else long)

    def make(name):
        (place / name).mkdir()
        return TortureSetup(place / name, programs)

    if arguments.part in (None, "kill"):
        times = kills.measure(make)
        tally = kills.Tally()
        wanted = count(300, 9)

        def kill(number, folder):
            setup = TortureSetup(folder / "run", programs)
            try:
                return kills.one(setup, arguments.seed, number, times, tally)
            finally:
                setup.close()

        done = 0
        # A run that ended before its moment was not killed, and another run is started.
        while tally.effective < wanted and done < 3 * wanted and not (arguments.only and done):
            more = 1 if arguments.only else wanted - tally.effective
            run_all("kill", range(done + 1, done + more + 1), arguments, report, place, kill)
            done += more
        print(tally.words(), flush=True)
    if arguments.part in (None, "half"):
        broken = half.Tally()

        def break_off(number, folder):
            setup = TortureSetup(folder / "run", programs)
            try:
                return half.one(setup, arguments.seed, number, broken)
            finally:
                setup.close()

        run_all("half", range(1, count(100, 6) + 1), arguments, report, place, break_off)
        print(broken.words(), flush=True)
    if arguments.part in (None, "full"):
        torture_full(arguments, count(100, 4), report, place, programs)
    if arguments.part in (None, "opening"):
        torture_opening(arguments, report, place, programs)
    for situation in advice.SITUATIONS:
        if arguments.part in (None, situation):
            torture_advice(arguments, situation, count(100, 4), make, report, place, programs)
    if arguments.part in (None, "services"):
        rounds = services.rounds(arguments.short)

        def service(number, folder):
            setup = TortureSetup(folder / "run", programs)
            try:
                return services.one(setup, *rounds[number - 1])
            finally:
                setup.close()

        run_all("services", range(1, len(rounds) + 1), arguments, report, place, service)
    if arguments.part in (None, "deliveries"):
        torture_deliveries(arguments, report, place, programs)
    if arguments.part == "faults":
        torture_faults(arguments, report, place, programs)
    if arguments.part == "rate":
        measure_rates(arguments, report, place, programs)
    if arguments.part in (None, "folders"):
        torture_folders(arguments, report, place, programs)
    if arguments.part in (None, "crowd"):

        def crowded(number, folder):
            setup = TortureSetup(folder / "run", programs)
            try:
                return crowd.one(setup, f"{arguments.seed}/{number}", 4 if arguments.short else 40)
            finally:
                setup.close()

        run_all("crowd", range(1, count(3, 1) + 1), arguments, report, place, crowded, workers=1)
    if arguments.part == "cluster" or arguments.part is None and not arguments.kind:
        torture_cluster(arguments, report, place, programs)
    if arguments.part in (None, "order"):
        obstacle = order.may_trace()
        if obstacle:
            report.skip("order of write, sync and rename", f"nothing can be traced: {obstacle}")
        else:

            def ordered(_, folder):
                setup = TortureSetup(folder / "run", programs)
                try:
                    return order.one(setup)
                finally:
                    setup.close()

            run_all("order", [1], arguments, report, place, ordered, workers=1)
    if arguments.part in (None, "orphans"):
        torture_orphans(arguments, count(140, 14), report, place, programs)
    if arguments.part in (None, "config"):

        def configure(number, folder):
            setup = TortureSetup(folder / "run", programs)
            try:
                return config.one(setup, arguments.seed, number, 10 if arguments.short else 40)
            finally:
                setup.close()

        run_all(
            "config", range(1, count(12, 1) + 1), arguments, report, place, configure, workers=1
        )
    seconds = time.monotonic() - report.begun
    if report.failed:
        print(f"{len(report.failed)} failed in {seconds:.0f} s; what they left is in {place}")
        sys.exit(1)
    shutil.rmtree(place)
    if report.skipped:
        print(f"{len(report.skipped)} skipped: {', '.join(report.skipped)}")
    if report.skipped and not report.done:
        sys.exit(77)
    print(f"Nothing was lost, in {seconds:.0f} s (seed {arguments.seed}).")


def torture_orphans(arguments, count, report, place, programs):
    (place / "queue").mkdir()
    tally, queue = orphans.Tally(), orphans.Queue(place / "queue")

    def orphan(number, folder):
        setup = TortureSetup(folder / "run", programs)
        try:
            return orphans.one(setup, arguments.seed, number, tally, queue)
        finally:
            setup.close()

    try:
        run_all("orphans", range(1, count + 1), arguments, report, place, orphan)
        print(tally.words(), flush=True)
        if arguments.only is None:
            tally.check()
    except Lost as error:
        report.fail("orphans", 0, arguments.seed, place, error)
    finally:
        queue.end()


def torture_advice(arguments, situation, count, make, report, place, programs):
    setup = make(f"measure-{situation}")
    setup.sheets = 8
    setup.add_shelf()
    begun = time.monotonic()
    done = setup.run(*setup.scan_words("plain"))
    seconds = time.monotonic() - begun
    setup.close()
    if done.returncode != 0:
        raise SystemExit(f"an undisturbed run ends with {done.returncode}: {done.stderr}")

    def situated(number, folder):
        setup = TortureSetup(folder / "run", programs)
        try:
            return advice.one(setup, situation, arguments.seed, number, seconds)
        finally:
            setup.close()

    if situation == "import" and os.geteuid() != 0:
        report.skip("import into a full target", "only root can mount a file system in memory")
        return
    run_all(situation, range(1, count + 1), arguments, report, place, situated)


def kinds_here(arguments, report, usual=receivers.RECEIVERS):
    """The kinds of sinks that are tried, without those whose server can't run here."""
    kinds = arguments.kind or list(usual)
    obstacles = {kind: servers.ALL[kind].obstacle() for kind in dict.fromkeys(kinds)}
    for kind, obstacle in obstacles.items():
        if obstacle:
            report.skip(kind, obstacle)
    return [kind for kind, obstacle in obstacles.items() if not obstacle]


def torture_deliveries(arguments, report, place, programs):
    kinds = kinds_here(arguments, report)
    documents = arguments.count or (20 if arguments.short else 500)
    words = []

    def killed(number, folder):
        setup = TortureSetup(folder / "run", programs)
        try:
            told = deliveries.one(
                setup, kinds[number - 1], arguments.seed, documents, documents // 5
            )
            words.append(told)
            return told
        finally:
            setup.close()

    run_all("deliveries", range(1, len(kinds) + 1), arguments, report, place, killed)
    print("\n".join(words), flush=True)


def torture_faults(arguments, report, place, programs):
    rounds = faults.rounds(kinds_here(arguments, report, servers.SERVERS), arguments.short)
    words = []

    def failing(number, folder):
        setup = TortureSetup(folder / "run", programs)
        try:
            told = faults.one(setup, *rounds[number - 1], arguments.seed, arguments.count or 20)
            words.append(told)
            return told
        finally:
            setup.close()

    run_all("faults", range(1, len(rounds) + 1), arguments, report, place, failing)
    print("\n".join(sorted(words)), flush=True)


def measure_rates(arguments, report, place, programs):
    """Prints a row for each kind. Nothing else runs beside it, since it measures time."""
    print("| Kind | Documents a second | Seconds | MB, a tenth | MB, all |\n|---|---|---|---|---|")
    for kind in kinds_here(arguments, report):
        (place / kind).mkdir()
        setup = TortureSetup(place / kind / "run", programs)
        try:
            pace, seconds, few, all = deliveries.rate(setup, kind, arguments.count or 1000)
            print(f"| `{kind}` | {pace:.0f} | {seconds:.1f} | {few:.0f} | {all:.0f} |", flush=True)
        finally:
            setup.close()
            shutil.rmtree(place / kind)


def torture_cluster(arguments, report, place, programs):
    words = []

    def shared(number, folder):
        folder.chmod(0o755)
        words.append(parts.one(folder, programs, arguments, number))
        return words[-1]

    # Each starts a server and many programs, and the short form must not take long.
    workers = 4 if arguments.short else 1
    numbers = parts.numbers(arguments, report)
    run_all("cluster", numbers, arguments, report, place, shared, workers=workers)
    print("\n".join(words), flush=True)


def torture_folders(arguments, report, place, programs):
    if os.geteuid() != 0:
        report.skip("folders", "smbd runs as root alone")
        return

    def pushed(_, folder):
        setup = TortureSetup(folder / "run", programs)
        try:
            files = arguments.count or (24 if arguments.short else 1000)
            return hot_folders.one(setup, arguments.seed, files)
        finally:
            setup.close()

    run_all("folders", [1], arguments, report, place, pushed, workers=1)


def torture_opening(arguments, report, place, programs):
    probe = place / "probe"
    probe.mkdir()
    try:
        disks.Disk(probe, "ext4").remove()
    except PermissionError as error:
        report.skip("full disks at opening", f"a small file system can't be mounted: {error}")
        return
    # The short form tries each kind of disk once.
    numbers = range(1, len(disks.TRIES) + 1, 3 if arguments.short else 1)
    run_all(
        "opening", numbers, arguments, report, place,
        lambda number, folder: disks.one(folder, programs, number),
    )  # fmt: skip


def torture_full(arguments, count, report, place, programs):
    def on_disk(folder, body):
        disk = full.SmallDisk(folder / "disk")
        setup = None
        try:
            setup = TortureSetup(folder / "disk/run", programs)
            setup.disk = disk
            return body(setup)
        except Exception:
            # The disk is unmounted; its contents are kept for examination.
            shutil.copytree(
                folder / "disk", folder / "kept", ignore=shutil.ignore_patterns("ballast")
            )
            raise
        finally:
            if setup:
                setup.close()
            disk.remove()

    try:
        (place / "measure-full").mkdir()

        def measure(setup):
            return full.need(lambda _: setup)

        most = on_disk(place / "measure-full", measure)
        print(f"an undisturbed run takes {most // 1024} KiB", flush=True)
    except PermissionError as error:
        report.skip("full disks", f"a file system in memory can't be mounted: {error}")
        return
    run_all(
        "full",
        range(1, count + 1),
        arguments,
        report,
        place,
        lambda number, folder: on_disk(
            folder, lambda setup: full.one(setup, arguments.seed, number, most)
        ),
    )


main()
