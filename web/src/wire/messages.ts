// Made by scripts/wire from src/branchline/server/messages.py. Do not edit.

/** Do an action for a seat. */
export interface Act {
  readonly is: 'act'
  readonly seat: number
  readonly act: DrawCardJson | ClaimRouteJson | PayTunnelJson | TakeBackJson | DrawTicketsJson | KeepTicketsJson | BuildStationJson | PassJson
  /** The `ask` of the view that put the question. */
  readonly ask: number
  readonly id: string
}

export type ActionJson = DrawCardJson | ClaimRouteJson | PayTunnelJson | TakeBackJson | DrawTicketsJson | KeepTicketsJson | BuildStationJson | PassJson

/** The answer to `hint`: what a bot would do, asked at `ask`, and why. */
export interface AdviceMessage {
  readonly is: 'advice'
  readonly id: string
  readonly ask: number
  readonly action: DrawCardJson | ClaimRouteJson | PayTunnelJson | TakeBackJson | DrawTicketsJson | KeepTicketsJson | BuildStationJson | PassJson
  readonly why: Reason
}

/** Whether one agrees to abandon the game. */
export interface Agreement {
  readonly agree: boolean
}

/** The answer to `explain`. */
export interface AnswerMessage {
  readonly is: 'answer'
  readonly id: string
  readonly answer: readonly WhyNot[] | Odds | readonly TicketScore[] | Way | Readonly<Record<string, string | null>> | null
}

/** I am still here: the answer to a heartbeat. */
export interface Beat {
  readonly is: 'beat'
}

/** A heartbeat: answer with `beat`. */
export interface BeatMessage {
  readonly is: 'beat'
}

/** What do my stations borrow, with one more in a city? */
export interface BorrowedQuestion {
  readonly is: 'borrowed'
  readonly city: string | null
}

/** A bot that can be invited. */
export interface BotLine {
  readonly level: string
  readonly text: string
}

/** Build a station (R6.1). */
export interface BuildStationJson {
  readonly is: 'build'
  readonly city: string
  readonly payment: Payment
}

/** A seat drew from the deck (R3.5). */
export interface CardDrawnJson {
  readonly is: 'drawn'
  readonly seat: number
  readonly card: string | null
}

/** A seat took a face-up card. */
export interface CardTakenJson {
  readonly is: 'taken'
  readonly seat: number
  readonly slot: number
  readonly card: string
}

/** A seat got its opening hand (R2.1). */
export interface CardsDealtJson {
  readonly is: 'dealt'
  readonly seat: number
  readonly cards: readonly (string | null)[]
}

/** One thing that was verified. */
export interface CheckLine {
  readonly what: string
  readonly ok: boolean
  readonly detail: string
}

/** What the seat may do now, grouped. */
export interface ChoicesJson {
  /** Draw from the deck. */
  readonly deck: boolean
  /** Places of the row a card may be taken from. */
  readonly row: readonly number[]
  /** Draw tickets. */
  readonly tickets: boolean
  /** So many of the offered tickets have to be kept; 0 where none are offered. */
  readonly keep: number
  /** By route, the number of its list in `payments`. */
  readonly claims: Readonly<Record<string, number>>
  /** Lists of payments, fewest wilds first, that several routes may share. */
  readonly payments: readonly (readonly ([string | null, number, number])[])[]
  /** Where a station may be built. */
  readonly cities: readonly string[]
  /** Payments for a station, the same in every city. */
  readonly station: readonly ([string | null, number, number])[]
  /** Payments of what the tunnel owes. */
  readonly pay: readonly ([string | null, number, number])[]
  readonly take_back: boolean
  /** Nothing else is possible (R3.10). */
  readonly passing: boolean
}

/** Claim a route; for a tunnel, lay down the payment (R4.1, R4.8). */
export interface ClaimRouteJson {
  readonly is: 'claim'
  readonly route: string
  readonly payment: Payment
}

export type ClientMessage = Act | Undo | Look | Say | Mute | Explain | Hint | History | Beat

