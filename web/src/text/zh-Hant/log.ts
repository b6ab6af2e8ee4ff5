import type en from '../en/log'

export default {
  'log.title': '紀錄',
  'log.chat': '聊天',
  'log.seats': '玩家',
  'log.none': '還沒有發生什麼事。',
  'log.start': '{map}的遊戲開始了。',
  'log.answered': '{you, select, yes {你} other {{name}}}選好了起始任務卡。',
  'log.kept': '{you, select, yes {你} other {{name}}}{offered, plural, =0 {} other {從 # 張裡}}保留了 {n} 張任務卡。',
  'log.drawn': '{you, select, yes {你} other {{name}}}從牌堆抽了{card, select, hidden {一張牌} other {{card}}}。',
  'log.taken': '{you, select, yes {你} other {{name}}}拿了{card}。',
  'log.reset': '面朝上出現三張{world, select, city {計程車卡} other {彩色車票卡}}，全部換新。',
  'log.reshuffled': '棄牌重新洗成 {n} 張的牌堆。',
  'log.offered': '{you, select, yes {你} other {{name}}}抽了 {n} 張任務卡。',
  'log.laid': '{you, select, yes {你} other {{name}}}打出{cards}，挑戰隧道 {a} – {b}。',
  'log.turned': '翻開：{cards}。',
  'log.owed': '{n, plural, =0 {不用補牌。} other {要補 # 張。}}',
  'log.takenBack': '{you, select, yes {你} other {{name}}}把牌收回。',
  'log.claimed':
    '{you, select, yes {你} other {{name}}}用{cards}{world, select, city {佔領} other {佔據}}了 {a} – {b}，得 {points} 分。',
  'log.built': '{you, select, yes {你} other {{name}}}用{cards}在{city}建了火車站。',
  'log.passed': '{you, select, yes {你} other {{name}}}無事可做，跳過。',
  'log.lastRound':
    '{you, select, yes {你} other {{name}}}的{world, select, city {計程車} other {車廂}}快用完了：每個人再進行一回合。',
  'log.ended': '遊戲結束。',
  'log.undo': '{you, select, yes {你} other {{name}}}復原了上一個動作。',
  'log.abandon': '本局已中止。',
  'log.turn': '第 {n} 回合：{you, select, yes {你} other {{name}}}',
  'log.clock': '（時間到，由電腦代打）',
  'log.standIn': '（電腦代打）',
  'log.fallback': '（電腦出錯，隨意選了合法動作）',
} satisfies Record<keyof typeof en, string>
