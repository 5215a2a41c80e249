import type { Context } from '../context.ts';
import type { Subject, VersionData, Writes } from '../ports.ts';
import { requireUser } from '../roles/permit.ts';

export interface NewVersion {
  readonly subject: Subject;
  readonly version: number;
  /** null records the deletion. */
  readonly data: VersionData['data'];
  readonly time: Date;
  readonly name: string | undefined;
  /** The version that this one brings back. */
  readonly restores: number | undefined;
}

/** Stores a version of what the caller changed, and lets go of those that the settings no longer keep. */
export async function addVersion(context: Context, writes: Writes, made: NewVersion): Promise<void> {
  const { subject, version, data, time, name, restores } = made;
  const forget = version - context.settings.versionsKept;
  await writes.addVersion({
    subject,
    version,
    created: time,
    user: requireUser(context.caller).email,
    data,
    ...(name === undefined ? {} : { name }),
    ...(restores === undefined ? {} : { restoredFrom: restores }),
    ...(forget < 1 ? {} : { forget }),
  });
}
