import { Button } from '@adobe/react-spectrum/Button';
import { TextField } from '@adobe/react-spectrum/TextField';
import { useEffect, useState } from 'react';
import type { AuthoringPort } from '#extension/setup/ports.ts';
import type { OrganizationSite } from '#extension/setup/sites/organization-sites.ts';
import { Loading } from '../shared/Loading.tsx';
import { useFocusOnArrival } from '../shared/use-focus-on-arrival.ts';
import { useSitesWords } from '../sites/use-sites-words.ts';

/** The page that a site is removed with; absent where it is left alone. */
export interface RemovedPage {
  readonly page?: string;
  readonly cloudConfiguration?: string;
}

interface Props {
  readonly site: OrganizationSite;
  readonly authoring: Pick<AuthoringPort, 'content'>;
  readonly onRemove: (page: RemovedPage) => void;
  readonly onCancel: () => void;
}

/** What stops and what stays when a site is removed; its name is typed to confirm. */
export function RemoveSite({ site, authoring, onRemove, onCancel }: Props) {
  const { removal } = useSitesWords();
  const [page, setPage] = useState<RemovedPage>();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState(false);
  const heading = useFocusOnArrival<HTMLHeadingElement>(site.name);
  useEffect(() => {
    let gone = false;
    void pageOf(authoring, site).then((found) => {
      if (!gone) setPage(found);
    });
    return () => {
      gone = true;
    };
  }, [authoring, site]);
  const confirm = (): void => {
    setAsked(true);
    if (typed.trim() === site.name && page !== undefined) onRemove(page);
  };
  return (
    <section className="rp-card" aria-labelledby="rp-remove">
      <h2 id="rp-remove" tabIndex={-1} ref={heading}>
        {removal.title(site.name)}
      </h2>
      {page === undefined ? (
        <Loading text={removal.reading} />
      ) : (
        <>
          <h3>{removal.stops}</h3>
          <ul>
            {removal.stopsList(site.name, page.page).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <h3>{removal.stays}</h3>
          <ul>
            {removal.staysList(page.cloudConfiguration).map((line) => (
              <li key={line}>{line}</li>
            ))}
            {page.page === undefined && site.contentRoot !== undefined && <li>{removal.otherEnvironment}</li>}
          </ul>
          <TextField
            label={removal.confirm}
            value={typed}
            onChange={setTyped}
            onKeyDown={(event) => event.key === 'Enter' && confirm()}
            width="100%"
            autoComplete="off"
            {...(asked && typed.trim() !== site.name
              ? { validationState: 'invalid' as const, errorMessage: removal.confirmProblem(site.name) }
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

/** A locale's page goes back to inheriting; a page that stands by itself would be left without any configuration. */
async function pageOf(authoring: Pick<AuthoringPort, 'content'>, { state, contentRoot }: OrganizationSite): Promise<RemovedPage> {
  if (state !== 'locale' || contentRoot === undefined) return {};
  const content = await authoring.content(contentRoot);
  if (content.state !== 'known') return {};
  const { ownConfiguration } = content.value;
  return { page: contentRoot, ...(ownConfiguration === undefined ? {} : { cloudConfiguration: ownConfiguration }) };
}
