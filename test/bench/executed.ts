import { startBackend } from '@repoless/service/app.ts';
import { readSettings } from '@repoless/service/config.ts';
import { createLog } from '@repoless/service/log.ts';
import { Session } from 'node:inspector/promises';
import { askOrFail, createFetchHosted } from './ask.ts';
import { getConfig, getSite, putSite, settingsOf, siteName, storeSites } from './backend/start-backend.ts';
import { freePort } from './free-port.ts';
import { withWorkspace } from './workspace.ts';

const WARM = 30;

/** Prints how many of our files and functions a warm request runs; with `--list`, their names. Run: `node test/dist/bench/executed.js`. */
await withWorkspace(async (workspace) => {
  const { storage, token } = await storeSites({ workspace, showProgress: () => undefined }, 20);
  const port = await freePort();
  const backend = await startBackend(readSettings(settingsOf(storage, port)), { log: createLog('error') });
  const ask = createFetchHosted();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  const calls = {
    'PUT a site': () => putSite(siteName(3), token, String(Math.random())),
    'GET a site': () => getSite(siteName(3), token),
    'GET config.json': () => getConfig(siteName(3)),
  };
  try {
    for (const [name, call] of Object.entries(calls)) {
      for (let count = 0; count < WARM; count += 1) await askOrFail(ask, port, call());
      await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
      await askOrFail(ask, port, call());
      const { result } = await session.post('Profiler.takePreciseCoverage');
      await session.post('Profiler.stopPreciseCoverage');
      const own = result.filter(({ url }) => /\/(?<!test\/|sandbox\/)dist\//.test(url) && !url.includes('/node_modules/'));
      const ran = own
        .map(({ url, functions }) => ({
          file: url.replace(/^.*\/([^/]+)\/dist\//, '$1/'),
          functions: functions.filter(({ functionName, ranges: [whole] }) => functionName !== '' && (whole?.count ?? 0) > 0).length,
        }))
        .filter(({ functions }) => functions > 0);
      const functions = ran.reduce((sum, file) => sum + file.functions, 0);
      process.stdout.write(`${name}: ${ran.length} files, ${functions} functions\n`);
      if (process.argv.includes('--list')) for (const one of ran) process.stdout.write(`  ${one.file} ${one.functions}\n`);
    }
  } finally {
    session.disconnect();
    await backend.stop();
  }
});
