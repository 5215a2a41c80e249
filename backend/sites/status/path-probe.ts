import type { Tier } from '@repoless/contract/addresses.ts';
import type { Site } from '@repoless/contract/site.ts';
import type { ServedFrom } from '@repoless/contract/status.ts';

/** What a host answers for a path. */
export interface PathResult {
  readonly status: number;
  readonly from?: ServedFrom;
  readonly source?: string;
  /** When the content source says that it changed, as HTTP writes it. */
  readonly lastModified?: string;
  /** Why it is not served, a sentence. */
  readonly error?: string;
}

/** A path of a branch, with its leading slash, decoded. */
export interface ProbedPath {
  readonly org: string;
  readonly site: string;
  readonly ref: string;
  /** What holds for the site. */
  readonly config: Site;
  readonly path: string;
}

/** Looks for a path as the hosts do, the content source included. Rejects with OVERLOADED where too many wait. */
export type PathProbe = (place: ProbedPath) => Promise<Readonly<Record<Tier, PathResult>>>;
