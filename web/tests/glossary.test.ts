/** The words as a Taiwanese and a mainland player would write them: what must not stand there, and what must. */
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { describe, expect, it } from 'vitest'
import { spaced, spacedAround } from '../src/text/spacing'
import hans from '../src/text/zh-Hans'
import hansCited from '../src/text/zh-Hans/cited'
import hant from '../src/text/zh-Hant'
import hantCited from '../src/text/zh-Hant/cited'
import { both } from './maps'

type World = 'rail' | 'city'
const chinese = { 'zh-Hans': { ...hans, ...hansCited }, 'zh-Hant': { ...hant, ...hantCited } } as const

/** Every sentence a message can become in a world; `value` stands for what is filled in. */
function sentences(text: string, world: World, value: (name: string) => string): string[] {
  const said = (parts: readonly MessageFormatElement[]): string[] =>
    parts.reduce<string[]>(
      (before, part) => {
        const next = one(part)
        return before.flatMap((head) => next.map((tail) => head + tail))
      },
      [''],
    )
  const one = (part: MessageFormatElement): string[] => {
    if (part.type === TYPE.literal) return [part.value]
    if (part.type === TYPE.pound) return ['3']
    if (part.type === TYPE.select && part.value === 'world')
      return said((part.options[world] ?? part.options['other'])!.value)
    if (part.type === TYPE.select || part.type === TYPE.plural)
      return Object.values(part.options).flatMap((option) => said(option.value))
    return [value('value' in part ? part.value : '')]
  }
  return said(parse(text, { ignoreTag: true }))
}
const numbers = new Set(['n', 'of', 'points', 'cars', 'cards', 'tickets', 'more', 'offered', 'time', 'kept'])
const latin = (name: string): string => (numbers.has(name) ? '3' : 'Mei')
const han = (name: string): string => (numbers.has(name) ? '3' : '小美')

/** Messages that are said in Europe alone, about the whole house, or of both games at once. */
const notInNewYork =
  /^(app|lang|R\d|rules\.(station|trail|tunnel|ferry|turn\.station)|station|tunnel|kind)\b|stations?\b|why\.(no-city|city-taken|owed|tunnel|opening-keep)|end\.(step|col)\.trail|end\.by|draw\.station/

const notInEurope = /^(R\d|rules\.sights)/
/** New York has neither, so nothing of them is ever said there. */
const europe = /火[车車]站|渡[轮輪]/

const never: Readonly<Record<keyof typeof chinese, Readonly<Record<'both' | World, RegExp>>>> = {
  'zh-Hans': {
    both: /旅游|桌主|桌子|牌桌|这一桌|代码|达成|夜行|随性|他还在|您|占据|代行|失效|走过|放弃|万用|黄铜|铁轨/,
    rail: /交通卡|出租车|地点/,
    city: /铁路|车票|彩虹|车厢|火车|城市/,
  },
  'zh-Hant': {
    both: /隨興|約略|輪到他|他還在|您|占領|占據|萬用|黃銅|收回(了)?上一|這裡蓋|程度/,
    rail: /交通卡|計程車|地點/,
    city: /鐵道|車票|彩色|車廂|火車|城市/,
  },
}

describe.each(Object.entries(chinese))('the words of %s', (lang, texts) => {
  const entries = Object.entries(texts).filter(([key]) => !key.startsWith('lang.'))
  it('avoid what nobody says', () => {
    const { both: anywhere } = never[lang as keyof typeof chinese]
    expect(entries.filter(([, text]) => anywhere.test(text))).toEqual([])
  })
  it.each(['rail', 'city'] as const)('speak of the map that is played: %s', (world) => {
    const wrong = never[lang as keyof typeof chinese][world]
    const found = entries
      .filter(([key]) => !(world === 'city' ? notInNewYork : notInEurope).test(key))
      .flatMap(([key, text]) =>
        sentences(text, world, han)
          .filter((said) => wrong.test(said) && !(world === 'city' && europe.test(said)))
          .map((said) => [key, said]),
      )
    expect(found).toEqual([])
  })
  it('have a space between Chinese and Latin letters or numerals, and none between Chinese and Chinese', () => {
    for (const [key, text] of entries) {
      // What is said as it stands is written so; what is filled in is spaced when it is said.
      if (!text.includes('{')) expect(spaced(text), key).toBe(text)
      for (const world of ['rail', 'city'] as const)
        for (const fill of [latin, han])
          for (const said of sentences(text, world, fill)) {
            const shown = spacedAround(said, [])
            expect(shown, key).not.toMatch(/\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u)
            expect(shown, key).not.toMatch(/\p{Script=Han} +\p{Script=Han}/u)
          }
    }
  })
  it('have full-width stops, commas, colons and brackets', () => {
    const half = /\p{Script=Han}[,.;:!?()]|[,;:!?()]\p{Script=Han}/u
    for (const [key, text] of entries)
      for (const said of sentences(text, 'rail', han)) expect(said, key).not.toMatch(half)
  })
})

it('keeps a name as its owner writes it', () => {
  expect(spacedAround('轮到小A', ['小A'])).toBe('轮到小A')
  expect(spacedAround('轮到Mei', ['Mei'])).toBe('轮到 Mei')
  expect(spacedAround('轮到 小美', ['小美'])).toBe('轮到小美')
  expect(spaced('2 张红色和1 张彩虹票')).toBe('2 张红色和 1 张彩虹票')
})

it('says in Simplified what was asked for', () => {
  expect(hans).toMatchObject({
    'home.create': '新开一桌',
    'home.mine': '我的对局',
    'home.open': '公开房间',
    'table.owner': '房主',
    'home.code': '房间号',
    'bot.regular': '电脑（普通）',
    'bot.random': '电脑（随机）',
    'settings.theme.night': '夜间',
    'end.check': '洗牌公平性验证',
    'play.abandoned': '本局已中止。',
    'table.away': '离线',
    'why.not-absent': '对方还在线。',
    'seats.points': '路线得分',
    'claim.can': '可占领',
    'tickets.missed': '未完成',
  })
  expect(hans['log.claimed']).toContain('占领 {a} – {b}')
  expect(hans['guide.keep']).toContain('尽量挑路线能共用的')
  expect(hans['guide.claim']).toContain('带金边的路线现在就能占领')
  expect(hans['rules.goal.text']).toContain('建起最出色的铁路网')
  expect(hans['play.handToBot']).toContain('托管')
})

it('says in Traditional what was asked for', () => {
  expect(hant).toMatchObject({
    'play.undo': '復原',
    'home.level': '難度',
    'table.alsoSit': '在這台裝置加一人',
    'claim.odds.about': '（估計）',
    'bot.random': '隨機電腦',
    'seats.onTurn': '行動中',
  })
  expect(sentences(hant['play.what.turn'], 'city', han)[0]).toContain('交通卡')
})

it.each(both)('the names of $id are Chinese, in both ways of writing', ({ cities }) => {
  for (const { id, name } of cities)
    for (const lang of ['zh-Hant', 'zh-Hans'] as const) expect(name[lang], id).toMatch(/^[\p{Script=Han}·]+$/u)
})
