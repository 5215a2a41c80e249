import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { startDeliveryProcess } from './delivery-process.ts';
import type { DeliveryProcess } from './delivery-process.ts';
import type { FromDelivery, ToDelivery } from './messages.ts';

export interface DeliveryProcesses {
  /**
   * Shares connections out to the processes, and gives those to `adopt` that none of them can take; the server itself takes what the processes pass on.
   * Out: the port.
   */
  open(server: Server, adopt: (socket: Socket) => void): Promise<number>;
  /** The database is ready, and the service answers: they are started, and again where they end. Settles when they take connections, or some seconds later. */
  begin(): Promise<void>;
  /** How many respond. */
  responding(): number;
  /** Their figures by their names. */
  figures(): Promise<ReadonlyMap<string, readonly object[]>>;
  /** Each connection's next request is its last. After `delay` milliseconds they take no new ones, and end what they have within `grace` more. */
  stop(times: { readonly delay: number; readonly grace: number }): Promise<void>;
  /** No connections come any more. */
  close(): void;
}

interface Given {
  readonly count: number;
  /** The file of the program that they run. */
  readonly program: string;
  /** Listens on the port of the service. */
  listen(acceptor: Server): Promise<number>;
  /** A process is there, by name, that reads the storage and is sent messages about it. */
  join(name: string, send: (message: Extract<ToDelivery, { kind: 'news' | 'answer' }>) => void): StoreReader;
  readonly log: { info(message: string): void; error(message: string): void };
}

interface StoreReader {
  said(message: Extract<FromDelivery, { kind: 'heard' | 'ask' }>): void;
  leave(): void;
}

interface Seat {
  readonly name: string;
  current: DeliveryProcess | undefined;
  /** Looks since it was last seen to respond. */
  silent: number;
  pause: number;
  begun: number;
  retry: NodeJS.Timeout | undefined;
  /** Told once it takes connections for the first time, or ended without. */
  settled: () => void;
}

/**
 * Processes that answer the preview and live hosts beside the process of the service (decision 0117). All of them take connections from one queue. The
 * process of the service is among them, so that none waits while a process is started again; what it takes it gives to them in turn.
 */
export function createDeliveryProcesses({ count, program, listen, join: joinStore, log }: Given): DeliveryProcesses {
  const seats = Array.from({ length: count }, (_, index): Seat => ({
    name: `delivery-${index + 1}`,
    current: undefined,
    silent: 0,
    pause: FIRST_PAUSE,
    begun: 0,
    retry: undefined,
    settled: () => undefined,
  }));
  const firsts = seats.map((seat) => new Promise<void>((resolve) => (seat.settled = resolve)));
  const ends = new Map<DeliveryProcess, Promise<void>>();
  let adopt: (socket: Socket) => void = (socket) => socket.destroy();
  const acceptor = createServer({ pauseOnConnect: true }, give);
  let folder: string | undefined;
  let where: { readonly port: number; readonly socket: string } | undefined;
  let [answers, stopping] = [false, false];
  let turn = 0;

  /** The one that has the fewest connections on their way to it: one that hangs, which is found out later, gets few. */
  function nextResponding(): DeliveryProcess | undefined {
    if (!answers) return undefined;
    turn += 1;
    let next: DeliveryProcess | undefined;
    for (let index = 0; index < seats.length; index += 1) {
      const one = seats[(turn + index) % seats.length]?.current;
      if (one?.isResponding() === true && one.underWay() < (next?.underWay() ?? Infinity)) next = one;
    }
    return next;
  }

  function give(socket: Socket): void {
    (nextResponding()?.take ?? adopt)(socket);
  }

  function start(seat: Seat): void {
    seat.retry = undefined;
    seat.silent = 0;
    seat.begun = performance.now();
    let gone: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (gone = resolve));
    const one = startDeliveryProcess(program, seat.name, {
      ready() {
        log.info(`The process "${seat.name}" answers (process ${one.pid}).`);
        one.share(acceptor);
        seat.settled();
      },
      store: (message) => reader.said(message),
      ended(how) {
        reader.leave();
        ends.delete(one);
        gone();
        seat.settled();
        seat.current = undefined;
        for (const socket of one.takeBack()) give(socket);
        if (stopping) return;
        log.error(`The process "${seat.name}" ended (${how}) and is being restarted.`);
        if (performance.now() - seat.begun > WELL) seat.pause = FIRST_PAUSE;
        seat.retry = setTimeout(start, seat.pause, seat);
        seat.pause = Math.min(seat.pause * 2, LONGEST_PAUSE);
      },
    });
    const reader = joinStore(seat.name, one.send);
    ends.set(one, ended);
    seat.current = one;
    if (where !== undefined) one.begin(where);
  }

  /** A process that hangs is ended. By its own count of looks: time goes on while a machine is suspended, processes do not. */
  function look(): void {
    for (const seat of seats) {
      const { current } = seat;
      if (current === undefined) continue;
      seat.silent = current.isResponding() ? 0 : seat.silent + 1;
      if (seat.silent > 0) for (const socket of current.takeBack()) give(socket);
      if (seat.silent < MOST_SILENT) continue;
      log.error(`The process "${seat.name}" does not respond and is being stopped.`);
      current.kill();
    }
  }

  const looks = setInterval(look, LOOK_EVERY);
  looks.unref();

  return {
    async open(server, take) {
      adopt = take;
      folder = await mkdtemp(join(tmpdir(), 'repoless-'));
      const socket = join(folder, 'service');
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, resolve));
      const port = await listen(acceptor);
      where = { port, socket };
      return port;
    },
    async begin() {
      answers = true;
      for (const seat of seats) start(seat);
      await Promise.race([Promise.all(firsts), later(PATIENCE, undefined, { ref: false })]);
    },
    responding: () => seats.filter(({ current }) => current?.isResponding() === true).length,
    async figures() {
      const found = await Promise.all(seats.map(async ({ name, current }) => [name, (await current?.figures()) ?? []] as const));
      return new Map(found);
    },
    async stop({ delay, grace }) {
      stopping = true;
      clearInterval(looks);
      for (const { retry } of seats) clearTimeout(retry);
      if (answers && delay > 0) {
        for (const one of ends.keys()) one.send({ kind: 'leave' });
        await later(delay);
      }
      answers = false;
      const all = Promise.all(ends.values());
      for (const one of ends.keys()) {
        for (const socket of one.takeBack()) adopt(socket);
        // It comes after the connections that were sent before.
        one.send({ kind: 'stop', grace });
      }
      const cutOff = setTimeout(() => {
        for (const one of ends.keys()) one.kill();
      }, grace + LAST_PATIENCE);
      await all;
      clearTimeout(cutOff);
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
    close: () => void acceptor.close(),
  };
}

/** Milliseconds. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 10_000;
/** A process that ran for so long ended for a new reason. */
const WELL = 30_000;
const PATIENCE = 10_000;
const LAST_PATIENCE = 1000;
const LOOK_EVERY = 1000;
const MOST_SILENT = 30;
