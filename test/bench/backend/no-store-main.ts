import { once } from 'node:events';
import { startBackend } from '#backend/app.ts';
import { readSettings } from '#backend/config.ts';
import { createNoStore } from './no-store.ts';

/** The whole backend but its store, for the benchmark of writes. Ends on SIGTERM as the real one does. */
const asked = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
const backend = await startBackend(readSettings(process.env), { store: createNoStore(new Date()) });
await asked;
await backend.stop();
