// Made by scripts/wire from src/branchline/server/messages. Do not edit.

/** Every code a `Problem` may have. */
export const CODES = [
  'answered',
  'banned',
  'broken',
  'busy',
  'cannot-store',
  'challenge',
  'challenge-over',
  'city-taken',
  'colour',
  'deck-empty',
  'empty',
  'failed',
  'few-cards',
  'few-cars',
  'few-wilds',
  'first',
  'game-over',
  'host',
  'insider',
  'keep-more',
  'level',
  'link',
  'malformed',
  'name',
  'no-advice',
  'no-hints',
  'no-method',
  'no-question',
  'no-seat',
  'no-stations',
  'no-tickets',
  'no-undo',
  'nobody',
  'not-absent',
  'not-alone',
  'not-an-action',
  'not-found',
  'not-offered',
  'not-owner',
  'not-ready',
  'not-stuck',
  'not-your-turn',
  'not-yours',
  'one-seat',
  'open',
  'opening-keep',
  'opening-keep-under',
  'origin',
  'over',
  'owed-cards',
  'owed-wilds',
  'pace',
  'played',
  'practice',
  'question',
  'question-open',
  'record',
  'reviews',
  'route-taken',
  'running',
  'seats',
  'self',
  'silenced',
  'slot-empty',
  'somebody',
  'stale',
  'started',
  'station-cards',
  'station-count',
  'stations-used',
  'status',
  'stranger',
  'taken',
  'too-large',
  'too-long',
  'too-many',
  'too-many-tables',
  'twin-closed',
  'twin-yours',
  'wild-second',
  'wrong-colour',
  'wrong-count',
] as const
/** Every rule a `Problem` may name. */
export const RULES = [
  'R1.1',
  'R1.3',
  'R2.3',
  'R2.4',
  'R2.5',
  'R3.1',
  'R3.4',
  'R3.8',
  'R3.10',
  'R3.12',
  'R4.1',
  'R4.2',
  'R4.4',
  'R4.5',
  'R4.7',
  'R4.8',
  'R4.9',
  'R5.1',
  'R5.2',
  'R6.1',
  'R6.2',
  'R6.3',
  'R7.1',
  'R8.3',
] as const
/** Why a socket was closed. */
export const Close = {
  /** The server is being stopped: connect again at once, to whichever answers. */
  RESTART: 1012,
  /** It did not read what it was sent. */
  TOO_SLOW: 4008,
  /** It gave no sign of life. */
  NOT_HERE: 4010,
  /** Nobody: `PUT /api/me` comes first, or this device was signed out. */
  NOBODY: 4401,
  /** The table's owner keeps this person away. */
  KEPT_AWAY: 4403,
  /** There is no such table. */
  NO_TABLE: 4404,
  /** A newer socket of the same person took its place. */
  REPLACED: 4409,
  /** Too many: the table is full of spectators, or too much came at once. Who has a seat always gets in. */
  FULL: 4429,
  /** The server cannot store just now. */
  CANNOT_STORE: 4503,
} as const
/** After these nobody connects again by themselves. */
export const FINAL: readonly number[] = [Close.NOBODY, Close.KEPT_AWAY, Close.NO_TABLE, Close.REPLACED]

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
  readonly answer: readonly WhyNot[] | Odds | Readonly<Record<string, string | null>>
}

/** A finished game to be judged. */
export interface AskReview {
  /** How deep: each depth takes four times as long as the one before. */
  readonly depth: number
}

