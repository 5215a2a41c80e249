import type { Socket } from 'node:net';
import { openServiceLine } from '#backend/processes/service-line.ts';
import { deliverBeside } from './composition/deliver-beside.ts';
import type { DeliveryBeside } from './composition/deliver-beside.ts';
import { readSettings } from './config.ts';
import { createLog } from './log.ts';
import { countHere } from './measure.ts';
import { cannotStart } from './run-program.ts';

/** A delivery process: started and stopped by that of the service, which it reads its settings like. */
process.umask(0o077);
const settings = settingsOfService();
let log = createLog(settings.LOG_LEVEL);
let measuring: ReturnType<typeof countHere> | undefined;
let delivery: DeliveryBeside | undefined;
let adopt: (socket: Socket) => void = (socket) => socket.destroy();
let told: (message: StoreMessage) => void = () => undefined;

const line = openServiceLine({
  begin({ name, port, socket }) {
    log = createLog(settings.LOG_LEVEL, undefined, name);
    measuring = countHere(settings, log, name);
    const writer = { say: line.say, onTold: (listener: typeof told) => void (told = listener) };
    deliverBeside(settings, { port, socket, writer, measuring }).then((one) => {
      delivery = one;
      line.say({ kind: 'ready' });
    }, failed);
  },
  share: (server) => void delivery?.share(server, (take) => (adopt = take)).catch(failed),
  connection: (socket) => adopt(socket),
  store: (message) => told(message),
  figures: async () => (await measuring?.figures()) ?? [],
  leave: () => delivery?.leave(),
  stop({ grace }) {
    Promise.resolve(delivery?.stop(grace)).then(() => process.exit(0), failed);
  },
});

type StoreMessage = Parameters<Parameters<typeof openServiceLine>[0]['store']>[0];

for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, failed);

function settingsOfService(): ReturnType<typeof readSettings> {
  try {
    const read = readSettings(process.env);
    if (process.send !== undefined) return read;
    throw new Error('The service starts its delivery processes by itself. Start the service instead: node dist/backend/main.js');
  } catch (error) {
    return cannotStart('The delivery process', error);
  }
}

/** It is started again. */
function failed(error: unknown): never {
  log.failure('delivery', error);
  process.exit(1);
}
