import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';
import { LIMITS } from '../contract/limits.ts';

interface Modules {
  getModuleInfo(id: string): { readonly importers: readonly string[] } | null;
}

/**
 * Whether a module is loaded immediately with the first view, and not by an earlier entry point. By default, the bundler splits what the
 * first view shares with later views into dozens of chunks, which are larger together than one.
 */
function isOfFirstView(): (id: string, modules: Modules) => boolean {
  const known = new Map<string, ReadonlySet<string>>();
  const loadedBy = (id: string, modules: Modules): ReadonlySet<string> => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const ways = new Set(ENTRIES.filter((name) => id.endsWith(`/extension/${name}`)));
    // Library modules import each other in cycles: a module that is being visited adds nothing.
    known.set(id, ways);
    for (const importer of modules.getModuleInfo(id)?.importers ?? []) for (const way of loadedBy(importer, modules)) ways.add(way);
    return ways;
  };
  return (id, modules) => {
    const ways = loadedBy(id, modules);
    return ways.size === 1 && ways.has(FIRST_VIEW) && !id.endsWith(FIRST_VIEW);
  };
}

/** Inlines limits as numbers: the table of all of them, most of which only the service uses, would be part of the first view. */
function inlineLimits(): Plugin {
  const values = new Map(Object.entries(LIMITS).map(([name, value]) => [name, String(value)]));
  return {
    name: 'inline-limits',
    apply: 'build',
    transform: (code, id) =>
      id.endsWith('/contract/limits.ts') || id.includes('/node_modules/') || !code.includes('LIMITS.')
        ? null
        : { code: code.replaceAll(/\bLIMITS\.(\w+)\b/g, (found, name: string) => values.get(name) ?? found), map: null },
  };
}

const FIRST_VIEW = 'render-route.tsx';
const ENTRIES = ['main.tsx', 'register.ts', FIRST_VIEW];
const isFirst = isOfFirstView();

/** The web app: static files with relative addresses, so that any host and any path can serve them. */
export default defineConfig({
  base: './',
  plugins: [react(), inlineLimits()],
  json: { namedExports: false },
  resolve: { conditions: ['repoless-source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    // The licenses of the bundled code require that they are passed on.
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: (id, modules) => (isFirst(id, modules) ? 'first' : null), debugName: 'first' }],
        },
      },
    },
  },
});
