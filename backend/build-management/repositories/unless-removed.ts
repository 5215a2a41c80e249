import type { Endpoint } from '@repoless/contract/endpoint.ts';
import type { ErrorCode } from '@repoless/contract/errors.ts';
import { Refusal } from '../../domain/errors.ts';
import { admit } from '../content/admit.ts';
import type { BuildOperation } from '../context.ts';
import { findRepository } from './find-repository.ts';

/** A repository may be removed while a call works on it: what fails then is refused as a call that comes after it. */
export function unlessRemoved<E extends Endpoint>(operation: BuildOperation<E>): BuildOperation<E> {
  return async (context, input) => {
    try {
      return await operation(context, input);
    } catch (error) {
      if (error instanceof Refusal && !MISSING.has(error.code)) throw error;
      const { org, repository, owner, repo }: Readonly<Record<string, unknown>> = { ...input.params };
      if (typeof org === 'string' && typeof repository === 'string') await findRepository(context, { org, repository });
      else if (typeof org !== 'string' && typeof owner === 'string' && typeof repo === 'string')
        await admit(context, { owner, repo }, input.headers['authorization']);
      throw error;
    }
  };
}

/** What is said of code that went with its repository. */
const MISSING: ReadonlySet<ErrorCode> = new Set(['FILE_NOT_FOUND', 'BRANCH_NOT_FOUND']);