/** Somebody to be kept away from the table, or let in again. */
export interface Ban {
  readonly person: string
  readonly banned: boolean
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

/** How long bots are to seem to think. */
export interface BotTempo {
  readonly pace: 'slow' | 'normal' | 'quick' | 'at-once'
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

/** A challenge, as far as the one who asks may know it. */
export interface ChallengeInfo {
  readonly id: string
  readonly map: string
  readonly seats: readonly SeatPlan[]
  readonly title: string
  /** SHA-256 of the seed, told before anybody played. For a deal of the day it is the seed of the day before. */
  readonly commitment: string
  readonly owner: string | null
  readonly created: number
  /** When it is over: nobody may begin it any more, and everything is open to all once no club plays it on. */
  readonly ends: number
  readonly over: boolean
  /** A club's tables; empty where everybody plays alone. */
  readonly tables: readonly ChallengeTable[]
  /** How many have begun it. */
  readonly players: number
  /** How many of its tables have finished. */
  readonly finished: number
  /** The table at which the one who asks plays it. */
  readonly mine: string | null
  /** Whether they have finished. */
  readonly mine_over: boolean
  /** As hex; None for whoever has yet to finish, and while a club's table still plays a deal that is over. */
  readonly seed: string | null
  /** None for whoever has yet to finish. */
  readonly results: readonly ChallengeResult[] | null
}

/** A challenge in a list. */
export interface ChallengeLine {
  readonly id: string
  readonly map: string
  readonly title: string
  readonly seats: number
  readonly club: boolean
  readonly ends: number
  readonly over: boolean
}

/** What one table came to. */
export interface ChallengeResult {
  readonly table: string
  readonly names: readonly string[]
  /** By seat, the bot that sat there; None for a person. */
  readonly levels: readonly (string | null)[]
  /** The seats of the one who asks. */
  readonly mine: readonly number[]
  /** By seat; empty where the game was given up. */
  readonly scores: readonly SeatScore[]
  readonly ended: number
  /** Whether it ended when the challenge was over, and its deal known. */
  readonly late: boolean
}

/** One of a club's tables. */
export interface ChallengeTable {
  readonly table: string
  readonly status: 'open' | 'playing' | 'over' | 'abandoned' | 'gone'
  /** By seat; empty for an open one. */
  readonly names: readonly string[]
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
  /** Whether this device forgets whom it knew before. Without it, somebody with tables is refused as `somebody`. */
  readonly instead?: boolean
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
  readonly about: WhyNotQuestion | OddsQuestion | BorrowedQuestion
  readonly id: string
}

/** Who is to begin. */
export interface First {
  /** None lets the shuffle choose (R2.6). */
  readonly seat: number | null
}

/** What was deleted. */
export interface Forgotten {
  readonly games: number
}

/** The game is over. */
export interface GameEndedJson {
  readonly is: 'ended'
}

/** One finished game of one's own. */
export interface GameLine {
  readonly table: string
  readonly map: string
  readonly ended: number
  readonly turns: number
  /** One's seat; the first, where one had several. */
  readonly mine: number
  readonly names: readonly string[]
  /** By seat, the bot that sat there; None for a person. */
  readonly levels: readonly (string | null)[]
  readonly scores: readonly SeatScore[]
  readonly winners: readonly number[]
  /** One's own routes at the end. */
  readonly routes: readonly string[]
  readonly challenge: string | null
  /** One's own, where the game was reviewed. */
  readonly accuracy: number | null
}

/** That the server is there. */
export interface Health {
  readonly ok: boolean
  readonly version: string
}

/** The first word on a socket: seconds between two beats, and of silence until one is gone; and whom the person has muted. */
export interface HelloMessage {
  readonly is: 'hello'
  readonly heartbeat: number
  readonly silence: number
  readonly muted: readonly string[]
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
  /** As a spectator saw it. */
  readonly events: readonly (CardsDealtJson | TicketsOfferedJson | OpeningAnsweredJson | TicketsKeptJson | TurnBeganJson | CardDrawnJson | CardTakenJson | RowFilledJson | RowResetJson | DeckReshuffledJson | TunnelLaidJson | TunnelCardTurnedJson | TunnelOwedJson | TunnelTakenBackJson | RouteClaimedJson | StationBuiltJson | PassedJson | LastRoundBeganJson | GameEndedJson)[]
  /** By seat, the same as that seat saw it, where it saw more. */
  readonly seen: Readonly<Record<string, readonly (CardsDealtJson | TicketsOfferedJson | OpeningAnsweredJson | TicketsKeptJson | TurnBeganJson | CardDrawnJson | CardTakenJson | RowFilledJson | RowResetJson | DeckReshuffledJson | TunnelLaidJson | TunnelCardTurnedJson | TunnelOwedJson | TunnelTakenBackJson | RouteClaimedJson | StationBuiltJson | PassedJson | LastRoundBeganJson | GameEndedJson)[]>>
  /** What a spectator saw. */
  readonly view: ViewJson
  /** By seat, what only that seat saw. */
  readonly own: readonly OwnSeat[]
}

/** A finished game, everything open. */
export interface Moves {
  readonly map: string
  readonly names: readonly string[]
  /** By seat, the bot that sat there; None for a person. */
  readonly levels: readonly (string | null)[]
  readonly moves: readonly Move[]
  readonly scores: Scores | null
}

/** Hear no more, or again, what somebody says. */
export interface Mute {
  readonly is: 'mute'
  readonly person: string
  readonly muted: boolean
}

/** One's finished games, the latest first; practice is left out. */
export interface MyGames {
  readonly games: readonly GameLine[]
  /** Games that are still to be counted: ask again. */
  readonly counting: number
}

/** How one wants to be called. */
export interface Myself {
  /** 1 to 24 characters as people count them, without control, bidi-override or zero-width characters. */
  readonly name: string
  readonly language?: string
}

/** One deal for everybody who has the link. */
export interface NewChallenge {
  readonly map: string
  /** Open ones are for people: exactly one where everybody plays alone against the same bots. */
  readonly seats: readonly SeatPlan[]
  /** 0 for a table for each who comes; else so many tables for a club, compared seat by seat. */
  readonly tables?: number
  /** For how long it may be begun. */
  readonly days?: number
  readonly title?: string
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
  /** How long bots seem to think. */
  readonly bots?: 'slow' | 'normal' | 'quick' | 'at-once'
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

/** How one ticket stands: what it would count if the game ended now, and what it still takes. */
export interface Outlook {
  readonly ticket: string
  readonly points: number
  /** Whether own and borrowed routes join its cities now (R5.4, R6.5). */
  readonly completed: boolean
  /** The routes that do, in order; empty if there are none. */
  readonly path: readonly string[]
  /** Those of them that stations borrow from others. */
  readonly borrowed: readonly string[]
  /** The way that takes the fewest cars, over own and borrowed routes and those open to this seat, if there is one. */
  readonly way: Way | null
  /** Where there is no way: whether stations yet to be built might make one. */
  readonly station: boolean
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

/** Play a challenge. */
export interface PlayChallenge {
  readonly bots: 'slow' | 'normal' | 'quick' | 'at-once'
}

/** Which game a practice game began in. */
export interface PracticeInfo {
  /** Its table; None for a record that somebody sent. */
  readonly game: string | null
  readonly at: number
  readonly turn: number
  readonly seat: number
  readonly redeal: boolean
  /** Everybody's points in the original. */
  readonly totals: readonly number[]
  /** Who sat there. */
  readonly names: readonly string[]
}

/** Play on from a moment of a finished game. */
export interface Practise {
  /** After so many log entries: 0 is the deal. */
  readonly at: number
  /** The seat to play. */
  readonly seat: number
  /** By seat, the bots in the others. */
  readonly levels: readonly (string | null)[]
  /** Whether everything that the seat did not know is dealt anew; otherwise it is as it really was. */
  readonly redeal?: boolean
  readonly bots?: 'slow' | 'normal' | 'quick' | 'at-once'
}

/** Why something was refused. */
export interface Problem {
  /** A word that a program can compare, one of `CODES`. */
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

/** How a try went, and what is best and why. */
export interface PuzzleAnswer {
  readonly solved: boolean
  readonly best: string
  /** The chance to win with it, and its standard error. */
  readonly win: [number, number]
  /** By how much more it wins than the next best. */
  readonly lead: [number, number]
  /** What was compared with it: an action, how far it is behind, and the error. */
  readonly others: readonly [string, number, number][]
  readonly worlds: number
  readonly reason: Record<string, unknown>
  /** How often bots of each level find it. */
  readonly found: Readonly<Record<string, number>>
}

/** A puzzle to be solved: what the seat sees, and among which actions to choose. */
export interface PuzzleInfo {
  readonly id: string
  readonly map: string
  readonly kind: 'tickets' | 'route' | 'tunnel' | 'station' | 'race' | 'cards'
  readonly rating: number
  readonly solved: boolean | null
  readonly view: ViewJson
  /** How each ticket of the seat stands. */
  readonly tickets: readonly Outlook[]
  /** Actions as lines, in an order that tells nothing. */
  readonly options: readonly string[]
}

/** A puzzle in a list. */
export interface PuzzleLine {
  readonly id: string
  readonly map: string
  readonly kind: 'tickets' | 'route' | 'tunnel' | 'station' | 'race' | 'cards'
  /** How hard it is, on a scale of Elo. */
  readonly rating: number
  /** How one's first try went; None without one. */
  readonly solved: boolean | null
}

/** All puzzles, and which is today's. */
export interface PuzzleList {
  readonly puzzles: readonly PuzzleLine[]
  readonly today: string | null
}

/** Whether the server can do its work. */
export interface Ready {
  readonly ok: boolean
  /** What is wrong with the database. */
  readonly store: 'ok' | 'full' | 'locked' | 'read-only' | 'corrupt' | 'unreachable' | 'failed'
  /** Whether news from other servers comes at once; where there is no other, it does. */
  readonly bus: 'ok' | 'away'
}

/** Why a bot would do something; what does not apply is left out. */
export interface Reason {
  /** keep-tickets, join-tickets, points, station, more-tickets, collect, tunnel, last-turn or nothing-else. */
  readonly reason: string
  /** The route it is about. */
  readonly route?: string
  /** The tickets that route serves. */
  readonly tickets?: readonly string[]
  /** Further tickets that a claim brings nearer, by fewer cars than it takes. */
  readonly detour?: readonly string[]
  /** That a claim brings no ticket nearer, by however little. */
  readonly idle?: boolean
  /** The other seats that have routes at its ends and could take it, where something would be lost. */
  readonly near?: readonly number[]
  /** What each ticket would miss more if one of them did: cars, or null where the own cars could join it no more. */
  readonly lost?: Readonly<Record<string, number | null>>
}

/** What `id` asked for was not done. The code `cannot-store` may be tried again later, as it is. */
export interface RefusedMessage {
  readonly is: 'refused'
  readonly id: string | null
  readonly problem: Problem
}

/** What a seat could expect, by what it knew. */
export interface ReviewChance {
  /** The chance to win, from 0 to 1. */
  readonly win: [number, number]
  readonly points: [number, number]
}

/** One action of one seat, judged by what that seat knew then. */
export interface ReviewDecision {
  /** The log entry, counted from 1: the step of the replay. */
  readonly n: number
  readonly turn: number
  readonly seat: number
  readonly stage: 'opening' | 'turn' | 'second-draw' | 'tunnel-owed' | 'ticket-offer'
  readonly action: string
  readonly forced: boolean
  readonly before: ReviewChance
  readonly after: ReviewChance
  readonly best: string
  readonly cost: [number, number]
  readonly grade: 'none' | 'inaccuracy' | 'mistake' | 'blunder'
  /** Why `best` is good, as hints have it. */
  readonly reason: Record<string, unknown>
  readonly options: readonly ReviewOption[]
  /** By how much the action changed everybody's chance, before chance had its say. */
  readonly choice: readonly number[]
}

/** A finished game, judged: docs/review.md says how. */
export interface ReviewJson {
  readonly format: string
  readonly record: string
  readonly map: string
  readonly map_hash: string
  readonly players: readonly ReviewPlayer[]
  readonly depth: number
  readonly seed: number
  readonly judge: string
  readonly totals: readonly number[]
  readonly winners: readonly number[]
  /** Everybody's chance after the deal and after each log entry. */
  readonly series: readonly (readonly number[])[]
  readonly points: readonly (readonly number[])[]
  readonly decisions: readonly ReviewDecision[]
  readonly luck: readonly ReviewLuck[]
  readonly seats: readonly ReviewSeat[]
}

/** What chance did between two decisions. */
export interface ReviewLuck {
  readonly n: number
  readonly turn: number
  readonly seat: number | null
  readonly cause: 'deal' | 'deck' | 'row' | 'tunnel' | 'tickets' | 'shuffle'
  readonly change: readonly number[]
  readonly error: number
}

/** One of the actions that were compared. */
export interface ReviewOption {
  /** A line, as in a record. */
  readonly action: string
  readonly win: [number, number]
  readonly points: [number, number]
  /** By how much less it wins than the best, in worlds in which both were tried. */
  readonly behind: [number, number]
}

/** Who sat in a seat. */
export interface ReviewPlayer {
  readonly name: string
  readonly bot: string | null
}

/** One seat in all: even + luck + own + others = result. */
export interface ReviewSeat {
  readonly even: number
  readonly luck: number
  readonly own: number
  readonly others: number
  readonly result: number
  readonly accuracy: number
  readonly cost: number
  readonly grades: Readonly<Record<string, number>>
  readonly judged: number
}

/** How far a review is. */
export interface ReviewState {
  /** The table, or `r-` and the hash of the game for a record that somebody sent. */
  readonly game: string
  readonly depth: number
  readonly state: 'none' | 'waiting' | 'running' | 'done' | 'failed'
  /** Steps that have been judged. */
  readonly done: number
  /** Steps in all; 0 where that is not known yet. */
  readonly total: number
  /** Reviews that come first. */
  readonly ahead: number
  /** Why it failed. */
  readonly problem: 'record' | 'too-much' | 'cannot-store' | 'failed' | null
  readonly review: ReviewJson | null
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

export type ServerMessage = HelloMessage | ViewMessage | TableMessage | SayingsMessage | DoneMessage | RefusedMessage | AnswerMessage | AdviceMessage | EntriesMessage | BeatMessage

/** A device on which one is known. */
export interface Session {
  readonly id: string
  /** Browser and system, as far as they are known; may be empty. */
  readonly device: string
  readonly created: number
  /** When it was last used, to the hour. */
  readonly seen: number
  /** Whether it is the one that asks. */
  readonly here: boolean
}

/** Somebody whom nobody is to hear at the table, or whom all may hear again. */
export interface Silence {
  readonly person: string
  readonly silenced: boolean
}

/** Take a seat. */
export interface Sit {
  readonly nonce: string
  /** The colour wanted; a free one without. */
  readonly colour?: 'blue' | 'red' | 'green' | 'yellow' | 'black' | null
  /** What whoever sits here is called, where several people share a device; the person's own name without. */
  readonly name?: string | null
}

/** A person, and what they were called then. */
export interface Somebody {
  readonly person: string
  readonly name: string
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
  /** Whether the owner of a running game is gone for so long that whoever has a seat may own it. */
  readonly ownerless: boolean
  readonly public: boolean
  readonly hints: boolean
  readonly pace: Pace
  readonly bots: 'slow' | 'normal' | 'quick' | 'at-once'
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
  /** Whom the owner keeps away: they may neither sit nor watch. */
  readonly banned: readonly Somebody[]
  /** Whom the owner lets nobody hear. */
  readonly silenced: readonly Somebody[]
  /** The table of the rematch. */
  readonly next: string | null
  /** The challenge whose deal is played here. */
  readonly challenge: string | null
  /** The game that this one goes on from. */
  readonly practice: PracticeInfo | null
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
  /** The challenge whose deal is played here. */
  readonly challenge: string | null
  /** Whether it goes on from a moment of another game. */
  readonly practice: boolean
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

/** What one would do. */
export interface TryPuzzle {
  /** A line, as in a record. */
  readonly action: string
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

/** The whole view after log entry `n`. Numbers follow each other; after a gap, `look` again. `ask` goes back with an action: None if nothing is asked of this seat. `entry` tells what led here, None where a view was asked for. `undo` tells whether this seat may take back its last action, which is then `n`. `tickets` tell how each ticket stands that this seat holds or is offered; with the end `scores` come instead. */
export interface ViewMessage {
  readonly is: 'view'
  readonly n: number
  readonly seat: number | null
  readonly ask: number | null
  readonly entry: Entry | null
  readonly undo: boolean
  readonly deadline: number | null
  readonly view: ViewJson
  readonly tickets: readonly Outlook[]
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
