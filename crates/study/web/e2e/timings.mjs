/** How long it takes from the start of the program to a page that can be used, and from a position to its first line. */

import { missing, startBrowser, startServer } from './harness.mjs';

if (missing) throw new Error(`there is ${missing}`);

const ROUNDS = Number(process.argv[2] ?? 10);
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)].toFixed(0);

const browser = await startBrowser();
const [listening, usable, firstLine] = [[], [], []];
for (let round = 0; round < ROUNDS; round++) {
  const begun = performance.now();
  const server = await startServer();
  listening.push(performance.now() - begun);
  const page = await browser.newPage();
  await page.goto(server.address);
  // The page is drawn and the handshake with its engine is done.
  await page.waitForFunction(() => document.querySelector('.figures')?.textContent?.includes('Depth'), null, { polling: 5 });
  usable.push(performance.now() - begun);
  // From a move on the board to the first line about the new position, as the page sees it.
  const waited = await page.evaluate(async () => {
    const input = document.querySelector('#move-input');
    const results = [];
    for (const move of ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6']) {
      const begun = performance.now();
      input.value = move;
      input.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise(requestAnimationFrame);
      input.form.requestSubmit();
      await new Promise((resolve) => {
        const look = () => {
          const shown = document.querySelector('.line .pv')?.textContent ?? '';
          const count = document.querySelectorAll('.moves .move').length;
          const number = count % 2 === 1 ? `${Math.ceil(count / 2)}…` : `${count / 2 + 1}.`;
          if (shown.startsWith(number)) resolve();
          else setTimeout(look, 2);
        };
        look();
      });
      results.push(performance.now() - begun);
    }
    return results;
  });
  firstLine.push(...waited);
  await page.close();
  await server.stop();
}
await browser.close();
console.log(`medians of ${ROUNDS} rounds in milliseconds: listening ${median(listening)}, page usable with its first line ${median(usable)}, first line after a move ${median(firstLine)}`);
