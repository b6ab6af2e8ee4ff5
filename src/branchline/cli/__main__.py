"""`python -m branchline.cli` is `branchline`."""

import sys

from branchline.cli import main

sys.exit(main())
