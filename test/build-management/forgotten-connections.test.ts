import { expect, it } from 'vitest';
import { openBuildStore } from '@repoless/service/build-management/store/open-store.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import { startNetwork } from '../support/network.ts';
import { startPostgres } from '../support/postgres.ts';

it('build management uses a silent connection at most once', async () => {
  const cluster = await startPostgres();
  const network = await startNetwork({ path: cluster.socket });
  const folder = await temporaryDirectory();
  const through = new URL(await cluster.database());
  through.search = '';
  through.host = `127.0.0.1:${network.port}`;
  const store = await openBuildStore({ dataDir: folder.path, databaseUrl: through.href, log: () => undefined });
  await Promise.all(Array.from({ length: 5 }, () => store.ping()));
  network.forget();
  // Concurrently, as requests that wait for the same network: each finds one of the connections silent.
  const silent = await Promise.allSettled(Array.from({ length: 3 }, () => store.ping()));
  expect(silent.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  // No request used the other two of the five connections; a request that got one of them would fail too.
  await store.ping();
  await store.close();
  await network.close();
  await cluster.stop();
  await folder.remove();
});
