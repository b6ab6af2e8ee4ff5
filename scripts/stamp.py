"""Print one hash over this Python and the files named."""

import hashlib
import sys
from pathlib import Path

digest = hashlib.sha256(sys.version.encode())
for name in sys.argv[1:]:
    content = Path(name).read_bytes()
    digest.update(f"{name} {len(content)}\n".encode())
    digest.update(content)
print(digest.hexdigest())
