import type { Environment } from '../settings.ts';

/** Access to one authoring environment, with the token of the signed-in person. */
export interface Author {
  readonly environment: Environment;
  readonly token: string;
}

/** Why the authoring system did not respond, as a sentence. */
export class AuthoringProblem extends Error {
  readonly status: number;
  constructor(status: number, sentence: string) {
    super(sentence);
    this.name = 'AuthoringProblem';
    this.status = status;
  }
}

/** Reads `{path}.{selector}.json`; undefined if there is nothing at that path. */
export async function readSling(author: Author, path: string, selector?: string): Promise<unknown> {
  const resource = path.replaceAll('jcr:content', '_jcr_content');
  const suffix = selector === undefined ? '.json' : `.${selector}.json`;
  const answer = await fetch(`/author/${author.environment.id}${encodeURI(resource)}${suffix}`, {
    headers: { authorization: `Bearer ${author.token}`, accept: 'application/json' },
  });
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw new AuthoringProblem(answer.status, sentenceFor(answer.status));
  return await answer.json();
}

function sentenceFor(status: number): string {
  if (status === 300) return 'There are too many resources below this page to read them together.';
  if (status === 401) return 'The sign-in has ended. Sign out and in again.';
  if (status === 403) return 'The authoring system does not let you read this.';
  if (status >= 500) return `The authoring system failed (${status}). See “Simulate faults”, or try again.`;
  return `The authoring system returned ${status}.`;
}
