/** The site: the board with the engine inside, on a static host that knows nothing of it. */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { launch, serve } from './server.js';
import { root } from './support.js';

const site = join(root, 'target/site');
const { browser, missing } = existsSync(join(site, 'sw.js')) ? await launch() : { missing: 'there is no target/site: make site' };

test('the site analyses, and does so again without a network and with threads', { skip: missing ?? false }, async (context) => {
  context.after(() => browser.close());
  const server = await serve(site);
  const page = await (await browser.newContext()).newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(error));
  const analysed = () => page.waitForFunction(() => /depth\s*\d\d/i.test(document.body.innerText), null, { timeout: 0 });
  await page.goto(`${server.address}/`);
  await analysed();
  assert.equal(await page.evaluate(() => self.crossOriginIsolated), false);

  // Everything is kept from here on.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  server.end();
  await page.reload();
  await analysed();
  assert.equal(await page.evaluate(() => self.crossOriginIsolated), true);
  assert.deepEqual(errors, []);
});
