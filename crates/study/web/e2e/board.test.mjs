/** The board in a real browser, from the first line of analysis to a lost server. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import {
  accessibilityFaults, askEngine, copied, drag, dragUntilPlayed, missing, moves, openPage, paste, startBrowser, startServer, tab,
  waitForMoves,
} from './harness.mjs';
import { ANNOTATED, BLUNDERS, BROKEN } from './games.mjs';

let server;
let browser;

if (missing) console.log(`left out: the tests in a browser, since there is ${missing}`);

before(async () => {
  if (missing) return;
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** A test with a page of its own, which must not complain. */
function inPage(name, body, options) {
  test(name, { skip: missing }, async () => {
    const opened = await openPage(browser, server.address, options);
    try {
      await body(opened.page);
      assert.deepEqual(opened.errors, []);
    } finally {
      await opened.close();
    }
  });
}

const shownMove = (page, san) =>
  page.waitForFunction((san) => document.querySelector('.move[aria-current]')?.textContent === san, san);
const lines = (page) => page.locator('.lines .line .pv');

inPage('analyses a position with three lines', async (page) => {
  await page.waitForFunction(() => document.querySelectorAll('.lines .line .pv').length === 3);
  await page.waitForFunction(() => Number(/Depth (\d+)/.exec(document.body.innerText)?.[1]) >= 8);
  assert.equal(await page.locator('cg-container svg.cg-shapes g > *, svg.cg-shapes g > *').count() > 0, true);
  await page.getByRole('button', { name: '5 lines' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.lines .line .pv').length === 5);
  // A line is played by a click on one of its moves.
  await lines(page).first().locator('button').nth(1).click();
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 2);
  // Off is off.
  await page.getByRole('switch').click({ force: true });
  await page.keyboard.press('Home');
  assert.equal(await page.getByRole('switch').isChecked(), false);
});

inPage('sets up a Chess960 position and castles in it', async (page) => {
  await page.getByRole('button', { name: 'Set up a position' }).click();
  await page.getByRole('spinbutton', { name: 'Chess960 position' }).fill('0');
  assert.match(await page.getByRole('textbox', { name: 'FEN' }).inputValue(), /^bbqnnrkr\/pppppppp/);
  await page.getByRole('button', { name: 'Use this position' }).click();
  assert.match(await copied(page, 'FEN'), /^bbqnnrkr\/pppppppp\/8\/8\/8\/8\/PPPPPPPP\/BBQNNRKR w KQkq - 0 1$/);
  assert.match(await copied(page, 'PGN'), /\[Variant "Chess960"\]/);
  await page.waitForFunction(() => document.querySelectorAll('.lines .line .pv').length === 3);
  await paste(page, '4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1');
  await page.waitForFunction(() => document.querySelectorAll('main cg-board piece').length === 4);
  await dragUntilPlayed(page, 'e1', 'g1');
  await waitForMoves(page, ['O-O']);
});

inPage('sets up a position piece by piece, and refuses one that cannot be', async (page) => {
  await page.getByRole('button', { name: 'Set up a position' }).click();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('Not possible: the board is empty').waitFor();
  const board = page.locator('dialog cg-board');
  const box = await board.boundingBox();
  const put = async (piece, file, rank) => {
    await page.getByRole('button', { name: piece, exact: true }).click();
    await board.click({ position: { x: ((file + 0.5) * box.width) / 8, y: ((7.5 - rank) * box.height) / 8 } });
  };
  await put('white king', 4, 0);
  await put('black king', 4, 7);
  await put('white queen', 3, 0);
  await page.getByRole('button', { name: 'Use this position' }).click();
  assert.equal(await copied(page, 'FEN'), '4k3/8/8/8/8/8/8/3QK3 w - - 0 1');
});

inPage('reads a PGN with variations and steps through it', async (page) => {
  await paste(page, ANNOTATED);
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 19);
  await page.getByText('a developing move').waitFor();
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  await shownMove(page, 'Nf3');
  await page.locator('main cg-board').hover();
  await page.mouse.wheel(0, 120);
  await shownMove(page, 'Bc4');
  await page.keyboard.press('Home');
  await page.keyboard.press('End');
  await shownMove(page, 'Nf3#');
  await page.getByText('Checkmate').first().waitFor();
  await page.locator('.variation .move', { hasText: 'Be7' }).click();
  await page.getByRole('button', { name: 'Make this the main line' }).click();
  const pgn = await copied(page, 'PGN');
  assert.match(pgn.replace(/\s+/g, ' '), /2\.\.\. d6 3\. Bc4 \(3\. d4 exd4\) 3\.\.\. Be7/);
  await page.keyboard.press('f');
  await page.locator('main .cg-wrap.orientation-black').waitFor();
});

inPage('says where a PGN is broken, and loads what is good', async (page) => {
  await paste(page, BROKEN);
  await page.getByText('Line 5, column 8').waitFor();
  await page.getByRole('button', { name: /1\. A – B/ }).click();
  await waitForMoves(page, ['e4', 'e5', 'Nf3']);
  await paste(page, 'neither this nor that');
  await page.getByText('There is neither a FEN nor a game').waitFor();
});

inPage('takes moves from the keyboard and tells them to a screen reader', async (page) => {
  await page.keyboard.press('m');
  await page.keyboard.type('e4');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Ke2');
  await page.keyboard.press('Enter');
  await page.getByText('Ke2 is not a legal move here').waitFor();
  await page.locator('[aria-live=polite]', { hasText: 'White: pawn to e4' }).waitFor({ state: 'attached' });
  assert.match(await page.locator('#board-text').innerText(), /pawns a2, b2, c2, d2, f2, g2, h2, e4.*Black to move/);
});

