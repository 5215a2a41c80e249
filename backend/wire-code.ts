import { randomUUID } from 'node:crypto';
import { startCodeSync } from '#backend/code/start-code-sync.ts';
import type { CodeSync } from '#backend/code/start-code-sync.ts';
import type { CodeSource } from '#contract/code-source.ts';
import { DEFAULT_REF } from '#contract/names.ts';
import { originOf } from '#backend/domain/code/code-origin.ts';
import { beginSync } from '#backend/domain/jobs/begin-sync.ts';
import type { Store } from '#backend/domain/ports.ts';
import { resealSecrets } from '#backend/domain/secrets/reseal-secrets.ts';
import type { SecretBox } from '#backend/domain/secrets/secret-box.ts';
import type { Remote } from '#backend/remote/remote.ts';
import { openSecretBox } from '#backend/storage/secret-key-file.ts';
import { codeRemote } from './code-remote.ts';
import type { Settings } from './config.ts';
import type { Log } from './log.ts';

export interface WiredCode {
  readonly sync: CodeSync;
  readonly box: SecretBox;
  /** Begins the first sync of a repository, once. */
  codeStored(org: string, code: CodeSource | undefined): void;
}

/** Secrets and the code sync, as the settings say. */
export async function wireCode(
  settings: Settings,
  { store, remote, log, now }: { store: Store; remote: Remote; log: Log; now(): Date },
): Promise<WiredCode> {
  const box = await openSecretBox(settings.SECRET_KEY_FILE);
  const { resealed, unreadable } = await resealSecrets(store, box);
  if (resealed > 0) log.info(`${resealed} secrets were sealed again under the newest key.`);
  if (unreadable > 0)
    log.error(`${unreadable} secrets cannot be opened with the keys of ${settings.SECRET_KEY_FILE}. Put the older keys back.`);
  const sync = await startCodeSync({
    settings: {
      codeHost: settings.CODE_HOST,
      codeDir: settings.CODE_DIR,
      mirrorDir: settings.MIRROR_DIR,
      repositoryLimit: settings.CODE_REPOSITORY_LIMIT,
      fileLimit: settings.CODE_FILE_LIMIT,
      retryDelay: settings.CODE_RETRY_DELAY,
    },
    store,
    remote: codeRemote(remote, settings.INTERNAL_ADDRESSES),
    box,
    now,
    failed: (job, error) => log.failure(job, error),
  });
  return { sync, box, codeStored: firstSyncs(settings, { store, sync, log, now }) };
}

function firstSyncs(
  settings: Settings,
  { store, sync, log, now }: { store: Store; sync: CodeSync; log: Log; now(): Date },
): WiredCode['codeStored'] {
  const seen = new Set<string>();
  const begin = async (origin: NonNullable<ReturnType<typeof originOf>>) => {
    const [job] = await store.code.jobs(origin.key, DEFAULT_REF, 1);
    if (job !== undefined || (await store.code.isKnown(origin.key))) return;
    await beginSync({ code: store.code, runner: sync.runner, now, newId: randomUUID }, { origin, branch: DEFAULT_REF, user: 'first sync' });
  };
  return (org, code) => {
    const origin = originOf(org, code);
    // An external repository needs its secret first, which is set after the site.
    if (settings.FIRST_CODE_SYNC === 'no' || origin?.type !== 'github' || seen.has(origin.key)) return;
    if (seen.size >= REMEMBERED) seen.clear();
    seen.add(origin.key);
    void begin(origin).catch((error: unknown) => log.failure('first sync', error));
  };
}

const REMEMBERED = 50_000;
