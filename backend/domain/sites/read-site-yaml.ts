import { SITE_YAML_NAMES } from '#contract/site-yaml.ts';
import type { SiteYamlName } from '#contract/site-yaml.ts';
import type { Site } from '#contract/site.ts';
import type { Context } from '../context.ts';
import { refuseErrors } from './check-site.ts';

/** Interrupts a change that brings a file which has not been read yet. */
class Unread extends Error {
  readonly file: SiteYamlName;
  readonly text: string;

  constructor(file: SiteYamlName, text: string) {
    super('The file must be read first.');
    this.file = file;
    this.text = text;
  }
}

/** Lets a change go on where query.yaml and sitemap.yaml, as they shall be stored, can be (docs/contract.md 3.14). In: before and after. */
export type CheckYaml = (before: Site | undefined, after: Site) => void;

/**
 * Runs a change whose rules call `check`. No transaction waits for a thread: a change that brings a file which is not known is broken off, the file is
 * read, and the change begins anew. Refuses with BODY_INVALID a file that is not of its form.
 */
export async function withReadYaml<T>(context: Context, org: string, run: (check: CheckYaml) => Promise<T>): Promise<T> {
  const read = new Map<string, string | undefined>();
  const check: CheckYaml = (before, after) => {
    const errors = SITE_YAML_NAMES.flatMap((file) => {
      const text = after[file]?.yaml;
      if (text === undefined || text === before?.[file]?.yaml) return [];
      const key = `${file}\n${text}`;
      if (!read.has(key)) throw new Unread(file, text);
      const problem = read.get(key);
      return problem === undefined ? [] : [{ pointer: `/${file}/yaml`, detail: `${file}.yaml: ${problem}` }];
    });
    refuseErrors(errors);
  };
  for (;;) {
    try {
      return await run(check);
    } catch (error) {
      // Each round reads another file, and the bound holds whatever a change does.
      if (!(error instanceof Unread) || read.size >= SITE_YAML_NAMES.length) throw error;
      read.set(`${error.file}\n${error.text}`, await context.siteYamlProblem(org, error.file, error.text));
    }
  }
}
