import { fileURLToPath } from 'node:url';

import { defineConfig, mergeConfig, type Plugin } from 'vite';

import board from './vite.config';

/** Phones offer to install a page with a manifest. */
const installable: Plugin = {
  name: 'installable',
  transformIndexHtml: () => [{ tag: 'link', attrs: { rel: 'manifest', href: './site.webmanifest' }, injectTo: 'head' }],
};

/** The board with the engine in a worker, for any static host: `make site`. */
export default mergeConfig(
  board,
  defineConfig({
    plugins: [installable],
    resolve: {
      alias: [{ find: /^\.\.\/engine\/default$/, replacement: fileURLToPath(new URL('src/engine/alone.ts', import.meta.url)) }],
    },
    build: { outDir: '../../../target/site', emptyOutDir: true },
  }),
);
