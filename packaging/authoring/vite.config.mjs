import { defineConfig } from 'vite';

/** The script of the client library: one file without modules, readable where it is installed. */
export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ['repoless-source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2020',
    minify: false,
    lib: { entry: 'site-setup.ts', formats: ['iife'], name: 'repolessSiteSetup', fileName: () => 'site-setup.js' },
  },
});
