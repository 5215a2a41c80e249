import { isRoleName, ROLE_NAMES, type RoleName } from '@repoless/contract/access.ts';
import type { OrgUser } from '@repoless/contract/org.ts';
import type { SiteDraft } from '@repoless/core/access/access-kind.ts';
import type { SiteAccessRead } from '@repoless/core/access/read-access.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { RowLink, useNamed } from '../../ui/address/LinkedRows.tsx';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly organization: string;
  readonly users: readonly OrgUser[] | undefined;
  readonly profile: SiteAccessRead['profile'];
  readonly draft: SiteDraft;
}

interface Person {
  readonly entry: string;
  readonly roles: readonly string[];
}

/** Who may do something on the site without being in its own lists, so that nobody is surprised. */
export function OtherPeopleWithAccess({ organization, users, profile, draft }: Props) {
  const { elsewhere } = useMessages('access');
  const isNamed = useNamed('who');
  const inherited =
    profile === undefined
      ? []
      : byEntry(
          ROLE_NAMES.filter((role) => draft.roles[role] === undefined),
          profile.roles,
        );
  return (
    <section className="rp-card" aria-labelledby="rp-elsewhere">
      <h2 id="rp-elsewhere">{elsewhere.title}</h2>
      <p className="rp-quiet">{elsewhere.text}</p>
      {users === undefined ? (
        <p>{elsewhere.unread}</p>
      ) : (
        <Fold
          title={`${elsewhere.organization({ name: organization })} (${users.length})`}
          open={users.length <= FEW || users.some(({ email }) => isNamed(email))}
        >
          <People people={users.map(({ email, roles }) => ({ entry: email, roles }))} />
        </Fold>
      )}
      {profile !== undefined && (
        <Fold title={`${elsewhere.profile({ name: profile.name })} (${inherited.length})`} open>
          <p className="rp-quiet">{elsewhere.profileText}</p>
          <People people={inherited} />
        </Fold>
      )}
    </section>
  );
}

/** So many people are shown without being asked. */
const FEW = 8;

function People({ people }: { readonly people: readonly Person[] }) {
  const { roleOf, elsewhere } = useMessages('access');
  if (people.length === 0) return <p className="rp-unset">{elsewhere.nobody}</p>;
  return (
    <ul className="rp-plain-list">
      {people.map(({ entry, roles }) => (
        <li key={entry} className="rp-person">
          <span className="rp-value">
            <RowLink parameter="who" name={entry}>
              {entry}
            </RowLink>
          </span>
          {roles.map((role) => (
            <Badge key={role} tone="neutral" text={isRoleName(role) ? roleOf[role] : role} />
          ))}
        </li>
      ))}
    </ul>
  );
}

function byEntry(roles: readonly RoleName[], lists: SiteDraft['roles']): Person[] {
  const entries = [...new Set(roles.flatMap((role) => lists[role] ?? []))];
  return entries.map((entry) => ({ entry, roles: roles.filter((role) => lists[role]?.includes(entry) === true) }));
}