/** The discards became the deck (R3.7). */
export interface DeckReshuffledJson {
  readonly is: 'reshuffled'
  readonly cards: number
}

/** A link that makes another device the same person. */
export interface DeviceLink {
  /** Goes into the link's fragment, which no server sees, and is redeemed by POST, once. */
  readonly token: string
  readonly expires: number
}

/** The token of a device link. */
export interface DeviceToken {
  readonly token: string
}

/** What `id` asked for is done and stored, as entry or line `n`. */
export interface DoneMessage {
  readonly is: 'done'
  readonly id: string
  readonly n: number
}

/** Draw a card (R3.2). */
export interface DrawCardJson {
  readonly is: 'draw'
  /** A place of the row, counted from 0; None for the top of the deck. */
  readonly slot: number | null
}

/** Draw tickets (R5.1). */
export interface DrawTicketsJson {
  readonly is: 'tickets'
}

/** The answer to `history`; `more` if it was cut. */
export interface EntriesMessage {
  readonly is: 'entries'
  readonly id: string
  readonly entries: readonly Entry[]
  readonly more: boolean
}

/** A log entry as one seat may know it. `by` tells who acted for the seat: its person, its bot, the server with any legal action because the bot failed, a bot for one turn because the clock ran out, or a bot standing in for somebody absent. */
export interface Entry {
  readonly n: number
  readonly is: 'start' | 'act' | 'undo' | 'abandon'
  readonly seat: number | null
  readonly by: 'person' | 'bot' | 'fallback' | 'clock' | 'stand-in' | 'table'
  readonly events: readonly (CardsDealtJson | TicketsOfferedJson | OpeningAnsweredJson | TicketsKeptJson | TurnBeganJson | CardDrawnJson | CardTakenJson | RowFilledJson | RowResetJson | DeckReshuffledJson | TunnelLaidJson | TunnelCardTurnedJson | TunnelOwedJson | TunnelTakenBackJson | RouteClaimedJson | StationBuiltJson | PassedJson | LastRoundBeganJson | GameEndedJson)[]
  readonly at: number
}

export type EventJson = CardsDealtJson | TicketsOfferedJson | OpeningAnsweredJson | TicketsKeptJson | TurnBeganJson | CardDrawnJson | CardTakenJson | RowFilledJson | RowResetJson | DeckReshuffledJson | TunnelLaidJson | TunnelCardTurnedJson | TunnelOwedJson | TunnelTakenBackJson | RouteClaimedJson | StationBuiltJson | PassedJson | LastRoundBeganJson | GameEndedJson

/** Ask a question about one's own view. */
export interface Explain {
  readonly is: 'explain'
  readonly seat: number
  readonly about: WhyNotQuestion | OddsQuestion | TicketsQuestion | WayQuestion | BorrowedQuestion
  readonly id: string
}

/** The game is over. */
export interface GameEndedJson {
  readonly is: 'ended'
}

/** That the server is there. */
export interface Health {
  readonly ok: boolean
  readonly version: string
}

/** Ask a bot for advice from one's own view, where the table allows it. */
export interface Hint {
  readonly is: 'hint'
  readonly seat: number
  readonly id: string
}

/** Ask for log entries after `since`, as the seat looked at may know them. */
export interface History {
  readonly is: 'history'
  readonly since: number
  readonly id: string
}

/** Keep these tickets of the offer, in the opening or after a ticket draw (R2.3, R5.1). */
export interface KeepTicketsJson {
  readonly is: 'keep'
  readonly tickets: readonly string[]
}

/** A seat ended its turn with few cars: everyone has one more turn (R7.1). */
export interface LastRoundBeganJson {
  readonly is: 'last-round'
  readonly seat: number
}

/** Ask for a seat's view, now and after each action; None for what a spectator sees. */
export interface Look {
  readonly is: 'look'
  readonly seat: number | null
}

/** An uploaded record: what verifying it showed, and its moves. */
export interface Looked {
  readonly verdict: VerdictJson
  readonly moves: Moves | null
}

