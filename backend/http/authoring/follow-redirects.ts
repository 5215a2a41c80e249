import { PROXIED_READS } from '@repoless/contract/authoring.ts';
import type { BudgetShare } from '../../domain/answer-budget.ts';
import type { AuthorAnswer, AuthorRequest, Authors } from '../../authoring/author.ts';
import { Refusal } from '../../domain/errors.ts';
import { authorPath } from './author-path.ts';

const REDIRECTS = [301, 302, 303, 307, 308];
const LIMIT = 3;

/**
 * Sends a read; follows its redirects to listed paths of the same author. What is answered is counted in the budget. Refuses with
 * AUTHOR_ANSWER_REFUSED, and with OVERLOADED where it is used up.
 */
export async function followRedirects(authors: Authors, first: AuthorRequest, { hold, left }: BudgetShare): Promise<AuthorAnswer> {
  let request = first;
  for (let followed = 0; followed <= LIMIT; followed++) {
    const answer = await authors.send({ ...request, hold });
    const location = answer.headers['location'];
    if (!REDIRECTS.includes(answer.status) || location === undefined) return answer;
    left();
    request = { ...request, path: nextPath(request, location) };
  }
  throw new Refusal('AUTHOR_ANSWER_REFUSED', 'The authoring system redirects in a circle.');
}

function nextPath(request: AuthorRequest, location: string): string {
  const url = URL.canParse(location, `${request.origin}${request.path}`)
    ? new URL(location, `${request.origin}${request.path}`)
    : undefined;
  if (url === undefined || url.origin !== request.origin || url.username !== '' || url.password !== '') {
    throw new Refusal('AUTHOR_ANSWER_REFUSED', 'The authoring system redirects to another host. Such redirects are not followed.');
  }
  try {
    return `${authorPath(decodeURIComponent(url.pathname.slice(1)), PROXIED_READS).sent}${url.search}`;
  } catch {
    throw new Refusal(
      'AUTHOR_ANSWER_REFUSED',
      'The authoring system redirects to a page that is not allowed. This is usually its sign-in page: sign in there again.',
    );
  }
}
