import { ADMIN, slingCaller, type Account } from './sling-caller.ts';

/** A person's account in the tests' Sling. */
export function accountOf(email: string): Account {
  return { name: email, password: `secret of ${email}` };
}

type Privilege = 'jcr:read' | 'rep:write';

/** Creates an account, if missing, with these privileges everywhere. */
export async function makeAccount(sling: string, email: string, privileges: readonly Privilege[]): Promise<void> {
  const { name, password } = accountOf(email);
  await slingCaller(sling, ADMIN).post('/system/userManager/user.create.html', [
    [':name', name],
    ['pwd', password],
    ['pwdConfirm', password],
  ]);
  for (const path of ['/content', '/conf'])
    for (const privilege of privileges) await setPrivilege(sling, path, email, privilege, 'granted');
}

/** Sets an access control entry. Rejects if Sling refuses it. */
export async function setPrivilege(
  sling: string,
  path: string,
  email: string,
  privilege: Privilege,
  how: 'granted' | 'denied',
): Promise<void> {
  const { status, text } = await slingCaller(sling, ADMIN).post(`${path}.modifyAce.html`, [
    ['principalId', accountOf(email).name],
    [`privilege@${privilege}`, how],
  ]);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
}
