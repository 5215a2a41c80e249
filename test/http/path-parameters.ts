const PARAMETERS: Readonly<Record<string, string>> = {
  org: 'wknd',
  ref: 'main',
  profile: 'shared',
  group: 'editors',
  user: 'nobody',
  subscription: '0',
  rollout: '0',
  message: 'msg_0',
  email: 'nobody@example.com',
  id: 'none',
  version: '1',
  from: '1',
  to: '1',
  idp: 'idp',
  name: 'job-2026-01-01-00-00-00-00000000',
  owner: '100',
  repo: '200',
  host: 'author.example.com',
  path: '*',
  'path*': 'content/matrix.json',
  'part*': 'public.json',
};

/** The path of a call with its parameters filled in: with these values, or with placeholders. */
export function filledPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+\*?)\}/g, (_, name: string) => ({ ...PARAMETERS, ...values })[name] ?? '');
}
