"""Imports every file of a folder, and compares the result with another program's reading."""

import argparse
import collections
import concurrent.futures
import json
import multiprocessing
import os
import random
import shutil
import sys
import tempfile

import documents
import pictures
from program import Program, Run
from verdict import Verdict

# Readers besides Copystand for files with that extension; other files are not meant as pages.
PICTURES = set(
    "jpg jpeg png tif tiff gif bmp webp jp2 j2k jxl avif heic heif ppm pgm pbm pnm pam dng cr2"
    " nef arw".split()
)


class Unusable(Exception):
    """The error for a program that can't import, so that nothing can be compared."""


CONTEXT = multiprocessing.get_context("fork")


def judge(program: Program, path: str, place: str) -> Verdict:
    """The verdict on one file."""
    ending = path.rsplit(".", 1)[-1].lower()
    kind = "PDF" if ending == "pdf" else "picture"
    compare = documents.compare if kind == "PDF" else pictures.compare
    verdict = Verdict(os.path.basename(path), kind)
    run = program.run_import(path, place, "pdf" if kind == "PDF" else "png")
    if "no device matches" in run.words:
        raise Unusable(f"no program reads files in {os.path.dirname(program.path)}")
    if run.is_crash:
        return verdict.ended("crashed", run.words)
    if not run.files:
        if run.status == 0:
            return verdict.ended("silent", "nothing was delivered, and the exit code is 0")
        return verdict.ended("refused", run.words)
    verdict.problems = run.problems
    return judged_apart(compare, path, run, verdict)


def judged_apart(compare, path: str, run: Run, verdict: Verdict) -> Verdict:
    """Compares in a separate process, since other programs' libraries crash on some files."""
    receiver, sender = CONTEXT.Pipe(duplex=False)

    def work():
        try:
            compare(path, run, verdict)
        except Exception as error:  # This script failed, not the program, which must be visible.
            verdict.ended("unjudged", f"{type(error).__name__}: {error}")
        sender.send(verdict)

    process = CONTEXT.Process(target=work)
    process.start()
    sender.close()
    try:
        return receiver.recv()
    except EOFError:
        return verdict.ended("unjudged", "the comparison crashed")
    finally:
        process.join()


def judged(pool, one, paths):
    """The verdicts in order; ends the run if the program can't import at all."""
    try:
        yield from pool.map(one, enumerate(paths))
    except Unusable as fault:
        pool.shutdown(cancel_futures=True)
        sys.exit(f"check-import: {fault}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="check-import")
    parser.add_argument("folder")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--json")
    parser.add_argument("--keep")
    parser.add_argument("--bin", required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    paths = sorted(
        os.path.join(folder, name)
        for folder, _, names in os.walk(options.folder)
        for name in names
        if name.rsplit(".", 1)[-1].lower() in PICTURES | {"pdf"}
    )
    if options.limit:
        paths = sorted(random.Random(1).sample(paths, min(options.limit, len(paths))))
    if not paths:
        sys.exit(f"check-import: no picture and no PDF in {options.folder}")
    verdicts = []
    with tempfile.TemporaryDirectory(prefix="copystand-check-import-") as work:
        program = Program(options.bin, work)

        def one(numbered):
            number, path = numbered
            place = os.path.join(work, str(number))
            os.mkdir(place)
            verdict = judge(program, path, place)
            if options.keep and verdict.is_fault:
                shutil.copytree(place, os.path.join(options.keep, verdict.file), dirs_exist_ok=True)
            shutil.rmtree(place)
            return verdict

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for verdict in judged(pool, one, paths):
                verdicts.append(verdict)
                if verdict.outcome != "same":
                    print(verdict.line, flush=True)
                if sys.stderr.isatty():
                    print(f"\r{len(verdicts)} of {len(paths)}", end="\r", file=sys.stderr)
    for kind in sorted({verdict.kind for verdict in verdicts}):
        of_kind = [verdict for verdict in verdicts if verdict.kind == kind]
        counts = collections.Counter(verdict.outcome for verdict in of_kind)
        right = sum(not verdict.is_fault for verdict in of_kind)
        print(
            f"{len(of_kind)} {kind}s: "
            + ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
            + f"; {100 * right / len(of_kind):.2f} % came out as they are, or with word of what"
            " is not"
        )
    if options.json:
        with open(options.json, "w") as file:
            json.dump([vars(verdict) for verdict in verdicts], file, indent=1)
    return 1 if any(verdict.is_fault for verdict in verdicts) else 0


sys.exit(main())