inPage('reviews a game, goes on after a reload, and finds the blunder', async (page) => {
  await paste(page, BLUNDERS);
  await tab(page, 'Review');
  await page.getByRole('button', { name: 'Quick' }).click();
  await page.getByRole('button', { name: 'Review this game' }).click();
  await page.getByRole('progressbar').waitFor();
  await page.waitForFunction(() => document.querySelector('progress')?.value >= 4);
  await page.reload();
  await page.getByRole('button', { name: 'Review again' }).waitFor();
  const blunder = page.locator('.move.blunder', { hasText: 'Qh5' });
  await blunder.waitFor();
  await blunder.click();
  await page.getByText(/Qh5\s+is a blunder/).waitFor();
  await page.locator('.mark.blunder').first().click();
  await page.locator('.curve').click({ position: { x: 5, y: 20 } });
  assert.match(await page.locator('.summary').innerText(), /Accuracy/);
  assert.match(await copied(page, 'PGN'), /6\. Qh5 \$4 \{ \[%eval -/);
});

inPage('plays a whole game against level 800 by dragging', async (page) => {
  await tab(page, 'Play');
  await page.getByRole('slider', { name: 'Strength' }).fill('800');
  await page.getByRole('button', { name: 'White', exact: true }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const state = page.locator('.game-state .state');
  for (let count = 0; count < 150; count++) {
    await page.waitForFunction(() => /Your move|·/.test(document.querySelector('.game-state .state')?.textContent ?? ''));
    if (!/Your move/.test(await state.innerText())) break;
    const fen = await copied(page, 'FEN');
    const move = await askEngine(page, fen, 3000);
    await drag(page, move.slice(0, 2), move.slice(2, 4));
    if (move.length === 5) await page.getByRole('button', { name: 'queen', exact: true }).click();
    await page.waitForFunction((least) => document.querySelectorAll('.moves .move').length >= least, 2 * count + 1);
    if (count === 3) {
      await page.reload();
      await page.waitForSelector('cg-board piece');
    }
  }
  assert.match(await state.innerText(), /Checkmate · 1–0/);
  const played = (await moves(page)).length;
  await page.getByRole('button', { name: 'Review the game' }).click();
  await page.getByRole('progressbar').waitFor();
  assert.equal((await moves(page)).length, played);
});

inPage('takes back, hints, plays a premove, runs the clock and resigns', async (page) => {
  await tab(page, 'Play');
  await page.getByRole('button', { name: '10 + 5' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await dragUntilPlayed(page, 'e2', 'e4');
  // Ahead of the answer.
  await drag(page, 'g1', 'f3');
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length >= 3);
  assert.equal((await moves(page))[2], 'Nf3');
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 4);
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 2);
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.waitForFunction(() => document.querySelectorAll('svg.cg-shapes g > *').length > 0);
  await page.waitForFunction(() => document.querySelector('.player.bottom .clock')?.textContent !== '10:00');
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByText('You resigned · 0–1').waitFor();
});

test('loses the server and regains it', { skip: missing }, async () => {
  const own = await startServer();
  const { page, close } = await openPage(browser, own.address);
  await page.waitForFunction(() => document.querySelectorAll('.lines .line .pv').length === 3);
  await dragUntilPlayed(page, 'd2', 'd4');
  await own.stop();
  await page.locator('.banner', { hasText: 'The connection to the engine is lost' }).waitFor();
  await dragUntilPlayed(page, 'd7', 'd5');
  const again = await startServer(own.port);
  await page.locator('.banner').waitFor({ state: 'detached' });
  await waitForMoves(page, ['d4', 'd5']);
  await page.waitForFunction(() => Number(/Depth (\d+)/.exec(document.body.innerText)?.[1]) >= 5);
  await page.reload();
  await waitForMoves(page, ['d4', 'd5']);
  await close();
  await again.stop();
});

for (const colorScheme of ['light', 'dark']) {
  inPage(`has no serious accessibility fault in ${colorScheme}`, async (page) => {
    await paste(page, ANNOTATED);
    await page.keyboard.press('End');
    for (const name of ['Analyse', 'Play', 'Review']) {
      await tab(page, name);
      if (name === 'Review') {
        await page.getByRole('button', { name: 'Quick' }).click();
        await page.getByRole('button', { name: /Review this game|Go on/ }).click();
        await page.locator('.summary').waitFor();
      }
      assert.deepEqual(await accessibilityFaults(page), [], name);
    }
    await page.getByRole('button', { name: 'Engine settings' }).click();
    assert.deepEqual(await accessibilityFaults(page), [], 'settings');
  }, { colorScheme });
}

inPage('fits a phone', async (page) => {
  await page.waitForFunction(() => document.querySelectorAll('.lines .line .pv').length === 3);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(wide, 0);
  for (const name of ['Play', 'Review', 'Analyse']) {
    await tab(page, name);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, name);
  }
  // Stepping through a long game leaves the board where it is.
  await paste(page, ANNOTATED);
  for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => scrollY), 0);
}, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

inPage('sets options of the engine from its own table', async (page) => {
  await page.getByRole('button', { name: 'Engine settings' }).click();
  await page.getByRole('spinbutton', { name: 'Hash' }).fill('32');
  await page.keyboard.press('Tab');
  assert.equal(await page.getByRole('textbox', { name: 'SyzygyPath' }).count(), 0);
  await page.getByText('The size of the hash table in MiB').waitFor();
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.querySelectorAll('.lines .line .pv').length === 3);
  await page.waitForFunction(() => JSON.parse(localStorage.getItem('rufous.options')).Hash === '32');
});
