import { fileURLToPath } from 'node:url';
import { createDeliveryProcesses } from '#backend/processes/delivery-processes.ts';
import type { DeliveryProcesses } from '#backend/processes/delivery-processes.ts';
import { createReaders } from '#backend/storage/sqlite/readers.ts';
import type { Readers } from '#backend/storage/sqlite/readers.ts';
import type { Settings } from '../config.ts';
import { beginListening, portOf } from '../listening.ts';
import { createLog } from '../log.ts';
import type { Log } from '../log.ts';
import { deliveryCount } from '../setting-forms.ts';

/** The processes that deliver beside that of the service, and how they read the embedded database. */
export interface Beside {
  readonly processes: DeliveryProcesses;
  readonly readers: Readers;
}

/** That of the service among its processes, for logs and figures. */
export const SERVICE_PROCESS = 'service';

/** Those that the settings want; and the log of this one, which has its name where there are others. */
export function composeBeside({ DELIVERY_WORKERS, HOST: host, PORT: port, LOG_LEVEL: level }: Settings): {
  readonly log: Log;
  readonly beside?: Beside;
} {
  const count = deliveryCount(DELIVERY_WORKERS);
  if (count === 0) return { log: createLog(level) };
  const log = createLog(level, undefined, SERVICE_PROCESS);
  const readers = createReaders((message, error) => (error === undefined ? log.error(message) : log.failure(message, error)));
  const processes = createDeliveryProcesses({
    count,
    program: fileURLToPath(new URL('../delivery-main.js', import.meta.url)),
    async listen(acceptor) {
      await beginListening(acceptor, { host, port });
      return portOf(acceptor);
    },
    join: readers.join,
    log,
  });
  return { log, beside: { processes, readers } };
}
