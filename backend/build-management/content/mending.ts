import { Refusal } from '#backend/domain/errors.ts';
import type { BuildContext } from '../context.ts';
import { unreachable } from '../repositories/refresh-mirror.ts';
import { accessTokenOf } from '../repositories/sealed-texts.ts';
import type { StoredRepository } from '../store/stored-repository.ts';

/** Reads a mirror; where that fails because the mirror is damaged, it is made anew and read once more. */
export async function mending<T>(context: BuildContext, repository: StoredRepository, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const isMended = await context.mirrors.mend(repository, accessTokenOf(context, repository)).catch((problem: unknown) => {
      throw unreachable(problem);
    });
    if (!isMended) throw error;
    return await work();
  }
}
