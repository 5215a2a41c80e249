import { fork } from 'node:child_process';
import type { SendHandle } from 'node:child_process';
import type { Server, Socket } from 'node:net';
import { FromDelivery } from './messages.ts';
import type { ToDelivery } from './messages.ts';

/** One run of the program of a delivery process, as that of the service sees it. */
export interface DeliveryProcess {
  readonly pid: number | undefined;
  /** Whether it could answer, and said something a moment ago. */
  isResponding(): boolean;
  /** It opens the database, which is ready. */
  begin(where: { readonly port: number; readonly socket: string }): void;
  /** It takes connections of this server from now on. */
  share(server: Server): void;
  /** Gives it a connection, after those before have arrived there. */
  take(socket: Socket): void;
  /** Connections that have not arrived. */
  underWay(): number;
  /** Takes back the connections that have not arrived, for others to answer: all of them where it ended, else all but the one on its way. */
  takeBack(): readonly Socket[];
  send(message: ToDelivery): void;
  /** Its figures; none where it does not respond. */
  figures(): Promise<readonly object[]>;
  kill(): void;
}

interface Told {
  ready(): void;
  store(message: Extract<FromDelivery, { kind: 'heard' | 'ask' }>): void;
  /** How it ended, in a few words. */
  ended(how: string): void;
}

export function startDeliveryProcess(program: string, name: string, told: Told): DeliveryProcess {
  const child = fork(program, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const waiting = new Map<number, (figures: readonly object[]) => void>();
  let [ready, ended] = [false, false];
  let heardAt = 0;
  let last = 0;
  /** Node would queue connections too, but forgets them where the process ends. */
  const queue: Socket[] = [];
  /** Open here as well, until it says that it took it. */
  let onItsWay: Socket | undefined;

  function send(message: ToDelivery, handle?: SendHandle): void {
    // What cannot be sent is as good as unheard: the process ended.
    if (child.connected) child.send(message, handle, { keepOpen: true }, () => undefined);
  }
  function sendNext(): void {
    onItsWay = queue.shift();
    if (onItsWay !== undefined) send({ kind: 'connection' }, onItsWay);
  }
  function end(how: string): void {
    if (ended) return;
    [ready, ended] = [false, true];
    for (const give of waiting.values()) give([]);
    told.ended(how);
  }

  child.on('message', (given: unknown) => {
    const message = FromDelivery.parse(given);
    heardAt = performance.now();
    switch (message.kind) {
      case 'ready':
        ready = true;
        return told.ready();
      case 'beat':
        return undefined;
      case 'took':
        onItsWay?.destroy();
        return sendNext();
      case 'heard':
      case 'ask':
        return told.store(message);
      case 'figures':
        return waiting.get(message.number)?.(message.figures);
      default:
        return message satisfies never;
    }
  });
  child.once('error', (error) => end(error.message));
  child.once('exit', (code, signal) => {
    const how = signal ?? `exit code ${code}`;
    // What it said last may not be heard yet.
    if (child.connected) child.once('disconnect', () => end(how));
    else end(how);
  });

  return {
    pid: child.pid,
    isResponding: () => ready && performance.now() - heardAt < SILENCE,
    begin: ({ port, socket }) => send({ kind: 'begin', name, port, socket }),
    share: (server) => send({ kind: 'share' }, server),
    take(socket) {
      queue.push(socket);
      if (onItsWay === undefined) sendNext();
    },
    underWay: () => queue.length + (onItsWay === undefined ? 0 : 1),
    takeBack() {
      const back = queue.splice(0);
      if (!ended || onItsWay === undefined) return back;
      back.unshift(onItsWay);
      onItsWay = undefined;
      return back;
    },
    send,
    figures() {
      if (!ready) return Promise.resolve([]);
      last += 1;
      const number = last;
      return new Promise((resolve) => {
        const give = (figures: readonly object[]) => {
          clearTimeout(patience);
          waiting.delete(number);
          resolve(figures);
        };
        const patience = setTimeout(give, PATIENCE, []);
        waiting.set(number, give);
        send({ kind: 'figures', number });
      });
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Milliseconds without a word after which a process gets no connections. */
const SILENCE = 2000;
const PATIENCE = 1000;
