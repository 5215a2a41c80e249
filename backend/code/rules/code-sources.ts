import type { CodeCheck } from '@repoless/contract/code-check.ts';

/** A code source that is looked at. */
export interface CodeRequest {
  /** The organization whose site uses it, or shall use it. */
  readonly org: string;
  readonly type: CodeCheck['type'];
  readonly owner: string;
  readonly repo: string;
  /** `code.source.url` of an external repository; left out, it is at the service's own build management. */
  readonly url?: string;
  /** `code.source.raw_url`, where `url` is given too. */
  readonly rawUrl?: string;
}

/** What a repository answers, without its branches. */
export type CodeAvailability = Pick<CodeCheck, 'repository' | 'state' | 'detail'>;
export type CodeProbe = Pick<CodeCheck, 'repository' | 'branch' | 'sha' | 'files' | 'state' | 'detail'>;

/** Where code lies, as far as it can be asked. Bounded in time and size; what goes wrong is part of the answer. */
export interface CodeSources {
  /** Whether there is such a repository, and whether a site may use it. */
  repository(asked: CodeRequest): Promise<CodeAvailability>;
  /** The same, and what a branch of it holds. */
  look(asked: CodeRequest, branch: string): Promise<CodeProbe>;
  /** The commit of a branch of a repository of the code host; undefined where that could not be told. */
  head(asked: CodeRequest, branch: string, signal: AbortSignal): Promise<string | undefined>;
  /** Whether it was asked a moment ago and may be used: no need to ask again. */
  wasFound(asked: CodeRequest): boolean;
}
