"""Print the longest routes of a map: python examples/look_at_a_map.py europe"""

import sys

from branchline.maps import load_map

board = load_map(sys.argv[1] if len(sys.argv) > 1 else "europe")
print(f"{board.name['en']}: {len(board.cities)} cities, {len(board.routes)} routes, {len(board.tickets)} tickets")
for route in sorted(board.routes, key=lambda route: -route.length)[:5]:
    print(f"  {route.id}: {route.length} spaces, {route.colour} {route.kind}, {board.points[route.length]} points")
