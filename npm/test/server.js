/** A static host: any folder, isolated or not, as simple hosts are. */

import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.webmanifest': 'application/manifest+json' };

/** Serves the folder; gives its address and how to end it. */
export async function serve(folder, { isolated = false } = {}) {
  const requests = [];
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://host').pathname));
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    requests.push(path);
    if (isolated) {
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    }
    if (path === '/empty') {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>empty</title>');
    } else if (statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
      createReadStream(file).pipe(response);
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    requests,
    end: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A browser, or null with the reason in words. */
export async function launch() {
  let playwright;
  try {
    playwright = await import('playwright-core');
  } catch {
    return { browser: null, missing: 'playwright-core is not installed: npm ci in npm/' };
  }
  for (const executablePath of [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome']) {
    if (executablePath && statSync(executablePath, { throwIfNoEntry: false })) {
      const browser = await playwright.chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
      return { browser, missing: null };
    }
  }
  return { browser: null, missing: 'there is no Chromium' };
}
