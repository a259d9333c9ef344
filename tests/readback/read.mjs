// Reads an exported collection back with chess.js.
//
// Usage: read.mjs FOLDER
// FOLDER is written by tests/export_readback.rs: expected.json says what the collection holds, in its order.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Chess, validateFen } from 'chess.js'

const folder = process.argv[2]
const text = name => readFileSync(join(folder, name), 'utf8')
const expected = JSON.parse(text('expected.json'))

const games = name => text(name).split(/\n\n(?=\[Event )/).filter(game => game.trim())
const line = words => (words ?? '').replace(/\s+/g, ' ').replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '').trim()

function readPgn(games) {
  assert.equal(games.length, expected.length)
  games.forEach((game, index) => {
    const row = expected[index]
    // positions that no game can have are for readers that take them
    if (!row.possible) return
    const chess = new Chess()
    chess.loadPgn(game)
    assert.equal(chess.fen(), row.fen)
    assert.equal(chess.turn(), row.side)
    assert.equal(chess.history().length, 0)
    const headers = chess.getHeaders()
    const tag = words => line(words).replaceAll('\\', '/').replaceAll('"', "'") || '?'
    assert.equal(headers.Event, tag(row.title ?? row.book))
    assert.equal(headers.Round, tag(row.number))
    assert.equal(headers.SetUp, '1')
    const comment = chess.getComments().map(({ comment }) => comment).join(' ').replace(/\s+/g, ' ')
    const caption = line(row.caption).replaceAll('{', '(').replaceAll('}', ')')
    assert.ok(comment.includes(caption), `${JSON.stringify(caption)} is not in ${JSON.stringify(comment)}`)
  })
}

readPgn(games('book.pgn'))
readPgn(readdirSync(folder).filter(name => /^parts-\d+\.pgn$/.test(name)).sort().flatMap(games))
assert.equal(games('ascii.pgn').length, expected.length)

const fens = text('book.fen').trimEnd().split('\n')
assert.equal(fens.length, expected.length)
fens.forEach((fen, index) => {
  if (!expected[index].possible) return
  assert.deepEqual(validateFen(fen), { ok: true })
  assert.equal(new Chess(fen).fen(), fen)
})
console.log(`readback: ${expected.length} positions came back from PGN and FEN (chess.js)`)
