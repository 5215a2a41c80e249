import type { Log } from './log.ts';

export interface Running {
  readonly address: string;
  readonly log: Pick<Log, 'failure'>;
  stop(): Promise<void>;
}

export interface Program {
  /** At the start of a sentence, e.g. `The service`. */
  readonly title: string;
  start(): Promise<Running>;
}

/**
 * Runs a program until SIGTERM or SIGINT (exit code 0), or until an unexpected error: that is logged, running work ends in order, and exit
 * code 1 makes the supervisor restart it.
 */
export async function runProgram({ title, start }: Program): Promise<void> {
  // Databases, keys, code and mirrors, including those created by git, are readable by this account only.
  process.umask(0o077);
  try {
    const asked = new Promise<'asked'>((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve('asked'));
    });
    const running = await start();
    const broken = new Promise<'broken'>((resolve) => {
      for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
        process.on(event, (error: unknown) => {
          running.log.failure(event, error);
          resolve('broken');
        });
      }
    });
    process.stdout.write(`${title} answers at ${running.address}\n`);
    const reason = await Promise.race([asked, broken]);
    await running.stop();
    process.exit(reason === 'asked' ? 0 : 1);
  } catch (error) {
    cannotStart(title, error);
  }
}

/** Ends a program that cannot start, with the reason instead of a stack trace. */
export function cannotStart(title: string, error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : `${title} cannot start.`}\n`);
  process.exit(1);
}
