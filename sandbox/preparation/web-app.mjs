import { join } from 'node:path';
import { createServer } from 'vite';
import { ROOT } from './run.mjs';

/** The sandbox's own service. */
const SERVICE = `http://localhost:${process.env.BACKEND_PORT ?? 4000}`;

/**
 * Serves a web app from its sources, including changes. Takes its folder, the address to listen on, a name for its cache, and the service
 * that the extension calls.
 */
export async function webApp(folder, server, { cache = 'plain', service = SERVICE } = {}) {
  const app = await createServer({
    root: join(ROOT, folder),
    configFile: join(ROOT, folder, folder === 'extension' ? 'vite.config.ts' : 'vite.config.mjs'),
    cacheDir: join(ROOT, 'node_modules/.vite', `${folder.replace('/', '-')}-${cache}`),
    server: { host: 'localhost', ...server },
    plugins: folder === 'extension' ? [settingsBeside({ service })] : [],
    logLevel: 'warn',
  });
  await app.listen();
  return app;
}

/** The settings that a deployment puts next to the built files, for the panel in a separate window. */
function settingsBeside(settings) {
  return {
    name: 'settings-beside',
    configureServer: ({ middlewares }) => {
      // Over HTTP/2, which HTTPS brings, `setHeader` returns nothing to chain calls on.
      middlewares.use('/settings.json', (_request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(settings));
      });
    },
  };
}
