import type en from '../en/rules'

export default {
  'rules.title': '玩法说明',
  'rules.goal': '目标',
  'rules.goal.text':
    '{world, select, city {开着出租车穿越曼哈顿：每占领一条路线、每完成一张任务牌、每连上一个景点都能得分，未完成的任务牌要扣分。} other {建起最出色的铁路网：每占领一条路线、每完成一张任务牌都能得分，未完成的任务牌要扣分。}}',
  'rules.pack': '游戏内容',
  'rules.pack.text':
    '{world, select, city {交通卡} other {车票}}共 {cards} 张：{colours} 种颜色各 {each} 张，{world, select, city {出租车} other {彩虹票}} {wilds} 张。任务牌 {tickets} 张{long, plural, =0 {} other {，其中长程 # 张}}。每人 {cars} {world, select, city {辆出租车} other {节车厢}}{stations, plural, =0 {} other {和 # 座火车站}}。',
  'rules.opening': '开局',
  'rules.opening.text':
    '每人发 {hand} 张{world, select, city {交通卡} other {车票}}和 {offered} 张任务牌{long, plural, =0 {} other {（其中一张是长程）}}，再翻开五张{world, select, city {交通卡} other {车票}}。所有人同时选择，至少留下 {keep} 张任务牌，{world, select, city {其余放到任务牌堆底。} other {其余移出游戏。}}',
  'rules.turn': '你的回合',
  'rules.turn.text': '做一件事，然后轮到下一位：',
  'rules.turn.draw':
    '抽{world, select, city {交通卡} other {车票}}。拿两张：从五张面朝上的里拿，或者从抽牌堆盲抽。拿面朝上的{world, select, city {出租车} other {彩虹票}}就算两张，所以它不能当第二张拿；盲抽到的{world, select, city {出租车} other {彩虹票}}只算一张。面朝上出现三张{world, select, city {出租车} other {彩虹票}}时，五张全部换新。',
  'rules.turn.claim':
    '占领路线。路线有几格，就打出几张同色的{world, select, city {交通卡} other {车票}}；{world, select, city {出租车} other {彩虹票}}可以当任何颜色，也可以全用它。灰色路线用任意一种颜色都行。任何未占领的路线都可以，不必相连，每回合一条，{world, select, city {出租车} other {车厢}}要够放满。',
  'rules.turn.tickets': '抽任务牌。拿 {draw} 张，至少留下一张，其余放到牌堆底。留下的不能再退。',
  'rules.turn.station': '建造火车站。第一座一张票，第二座两张同色，第三座三张同色。',
  'rules.double': '双线',
  'rules.double.text':
    '同样两{world, select, city {个地点} other {座城市}}之间并排的两条路线。一个人不能两条都占领。{few, plural, =2 {两人} other {两三人}}游戏时，一条被占领，另一条就关闭。',
  'rules.ferry': '渡轮',
  'rules.ferry.text': '有彩虹标记的格子要用彩虹票，其余的用任意一种颜色。',
  'rules.tunnel': '隧道',
  'rules.tunnel.text':
    '先打出车票，再翻开三张。每翻到一张你的颜色或彩虹票，就要多补一张。票不够或不想补，可以收回，回合结束。打出之前，我们会告诉你概率。',
  'rules.tunnel.wilds': '全部用彩虹票打出时，只有翻到彩虹票才要补，也只能用彩虹票补。',
  'rules.station': '火车站',
  'rules.station.text':
    '结算任务时，火车站让你借用其他玩家通到那座城市的一条路线，所有任务都用同一条。每座城市只能有一座火车站，不论是谁建的。你有 {stations} 座；没建的每座得 {spared} 分。',
  'rules.trail': '最长路线',
  'rules.trail.text':
    '自己的路线首尾相连最长的一段，按车厢数计算。可以再次经过同一座城市，但每条路线只算一次。最长的人得 {trail} 分，并列的每人都得。火车站借用的路线不算。',
  'rules.sights': '景点',
  'rules.sights.text':
    '带星标的地点是景点。你的路线每连上一个景点，结算时得一分；同一个景点只算一次，几个人可以同时得分。',
  'rules.points': '路线得分',
  'rules.points.text': '路线越长分越高：',
  'rules.points.length': '格数',
  'rules.points.points': '分数',
  'rules.end': '游戏结束',
  'rules.end.text':
    '有人回合结束时只剩 {last} {world, select, city {辆出租车} other {节车厢}}或更少，包括这位玩家在内，每人再进行一回合。然后公开所有任务牌：完成的加分，未完成的扣分{world, select, city {，每连上一个景点再加一分。} other {；再加上没建的火车站和最长路线的分数。}}',
  'rules.tie':
    '同分时，完成任务牌多的人获胜{world, select, city {。} other {；再比谁建的火车站少，再比最长路线。}}全都相同则并列获胜。',
  'rules.cited': '规则编号',
  'rules.cited.text': '操作被拒绝时，可以按编号在这里查到原因。',
  'rules.play': '开始游戏',
} satisfies Record<keyof typeof en, string>
