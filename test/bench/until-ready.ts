import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

const LIMIT_MS = 60_000;
const STEP_MS = 2;

/**
 * Waits until a program that was just started answers: `ready` throws or returns false until then. Returns the milliseconds it took;
 * rejects if the program ends, or after a minute.
 */
export async function untilReady(name: string, child: ChildProcess, ready: () => Promise<boolean>): Promise<number> {
  const complaints = collect(child.stderr, true);
  const start = performance.now();
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  while (performance.now() - start < LIMIT_MS) {
    if (failure !== undefined) throw failure;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${name} ended before it was ready: ${tail(complaints())}`);
    if (await ready().catch(() => false)) return performance.now() - start;
    await pause(STEP_MS);
  }
  throw new Error(`${name} was not ready within ${LIMIT_MS / 1000} s: ${tail(complaints())}`);
}

/** Returns the complete standard output of a child with piped streams; rejects if it fails. */
export async function outputOf(name: string, child: ChildProcess): Promise<string> {
  const output = collect(child.stdout);
  const complaints = collect(child.stderr);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${name} ended with ${code ?? 'a signal'}: ${tail(complaints())}`);
  return output();
}

/** Collects a stream as text; only the last 64 kB if `bounded`. */
export function collect(stream: NodeJS.ReadableStream | null, bounded = false): () => string {
  let text = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (chunk: string) => {
    text = bounded ? (text + chunk).slice(-65_536) : text + chunk;
  });
  return () => text;
}

/** The last lines that a program wrote, without stack traces. */
export function tail(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
  return lines.slice(-5).join('\n');
}
