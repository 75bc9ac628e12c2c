/** Takes the pictures of the documentation: `node e2e/screenshots.mjs FOLDER`. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { missing, openPage, paste, startBrowser, startServer, tab, drag } from './harness.mjs';
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
  const shot = (mode) => page.screenshot({ path: join(folder, `board-${mode}-${look}.png`) });

  await paste(page, FAMOUS);
  await page.keyboard.press('Home');
  for (let i = 0; i < 22; i++) await page.keyboard.press('ArrowRight');
  await depth(page, 16);
  await shot('analyse');

  await tab(page, 'Review');
  await page.getByRole('button', { name: 'Normal' }).click();
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
  for (const [from, to] of [['e2', 'e4'], ['g1', 'f3'], ['d2', 'd4']]) {
    await page.getByText('Your move').waitFor();
    await drag(page, from, to);
  }
  await page.getByText('Your move').waitFor();
  if (look !== 'phone') await shot('play');
  await close();
}
await browser.close();
await server.stop();
