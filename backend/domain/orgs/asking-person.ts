import type { User } from '../caller.ts';
import type { Context } from '../context.ts';
import { isOperator } from '../roles/permit.ts';

/** For whom the code host is asked, so that their questions are counted; undefined where it is an operator's. */
export function askingPerson({ settings }: Pick<Context, 'settings'>, caller: User): string | undefined {
  return isOperator(caller, settings.operators) ? undefined : caller.email.toLowerCase();
}