/** A map that can be played. */
export interface MapLine {
  readonly id: string
  /** By language. */
  readonly name: Readonly<Record<string, string>>
  /** Fewest and most. */
  readonly seats: [number, number]
}

/** Who one is. */
export interface Me {
  readonly id: string
  readonly name: string
  readonly language: string
}

/** One step of a game. */
export interface Move {
  /** Who acted; None for the deal. */
  readonly seat: number | null
  readonly action: DrawCardJson | ClaimRouteJson | PayTunnelJson | TakeBackJson | DrawTicketsJson | KeepTicketsJson | BuildStationJson | PassJson | null
  readonly events: readonly (CardsDealtJson | TicketsOfferedJson | OpeningAnsweredJson | TicketsKeptJson | TurnBeganJson | CardDrawnJson | CardTakenJson | RowFilledJson | RowResetJson | DeckReshuffledJson | TunnelLaidJson | TunnelCardTurnedJson | TunnelOwedJson | TunnelTakenBackJson | RouteClaimedJson | StationBuiltJson | PassedJson | LastRoundBeganJson | GameEndedJson)[]
  readonly view: ViewJson
}

/** A finished game as one seat saw it. */
export interface Moves {
  readonly map: string
  readonly names: readonly string[]
  readonly moves: readonly Move[]
  readonly scores: Scores | null
}

/** Hear no more, or again, what somebody says. */
export interface Mute {
  readonly is: 'mute'
  readonly person: string
  readonly muted: boolean
}

/** How one wants to be called. */
export interface Myself {
  /** 1 to 24 characters as people count them, without control, bidi-override or zero-width characters. */
  readonly name: string
  readonly language?: string
}

/** Who is to own the table. */
export interface NewOwner {
  readonly person: string
}

/** A table to be opened. */
export interface NewTable {
  readonly map: string
  readonly seats: readonly SeatPlan[]
  /** The seat that begins; None lets the shuffle choose (R2.6). */
  readonly first?: number | null
  /** Listed in the lobby; otherwise only those with link or code find it. */
  readonly public?: boolean
  readonly pace?: Pace
  /** Whether players may ask a bot for advice. */
  readonly hints?: boolean
}

/** How likely a tunnel is to owe so many cards more. */
export interface Odds {
  /** The chance to owe 0, 1, 2 ... cards. */
  readonly chances: readonly number[]
  /** False where what others paid tells of cards drawn from this very deck: then the mean over sampled deals. */
  readonly exact: boolean
}

/** How likely is this tunnel to owe more? */
export interface OddsQuestion {
  readonly is: 'odds'
  readonly route: string
  readonly payment: PaymentIn
}

/** What is open to all when the game is over (R8.5). */
export interface Opened {
  readonly hands: readonly Readonly<Record<string, number>>[]
  readonly tickets: readonly (readonly string[])[]
}

/** A seat has chosen its opening tickets; to others, not even how many (R2.5). */
export interface OpeningAnsweredJson {
  readonly is: 'answered'
  readonly seat: number
  readonly tickets: readonly string[] | null
}

/** What only its owner knows of a seat (R8.2). */
export interface OwnSeat {
  readonly hand: Readonly<Record<string, number>>
  readonly tickets: readonly string[]
  /** Tickets to choose from. */
  readonly offer: readonly string[]
  /** What it keeps of the opening offer, while others have yet to answer. */
  readonly answer: readonly string[] | null
  /** Tickets it put under the ticket deck and knows the place of: how many lie above, and which it is. */
  readonly under: readonly [number, string][]
}

/** How long a turn may take. When it is over, a bot plays that one turn. */
export interface Pace {
  readonly kind: 'none' | 'seconds' | 'days'
  /** So many seconds (10 to 86400) or days (1 to 30). */
  readonly length: number
}

/** Pass, where nothing else is legal (R3.10). */
export interface PassJson {
  readonly is: 'pass'
}

/** A seat could do nothing (R3.10). */
export interface PassedJson {
  readonly is: 'passed'
  readonly seat: number
}

/** Pay what the tunnel owes (R4.8). */
export interface PayTunnelJson {
  readonly is: 'pay'
  readonly payment: Payment
}

