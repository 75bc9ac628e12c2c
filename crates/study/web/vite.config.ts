import { defineConfig } from 'vite';

export default defineConfig({
  // Relative addresses, so that a static host may serve the page from any folder.
  base: './',
  build: {
    target: 'es2022',
    // Nothing inline: the Content-Security-Policy allows no data: scripts, and pictures are few.
    assetsInlineLimit: 0,
    // `npm run build` removes the old files; the folder stays, with its .gitignore.
    emptyOutDir: false,
    modulePreload: { polyfill: false },
  },
  server: {
    // `npm run dev` works beside `rufous-study serve`.
    proxy: { '/engine': { target: 'http://127.0.0.1:5757', ws: true, changeOrigin: true, rewriteWsOrigin: true } },
  },
});
