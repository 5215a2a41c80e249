import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The web app: static files with relative addresses, so that any host and any path can serve them. */
export default defineConfig({
  base: './',
  plugins: [react()],
  resolve: { conditions: ['repoless-source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: '../dist/extension-web',
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
  },
});
