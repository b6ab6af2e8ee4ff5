export default {
  'log.title': 'Log',
  'log.chat': 'Chat',
  'log.seats': 'Players',
  'log.none': 'Nothing has happened yet.',
  'log.start': 'The game began on {map}.',
  'log.answered': '{you, select, yes {You chose your} other {{name} chose}} opening tickets.',
  'log.kept':
    '{you, select, yes {You kept} other {{name} kept}} {n, plural, one {# ticket} other {# tickets}}{offered, plural, =0 {} other { of #}}.',
  'log.drawn':
    '{you, select, yes {You drew} other {{name} drew}} {card, select, hidden {a card from the deck} other {{wild, select, yes {a {card}} other {{card}}} from the deck}}.',
  'log.taken': '{you, select, yes {You took} other {{name} took}} {wild, select, yes {a {card}} other {{card}}}.',
  'log.reset': 'Three {world, select, city {taxis} other {locomotives}} lay face up: the row was replaced.',
  'log.reshuffled': 'The discards were shuffled into a new deck of {n}.',
  'log.offered': '{you, select, yes {You drew} other {{name} drew}} {n, plural, one {# ticket} other {# tickets}}.',
  'log.laid': '{you, select, yes {You try} other {{name} tries}} the tunnel {a} – {b} with {cards}.',
  'log.turned': 'Turned over: {cards}.',
  'log.owed': '{n, plural, =0 {Nothing more to pay.} one {# card more to pay.} other {# cards more to pay.}}',
  'log.takenBack': '{you, select, yes {You took your cards back} other {{name} took the cards back}}.',
  'log.claimed':
    '{you, select, yes {You claimed} other {{name} claimed}} {a} – {b} with {cards} for {points, plural, one {# point} other {# points}}.',
  'log.built': '{you, select, yes {You built} other {{name} built}} a station in {city} with {cards}.',
  'log.passed': '{you, select, yes {You had} other {{name} had}} nothing to do and passed.',
  'log.lastRound':
    '{you, select, yes {You have} other {{name} has}} few {world, select, city {taxis} other {cars}} left: everyone has one more turn.',
  'log.ended': 'The game is over.',
  'log.undo': '{you, select, yes {You took the last action back} other {{name} took the last action back}}.',
  'log.abandon': 'The game was abandoned.',
  'log.turn': 'Turn {n}: {you, select, yes {you} other {{name}}}',
  'log.clock': '(the clock ran out; a bot played)',
  'log.standIn': '(a bot stood in)',
  'log.fallback': '(the bot failed; any legal action was taken)',
} as const
