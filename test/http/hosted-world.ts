import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { type Hosted, startHosted } from '@repoless/sandbox/hosted/start-hosted.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { startTestBackend, type TestBackend } from '../support/backend.ts';

export interface FrontWorld {
  readonly hosted: Hosted;
  readonly backend: TestBackend;
  /** The header of an admin of the organization. */
  readonly ada: Readonly<Record<string, string>>;
  /** Lines of the log. */
  readonly lines: readonly string[];
}

/** Starts the service in front of the stand-in of the hosted one, with further settings. No test may leave a violation there. */
export function startFrontWorld(more: Readonly<Record<string, string>> = {}): FrontWorld {
  let hosted: Hosted;
  let backend: TestBackend;
  let ada: Record<string, string>;
  const lines: string[] = [];
  beforeAll(async () => {
    hosted = await startHosted({ switches: { requestsPerSecond: 0 } });
    backend = await startTestBackend({
      claim: false,
      // The hosted service adds properties that a dry run cannot predict.
      dryRun: false,
      settings: {
        UPSTREAM: hosted.address,
        UPSTREAM_SUCCESSOR: hosted.successor,
        UPSTREAM_PREVIEW: hosted.previewDomain,
        UPSTREAM_LIVE: hosted.liveDomain,
        AUTHOR_HOSTS: 'localhost:1',
        ...more,
      },
      logged: (line) => lines.push(line),
    });
    ada = { 'x-auth-token': hosted.token('session', { email: EXAMPLE.admin, name: 'Ada' }) };
  });
  afterAll(async () => {
    await backend.stop();
    expect(hosted.violations).toEqual([]);
    await hosted.close();
  });
  return {
    lines,
    get hosted() {
      return hosted;
    },
    get backend() {
      return backend;
    },
    get ada() {
      return ada;
    },
  };
}
