import type { Failure, Known } from '@repoless/core/situation/call.ts';
import { useCallback, useEffect, useRef, useState } from 'react';

/** Something that is read when it is first rendered. The earlier value stays while it is reloaded, with the failure if that fails. */
export type Reading<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'ready'; readonly value: T; readonly failure?: Failure };

/**
 * Takes a reader that is stable as long as it reads the same thing, undefined while there is nothing to read; and after how many
 * milliseconds a value is read again (by default only on request). Returns the reading, a function to read again, and one that resolves
 * when the answer has arrived.
 */
export function useReading<T>(
  read: (() => Promise<Known<T>>) | undefined,
  freshFor: (value: T) => number | undefined = () => undefined,
): [Reading<T>, () => void, () => Promise<void>] {
  const [reading, setReading] = useState<Reading<T>>({ state: 'loading' });
  const latest = useRef(0);
  const reload = useCallback(async (): Promise<void> => {
    const mine = ++latest.current;
    if (read === undefined) return;
    const answer = await read();
    if (mine === latest.current) setReading((now) => next(now, answer));
  }, [read]);
  useEffect(() => {
    const counter = latest;
    void reload();
    return () => void counter.current++;
  }, [reload]);
  const wait = reading.state === 'ready' ? freshFor(reading.value) : undefined;
  useEffect(() => {
    if (wait === undefined) return undefined;
    const timer = setTimeout(() => void reload(), wait);
    return () => clearTimeout(timer);
  }, [reading, wait, reload]);
  return [reading, () => void reload(), reload];
}

/** The same, but what could not be read is loading again while it is read again, so that another failure is noticed. */
export function useFreshReading<T>(read: () => Promise<Known<T>>): [Reading<T>, () => void] {
  const [reading, , reload] = useReading(read);
  const [isReloading, setReloading] = useState(false);
  const reloadFresh = (): void => {
    setReloading(reading.state !== 'ready');
    void reload().then(() => setReloading(false));
  };
  return [isReloading ? { state: 'loading' } : reading, reloadFresh];
}

function next<T>(now: Reading<T>, answer: Known<T>): Reading<T> {
  if (answer.state === 'known') return { state: 'ready', value: answer.value };
  if (answer.state === 'missing') return answer;
  return now.state === 'ready' ? { ...now, failure: answer.failure } : answer;
}

/** Whether this is still on the screen, for use when an answer arrives. What was left must not change where the person is now. */
export function useIsMounted(): () => boolean {
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => void (here.current = false);
  }, []);
  return useCallback(() => here.current, []);
}

/** Aborts what a view has started when something else starts, when it is stopped, and when the view unmounts. */
export function useStopper(): { start(): AbortSignal; stop(): void } {
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const stop = useCallback(() => controller.current?.abort(), []);
  const start = useCallback((): AbortSignal => {
    stop();
    controller.current = new AbortController();
    return controller.current.signal;
  }, [stop]);
  return { start, stop };
}
