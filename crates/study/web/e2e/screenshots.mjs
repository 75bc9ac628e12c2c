/** Takes the pictures of the documentation: `node e2e/screenshots.mjs FOLDER`. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { askEngine, copied, drag, missing, openPage, paste, startBrowser, startServer, tab } from './harness.mjs';
import { FAMOUS } from './games.mjs';

const folder = process.argv[2];
if (!folder || missing) throw new Error(missing ? `there is ${missing}` : 'a folder is wanted');
mkdirSync(folder, { recursive: true });

const LOOKS = {
  wide: { viewport: { width: 1180, height: 740 }, colorScheme: 'light' },
  dark: { viewport: { width: 1180, height: 740 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true, isMobile: true },
};

const depth = (page, least) =>
  page.waitForFunction((least) => Number(/Depth (\d+)/.exec(document.body.innerText)?.[1]) >= least, least);

const [server, browser] = await Promise.all([startServer(), startBrowser()]);
for (const [look, options] of Object.entries(LOOKS)) {
  const { page, close } = await openPage(browser, server.address, options);
  const shot = async (mode) => {
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: join(folder, `board-${mode}-${look}.png`) });
  };

  await paste(page, FAMOUS);
  await page.keyboard.press('Home');
  for (let i = 0; i < 22; i++) await page.keyboard.press('ArrowRight');
  await depth(page, 16);
  await shot('analyse');

  await tab(page, 'Review');
  await page.getByRole('button', { name: 'Quick' }).click();
  await page.getByRole('button', { name: 'Review this game' }).click();
  await page.getByRole('button', { name: 'Review again' }).waitFor({ timeout: 900_000 });
  await page.locator('.move.mistake, .move.blunder').first().click();
  await shot('review');

  await page.getByRole('button', { name: 'New board' }).click();
  await tab(page, 'Play');
  await page.getByRole('slider', { name: 'Strength' }).fill('1500');
  await page.getByRole('button', { name: '5 + 3' }).click();
  if (look === 'phone') await shot('play');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  for (let count = 0; count < 6; count++) {
    await page.waitForFunction((least) => document.querySelectorAll('.moves .move').length >= least, 2 * count);
    const move = await askEngine(page, await copied(page, 'FEN'), 20_000);
    await drag(page, move.slice(0, 2), move.slice(2, 4));
  }
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length >= 12);
  if (look !== 'phone') await shot('play');
  await close();
}
await browser.close();
await server.stop();
