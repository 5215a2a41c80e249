import { afterAll, beforeAll, onTestFinished } from 'vitest';

type Stoppable = { stop(): unknown } | { remove(): unknown } | { close(): unknown };

/**
 * Starts something before the tests of this file or block, after what was started above it, and stops it after them. Returns a
 * proxy for it: functions and tests may refer to it, but nothing may read it before the tests start.
 */
export function startBeforeAll<T extends Stoppable>(start: () => Promise<T>, timeout?: number): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  }, timeout);
  afterAll(async () => {
    if (started !== undefined) await stop(started);
  });
  return standIn(() => {
    if (started === undefined) throw new Error('This starts before the tests: use it within a test or a hook.');
    return started;
  });
}

/** Stops something at the end of the test that starts it. */
export async function stopAfterTest<T extends Stoppable>(starting: Promise<T>): Promise<T> {
  const started = await starting;
  onTestFinished(async () => void (await stop(started)));
  return started;
}

function stop(started: Stoppable): unknown {
  return 'stop' in started ? started.stop() : 'remove' in started ? started.remove() : started.close();
}

/** A value that is known later: a proxy for what `target` returns when it is used. */
// Safe: every read and write of a property is passed on.
export function standIn<T extends object>(target: () => T): T {
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(target(), key) as unknown,
    set: (_, key, value) => Reflect.set(target(), key, value),
    has: (_, key) => Reflect.has(target(), key),
    ownKeys: () => Reflect.ownKeys(target()),
    getOwnPropertyDescriptor: (_, key) => ({ ...Reflect.getOwnPropertyDescriptor(target(), key), configurable: true }),
  });
}
