import { Button } from '@adobe/react-spectrum/Button';
import { TextField } from '@adobe/react-spectrum/TextField';
import Alert from '@spectrum-icons/workflow/Alert';
import { useEffect, useState } from 'react';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { AuthoringPort } from '@repoless/core/plan/ports.ts';
import type { OrganizationSite } from '@repoless/core/sites/organization-sites.ts';
import { removedPage } from '@repoless/core/sites/removed-page.ts';
import type { RemovedPage } from '@repoless/core/sites/removed-page.ts';
import { Loading } from '../../ui/Loading.tsx';
import { useFocusOnArrival } from '../../ui/use-focus-on-arrival.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly site: OrganizationSite;
  /** Of the author that the site's content comes from. */
  readonly authoring: Pick<AuthoringPort, 'content' | 'edgeConfiguration'>;
  readonly info: ServiceInfo;
  /** The author at hand. */
  readonly here: string;
  /** In: the page that goes back to inheriting, where it does. */
  readonly onRemove: (page: { readonly page?: string; readonly cloudConfiguration?: string }) => void;
  readonly onCancel: () => void;
}

/** What stops and what stays when a site is removed; its name is typed to confirm. */
export function RemoveSite({ site, authoring, info, here, onRemove, onCancel }: Props) {
  const { removal } = useMessages('sites');
  const [page, setPage] = useState<RemovedPage>();
  const [typed, setTyped] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  // A page that is read again leaves the focus where the name is typed.
  const heading = useFocusOnArrival<HTMLHeadingElement>(page === undefined ? 'opened' : 'read');
  useEffect(() => {
    let gone = false;
    void removedPage(authoring, site, info).then((found) => {
      if (!gone) setPage(found);
    });
    return () => {
      gone = true;
    };
  }, [authoring, site, info]);
  const confirm = (): void => {
    setSubmitted(true);
    if (typed.trim() !== site.name || page === undefined) return;
    if (page.kind !== 'inherits') return onRemove({});
    const { kind: _kind, ...inheriting } = page;
    onRemove(inheriting);
  };
  return (
    <section className="rp-card" aria-labelledby="rp-remove">
      <h2 id="rp-remove" tabIndex={-1} ref={heading}>
        {removal.title({ site: site.name })}
      </h2>
      {page === undefined ? (
        <Loading text={removal.reading} />
      ) : (
        <>
          {site.contentRoot !== undefined && site.author !== undefined && (
            <p>{removal.where({ page: site.contentRoot, author: site.author, isHere: site.author === here })}</p>
          )}
          <PageWarning page={page} />
          <h3>{removal.stops}</h3>
          <ul>
            <li>{removal.stopsList.addresses({ site: site.name })}</li>
            <li>{removal.stopsList.publishing}</li>
            {page.kind === 'inherits' && <li>{removal.stopsList.page({ page: page.page })}</li>}
          </ul>
          <h3>{removal.stays}</h3>
          <ul>
            <li>{removal.staysList.content}</li>
            {page.kind === 'inherits' && page.cloudConfiguration !== undefined && (
              <li>{removal.staysList.configuration({ configuration: page.cloudConfiguration })}</li>
            )}
            <li>{removal.staysList.versions}</li>
            <li>{removal.staysList.others}</li>
            {page.kind === 'kept' && !page.repoless && <li>{removal.pageKept({ page: page.page })}</li>}
            {page.kind === 'gone' && <li>{removal.pageGone({ page: page.page })}</li>}
          </ul>
          <TextField
            label={removal.confirm}
            value={typed}
            onChange={setTyped}
            onKeyDown={(event) => (event.key === 'Enter' ? confirm() : event.continuePropagation())}
            width="100%"
            autoComplete="off"
            {...(isSubmitted && typed.trim() !== site.name
              ? { validationState: 'invalid' as const, errorMessage: removal.confirmProblem({ site: site.name }) }
              : {})}
          />
        </>
      )}
      <div className="rp-actions">
        <Button variant="negative" isDisabled={page === undefined || typed.trim() !== site.name} onPress={confirm}>
          {removal.now}
        </Button>
        <Button variant="secondary" onPress={onCancel}>
          {removal.cancel}
        </Button>
      </div>
    </section>
  );
}

/** The authoring system would go on naming a site that is gone. */
function PageWarning({ page }: { readonly page: RemovedPage }) {
  const { removal } = useMessages('sites');
  const warning = page.kind === 'unread' ? removal.pageUnread : page.kind === 'kept' && page.repoless ? removal.repoless : undefined;
  if (warning === undefined || page.kind === 'none') return null;
  return (
    <div className="rp-notice rp-notice-warning" role="note">
      <Alert size="S" UNSAFE_className="rp-notice-icon" />
      <div className="rp-notice-body">
        <p>{warning.sentence({ page: page.page })}</p>
        <p className="rp-next">{warning.next}</p>
      </div>
    </div>
  );
}
