// A bot for cardhub in JavaScript: Node, and no package but its own.
//
//     cardhub play gargon --seat Anna=human --seat Bob="cmd:node examples/bots/simple_bot.js"
//
// It plays every game by random legal actions, and Gargon by the values of cards. cardhub writes one
// JSON object on a line, and so does the bot; it has to answer `hello` and `turn`. The whole
// protocol is in docs/bot-protocol.md.
'use strict'

const readline = require('node:readline')

const PROTOCOL = 1

/** Return a function for numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
function generator(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Plays one game after another and keeps the state of the current game only. */
class SimpleBot {
  /** Begin a game; with the same seed the bot chooses the same actions. */
  sitDown(message) {
    this.game = message.game
    this.random = generator(message.seed)
    this.fields = new Map(message.cards.map((card) => [card.card, card.fields]))
  }

  /** Return the number of a legal action. */
  choose(turn) {
    const numbers = turn.legal.map((action) => action.action)
    if (this.game === 'gargon') {
      const lays = turn.legal.filter((action) => action.notation.startsWith('lay '))
      if (lays.length > 0) return this.highest(lays).action
    }
    return numbers[Math.floor(this.random() * numbers.length)]
  }

  /** Return the action that lays the card of the highest value, the first of equal ones. */
  highest(lays) {
    const value = (action) => this.fields.get(action.notation.split(/[ #]/)[1]).value
    return lays.reduce((best, action) => (value(action) > value(best) ? action : best))
  }
}

const bot = new SimpleBot()

/** Return the answer to a message, undefined if it needs none. */
function answer(message) {
  if (message.type === 'hello') return { name: 'simple bot', protocol: PROTOCOL }
  if (message.type === 'game') bot.sitDown(message)
  if (message.type === 'turn') return { action: bot.choose(message) }
  return undefined
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const told = answer(JSON.parse(line))
  if (told !== undefined) process.stdout.write(JSON.stringify(told) + '\n')
})
