import { z } from 'zod';

const Environment = z.object({ id: z.string(), title: z.string(), address: z.url() });
export type Environment = z.infer<typeof Environment>;

/** The settings that the console's server sends to its page. */
export const Settings = z.object({
  environments: z.array(Environment).min(1),
  extension: z.object({ id: z.string(), address: z.url() }),
  backend: z.url(),
  /** The parent domain of the sites' own hosts. */
  previewDomain: z.string(),
  codeHost: z.url(),
  identity: z.object({ authorization: z.url(), clientId: z.string(), resource: z.string() }),
  organization: z.string(),
  systems: z.array(z.object({ id: z.string(), title: z.string() })),
  hosted: z.literal(true).optional(),
});
export type Settings = z.infer<typeof Settings>;

export async function readSettings(): Promise<Settings> {
  const answer = await fetch('/console/settings.json');
  if (!answer.ok) throw new Error('The console’s server or the identity provider does not respond. Is the sandbox running?');
  return Settings.parse(await answer.json());
}
