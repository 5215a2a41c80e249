import { z } from 'zod';
import { Json } from './json.ts';
import { LIMITS } from './limits.ts';

/** Parts of the published schema that mean nothing here: checked as it checks them, and kept unchanged (docs/contract.md 3.15). */
const NAME = /^[a-zA-Z0-9-_=]+$/;

const RepositoryPath = z
  .string()
  .max(2 * LIMITS.foreignName)
  .regex(/^[a-zA-Z0-9_-]+\/[a-zA-Z0-9_-]+$/, 'Write the owner and the name of a repository, e.g. "wknd/site".');

export const Events = z.strictObject({ github: z.strictObject({ target: RepositoryPath }) });

/** Members whose names are plain are objects; any other value is the configuration's own. */
export const Features = named(false);
export const Limits = named(true);
/** An entry that is set at an address of its own: an object, as groups are. */
export const EditorEntry = z.record(z.string(), Json);
export const EditorName = z
  .string()
  .max(LIMITS.foreignName)
  .regex(NAME, 'The name of an editor configuration holds letters, digits, "-", "_" and "=".');
export const Editor = z.record(z.string(), Json);

function named(isDescribed: boolean) {
  return z.record(z.string(), Json).superRefine((members, context) => {
    for (const [name, value] of Object.entries(members)) {
      if (!NAME.test(name)) continue;
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        context.addIssue({ code: 'custom', path: [name], message: 'Write an object here.' });
      } else if (isDescribed && !['string', 'undefined'].includes(typeof value['description'])) {
        context.addIssue({ code: 'custom', path: [name, 'description'], message: 'Write a string here.' });
      }
    }
  });
}
