import type { endpoints } from '#contract/endpoints.ts';
import { Refusal } from '../errors.ts';
import type { Verb } from '../verb.ts';
import { versionEntry } from './list-versions.ts';

export const getVersion: Verb<(typeof endpoints)['getVersion']> = async (context, { params: { org, site, version } }) => {
  const found = await context.store.reads.version({ kind: 'site', org, site }, version);
  if (found === undefined) throw new Refusal('VERSION_NOT_FOUND', `Site "${org}/${site}" has no version ${version}.`);
  return { status: 200, body: { ...versionEntry(found), data: found.data } };
};
