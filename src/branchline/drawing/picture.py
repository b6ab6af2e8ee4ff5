"""Picture: an SVG that shows itself in a notebook and writes itself to a file."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

FORMATS = ("svg", "png", "pdf")
"""What a picture can be written as, by the ending of the file's name."""
EXTRA = "pip install 'branchline[draw]'"


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing. The last line of a notebook's cell shows it; `save` writes it."""

    svg: str
    width: float
    height: float

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path, *, dots: float = 2.0) -> None:
        """Write an .svg, .png or .pdf file; `dots` of a .png for each unit of the drawing."""
        path = Path(path)
        kind = path.suffix.lower().removeprefix(".")
        if kind == "svg":
            path.write_text(self.svg, encoding="utf-8")
        elif kind == "png":
            path.write_bytes(self.rendered("png", dots))
        elif kind == "pdf":
            path.write_bytes(self.rendered("pdf"))
        else:
            raise ValueError(f"{path}: a picture is written as .svg, .png or .pdf")

    def png(self, dots: float = 2.0) -> bytes:
        """The picture as PNG."""
        return self.rendered("png", dots)

    def rendered(self, kind: Literal["png", "pdf"], dots: float = 1.0) -> bytes:
        """The picture as PNG or PDF: one page of its own size, lines staying lines in a PDF."""
        try:
            import typst
        except ImportError:
            raise ModuleNotFoundError(f"a picture becomes .png or .pdf with typst: {EXTRA}", name="typst") from None
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "picture.svg").write_text(self.svg, encoding="utf-8")
            Path(folder, "page.typ").write_text(
                f"#set page(width: {self.width:g}pt, height: {self.height:g}pt, margin: 0pt)\n"
                '#image("picture.svg", width: 100%)\n',
                encoding="utf-8",
            )
            # Typst counts 72 dots to the inch, and a unit of the drawing is a point.
            data: bytes = typst.compile(Path(folder, "page.typ"), format=kind, ppi=72 * dots)
            return data
