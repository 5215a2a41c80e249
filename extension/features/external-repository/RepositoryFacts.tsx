import type { ExternalRepository } from '@repoless/contract/build-management.ts';
import { useMessages } from '../../ui/use-messages.ts';

/** What names an external repository, and what of it cannot be served. */
export function RepositoryFacts({ repository }: { readonly repository: ExternalRepository }) {
  const { external } = useMessages('sync');
  const rows = [
    [external.onboard.name, repository.name],
    [external.cloneUrl, repository.cloneUrl],
    [external.vendor, external.vendors[repository.vendor]],
    [external.program, repository.programId],
    [external.repository, repository.repositoryId],
    ...(repository.commit === undefined ? [] : [[external.commit, repository.commit.slice(0, 10)] as const]),
  ] as const;
  return (
    <>
      <dl className="rp-facts rp-facts-wide">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {repository.warnings.length > 0 && (
        <div className="rp-notice rp-notice-warning" role="group" aria-label={external.warnings}>
          <ul className="rp-notice-body rp-plain-list">
            {repository.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
