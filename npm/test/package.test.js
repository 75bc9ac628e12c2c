/** The package as others get it: from its tarball, in Node and through Vite into a page. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { launch, serve } from './server.js';
import { builds, has } from './support.js';

const folder = fileURLToPath(new URL('..', import.meta.url));
const skip = builds[0].skip || (has('rufous-threads.wasm') ? false : 'rufous-threads.wasm is not built: make wasm');
const npm = (cwd, ...args) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const run = (cwd, ...args) => execFileSync(process.execPath, args, { cwd, encoding: 'utf8' });

/** The examples of the README, by language. */
function examples(language) {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  return [...readme.matchAll(/```(\w+)\n([^]*?)```/g)].filter((found) => found[1] === language).map((found) => found[2]);
}

suite('the package', { skip }, () => {
  const project = mkdtempSync(join(tmpdir(), 'rufous-'));
  after(() => rmSync(project, { recursive: true, force: true }));
  const tarball = npm(project, 'pack', folder, '--silent').trim().split('\n').at(-1);
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  npm(project, 'install', '--no-audit', '--no-fund', '--prefer-offline', `./${tarball}`);

  test('has everything and nothing else', () => {
    const files = readdirSync(join(project, 'node_modules/rufous')).sort();
    const expected = ['LICENSE', 'NETWORK.md', 'README.md', 'cli.js', 'index.d.ts', 'index.js', 'package.json', 'rufous-threads.wasm', 'rufous.js', 'rufous.nnue.gz', 'rufous.wasm'];
    assert.deepEqual(files, expected.sort());
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const cargo = readFileSync(join(folder, '../Cargo.toml'), 'utf8');
    assert.equal(version, cargo.match(/^version = "(.*)"$/m)[1], 'the version is that of the workspace');
  });

  test('its examples run in Node', () => {
    const [first, second] = examples('js').map((example, index) => {
      writeFileSync(join(project, `example-${index}.js`), example);
      return run(project, `example-${index}.js`);
    });
    assert.match(first, /f3f7\n$/);
    assert.match(second, /\[ '[a-h][1-8][a-h][1-8]'/);
    assert.match(run(project, 'node_modules/rufous/cli.js', 'go', 'perft', '3'), /8902/);
  });

  test('its example runs in a page, straight and through Vite', async (context) => {
    const { browser, missing } = await launch();
    if (missing) return context.skip(missing);
    context.after(() => browser.close());
    /** What the page says on its console until this. */
    const listen = async (address, until) => {
      const page = await browser.newPage();
      const lines = [];
      await new Promise((resolve, reject) => {
        page.on('console', (message) => {
          lines.push(message.text());
          if (until.test(message.text())) resolve();
        });
        page.on('pageerror', reject);
        page.goto(address).catch(reject);
      });
      await page.close();
      return lines;
    };

    const straight = join(project, 'straight');
    mkdirSync(straight);
    execFileSync('cp', ['-r', join(project, 'node_modules/rufous'), straight]);
    writeFileSync(join(straight, 'index.html'), `<!doctype html><title>Rufous</title>${examples('html')[0]}`);
    const plain = await serve(straight);
    context.after(plain.end);
    assert.ok((await listen(`${plain.address}/`, /^bestmove/)).includes('uciok'));

    const site = join(project, 'site');
    mkdirSync(site);
    writeFileSync(join(site, 'index.html'), '<!doctype html><title>Rufous</title><script type="module" src="main.js"></script>');
    writeFileSync(join(site, 'main.js'), examples('js')[0]);
    writeFileSync(join(site, 'vite.config.js'), `${examples('ts')[0]}`);
    let vite;
    try {
      vite = fileURLToPath(new URL('./bin/vite.js', import.meta.resolve('vite/package.json')));
    } catch {
      return context.skip('vite is not installed: npm ci in npm/');
    }
    for (const isolated of [false, true]) {
      run(site, vite, 'build', '--logLevel', 'error', '--base', './');
      const built = await serve(join(site, 'dist'), { isolated });
      context.after(built.end);
      assert.equal((await listen(`${built.address}/`, /^[a-h][1-8][a-h][1-8]$/)).at(-1), 'f3f7');
      const wanted = isolated ? /rufous-threads.*\.wasm/ : /rufous-(?!threads).*\.wasm/;
      assert.ok(built.requests.some((path) => wanted.test(path)), built.requests.join(' '));
      assert.equal(built.requests.filter((path) => path.endsWith('.wasm')).length, 1, 'one build is loaded');
    }
  });
});
