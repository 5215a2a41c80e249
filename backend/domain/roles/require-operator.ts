import type { Caller, User } from '../caller.ts';
import { Refusal } from '../errors.ts';
import { requirePerson } from './permit.ts';

/** Whether somebody is among those who run the service; an API key is nobody's name. In: their names, lower-cased. */
export function isOperator(caller: Caller, operators: readonly string[]): boolean {
  return caller.kind === 'user' && caller.key === undefined && caller.names.some((name) => operators.includes(name));
}

/** Refuses whoever does not run the service. */
export function requireOperator(caller: Caller, operators: readonly string[]): User {
  const person = requirePerson(caller, 'The state of the service');
  if (isOperator(person, operators)) return person;
  throw new Refusal('NOT_AUTHORIZED', 'not authorized', {
    detail: `You are signed in as ${person.email}. This is for the operators of the service (OPERATORS).`,
  });
}
