import { fileURLToPath } from 'node:url';
import { startDeliveryProcesses } from '#backend/processes/delivery-processes.ts';
import type { DeliveryProcesses } from '#backend/processes/delivery-processes.ts';
import { createReaders } from '#backend/storage/sqlite/readers.ts';
import type { Readers } from '#backend/storage/sqlite/readers.ts';
import type { Settings } from '../config.ts';
import { beginListening, portOf } from '../listening.ts';
import type { Log } from '../log.ts';

/** The processes that deliver beside that of the service, and how they read the embedded database. */
export interface Beside {
  readonly processes: DeliveryProcesses;
  readonly readers: Readers;
}

/** That of the service among its processes, for logs and figures. */
export const SERVICE_PROCESS = 'service';

/** Starts them, so that they are loaded when the database is ready; undefined where the settings want none. */
export function startBeside({ DELIVERY_WORKERS: count, HOST: host, PORT: port }: Settings, log: Log): Beside | undefined {
  if (count === 0) return undefined;
  const readers = createReaders((message, error) => (error === undefined ? log.error(message) : log.failure(message, error)));
  const processes = startDeliveryProcesses({
    count,
    program: fileURLToPath(new URL('../delivery-main.js', import.meta.url)),
    async listen(acceptor) {
      await beginListening(acceptor, { host, port });
      return portOf(acceptor);
    },
    join: readers.join,
    log,
  });
  return { processes, readers };
}
