import type { User } from '../domain/caller.ts';
import type { Context } from '../domain/context.ts';
import { isOperator } from '../access/permit.ts';

/** For whom the code host is asked, so that their questions are counted; undefined where it is an operator's. */
export function askingPerson({ settings }: Pick<Context, 'settings'>, caller: User): string | undefined {
  return isOperator(caller, settings.operators) ? undefined : caller.email.toLowerCase();
}
