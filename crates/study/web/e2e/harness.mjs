/** Starts the server and a browser, and knows its way about the page. */

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '../../../..');
const PROGRAM = process.env.RUFOUS_STUDY ?? join(ROOT, 'target/debug/rufous-study');
const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Nothing takes so long; only a test that fails waits for it. */
export const PATIENCE = 90_000;

/** Why the tests cannot run here, if so. */
export const missing = !existsSync(BROWSER)
  ? `no browser at ${BROWSER} (Debian's package chromium)`
  : !existsSync(PROGRAM)
    ? `no program at ${PROGRAM} (make study, or cargo build -p rufous-study)`
    : false;

export async function startServer(port = 0, ...more) {
  const child = spawn(PROGRAM, ['serve', '--no-store', '--port', String(port), ...more], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (data) => {
      text += data;
      const found = /http:\/\/[^\s]+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.on('exit', () => reject(new Error(`the server ended: ${text}`)));
  });
  const stop = () =>
    new Promise((resolve) => {
      if (child.exitCode !== null) return resolve();
      child.on('exit', resolve);
      child.kill();
    });
  return { address, port: Number(new URL(address).port), pid: child.pid, stop };
}

export function startBrowser() {
  return chromium.launch({
    executablePath: BROWSER,
    args: [
      '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage',
    ],
  });
}

/** A page with nothing in its storage; `errors` has what its console complained of. */
export async function openPage(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(address).origin });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    // A server that is gone is what some tests want.
    if (message.type() === 'error' && !/ERR_CONNECTION_REFUSED|WebSocket/.test(message.text())) errors.push(message.text());
  });
  await page.goto(address);
  await page.waitForSelector('cg-board piece');
  return { page, errors, close: () => context.close() };
}

export const tab = (page, name) => page.getByRole('tab', { name }).click();

export const moves = (page) => page.locator('.moves .move').allInnerTexts();

/** Drags a piece from square to square, as a hand would. */
export async function drag(page, from, to) {
  const box = await page.locator('main cg-board').boundingBox();
  const flipped = await page.locator('main .cg-wrap.orientation-black').count();
  const centre = (square) => {
    const [file, rank] = [square.charCodeAt(0) - 97, square.charCodeAt(1) - 49];
    const [x, y] = flipped ? [7 - file, rank] : [file, 7 - rank];
    return [box.x + ((x + 0.5) * box.width) / 8, box.y + ((y + 0.5) * box.height) / 8];
  };
  await page.mouse.move(...centre(from));
  await page.mouse.down();
  await page.mouse.move(...centre(to), { steps: 3 });
  await page.mouse.up();
}

/** Waits until these are the moves of the game. */
export const waitForMoves = (page, expected) =>
  page.waitForFunction(
    (text) => [...document.querySelectorAll('.moves .move')].map((move) => move.innerText).join(' ') === text,
    expected.join(' '),
  );

/** Drags until the move is played: a board that has just got a new position may not take moves at once. */
export async function dragUntilPlayed(page, from, to) {
  const before = (await moves(page)).length;
  const isPlayed = () =>
    page
      .waitForFunction((count) => document.querySelectorAll('.moves .move').length > count, before, { timeout: 2000 })
      .then(() => true, () => false);
  const end = Date.now() + PATIENCE;
  do await drag(page, from, to);
  while (!(await isPlayed()) && Date.now() < end);
}

export async function paste(page, text) {
  await page.getByRole('button', { name: 'Paste a game or a position' }).click();
  await page.getByRole('textbox', { name: 'FEN or PGN' }).fill(text);
  await page.getByRole('button', { name: 'Load' }).click();
}

/** What a button puts into the clipboard. */
export async function copied(page, what) {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.locator('.tools .text-button').nth(what === 'FEN' ? 0 : 1).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Asks an engine of its own, over the page's origin, for a move. */
export function askEngine(page, fen, nodes) {
  return page.evaluate(
    async ({ fen, nodes }) => {
      window.adviser ??= await new Promise((resolve) => {
        const socket = new WebSocket(new URL('engine', location.href).href.replace('http', 'ws'));
        socket.onopen = () => resolve(socket);
      });
      return new Promise((resolve) => {
        window.adviser.onmessage = ({ data }) => {
          const best = /bestmove (\S+)/.exec(data);
          if (best) resolve(best[1]);
        };
        window.adviser.send(`position fen ${fen}`);
        window.adviser.send(`go nodes ${nodes}`);
      });
    },
    { fen, nodes },
  );
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Serious faults that axe-core finds. The page's own policy allows no foreign script, but the debugger may run one. */
export async function accessibilityFaults(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run(document));
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