/** Cards laid down for something: all of one colour, wilds standing for any of them. */
export interface Payment {
  /** The colour of the coloured cards; None for wilds alone. */
  readonly colour: string | null
  /** How many coloured cards. */
  readonly cards: number
  /** How many wilds. */
  readonly wilds?: number
}

/** Cards to lay down. */
export interface PaymentIn {
  readonly colour: string | null
  readonly cards: number
  readonly wilds: number
}

/** Why something was refused. */
export interface Problem {
  /** A word that a program can compare. */
  readonly code: string
  /** A sentence. */
  readonly text: string
  /** The rule that refuses, where one does. */
  readonly rule: string | null
}

/** What everybody knows of a seat (R8.1). */
export interface PublicSeat {
  readonly cars: number
  /** Stations left. */
  readonly stations: number
  /** Points for routes. */
  readonly points: number
  /** The length of its longest trail so far. */
  readonly trail: number
  /** How many cards it holds. */
  readonly cards: number
  /** Cards it is known to hold: taken face up, or shown by what it paid, and not spent since. */
  readonly known: Readonly<Record<string, number>>
  /** How many tickets it has kept. */
  readonly tickets: number
  /** Whether it has answered the opening (R2.5). */
  readonly answered: boolean
}

/** Why a bot would do something; what does not apply is left out. */
export interface Reason {
  /** keep-tickets, join-tickets, points, station, more-tickets, collect, tunnel, last-turn or nothing-else. */
  readonly reason: string
  /** The route it is about. */
  readonly route?: string
  /** The tickets that route serves. */
  readonly tickets?: readonly string[]
  /** Cards missing for the routes of all tickets. */
  readonly short?: number
}

/** What `id` asked for was not done. The code `busy` may be tried again as it is. */
export interface RefusedMessage {
  readonly is: 'refused'
  readonly id: string | null
  readonly problem: Problem
}

/** A route was claimed; the payment holds what a tunnel cost beyond its length too. */
export interface RouteClaimedJson {
  readonly is: 'claimed'
  readonly seat: number
  readonly route: string
  readonly payment: Payment
  readonly points: number
}

/** A card was turned up into the row. */
export interface RowFilledJson {
  readonly is: 'filled'
  readonly slot: number
  readonly card: string
}

/** Too many wilds: the whole row went to the discards (R3.6). */
export interface RowResetJson {
  readonly is: 'reset'
  /** The row as it lay; None for a gap. */
  readonly cards: readonly (string | null)[]
}

/** Say something to the table. */
export interface Say {
  readonly is: 'say'
  readonly text: string
  readonly id: string
}

/** A line of chat. It is text, never markup. */
export interface Saying {
  readonly n: number
  readonly person: string
  readonly name: string
  readonly text: string
  readonly at: number
}

/** Chat: the last lines on connecting, then each new one. */
export interface SayingsMessage {
  readonly is: 'said'
  readonly lines: readonly Saying[]
}

/** The count of a whole table. */
export interface Scores {
  readonly seats: readonly SeatScore[]
  /** More than one where the win is shared. */
  readonly winners: readonly number[]
  /** What told the winner from the others: points, tickets, stations, trail; or shared (R7.4, R7.5). */
  readonly decided_by: string
}

/** Who sits in a seat. */
export interface SeatInfo {
  readonly who: 'open' | 'person' | 'bot' | 'closed'
  readonly person: string | null
  readonly name: string
  /** The bot; for a person's seat, the one that plays for them now. */
  readonly level: string | null
  readonly colour: 'blue' | 'red' | 'green' | 'yellow' | 'black'
  /** Whether the game can start with this seat: a person's browser has added its nonce. */
  readonly ready: boolean
  readonly nonce: string
  /** Whether the person has a socket open. */
  readonly here: boolean
  /** Whether the person has left the running game. */
  readonly left: boolean
  /** Whether the others may hand the seat to a bot now. */
  readonly absent: boolean
}

