import type { Problem } from '#contract/errors.ts';
import type { Profile } from '#contract/session.ts';
import type { ServiceInfo } from '#contract/service.ts';
import type { PublicConfig, Site } from '#contract/site.ts';
import type { AuthoringSettings } from './settings.ts';

/** Something that was asked for and did not come: why, in data that words/ makes a sentence of. */
export interface Failure {
  readonly kind: 'refused' | 'unreachable' | 'timeout' | 'unexpected';
  readonly status?: number;
  readonly problem?: Problem;
  readonly message?: string;
}

export type Known<T> =
  { readonly state: 'known'; readonly value: T } | { readonly state: 'missing' } | { readonly state: 'failed'; readonly failure: Failure };

/** What a host answered to `GET /config.json`. */
export interface ConfigProbe {
  readonly address: string;
  readonly answer: Known<PublicConfig>;
  readonly status?: number;
}

/** A file that the editor or the delivery needs, asked for on the preview host or in the repository. */
export interface FileProbe {
  readonly path: string;
  readonly address: string;
  readonly status: number | 'unreachable';
}

/** Everything that plan and checks are made from; read afresh each time, never written. */
export interface Situation {
  readonly info: ServiceInfo;
  readonly settings: AuthoringSettings;
  readonly profile: Known<Profile>;
  readonly organization: Known<{ readonly name: string }>;
  /** The service's site of that name, with its etag and current version number. */
  readonly site: Known<{ readonly config: Site; readonly etag: string; readonly version: number }>;
  readonly configurationPage: Known<{ readonly path: string; readonly resourceType?: string }>;
  readonly preview?: ConfigProbe;
  readonly live?: ConfigProbe;
  /** The delivery address of the site root, as the technical account would see it (status of the answer). */
  readonly delivery?: FileProbe;
  readonly files: readonly FileProbe[];
}
