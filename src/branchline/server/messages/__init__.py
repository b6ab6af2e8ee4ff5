"""Every message between a browser and the server, typed, once, by subject.

`scripts/wire` makes the client's TypeScript and docs/protocol.md out of this room. What comes in is a pydantic model
and is checked; what goes out is a TypedDict and costs nothing.
"""

from branchline.server.messages.base import *
from branchline.server.messages.codes import *
from branchline.server.messages.games import *
from branchline.server.messages.incoming import *
from branchline.server.messages.outgoing import *
from branchline.server.messages.people import *
from branchline.server.messages.puzzles import *
from branchline.server.messages.questions import *
from branchline.server.messages.records import *
from branchline.server.messages.reviews import *
from branchline.server.messages.study import *
from branchline.server.messages.tables import *
from branchline.server.messages.views import *
