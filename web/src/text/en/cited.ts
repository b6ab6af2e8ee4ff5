/** The rules that a refusal may name, each in a sentence. They come with the rules page, not before. */
export default {
  'R1.1': 'Europe is for two to five players, New York for two to four.',
  'R1.3': 'Only Europe has stations: three for each player.',
  'R2.3': 'Europe: before the first turn everyone keeps at least two of four tickets.',
  'R2.4': 'New York: before the first turn everyone keeps at least one of two tickets.',
  'R2.5': 'Everyone chooses opening tickets at the same time, and a choice is final.',
  'R3.1':
    'On your turn you do exactly one thing: draw cards, claim a route, draw tickets or, in Europe, build a station.',
  'R3.4': 'A face-up wild card can not be the second card of a draw.',
  'R3.8': 'When deck and discards are both empty nothing can be drawn unseen, and gaps in the row stay.',
  'R3.10': 'You pass only when nothing at all can be done.',
  'R3.12': 'While you are being asked something (a second card, a tunnel, tickets to keep) you answer that first.',
  'R4.1':
    'A route takes as many cards of its colour as it has spaces; wild cards stand for any colour. Grey takes any one colour.',
  'R4.2': 'The route must be free and you need a car for every space.',
  'R4.4': 'Nobody may own both halves of a double route.',
  'R4.5':
    'In Europe with up to three players, in New York with two, the second half of a double route closes when the first is claimed.',
  'R4.7': 'A ferry wants a locomotive for every space that shows one; the rest is of one colour.',
  'R4.8':
    'Tunnel: three cards are turned up; each one of your colour, and each locomotive, costs one card more, of that colour or a locomotive.',
  'R4.9': 'A tunnel paid with locomotives alone: only locomotives turned up count, and only locomotives pay.',
  'R5.1': 'Drawing tickets, you keep at least one; the others go under the deck.',
  'R5.2': 'With no tickets left none can be drawn.',
  'R6.1': 'A station may stand in any city that has none.',
  'R6.2': 'The first station costs one card, the second two, the third three, all of one colour.',
  'R6.3': 'One station a turn, three in a game; they never move.',
  'R7.1': 'When somebody ends a turn with two cars or fewer, everyone has one more turn; then the game is over.',
  'R8.3': 'While the game runs nobody learns the order of the decks or what the shuffle was made of.',
}
