/** The guarded way out, as far as code sources need it. */
export interface CodeRemote {
  /** One GET, bounded in size; never rejects but for a programming error. */
  get(asked: CodeRequest): Promise<CodeAnswer>;
  /** Looks a host up and answers what it leads to, or why it must not be connected to. */
  resolve(url: string): Promise<ResolvedHost | RemoteProblem>;
}

export interface ResolvedHost {
  readonly addresses: readonly string[];
  /** Whether it must be these that are connected to: others might be internal. */
  readonly isGuarded: boolean;
}

export interface CodeRequest {
  readonly url: string;
  /** The address, with a final slash, that `url` must lie below: a secret in the headers is shown nowhere else. */
  readonly below: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sizeLimit: number;
  readonly signal?: AbortSignal;
}

export type CodeAnswer =
  { readonly status: number; readonly headers: Readonly<Record<string, string | undefined>>; readonly body: Uint8Array } | RemoteProblem;

export interface RemoteProblem {
  readonly problem: 'internal' | 'elsewhere' | 'timeout' | 'too-large' | 'unreachable';
  /** Names the host alone. */
  readonly sentence: string;
}
