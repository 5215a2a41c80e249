import { Json } from '@repoless/contract/json.ts';
import { OrgName } from '@repoless/contract/names.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import type { LeftKind } from '@repoless/core/messages/en/command-line-transfer.ts';
import { z } from 'zod';

/** Parts of a configuration by name. The target service decides what they may contain. */
const Settings = z
  .object({ users: z.array(z.object({ email: z.string(), roles: z.array(z.string()) }).catchall(Json)).optional() })
  .catchall(Json);
const Named = z.object({ name: z.string().min(1) }).catchall(Json);

const LEFT_KINDS = [
  'secret',
  'api-key',
  'site-token',
  'cdn',
  'unread-keys',
  'unknown-members',
  'no-such-part',
] as const satisfies readonly LeftKind[];

/** Something that is not in the file. `of`: `organization`, `profiles/<name>` or `sites/<name>`; `name` is never a value. */
export const Left = z.strictObject({ of: z.string(), kind: z.enum(LEFT_KINDS), name: z.string() });
export type Left = z.infer<typeof Left>;

/**
 * Everything of an organization that one service can pass to another, without credentials: `export --from` writes it, `plan --to` and
 * `apply --to` read it. Profiles and sites are transferred in file order.
 */
export const OrganizationFile = z
  .strictObject({
    version: z.literal(1, { error: 'The only version is 1.' }),
    organization: OrgName,
    /** The service that it was read from. */
    from: z.url({ protocol: /^https?$/ }),
    settings: Settings,
    profiles: z.array(Named),
    sites: z.array(Named).max(50_000),
    notCarried: z.array(Left),
  })
  .superRefine((file, context) => {
    for (const list of ['profiles', 'sites'] as const) {
      const names = new Set<string>();
      for (const [index, { name }] of file[list].entries()) {
        if (names.has(name)) context.addIssue({ code: 'custom', path: [list, index, 'name'], message: messages.transfer.sameName(name) });
        names.add(name);
      }
    }
  });
export type OrganizationFile = z.infer<typeof OrganizationFile>;
