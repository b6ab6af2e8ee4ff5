import type en from '../en/rules'

export default {
  'rules.title': '怎麼玩',
  'rules.goal': '目標',
  'rules.goal.text':
    '{world, select, city {開著計程車穿越曼哈頓：每佔領一段路線、每完成一張任務卡、每連上一個旅遊景點都能得分，沒完成的任務卡會扣分。} other {鋪出最出色的鐵道網：每佔據一段路線、每完成一張任務卡都能得分，沒完成的任務卡會扣分。}}',
  'rules.pack': '遊戲內容',
  'rules.pack.text':
    '{world, select, city {交通卡} other {車票卡}}共 {cards} 張：{colours} 種顏色各 {each} 張，{world, select, city {計程車卡} other {彩色車票卡}} {wilds} 張。任務卡 {tickets} 張{long, plural, =0 {} other {，其中長程 # 張}}。每人 {cars} {world, select, city {輛計程車} other {節車廂}}{stations, plural, =0 {} other {和 # 座火車站}}。',
  'rules.opening': '開局',
  'rules.opening.text':
    '每人發 {hand} 張{world, select, city {交通卡} other {車票卡}}和 {offered} 張任務卡{long, plural, =0 {} other {（其中一張是長程）}}，再翻開五張{world, select, city {交通卡} other {車票卡}}。所有人同時選擇，至少保留 {keep} 張任務卡，{world, select, city {其餘放到任務卡牌堆底下。} other {其餘移出遊戲。}}',
  'rules.turn': '你的回合',
  'rules.turn.text': '做一件事，然後換下一位：',
  'rules.turn.draw':
    '抽{world, select, city {交通卡} other {車票卡}}。拿兩張：從五張面朝上的裡拿，或從牌堆盲抽。拿面朝上的{world, select, city {計程車卡} other {彩色車票卡}}就算兩張，所以不能當第二張拿；盲抽到的{world, select, city {計程車卡} other {彩色車票卡}}只算一張。面朝上出現三張{world, select, city {計程車卡} other {彩色車票卡}}時，五張全部換新。',
  'rules.turn.claim':
    '{world, select, city {佔領} other {佔據}}路線。路線有幾格，就打出幾張同色的{world, select, city {交通卡} other {車票卡}}；{world, select, city {計程車卡} other {彩色車票卡}}可以當任何顏色，也可以全用它。灰色路線用任一種顏色都行。任何空的路線都可以，不必相連，一回合一段，{world, select, city {計程車} other {車廂}}要夠放滿。',
  'rules.turn.tickets': '抽任務卡。拿 {draw} 張，至少保留一張，其餘放到牌堆底下。保留的不能再退。',
  'rules.turn.station': '建造火車站。第一座一張牌，第二座兩張同色，第三座三張同色。',
  'rules.double': '{world, select, city {雙路線} other {雙線道}}',
  'rules.double.text':
    '同樣兩{world, select, city {個地點} other {座城市}}之間並排的兩條路線。沒有人可以兩條都{world, select, city {佔領} other {佔據}}。{few, plural, =2 {兩人} other {兩三人}}遊戲時，一條有人用，另一條就關閉。',
  'rules.ferry': '渡輪',
  'rules.ferry.text': '有彩色標記的格子要用彩色車票卡，其餘的用任一種顏色。',
  'rules.tunnel': '隧道',
  'rules.tunnel.text':
    '先打出牌，再翻開三張。每翻到一張你的顏色或彩色車票卡，就要多補一張。牌不夠或不想補，可以把牌收回，回合結束。打出之前，我們會告訴你機率。',
  'rules.tunnel.wilds': '全部用彩色車票卡打出時，只有翻到彩色車票卡才要補，也只能用彩色車票卡補。',
  'rules.station': '火車站',
  'rules.station.text':
    '結算任務時，火車站讓你借用一段別人通往那座城市的路線，所有任務都用同一段。每座城市只能有一座火車站，不論是誰建的。你有 {stations} 座；沒建的每座得 {spared} 分。',
  'rules.trail': '最長路線',
  'rules.trail.text':
    '自己的路線首尾相連最長的一段，以車廂數計算。可以再次經過同一座城市，但每段路線只算一次。最長的人得 {trail} 分，並列的每人都得。火車站借用的路線不算。',
  'rules.sights': '旅遊景點',
  'rules.sights.text':
    '有星星的地點是旅遊景點。你的路線每連上一個景點，結算時得一分；同一個景點只算一次，好幾個人可以同時得分。',
  'rules.points': '路線得分',
  'rules.points.text': '路線越長越值錢：',
  'rules.points.length': '格數',
  'rules.points.points': '分數',
  'rules.end': '遊戲結束',
  'rules.end.text':
    '有人回合結束時只剩 {last} {world, select, city {輛計程車} other {節車廂}}或更少，包含這位玩家在內，每個人再進行一回合。然後公開所有任務卡：完成的加分，沒完成的扣分{world, select, city {，每連上一個旅遊景點再加一分。} other {；再加上沒建的火車站和最長路線的分數。}}',
  'rules.tie':
    '同分時，完成較多任務卡的人獲勝{world, select, city {。} other {；再比誰建的火車站少，再比最長路線。}}全都相同則並列獲勝。',
  'rules.cited': '規則編號',
  'rules.cited.text': '動作被拒絕時，可以依編號在這裡查到原因。',
  'rules.play': '馬上開始',
} satisfies Record<keyof typeof en, string>
