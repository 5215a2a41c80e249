import { once } from 'node:events';
import { startBackend } from '@repoless/service/app.ts';
import { readSettings } from '@repoless/service/config.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { withoutStoring } from './no-store.ts';

/** The whole backend but its store, for the benchmark of writes. Ends on SIGTERM as the real one does. */
const asked = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
const settings = readSettings(process.env);
const backend = await startBackend(settings, { store: withoutStoring(await openStore({ dataDir: settings.DATA_DIR }), new Date()) });
await asked;
await backend.stop();
