import { spawn } from 'node:child_process';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, run, say } from './run.mjs';
import { createServer } from 'vite';

const CONSOLE_SERVER = 'http://localhost:4012';
const EXTENSION_PORT = Number(process.env.EXTENSION_PORT ?? 4001);
const SECURE_EXTENSION_PORT = 9080;
const ON_UNIX = process.platform !== 'win32';

/** `npm run dev`: the compiler watches, the backend follows its files, and both web apps update in the open browser. */
export async function develop({ https, service }) {
  say('The compiler watches; the service starts anew when its files change; the web apps change in the open browser.');
  const children = [tool('typescript/bin/tsc', ['-b', 'backend', 'sandbox', '--watch', '--preserveWatchOutput'])];
  process.env.CONSOLE_SERVER = CONSOLE_SERVER;
  const servers = [
    await webApp('extension', { port: EXTENSION_PORT, strictPort: true }),
    await webApp('sandbox/console', { port: Number(process.env.CONSOLE_PORT ?? 4002), strictPort: true }),
  ];
  if (https) {
    const certificate = await developmentCertificate();
    servers.push(
      await webApp(
        'extension',
        { port: SECURE_EXTENSION_PORT, strictPort: true, https: certificate },
        { cache: 'secure', ...(service && { service }) },
      ),
    );
    say(
      `The extension is also at https://localhost:${SECURE_EXTENSION_PORT}, with a certificate of its own. Open that address once and accept it;`,
    );
    say(`then add ?devMode=true&ext=https://localhost:${SECURE_EXTENSION_PORT} to the address of your Universal Editor.`);
  }
  const origins = https ? ['--extension-origin', `https://localhost:${SECURE_EXTENSION_PORT}`] : [];
  children.push(
    spawn(process.execPath, [join(ROOT, 'sandbox/dist/main.js'), '--development', ...origins], { cwd: ROOT, stdio: 'inherit' }),
  );
  await ended(children);
  await Promise.all(servers.map((server) => server.close()));
  process.exit(0);
}

/** The compiler starts a process itself, so it gets a process group that can be ended as one. */
function tool(file, parameters) {
  return spawn(process.execPath, [join(ROOT, 'node_modules', file), ...parameters], { cwd: ROOT, stdio: 'inherit', detached: ON_UNIX });
}

function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  if (ON_UNIX && child.spawnargs.includes('--watch')) process.kill(-child.pid, 'SIGTERM');
  else child.kill('SIGTERM');
}

/** Resolves after the user has interrupted it, or a program has ended, and all have exited. */
async function ended(children) {
  const exited = children.map((child) => new Promise((resolve) => child.once('exit', resolve)));
  const stopped = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve);
  });
  await Promise.race([stopped, ...exited]);
  for (const child of children) end(child);
  await Promise.all(exited);
}

const DAYS = 90;

/** A certificate for localhost, created on first use and stored with the sandbox's data until it expires. */
async function developmentCertificate() {
  const folder = join(ROOT, 'data/certificate');
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const certificate = await stat(cert).catch(() => undefined);
  if (certificate === undefined || certificate.mtimeMs < Date.now() - (DAYS - 1) * 86_400_000) {
    say('Making a certificate for localhost …');
    await mkdir(folder, { recursive: true });
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    await run(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', String(DAYS), '-keyout', key, '-out', cert, ...names],
      'Couldn’t create the certificate: the program "openssl" is missing or too old. Install it (Debian, Ubuntu: apt-get install openssl).',
    );
  }
  return { key: await readFile(key), cert: await readFile(cert) };
}

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
