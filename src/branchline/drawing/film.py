"""A game as an animation: a frame for each route claimed and each station built."""

import shutil
import subprocess
from collections.abc import Iterator
from errno import EIO
from io import BytesIO
from pathlib import Path

from branchline.drawing import draw
from branchline.drawing.picture import EXTRA
from branchline.events import RouteClaimed, StationBuilt
from branchline.record import Record

FORMATS = ("gif", "webm")
DOTS = 0.8
"""Dots of a frame for each unit of the drawing."""
SECONDS, LAST = 0.6, 4.0
"""For how long a frame is shown, and the last one."""


def frames(record: Record, language: str, theme: str) -> Iterator[bytes]:
    """The frames as PNG: the empty board, then whatever was laid on it, marked, then the end."""
    names = [player.name for player in record.players]
    game = record.deal()
    for game, _, _, events in record.replay():
        marked = [event.route for event in events if isinstance(event, RouteClaimed)]
        marked += [event.city for event in events if isinstance(event, StationBuilt)]
        if marked or not game.log:
            yield draw(game, language=language, theme=theme, names=names, marked=marked).png(DOTS)
    yield draw(game, language=language, theme=theme, names=names).png(DOTS)


def film(record: Record, path: str | Path, *, language: str = "en", theme: str = "day") -> None:
    """Write a game as an animated .gif, or as a .webm where ffmpeg is installed."""
    path = Path(path)
    kind = path.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise ValueError(f"{path}: a film is written as .gif or .webm")
    if kind == "webm":
        _webm(path, frames(record, language, theme))
    else:
        _gif(path, frames(record, language, theme))


def _gif(path: Path, shots: Iterator[bytes]) -> None:
    try:
        from PIL import Image
    except ImportError:
        raise ModuleNotFoundError(f"a .gif is written with Pillow: {EXTRA}", name="PIL") from None
    images = [Image.open(BytesIO(shot)).convert("RGB") for shot in shots]
    # One palette, from the last frame, which has every colour: otherwise the sea flickers.
    palette = images[-1].quantize(128, dither=Image.Dither.NONE)
    first, *rest = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    lengths = [round(SECONDS * 1000)] * len(rest) + [round(LAST * 1000)]
    first.save(path, save_all=True, append_images=rest, duration=lengths, loop=0, optimize=True)


def _webm(path: Path, shots: Iterator[bytes]) -> None:
    ffmpeg = shutil.which("ffmpeg")
    if ffmpeg is None:
        raise ModuleNotFoundError(f"{path}: a .webm is written with ffmpeg, which is not installed here", name="ffmpeg")
    *first, last = shots
    done = subprocess.run(
        [
            ffmpeg, "-y", "-loglevel", "error", "-f", "image2pipe", "-framerate", str(1 / SECONDS), "-i", "-",
            "-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-vf", "scale=trunc(iw/2)*2:trunc(ih/2)*2", str(path),
        ],
        input=b"".join([*first, *[last] * round(1 + LAST / SECONDS)]),
        stderr=subprocess.PIPE,
        check=False,
    )  # fmt: skip
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines() or [f"exit {done.returncode}"]
        raise OSError(EIO, f"ffmpeg could not write it: {said[-1]}")
