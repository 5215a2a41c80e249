import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { SessionToken } from '#contract/session.ts';
import { parseJson } from '#extension/api/exchange.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import { CommandFailure } from './cli-context.ts';
import { readText } from './read-text.ts';

const Kept = z.record(z.string(), SessionToken);

/** Tokens by the service's address, in a file that its owner alone may read. Throws UsageProblem where it cannot be read, CommandFailure where it cannot be written. */
export interface TokenStore {
  get(service: string): Promise<SessionToken | undefined>;
  put(service: string, token: SessionToken): Promise<void>;
  remove(service: string): Promise<void>;
}

export function openTokenStore(directory: string): TokenStore {
  const file = join(directory, 'tokens.json');
  const read = async () => {
    const parsed = Kept.safeParse(parseJson((await readText(file)) ?? ''));
    return parsed.success ? parsed.data : {};
  };
  const write = async (tokens: z.infer<typeof Kept>) => {
    await store(tokens).catch((error: unknown) => {
      throw new CommandFailure(messages.login.notKept(file, error instanceof Error ? error.message : String(error)));
    });
  };
  const store = async (tokens: z.infer<typeof Kept>) => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const written = `${file}.${process.pid}`;
    await writeFile(written, `${JSON.stringify(tokens, null, 2)}\n`, { mode: 0o600 });
    await chmod(written, 0o600);
    await rename(written, file);
  };
  return {
    get: async (service) => (await read())[service],
    put: async (service, token) => write({ ...(await read()), [service]: token }),
    async remove(service) {
      const { [service]: removed, ...others } = await read();
      if (removed !== undefined) await write(others);
    },
  };
}
