export default {
  'rules.title': 'How to play',
  'rules.goal': 'The goal',
  'rules.goal.text':
    '{world, select, city {Drive across Manhattan: score points for every route you claim, every ticket you complete and every sight you reach, and lose points for tickets you leave open.} other {Build the finest railway network: score points for every route you claim and every ticket you complete, and lose points for tickets you leave open.}}',
  'rules.pack': 'What there is',
  'rules.pack.text':
    '{cards} cards: {each} of each of {colours} colours and {wilds} {world, select, city {taxis} other {locomotives}}. {tickets} tickets{long, plural, =0 {} other {, # of them long}}. Each player has {cars} {world, select, city {taxis} other {cars}}{stations, plural, =0 {} other { and # stations}}.',
  'rules.opening': 'Before the first turn',
  'rules.opening.text':
    'Everybody is dealt {hand} cards and {offered} tickets{long, plural, =0 {} other {, one of them long}}, and five cards are turned face up. All choose at the same time which tickets to keep: at least {keep}. {world, select, city {The others go under the ticket deck.} other {The others leave the game.}}',
  'rules.turn': 'Your turn',
  'rules.turn.text': 'Do one thing, then the next player is on turn:',
  'rules.turn.draw':
    'Draw cards. Take two: from the five face-up cards or unseen from the deck. A face-up {world, select, city {taxi} other {locomotive}} counts as both, so it can never be your second card; drawn unseen it is a card like any other. If three of them lie face up, the whole row is replaced.',
  'rules.turn.claim':
    'Claim a route. Pay as many cards of its colour as it has spaces; {world, select, city {taxis} other {locomotives}} stand for any colour, and you may pay with them alone. A grey route takes any one colour. Any free route will do, anywhere, one a turn, as long as you have {world, select, city {taxis} other {cars}} for all its spaces.',
  'rules.turn.tickets':
    'Draw tickets. Take {draw} and keep at least one; the others go under the deck. What you keep is yours to the end.',
  'rules.turn.station':
    'Build a station. Pay one card for the first, two of a colour for the second, three for the third.',
  'rules.double': 'Double routes',
  'rules.double.text':
    'Two routes side by side between the same {world, select, city {places} other {cities}}. Nobody may claim both halves. With {few, plural, =2 {two} other {two or three}} players the second half closes when the first is claimed.',
  'rules.ferry': 'Ferries',
  'rules.ferry.text': 'Every space with a wheel wants a locomotive; the rest is paid in any one colour.',
  'rules.tunnel': 'Tunnels',
  'rules.tunnel.text':
    'Lay down your cards, then three cards are turned over. For each one of your colour, and each locomotive, you owe one more. If you cannot or will not pay, take your cards back; your turn is over. We show you the odds before.',
  'rules.tunnel.wilds':
    'Pay with locomotives alone and only turned-up locomotives count; what you owe for them is paid in locomotives too.',
  'rules.station': 'Stations',
  'rules.station.text':
    'A station lets you use one route of another player out of its city when tickets are counted, the same one for all your tickets. There is room for one station in a city, whoever built it. You have {stations}; each one you keep scores {spared} points.',
  'rules.trail': 'The longest trail',
  'rules.trail.text':
    'The longest unbroken run of your own routes, counted in cars. It may pass a city again, but no route twice. Whoever has the longest scores {trail} points; if several do, each of them. Routes borrowed by a station do not count.',
  'rules.sights': 'Sights',
  'rules.sights.text':
    'Places with a star are sights. Each one at an end of one of your routes is worth a point, however many routes lead there. Several players may score the same one.',
  'rules.points': 'Points for routes',
  'rules.points.text': 'Long routes are worth more:',
  'rules.points.length': 'Spaces',
  'rules.points.points': 'Points',
  'rules.end': 'The end',
  'rules.end.text':
    'When somebody finishes a turn with {last} {world, select, city {taxis} other {cars}} or fewer, everyone, they too, has one more turn. Then all tickets are shown: completed ones add their points, the others cost them{world, select, city {, and each sight you reach adds one.} other {; stations you kept and the longest trail are added.}}',
  'rules.tie':
    'If points are equal, more completed tickets win{world, select, city {.} other {; then fewer stations built, then the longest trail.}} If all is equal, the win is shared.',
  'rules.cited': 'Rules by number',
  'rules.cited.text': 'When something is refused, the number leads here.',
  'rules.play': 'Play now',
} as const
