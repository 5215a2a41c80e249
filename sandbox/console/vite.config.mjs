import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const CONSOLE_SERVER = process.env['CONSOLE_SERVER'] ?? 'http://localhost:4012';

/** Built to sandbox/dist/console-web; in development the console's own server runs next to it. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react()],
  resolve: { conditions: ['repoless-source', 'module', 'browser', 'development|production'] },
  build: { outDir: '../dist/console-web', emptyOutDir: true, chunkSizeWarningLimit: 1200 },
  server: {
    port: Number(process.env['CONSOLE_PORT'] ?? 4002),
    strictPort: true,
    proxy: { '^/console/': CONSOLE_SERVER, '^/apps/': CONSOLE_SERVER, '^/author/': CONSOLE_SERVER, '^/preview/': CONSOLE_SERVER },
  },
});