/** What a seat is for, before somebody sits there. */
export interface SeatPlan {
  readonly who: 'open' | 'bot' | 'closed'
  /** The bot, for a seat with one. */
  readonly level?: string | null
}

/** Every part of one seat's points (R7.6). */
export interface SeatScore {
  readonly seat: number
  /** Points for claimed routes. */
  readonly routes: number
  readonly tickets: readonly TicketScore[]
  /** Points of the completed tickets less those of the others. */
  readonly ticket_points: number
  /** Tickets completed. */
  readonly completed: number
  /** Points for unbuilt stations. */
  readonly stations: number
  readonly stations_built: number
  /** For each city with a station of this seat, the route it borrows; None if it is of no use (R6.5). */
  readonly borrowed: Readonly<Record<string, string | null>>
  /** The longest trail, as routes in order (R7.2). */
  readonly trail: readonly string[]
  readonly trail_length: number
  /** Points for the longest trail of all. */
  readonly bonus: number
  /** Points for attractions (R7.3). */
  readonly attractions: number
  readonly total: number
  /** 1 for the winner; seats that are tied to the end share a rank. */
  readonly rank: number
}

export type ServerMessage = ViewMessage | TableMessage | SayingsMessage | DoneMessage | RefusedMessage | AnswerMessage | AdviceMessage | EntriesMessage | BeatMessage

/** Take a seat. */
export interface Sit {
  readonly nonce: string
  /** The colour wanted; a free one without. */
  readonly colour?: 'blue' | 'red' | 'green' | 'yellow' | 'black' | null
}

/** A station was built. */
export interface StationBuiltJson {
  readonly is: 'built'
  readonly seat: number
  readonly city: string
  readonly payment: Payment
}

/** A table as everybody at it may see it. */
export interface TableInfo {
  readonly id: string
  /** Short, to be read out. */
  readonly code: string
  readonly map: string
  readonly status: 'open' | 'playing' | 'over' | 'abandoned'
  readonly owner: string | null
  readonly public: boolean
  readonly hints: boolean
  readonly pace: Pace
  readonly first: number | null
  readonly seats: readonly SeatInfo[]
  /** SHA-256 of the seed, told before anybody sat down. */
  readonly commitment: string
  /** The number of the last log entry; 0 before the start. */
  readonly n: number
  readonly to_act: readonly number[]
  /** When the turn is over, in seconds since 1970. */
  readonly deadline: number | null
  /** Sockets of people without a seat. */
  readonly watching: number
  /** Who agrees to abandon the game. */
  readonly abandoning: readonly string[]
  /** The table of the rematch. */
  readonly next: string | null
  readonly created: number
}

/** A table in a list. */
export interface TableLine {
  readonly id: string
  readonly map: string
  readonly status: 'open' | 'playing' | 'over' | 'abandoned'
  /** By seat; empty for an open one. */
  readonly names: readonly string[]
  /** Seats that are free. */
  readonly open: number
  readonly pace: Pace
  /** The seats of the one who asks. */
  readonly mine: readonly number[]
  readonly to_act: readonly number[]
  readonly my_turn: boolean
  readonly deadline: number | null
  readonly updated: number
}

/** Somebody came, went, sat down or left, or the table's status changed. */
export interface TableMessage {
  readonly is: 'table'
  readonly table: TableInfo
}

/** Take the tunnel's payment back and end the turn (R4.10). */
export interface TakeBackJson {
  readonly is: 'take-back'
}

/** What became of one ticket (R5.4). */
export interface TicketScore {
  readonly ticket: string
  /** Added if completed, subtracted if not. */
  readonly points: number
  readonly completed: boolean
  /** The shortest way over own and borrowed routes, in order; empty if there is none. */
  readonly path: readonly string[]
}

/** A seat has kept tickets; how many is public (R8.1). */
export interface TicketsKeptJson {
  readonly is: 'kept'
  readonly seat: number
  readonly kept: number
  readonly offered: number
  readonly tickets: readonly (string | null)[]
}

/** A seat looks at tickets and has to choose (R2.2, R5.1). */
export interface TicketsOfferedJson {
  readonly is: 'offered'
  readonly seat: number
  readonly tickets: readonly (string | null)[]
}

