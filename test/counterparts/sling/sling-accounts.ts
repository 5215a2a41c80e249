import { ADMIN, slingCaller } from './sling-caller.ts';
import type { Account } from './sling-caller.ts';

/** The account that somebody has in the tests' Sling. */
export function accountOf(email: string): Account {
  return { name: email, password: `secret of ${email}` };
}

type Privilege = 'jcr:read' | 'rep:write';

/** Makes an account, where there is none yet, that may do so everywhere. */
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

/** Rejects where Sling does not take the entry. */
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
