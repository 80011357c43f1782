"""Measures the speed of watching videos of several codecs, against the same film as Motion JPEG."""

import json
import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]

# The formats in which phones and browsers record at 1080p. The encoders are set for speed, which
# does not matter to the decoders.
CODECS = {
    "H.264, MP4": ("mp4", "-c:v libx264 -preset veryfast -b:v 16M"),
    "HEVC, MOV": (
        "mov",
        "-c:v libx265 -preset ultrafast -x265-params log-level=none -b:v 10M -tag:v hvc1",
    ),
    "VP9, WebM": ("webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -row-mt 1 -b:v 10M"),
    "AV1, MP4": ("mp4", "-c:v libsvtav1 -preset 12 -b:v 8M"),
}
COLORS = (
    "-pix_fmt yuv420p -vf scale=out_color_matrix=bt709:out_range=tv -colorspace bt709"
    " -color_range tv"
)


def coded(clip: Path, folder: Path) -> dict[str, Path]:
    """The clip in every codec; makes the missing ones."""
    folder.mkdir(parents=True, exist_ok=True)
    videos = {"Motion JPEG, AVI": clip}
    for name, (ending, options) in CODECS.items():
        path = folder / f"{clip.stem}-{name.split(',')[0].replace('.', '')}.{ending}"
        if not path.exists():
            part = path.with_name("part-" + path.name)
            subprocess.run(
                [
                    "ffmpeg",
                    "-nostdin",
                    "-v",
                    "error",
                    "-y",
                    "-i",
                    clip,
                    *COLORS.split(),
                    *options.split(),
                    part,
                ],
                check=True,
                env=os.environ | {"SVT_LOG": "0"},
            )
            part.rename(path)
        videos[name] = path
    return videos


def from_backend(program: str, video: Path, work: Path) -> float:
    """The frames a second that the backend delivers if nobody examines them."""
    done = subprocess.run(
        [Path(program).with_name("capture-bench"), "recording", work, f"file:{video}"],
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def decoded(video: Path) -> float:
    """The processor seconds that ffmpeg takes to decode a video and drop its frames."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-i", video, "-f", "null", "-"], check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def watched(program: str, video: Path, work: Path) -> tuple[float, float, int]:
    """The wall-clock seconds and processor seconds that watching takes, and the captured pages."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(
        [
            program,
            "watch",
            "--device",
            f"file:{video}",
            "--profile",
            "photo",
            "--json",
            "-o",
            work / f"{time.monotonic_ns()}.pdf",
        ],
        check=True,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=os.environ | {
            "XDG_STATE_HOME": str(work / "state"),
            "COPYSTAND_SPOOL": str(work / "spool"),
        },
    )
    events = [
        json.loads(line)["event"] for line in done.stdout.splitlines() if line.startswith("{")
    ]
    took = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return took, used, events.count("captured")


def videos(program: str, folder: Path, runs: int, seed: int) -> str:
    """The section of the report."""
    from clips.make import make

    clip = make(folder / "clips", 20, seed, print)[1]
    truth = json.loads(clip.with_suffix(".json").read_text())
    length = truth["frames"] / truth["rate"]
    films = coded(clip, folder / "videos")
    speeds: dict[str, list[float]] = {name: [] for name in films}
    times: dict[str, list[tuple[float, float, int]]] = {name: [] for name in films}
    alone: dict[str, list[float]] = {name: [] for name in films}
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        manifest = json.loads((ROOT / "Plugins/FileImport/backend.json").read_text())
        (work / "file.json").write_text(
            json.dumps(manifest | {"program": str(Path(program).with_name(manifest["program"]))})
        )
        for _ in range(runs):
            for codec, film in films.items():
                speeds[codec].append(from_backend(program, film, work))
                times[codec].append(watched(program, film, work))
                alone[codec].append(decoded(film))
    rows = []
    for codec, film in films.items():
        took, used, pages = (median(values) for values in zip(*times[codec]))
        rows.append(
            f"| {codec} | {film.stat().st_size * 8 / length / 1e6:.0f} |"
            f" {median(speeds[codec]):,.0f} | {length / took:.1f} | {used / length:.2f} s |"
            f" {median(alone[codec]) / length:.2f} s |"
            f" {pages:.0f} of {len(truth['texts'])} |"
        )
    return "\n".join(
        [
            (
                f"A made-up film of 1920 × 1080, {truth['frames']} frames at {truth['rate']} a"
                f" second, in several codecs; median of {runs} runs, in turn. Watched with the"
                " profile `photo`, which crops and reads no text. Frames of Motion JPEG pass the"
                " backend as they are, and the host decodes those that it looks at, twelve a"
                " second. All frames of the others must be decoded, since they build on each"
                " other. Decoding alone, by ffmpeg, takes half to two thirds of that time."
            ),
            "",
            (
                "| | megabits a second | frames a second from the backend | watched, times as fast"
                " as filmed | processors, for a second of film | ffmpeg, only decoding |"
                " pages captured |"
            ),
            "|---|---|---|---|---|---|---|",
            *rows,
            "",
        ]
    )