/** How are my tickets doing? */
export interface TicketsQuestion {
  readonly is: 'tickets'
}

/** A tunnel that waits for an answer (R4.10). */
export interface Tunnel {
  readonly route: string
  readonly payment: Payment
  readonly owed: number
  readonly turned: readonly string[]
}

/** A card was turned up for a tunnel. */
export interface TunnelCardTurnedJson {
  readonly is: 'turned'
  readonly seat: number
  readonly card: string
}

/** A payment was laid down for a tunnel (R4.8). */
export interface TunnelLaidJson {
  readonly is: 'laid'
  readonly seat: number
  readonly route: string
  readonly payment: Payment
}

/** So many cards more are owed; none, and the route is claimed at once. */
export interface TunnelOwedJson {
  readonly is: 'owed'
  readonly seat: number
  readonly owed: number
}

/** The payment went back into the hand (R4.10). */
export interface TunnelTakenBackJson {
  readonly is: 'taken-back'
  readonly seat: number
  readonly route: string
}

/** A seat is on turn. */
export interface TurnBeganJson {
  readonly is: 'turn'
  readonly seat: number
  readonly turn: number
}

/** Take back this seat's last action, if it drew, turned up and revealed nothing and nobody acted since. */
export interface Undo {
  readonly is: 'undo'
  readonly seat: number
  /** The log number of that action. */
  readonly n: number
  readonly id: string
}

/** What verifying a record showed. */
export interface VerdictJson {
  readonly ok: boolean
  readonly checks: readonly CheckLine[]
  readonly vouches: readonly string[]
  readonly cannot: readonly string[]
}

/** What a seat sees, as `View.to_dict(memory=False)` writes it. */
export interface ViewJson {
  readonly map: string
  readonly seat: number | null
  readonly stage: 'opening' | 'turn' | 'second-draw' | 'tunnel-owed' | 'ticket-offer' | 'over'
  readonly first: number
  readonly on_turn: number
  readonly to_act: readonly number[]
  readonly turn: number
  readonly passes: number
  readonly last_turns: number | null
  readonly row: readonly (string | null)[]
  readonly deck: number
  readonly discards: Readonly<Record<string, number>>
  readonly ticket_deck: number
  readonly owners: Readonly<Record<string, number>>
  readonly closed: readonly string[]
  readonly stations: Readonly<Record<string, number>>
  readonly seats: readonly PublicSeat[]
  readonly own: OwnSeat | null
  readonly tunnel: Tunnel | null
  readonly opened: Opened | null
  readonly choices: ChoicesJson
}

/** The whole view after log entry `n`. Numbers follow each other; after a gap, `look` again. `ask` goes back with an action: None if nothing is asked of this seat. `entry` tells what led here, None where a view was asked for. `undo` tells whether this seat may take back its last action, which is then `n`. `scores` come with the end. */
export interface ViewMessage {
  readonly is: 'view'
  readonly n: number
  readonly seat: number | null
  readonly ask: number | null
  readonly entry: Entry | null
  readonly undo: boolean
  readonly deadline: number | null
  readonly view: ViewJson
  readonly scores: Scores | null
}

/** A way to complete a ticket. */
export interface Way {
  /** The whole way, in order. */
  readonly routes: readonly string[]
  /** Those of its routes that are yet to be claimed. */
  readonly claim: readonly string[]
  /** Cars and cards that takes. */
  readonly spaces: number
}

/** Which way completes this ticket with the fewest cars? */
export interface WayQuestion {
  readonly is: 'way'
  readonly ticket: string
}

/** One reason why a route can't be claimed now. */
export interface WhyNot {
  readonly rule: string
  /** A word of `branchline.engine.refusals`. */
  readonly reason: string
  /** What is missing, by colour; `cars` for cars. */
  readonly missing: Readonly<Record<string, number>>
}

/** Why can't I claim this route? */
export interface WhyNotQuestion {
  readonly is: 'why-not'
  readonly route: string
}
